// client_mutant RULE SERVER|URL: a small client that breaks one rule of the protocol. With RULE "none" it breaks no
// rule.
// client_mutant --relay SOCKET: the relay of the checker.
#include <signal.h>

#include <cstring>

#include <tenon/check.hpp>

#include "client_mutant_client.hpp"

int main(int argc, char** argv) {
    using namespace tenon::mutant;
    if (argc < 3) return 2;
    if (std::strcmp(argv[1], "--relay") == 0) return tenon::check::relay(argv[2]);
    ::signal(SIGPIPE, SIG_IGN);
    Bend bend;
    for (const Mutation& mutation : mutations())
        if (mutation.rule == argv[1]) mutation.bend(bend);
    const std::string where = argv[2];
    const auto wire = where.starts_with("http") ? reach(where) : start(where);
    Client(*wire, bend).run();
    return 0;
}
