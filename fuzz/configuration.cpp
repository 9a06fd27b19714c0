// Invariant: configuration and baseline files are read or refused with a reason; words that are joined split again.
// Input: one byte that chooses the kind of file, then its text.
#include "support.hpp"
#include "tools/tenon/target.hpp"
#include "tools/tenon/verdict.hpp"

namespace tenon::fuzz::configuration_target {
namespace {

using namespace program;

std::optional<std::string> variable(const std::string& name) {
    return name == "HOME" ? std::optional<std::string>("/home/fuzz") : std::nullopt;
}

void check_servers(std::string_view text) {
    const auto entry = read_server_entry(text, "a", "file", variable);
    must(entry.url.empty() != entry.command.empty(), "an entry has a URL or a command");
}

void check_baseline(std::string_view text) {
    for (const KnownFailure& failure : read_baseline(text, "file")) {
        must(!failure.rule.empty(), "an entry names a rule");
        must(!fingerprint(failure).empty(), "an entry has a fingerprint");
    }
}

void check_words(std::string_view text) {
    const auto words = split_words(text);
    must(split_words(join_words(words)) == words, "joined words split again");
}

void check(std::uint8_t choice, std::string_view text) {
    switch (choice % 5) {
        case 0: return check_servers(text);
        case 1: return check_baseline(text);
        case 2: return check_words(text);
        case 3: return (void)expand(text, variable);
        default: return (void)header_of(std::string(text));
    }
}

void run(std::string_view input) {
    Feed feed(input);
    const std::uint8_t choice = feed.byte();
    try {
        check(choice, feed.rest());
    } catch (const Failure& failure) {
        must(!std::string_view(failure.what()).empty(), "a refusal has a reason");
    }
}

const Target target{"configuration", run};

}  // namespace
}  // namespace tenon::fuzz::configuration_target
