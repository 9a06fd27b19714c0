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

/// Sends one message. False when the client is gone.
using Say = std::function<bool(std::string_view message)>;

/// A server over stdio that is told what to do with a message, or a server of plain sockets.
struct ServerAttack {
    std::string_view name, load;
    std::string_view command;                          ///< of tenon, without the server: "call tool --yes"
    void (*hear)(const Heard&, const Say&) = nullptr;  ///< over stdio
    void (*connected)(tenon::test::ScriptedConnection&, int) = nullptr;  ///< over HTTP
    bool ends_by_itself = true;  ///< false: it goes on as the user wants it to, and must end when told to
};

std::span<const ServerAttack> server_attacks();

/// Serves over stdio as that attack does, until the client is gone.
int serve_hostile(const ServerAttack& attack);

/// What an honest server with one tool would say.
void be_polite(const Heard& heard, const Say& say);
/// The same, where the tool has this output schema.
std::string tool_list(std::string_view input_schema, std::string_view output_schema = "");

}  // namespace attack
