// Runs one attack against a new victim and measures its effect.
#pragma once

#include <string>
#include <vector>

#include "attack/clients.hpp"
#include "attack/pipes.hpp"
#include "attack/row.hpp"
#include "attack/servers.hpp"

namespace attack {

/// The folders of the programs and of the logs, and the path of this program.
struct Paths {
    std::string programs, logs, self;
};

/// `with_tokens`: the connections belong to one principal; otherwise the server has no authentication.
Row run(const ClientAttack& attack, int connections, bool with_tokens, const Paths& paths);
Row run(const PipeAttack& attack, const Paths& paths);
Row run(const ServerAttack& attack, const Paths& paths);

}  // namespace attack
