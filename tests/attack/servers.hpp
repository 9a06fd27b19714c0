// Hostile servers: the client under attack is the program `tenon`.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "support/scripted_server.hpp"

namespace attack {

/// A message that a client sent.
struct Heard {
    std::string method, id, text;  ///< `id` is JSON; empty for a notification

    std::string answer(std::string_view result) const;
};

/// Sends one message. Returns false when the client is gone.
using Say = std::function<bool(std::string_view message)>;

/// A hostile server, over stdio or over HTTP.
struct ServerAttack {
    std::string_view name, load;
    std::string_view command;                          ///< of tenon, without the server: "call tool --yes"
    void (*hear)(const Heard&, const Say&) = nullptr;  ///< over stdio
    void (*connected)(tenon::test::ScriptedConnection&, int) = nullptr;  ///< over HTTP
    bool ends_by_itself = true;  ///< false: the client may wait as long as the user wants, and must end after SIGTERM
};

std::span<const ServerAttack> server_attacks();

/// Serves that attack over stdio, until the client is gone.
int serve_hostile(const ServerAttack& attack);

/// Answers like an honest server with one tool.
void be_polite(const Heard& heard, const Say& say);
/// Returns the result of `tools/list` for one tool with these schemas.
std::string tool_list(std::string_view input_schema, std::string_view output_schema = "");

}  // namespace attack
