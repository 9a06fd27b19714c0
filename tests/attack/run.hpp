// Runs one attack against a victim of its own and says what it did.
#pragma once

#include <string>
#include <vector>

#include "attack/clients.hpp"
#include "attack/pipes.hpp"
#include "attack/row.hpp"
#include "attack/servers.hpp"

namespace attack {

/// Where the programs are, and where victims write their logs.
struct Paths {
    std::string programs, logs, self;
};

/// `connections` clients of one principal, or of nobody in particular when `with_tokens` is false.
Row run(const ClientAttack& attack, int connections, bool with_tokens, const Paths& paths);
Row run(const PipeAttack& attack, const Paths& paths);
Row run(const ServerAttack& attack, const Paths& paths);

}  // namespace attack
