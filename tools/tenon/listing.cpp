#include "listing.hpp"

#include <set>

#include "near.hpp"

namespace tenon::program {
namespace {

constexpr std::size_t most_pages = 1000;

Failure invalid(const std::string& method, const std::string& why) {
    return Failure(Status::protocol, "the server's answer to " + method + " is invalid: " + why);
}

}  // namespace

json::array whole_list(Session& session, const std::string& method, std::string_view key) {
    json::array out;
    std::set<std::string> cursors;
    json::object params;
    for (std::size_t page = 0; page < most_pages; ++page) {
        json::value result =
            session.with_client([&](Client& client) { return client.request(method, params, session.call_options()); });
        json::object* o = result.if_object();
        json::value* entries = o ? o->if_contains(key) : nullptr;
        if (!entries || !entries->is_array()) throw invalid(method, "it has no list `" + std::string(key) + "`");
        for (json::value& entry : entries->get_array()) out.push_back(std::move(entry));
        const json::value* next = o->if_contains("nextCursor");
        if (!next || !next->is_string()) return out;
        if (!cursors.insert(std::string(next->get_string())).second) throw invalid(method, "its pages go in circles");
        params["cursor"] = *next;
    }
    throw invalid(method, "it has more than " + std::to_string(most_pages) + " pages");
}

Tool find_tool(Session& session, const std::string& name) {
    return session.with_client([&](Client& client) {
        std::vector<std::string> names;
        if (session.server().capabilities.tools)
            for (Tool& tool : client.list_tools(session.call_options())) {
                if (tool.name == name) return std::move(tool);
                names.push_back(tool.name);
            }
        throw usage_failure("the server has no tool `" + name + "`",
                            names.empty() ? "it has no tools at all" : suggestion(name, names));
    });
}

json::object without_envelope(json::value result) {
    json::object out = result.is_object() ? std::move(result.get_object()) : json::object();
    for (const std::string_view key : {"resultType", "ttlMs", "cacheScope"}) out.erase(key);
    return out;
}

}  // namespace tenon::program
