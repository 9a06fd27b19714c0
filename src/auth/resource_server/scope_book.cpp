#include "auth/resource_server/scope_book.hpp"

#include <algorithm>

#include "auth/scopes.hpp"

namespace tenon::auth {
namespace {

bool is_scope(const std::string& s) { return client::parse_scopes(s) == Scopes{s}; }

void check(const Scopes& scopes) {
    for (const std::string& scope : scopes)
        if (!is_scope(scope))
            throw Exception({code::invalid_params,
                             "a scope is printable ASCII without spaces, quotes and backslashes: `" + scope + "`"});
}

const Scopes& find(const std::map<std::string, Scopes>& rules, std::string_view key) {
    static const Scopes none;
    const auto it = rules.find(std::string(key));
    return it == rules.end() ? none : it->second;
}

}  // namespace

ScopeBook::ScopeBook(Scopes base, ScopeRules rules) : base_(std::move(base)), rules_(std::move(rules)) {
    check(base_);
    for (const auto* group : {&rules_.tools, &rules_.resources, &rules_.prompts, &rules_.methods, &rules_.implies})
        for (const auto& [key, scopes] : *group) check(scopes);
}

const Scopes& ScopeBook::rule(const core::Use& use) const {
    switch (use.kind) {
        case core::UseKind::tool: return find(rules_.tools, use.key);
        case core::UseKind::resource: return find(rules_.resources, use.key);
        case core::UseKind::prompt: return find(rules_.prompts, use.key);
        case core::UseKind::method: return find(rules_.methods, use.key);
    }
    return base_;
}

Scopes ScopeBook::needed(const std::vector<core::Use>& uses) const {
    Scopes out = base_;
    for (const core::Use& use : uses)
        for (const std::string& scope : rule(use))
            if (std::ranges::find(out, scope) == out.end()) out.push_back(scope);
    return out;
}

bool ScopeBook::allows(const ScopeSet& has, const core::Use& use) const { return has_all(has, rule(use)); }

bool ScopeBook::has_all(const ScopeSet& has, const Scopes& needed) {
    return std::ranges::all_of(needed, [&](const std::string& scope) { return has.contains(scope); });
}

ScopeSet ScopeBook::widened(const ScopeSet& scopes) const {
    ScopeSet out;
    std::vector<std::string> queue(scopes.begin(), scopes.end());
    while (!queue.empty()) {
        const std::string scope = std::move(queue.back());
        queue.pop_back();
        if (!out.insert(scope).second) continue;
        const Scopes& included = find(rules_.implies, scope);
        queue.insert(queue.end(), included.begin(), included.end());
    }
    return out;
}

std::vector<std::string> ScopeBook::idle_rules(const core::Features& features) const {
    std::vector<std::string> out;
    for (const auto& [name, scopes] : rules_.tools)
        if (!features.tools.find(name)) out.push_back("tool `" + name + "`");
    for (const auto& [uri, scopes] : rules_.resources)
        if (!features.resources.find(uri) && !features.templates.find(uri)) out.push_back("resource `" + uri + "`");
    for (const auto& [name, scopes] : rules_.prompts)
        if (!features.prompts.find(name)) out.push_back("prompt `" + name + "`");
    for (const auto& [name, scopes] : rules_.methods)
        if (!features.methods.find(name)) out.push_back("method `" + name + "`");
    return out;
}

}  // namespace tenon::auth
