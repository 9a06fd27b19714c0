#include "transport/http_server/session_record.hpp"

#include <algorithm>
#include <utility>

#include <tenon/json.hpp>

#include "json/reader.hpp"
#include "protocol/write.hpp"

namespace tenon {
namespace {

using core::Declared;
using Kind = core::StateChange::Kind;

constexpr std::pair<std::string_view, bool Declared::*> declared_names[] = {
    {"tools", &Declared::tools},     {"resources", &Declared::resources},
    {"prompts", &Declared::prompts}, {"completions", &Declared::completions},
    {"logging", &Declared::logging}, {"tasks", &Declared::tasks},
    {"skills", &Declared::skills},   {"apps", &Declared::apps},
};
constexpr std::pair<std::string_view, Kind> kinds[] = {
    {"initialized", Kind::initialized},
    {"level", Kind::log_level},
    {"subscribe", Kind::subscribe},
    {"unsubscribe", Kind::unsubscribe},
};

}  // namespace

std::string encode_extra(const SessionExtra& extra) {
    json::array declared;
    for (const auto& [name, member] : declared_names)
        if (extra.declared.*member) declared.emplace_back(name);
    json::array lists(extra.lists.begin(), extra.lists.end());
    json::object out{{"declared", std::move(declared)}, {"listened", extra.listened}, {"lists", std::move(lists)}};
    if (!extra.copies.empty()) out["copies"] = json::array(extra.copies.begin(), extra.copies.end());
    if (extra.ended) out["ended"] = true;
    return json::write(out);
}

SessionExtra decode_extra(std::string_view text) {
    SessionExtra out;
    const auto parsed = json::parse(text);
    const json::object* o = parsed ? parsed->if_object() : nullptr;
    if (!o) return out;
    json::Reader r(*o, "extra");
    out.listened = r.optional_boolean("listened").value_or(false);
    if (const json::array* lists = r.optional_array("lists"); lists && lists->size() == out.lists.size())
        for (std::size_t i = 0; i < lists->size(); ++i)
            if ((*lists)[i].is_string()) out.lists[i] = std::string((*lists)[i].get_string());
    out.ended = r.optional_boolean("ended").value_or(false);
    if (const json::array* copies = r.optional_array("copies"))
        for (const json::value& node : *copies)
            if (node.is_string()) out.copies.emplace_back(node.get_string());
    if (const json::array* names = r.optional_array("declared"))
        for (const json::value& name : *names)
            for (const auto& [known, member] : declared_names)
                if (name.is_string() && name.get_string() == known) out.declared.*member = true;
    return out;
}

bool add_copy(store::SessionRecord& record, const std::string& node) {
    SessionExtra extra = decode_extra(record.extra);
    if (std::ranges::find(extra.copies, node) != extra.copies.end()) return false;
    if (extra.copies.size() >= max_copies) extra.copies.erase(extra.copies.begin());
    extra.copies.push_back(node);
    record.extra = encode_extra(extra);
    return true;
}

void put_state(const core::SessionState& state, const ListDigests& lists, store::SessionRecord& record) {
    record.revision = protocol::Rules(state.revision).name();
    record.capabilities = json::write(state.capabilities.raw);
    record.client_info.clear();
    json::Writer w(record.client_info);
    protocol::write(w, state.client, protocol::Rules(protocol::modern_revision()));  // drops no member
    record.subscriptions.assign(state.subscriptions.begin(), state.subscriptions.end());
    record.log_level = state.log_level;
    record.initialized = state.initialized;
    record.extra = encode_extra({state.declared, false, lists});
}

Result<core::SessionState> state_of(const store::SessionRecord& record) {
    const auto malformed = [](std::string_view what) {
        return Error{code::store_corrupt, "the stored session has malformed " + std::string(what)};
    };
    auto capabilities = json::parse(record.capabilities);
    if (!capabilities) return malformed("capabilities");
    auto client = json::parse(record.client_info);
    if (!client) return malformed("information about its client");
    auto introduction = protocol::read_initialize({{"protocolVersion", record.revision},
                                                   {"capabilities", *std::move(capabilities)},
                                                   {"clientInfo", *std::move(client)}});
    if (!introduction) return malformed("members: " + introduction.error().message);
    const auto revision = protocol::revision(record.revision);
    if (!revision || protocol::Rules(*revision).is_modern()) return malformed("revision: " + record.revision);
    core::SessionState out;
    out.revision = *revision;
    out.bytes = record.capabilities.size() + record.client_info.size();
    out.capabilities = std::move(introduction->capabilities);
    out.client = std::move(introduction->clientInfo);
    out.declared = decode_extra(record.extra).declared;
    out.initialized = record.initialized;
    out.log_level = record.log_level;
    out.subscriptions = {record.subscriptions.begin(), record.subscriptions.end()};
    return out;
}

void apply(const core::StateChange& change, store::SessionRecord& record) {
    core::SessionState state;
    state.initialized = record.initialized;
    state.log_level = record.log_level;
    state.subscriptions = {record.subscriptions.begin(), record.subscriptions.end()};
    core::apply(change, state);
    record.initialized = state.initialized;
    record.log_level = state.log_level;
    record.subscriptions.assign(state.subscriptions.begin(), state.subscriptions.end());
}

json::array encode_changes(const std::vector<core::StateChange>& changes) {
    json::array out;
    for (const core::StateChange& change : changes)
        for (const auto& [name, kind] : kinds)
            if (kind == change.kind) out.push_back(json::array{name, change.value});
    return out;
}

std::vector<core::StateChange> decode_changes(const json::value& v) {
    std::vector<core::StateChange> out;
    const json::array* all = v.if_array();
    for (const json::value& one : all ? *all : json::array()) {
        const json::array* pair = one.if_array();
        if (!pair || pair->size() != 2 || !(*pair)[0].is_string() || !(*pair)[1].is_string()) continue;
        for (const auto& [name, kind] : kinds)
            if ((*pair)[0].get_string() == name) out.push_back({kind, std::string((*pair)[1].get_string())});
    }
    return out;
}

}  // namespace tenon
