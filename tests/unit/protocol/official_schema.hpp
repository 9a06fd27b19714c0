// Reads the methods of a revision from its official JSON schema.
#pragma once

#include <fstream>
#include <optional>
#include <set>
#include <sstream>
#include <string>

#include <tenon/json.hpp>

#include "support/folders.hpp"

namespace tenon::protocol {

using Methods = std::set<std::string>;

// Tasks are experimental in 2025-11-25. The table has only the directions that Tenon supports.
inline bool is_task_method(const std::string& method) { return method.find("tasks/") != std::string::npos; }

/// Returns the schema of a revision, or nullopt when the schemas are not installed.
inline std::optional<json::object> official_schema(const std::string& revision) {
    std::ifstream file(test_folders::shared() + "/spec/" + revision + "/schema.json");
    if (!file) return std::nullopt;
    std::stringstream text;
    text << file.rdbuf();
    return json::parse(text.str()).value().get_object();
}

/// Returns the methods that a side may send, from the unions of the official schema.
inline Methods methods_of(const json::object& schema, const std::string& side) {
    const json::object& definitions = schema.at(schema.contains("$defs") ? "$defs" : "definitions").get_object();
    Methods out;
    for (const char* kind : {"Request", "Notification"}) {
        const json::value* all = definitions.if_contains(side + kind);
        if (!all) continue;
        const json::value single = json::array{*all};
        for (const json::value& choice :
             (all->get_object().contains("anyOf") ? all->at("anyOf") : single).get_array()) {
            const json::value* ref = choice.get_object().if_contains("$ref");
            if (!ref) continue;
            const std::string path(ref->get_string());
            out.insert(std::string(definitions.at(path.substr(path.rfind('/') + 1))
                                       .at("properties")
                                       .at("method")
                                       .at("const")
                                       .get_string()));
        }
    }
    return out;
}

}  // namespace tenon::protocol
