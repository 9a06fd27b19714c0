// Joins the messages of violations of a schema.
#pragma once

#include <string>
#include <vector>

#include <tenon/schema.hpp>

namespace tenon::core {

inline std::string sentence(const std::vector<schema::Violation>& violations) {
    std::string out;
    for (const auto& v : violations) out += (out.empty() ? "" : "; ") + v.message;
    return out;
}

/// Returns where the violations are, without the values, which may be secrets: for logs and records.
inline std::string places(const std::vector<schema::Violation>& violations) {
    std::string out;
    for (const auto& v : violations) out += (out.empty() ? "" : ", ") + v.instance_path + " (" + v.keyword + ")";
    return out;
}

}  // namespace tenon::core
