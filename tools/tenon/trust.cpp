#include "trust.hpp"

#include <cstdlib>

#include "console.hpp"
#include "json_text.hpp"
#include "terminal.hpp"

namespace tenon::program {
namespace {

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

std::shared_ptr<auth::TokenStore> usual_store() {
    std::string state = variable("XDG_STATE_HOME");
    const std::string home = variable("HOME");
    if (!state.starts_with('/')) state = home.starts_with('/') ? home + "/.local/state" : "";
    if (state.empty()) return nullptr;
    try {
        return auth::file_store(state + "/tenon/trusted");
    } catch (const std::exception&) {
        return nullptr;  // other users may write to the folder, so it cannot be trusted
    }
}

// The store keeps only a digest of the key. NUL is the separator, because neither a path nor JSON contains it.
std::string key_of(const FoundEntry& entry) {
    return entry.file + '\0' + entry.name + '\0' + json::write(json::value(entry.entry));
}

// Hides the values in `env`, which may be secrets. The user can decide by their names.
json::object without_secrets(json::object entry) {
    json::value* environment = entry.if_contains("env");
    if (environment && environment->is_object())
        for (auto& member : environment->get_object()) member.value() = "(hidden)";
    return entry;
}

}  // namespace

TrustedEntries::TrustedEntries() : store_(usual_store()) {}

bool TrustedEntries::has(const FoundEntry& entry) const {
    try {
        return store_ && store_->load(key_of(entry));
    } catch (const std::exception&) {
        return false;
    }
}

bool TrustedEntries::add(const FoundEntry& entry) {
    try {
        if (store_) store_->save(key_of(entry), "trusted: " + entry.name + " of " + entry.file + "\n");
        return store_ != nullptr;
    } catch (const std::exception&) {
        return false;
    }
}

bool needs_trust(const FoundEntry& entry) {
    return entry.entry.contains("command") || json::write(json::value(entry.entry)).find("${") != std::string::npos;
}

void ask_for_trust(const FoundEntry& entry, TrustedEntries& trusted, Asker& asker) {
    const bool starts = entry.entry.contains("command");
    asker.say(
        {{Look::bold, safe_line(entry.file)},
         {Look::plain, starts ? Literal(" of this project wants to start a command. The entry ")
                              : Literal(" of this project wants to use variables of your environment. The entry ")},
         {Look::bold, safe_line(entry.name)},
         {Look::plain, ":"}});
    say_quoted(asker, pretty_json(without_secrets(entry.entry)).view());
    const SafeText question =
        starts ? Literal("Start it, now and from now on?") : Literal("Use it, now and from now on?");
    if (!ask_yes_or_no(asker, question, false)) throw Failure(Status::interrupted, "not started");
    if (!trusted.add(entry)) asker.say("This could not be remembered, so you will be asked again.");
}

Approve approval(const CommandLine& line, Console& console) {
    return [trust = line.has("trust"), &console](const FoundEntry& entry) {
        if (trust || !needs_trust(entry)) return;
        TrustedEntries trusted;
        if (trusted.has(entry)) return;
        if (!has_terminal())
            throw usage_failure(
                "`" + entry.name + "` of " + entry.file + " was never allowed here, and there is no terminal to ask on",
                "read the file, then use --trust, or name the file with --config");
        Terminal terminal(console, {});
        ask_for_trust(entry, trusted, terminal);
    };
}

}  // namespace tenon::program
