#include "listing.hpp"

#include "near.hpp"

namespace tenon::program {

json::array whole_list(Session& session, const std::string& method, std::string_view key) {
    return session.with_client([&](Client& client) {
        json::array out;
        for (json::value& entry : client.list_any(method, std::string(key), session.call_options()))
            out.push_back(std::move(entry));
        return out;
    });
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
