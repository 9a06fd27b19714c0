// The requests of well-behaved and hostile clients, as bytes.
#pragma once

#include <string>
#include <string_view>

namespace attack {

/// Returns a message of this method. `params` is the text between the braces of its parameters. `id` is JSON.
std::string message(std::string_view method, std::string_view params = "", std::string_view id = "1");
std::string initialize_message(std::string_view revision = "2025-11-25", std::string_view capabilities = "{}",
                               std::string_view name = "client");
std::string call_message(std::string_view tool, std::string_view arguments = "{}", std::string_view more_params = "",
                         std::string_view id = "1");
/// The members of `_meta` that describe the sender of each request of 2026-07-28.
std::string modern_meta(std::string_view more_members = "", std::string_view capabilities = "{}");

/// A POST of `body`. `fields`: header lines, each ended by CRLF.
std::string post(std::string_view body, std::string_view fields = "");
/// A tool call of 2026-07-28.
std::string modern_call(std::string_view tool, std::string_view arguments, std::string_view fields,
                        std::string_view more_meta = "", std::string_view capabilities = "{}");
std::string in_session(std::string_view id);
/// A GET that asks for the messages of a session.
std::string listen(std::string_view session, std::string_view fields);

/// Returns `text` repeated `times` times, separated by commas.
std::string list_of(std::string_view text, std::size_t times);

}  // namespace attack
