// Hostile clients of a server that speaks over its standard streams.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace attack {

struct PipeAttack {
    std::string_view name, load;
    std::string (*bytes)() = nullptr;  ///< what is sent after the handshake
    bool reads = true;                 ///< false: the attacker does not read until it has sent everything it can
};

std::span<const PipeAttack> pipe_attacks();

}  // namespace attack
