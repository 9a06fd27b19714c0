#include <tenon/consent.hpp>

#include <algorithm>
#include <cstdlib>

#include <tenon/auth/token_store.hpp>

#include "base/base64.hpp"
#include "jose/digest.hpp"

namespace tenon {
namespace {

// Writes JSON with sorted members, so that two texts with the same meaning are equal.
std::string sorted_json(const json::value& v) {
    if (const json::object* o = v.if_object()) {
        std::map<std::string_view, const json::value*> members;
        for (const auto& member : *o) members.emplace(member.key(), &member.value());
        std::string out = "{";
        for (const auto& [key, value] : members) out += json::write(json::value(key)) + ":" + sorted_json(*value) + ",";
        return out + "}";
    }
    if (const json::array* a = v.if_array()) {
        std::string out = "[";
        for (const json::value& item : *a) out += sorted_json(item) + ",";
        return out + "]";
    }
    return json::write(v);
}

json::value hint(const std::optional<bool>& v) { return v ? json::value(*v) : json::value(); }

json::value definition_of(const Tool& tool) {
    json::array icons;
    for (const Icon& icon : tool.icons) icons.emplace_back(icon.src);
    const ToolAnnotations& a = tool.annotations;
    return json::array{tool.name,
                       tool.title,
                       tool.description,
                       tool.inputSchema,
                       tool.outputSchema ? json::value(*tool.outputSchema) : json::value(),
                       json::array{a.title, hint(a.readOnlyHint), hint(a.destructiveHint), hint(a.idempotentHint),
                                   hint(a.openWorldHint)},
                       std::move(icons),
                       tool.meta,
                       static_cast<int>(tool.task)};
}

std::string digest_text(std::string_view bytes) { return base::base64url_encode(jose::sha256(bytes)); }

std::string_view name_of(ConsentDecision decision) { return decision == ConsentDecision::never ? "never" : "always"; }

constexpr std::string_view undecided = "ask";  // replaces a decision that was taken back

class ConsentFiles final : public ConsentStore {
 public:
    explicit ConsentFiles(std::shared_ptr<auth::TokenStore> files) : files_(std::move(files)) {}
    std::optional<std::string> load(const std::string& key) override { return files_->load(key); }
    void save(const std::string& key, const std::string& decision) override { files_->save(key, decision); }

 private:
    const std::shared_ptr<auth::TokenStore> files_;
};

std::string usual_consent_folder() {
    const char* state = std::getenv("XDG_STATE_HOME");
    const char* home = std::getenv("HOME");
    if (state && *state == '/') return std::string(state) + "/tenon/consent";
    if (home && *home == '/') return std::string(home) + "/.local/state/tenon/consent";
    throw Exception({code::internal_error, "there is no folder for decisions: set XDG_STATE_HOME or HOME"});
}

}  // namespace

std::shared_ptr<ConsentStore> consent_files(std::string folder) {
    if (folder.empty()) folder = usual_consent_folder();
    return std::make_shared<ConsentFiles>(auth::file_store(std::move(folder)));
}

Consent::Consent(ConsentOptions options) : options_(std::move(options)) {}

std::string Consent::fingerprint(const Tool& tool) { return digest_text(sorted_json(definition_of(tool))); }

// NUL is the separator, because neither a URL nor a word of a command contains it.
std::string Consent::key_of(std::string_view server, const Tool& tool) {
    return digest_text(std::string(server) + '\0' + fingerprint(tool));
}

std::optional<ConsentDecision> Consent::decision(std::string_view server, const Tool& tool) const {
    if (std::ranges::find(options_.allowed, tool.name) != options_.allowed.end()) return ConsentDecision::session;
    const std::string key = key_of(server, tool);
    {
        const std::lock_guard lock(mutex_);
        if (const auto found = decisions_.find(key); found != decisions_.end()) return found->second;
    }
    try {
        const auto stored = options_.store ? options_.store->load(key) : std::nullopt;
        if (stored == name_of(ConsentDecision::always)) return ConsentDecision::always;
        if (stored == name_of(ConsentDecision::never)) return ConsentDecision::never;
    } catch (const std::exception&) {
    }
    return std::nullopt;
}

bool Consent::allows(std::string_view server, const Tool& tool) const {
    const auto known = decision(server, tool);
    return known && *known != ConsentDecision::never;
}

bool Consent::remember(std::string_view server, const Tool& tool, ConsentDecision decision) {
    if (decision == ConsentDecision::once || decision == ConsentDecision::refuse) return true;
    const std::string key = key_of(server, tool);
    keep(key, decision);
    if (decision == ConsentDecision::session) return true;
    try {
        if (options_.store) options_.store->save(key, std::string(name_of(decision)));
        return options_.store != nullptr;
    } catch (const std::exception&) {
        return false;
    }
}

bool Consent::forget(std::string_view server, const Tool& tool) {
    const std::string key = key_of(server, tool);
    {
        const std::lock_guard lock(mutex_);
        if (decisions_.erase(key) > 0) std::erase(order_, key);
    }
    try {
        if (options_.store && options_.store->load(key)) options_.store->save(key, std::string(undecided));
        return true;
    } catch (const std::exception&) {
        return false;
    }
}

void Consent::keep(const std::string& key, ConsentDecision decision) {
    const std::lock_guard lock(mutex_);
    if (decisions_.insert_or_assign(key, decision).second) order_.push_back(key);
    if (order_.size() <= options_.max_remembered) return;
    decisions_.erase(order_.front());
    order_.pop_front();
}

bool Consent::ask(std::string_view server, const Tool& tool, const std::function<ConsentDecision()>& question) {
    if (const auto known = decision(server, tool)) return *known != ConsentDecision::never;
    const ConsentDecision answer = question();
    remember(server, tool, answer);
    return answer != ConsentDecision::refuse && answer != ConsentDecision::never;
}

}  // namespace tenon
