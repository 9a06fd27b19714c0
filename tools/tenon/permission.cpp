#include "permission.hpp"

#include "json_text.hpp"

namespace tenon::program {
namespace {

std::shared_ptr<ConsentStore> usual_consent_store() {
    try {
        return consent_files();
    } catch (const std::exception&) {
        return nullptr;  // there is no folder, or other users may write to it: nothing is remembered
    }
}

Literal claim_of(const ToolAnnotations& hints) {
    if (hints.readOnlyHint.value_or(false)) return "It claims that it changes nothing.";
    if (!hints.destructiveHint.value_or(true)) return "It claims that it only adds things.";
    return "It may change or destroy things.";
}

// Returns nothing when the user gave no answer.
std::optional<ConsentDecision> decision_of(std::string_view typed) {
    if (typed == "y" || typed == "yes") return ConsentDecision::once;
    if (typed == "a" || typed == "always") return ConsentDecision::always;
    if (typed.empty() || typed == "n" || typed == "no") return ConsentDecision::refuse;
    if (typed == "never") return ConsentDecision::never;
    return std::nullopt;
}

ConsentDecision ask_decision(Asker& asker) {
    for (;;) {
        const auto typed = asker.ask("Call it? [y]es, [a]lways this definition, [n]o, never: ");
        if (!typed) return ConsentDecision::refuse;
        if (const auto decision = decision_of(*typed)) return *decision;
        asker.say("Please answer y, a, n or never.");
    }
}

}  // namespace

std::string identity_of(const Target& target) {
    if (!target.url.empty()) return target.url;
    return target.directory + '\n' + join_words(target.command);
}

Permission::Permission(const CommandLine& line, const Target& target)
    : Permission(line, target, usual_consent_store()) {}

Permission::Permission(const CommandLine& line, const Target& target, std::shared_ptr<ConsentStore> store)
    : yes_(line.has("yes")),
      server_(identity_of(target)),
      consent_({.store = std::move(store), .allowed = line.all("allow")}) {}

bool Permission::given(const Tool& tool) const {
    if (yes_) return true;
    const auto known = consent_.decision(server_, tool);
    if (known == ConsentDecision::never)
        throw Failure(Status::interrupted, "`" + tool.name + "` was refused for good",
                      "--allow " + tool.name + " calls it nevertheless");
    return known.has_value();
}

void Permission::ask(const Tool& tool, const json::object& arguments, Asker& asker) {
    asker.say({{Look::bold, safe_line(tool.name)},
               {Look::plain, tool.description.empty() ? Literal(" has no description.") : Literal(":")}});
    if (!tool.description.empty()) say_quoted(asker, tool.description);
    asker.say(claim_of(tool.annotations));
    asker.say("It gets:");
    say_quoted(asker, pretty_json(arguments).view());
    const ConsentDecision decision = ask_decision(asker);
    if (!consent_.remember(server_, tool, decision))
        asker.say("This could not be remembered, so you will be asked again.");
    if (decision == ConsentDecision::refuse || decision == ConsentDecision::never)
        throw Failure(Status::interrupted, "not called");
}

}  // namespace tenon::program
