// Hostile clients of a server over stdio.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace attack {

struct PipeAttack {
    std::string_view name, load;
    std::string (*bytes)() = nullptr;  ///< makes the bytes that are sent after the handshake
    bool reads = true;                 ///< false: the attacker reads nothing until it can send no more
};

std::span<const PipeAttack> pipe_attacks();

}  // namespace attack
