#include "listing.hpp"

#include "near.hpp"

namespace tenon::program {
namespace {

struct Wanted {
    std::string kind, name;
};

// `declared(capabilities)` returns whether the server has such entries, and `list(client)` returns all of them.
template <class Entry, class Declared, class List>
Entry find_named(Session& session, const Wanted& wanted, Declared declared, List list) {
    return session.with_client([&](Client& client) -> Entry {
        std::vector<std::string> names;
        if (declared(session.server().capabilities))
            for (Entry& entry : list(client)) {
                if (entry.name == wanted.name) return std::move(entry);
                names.push_back(entry.name);
            }
        throw usage_failure("the server has no " + wanted.kind + " `" + wanted.name + "`",
                            names.empty() ? "it has no " + wanted.kind + "s at all" : suggestion(wanted.name, names));
    });
}

}  // namespace

json::array whole_list(Session& session, const std::string& method, std::string_view key) {
    return session.with_client([&](Client& client) {
        json::array out;
        for (json::value& entry : client.list_any(method, std::string(key), session.call_options()))
            out.push_back(std::move(entry));
        return out;
    });
}

Tool find_tool(Session& session, const std::string& name) {
    return find_named<Tool>(
        session, {"tool", name}, [](const auto& capabilities) { return bool(capabilities.tools); },
        [&](Client& client) { return client.list_tools(session.call_options()); });
}

Prompt find_prompt(Session& session, const std::string& name) {
    return find_named<Prompt>(
        session, {"prompt", name}, [](const auto& capabilities) { return bool(capabilities.prompts); },
        [&](Client& client) { return client.list_prompts(session.call_options()); });
}

json::object without_envelope(json::value result) {
    json::object out = result.is_object() ? std::move(result.get_object()) : json::object();
    for (const std::string_view key : {"resultType", "ttlMs", "cacheScope"}) out.erase(key);
    return out;
}

}  // namespace tenon::program
