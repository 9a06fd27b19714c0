// A server that breaks one rule, or an unusual but correct one. Usage: mutant RULE, or mutant none REVISION [--http].
#include "check/mutant.hpp"

#include <cstdio>

using namespace tenon::check::mutant;

int main(int argc, char** argv) {
    const std::string_view rule = argc > 1 ? argv[1] : "";
    std::vector<Mutant> known = all_mutants();
    for (Mutant& odd : odd_servers()) known.push_back(std::move(odd));
    for (Mutant& special : special_servers()) known.push_back(std::move(special));
    for (const Mutant& mutant : known)
        if (mutant.rule == rule) return mutant.over_http() ? serve_web(mutant) : serve_stdio(mutant);
    if (rule == "none" && argc > 2) {
        const Mutant none = control(argv[2], argc > 3);
        return none.http ? serve_web(none) : serve_stdio(none);
    }
    std::fprintf(stderr, "usage: mutant RULE | none REVISION [--http]\n");
    return 2;
}
