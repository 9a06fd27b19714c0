// Refusal: why a command of the page was not carried out. Thrown by the functions behind commands, and caught in one
// place, Commands::run(), which makes it the response.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <tenon/json.hpp>

namespace tenon::inspect {

struct Refusal {
    int status = 400;  ///< of HTTP
    std::string message;
    std::string remedy = {};
    int code = 0;  ///< the server's error code; 0: none
    json::value data = nullptr;
};

/// Returns the refusal for an error of a call: 502 for an error of the server, 504 for a timeout, 409 otherwise.
Refusal refusal_of(const Error& error);
/// Returns a sentence that says what to do about an error, or an empty string.
std::string remedy_of(const Error& error);

/// Reads the members of a command. Each function throws Refusal that names the member.
class Arguments {
 public:
    explicit Arguments(const json::object& all) : all_(all) {}

    std::string text(std::string_view name) const;
    std::string text_or(std::string_view name, std::string_view otherwise) const;
    bool flag(std::string_view name, bool otherwise = false) const;
    std::uint64_t number(std::string_view name) const;
    std::uint64_t number_or(std::string_view name, std::uint64_t otherwise) const;
    const json::object& object(std::string_view name) const;
    json::object object_or_empty(std::string_view name) const;
    const json::array& array(std::string_view name) const;
    std::vector<std::string> texts(std::string_view name) const;  ///< empty when it is missing
    const json::value& any(std::string_view name) const;
    bool has(std::string_view name) const { return all_.contains(name); }
    const json::object& all() const { return all_; }

 private:
    const json::object& all_;
};

}  // namespace tenon::inspect
