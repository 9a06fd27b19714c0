// A server that breaks one rule. Usage: mutant RULE, or mutant none REVISION [--http].
#include "check/mutant.hpp"

#include <cstdio>

using namespace tenon::check::mutant;

int main(int argc, char** argv) {
    const std::string_view rule = argc > 1 ? argv[1] : "";
    for (const Mutant& mutant : all_mutants())
        if (mutant.rule == rule) return mutant.over_http() ? serve_web(mutant) : serve_stdio(mutant);
    if (rule == "none" && argc > 2) {
        const Mutant none = control(argv[2], argc > 3);
        return none.http ? serve_web(none) : serve_stdio(none);
    }
    std::fprintf(stderr, "usage: mutant RULE | none REVISION [--http]\n");
    return 2;
}
