// The oracle: what the official JSON Schema of a revision says about a message that a server sent.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include <tenon/json.hpp>
#include <tenon/schema.hpp>

namespace golden {

/// One revision. The schemas are closed first: a member that a definition does not name is a violation, so that fields
/// of newer revisions cannot leak into older sessions unseen. What is open by nature (_meta, a tool's schemas) stays
/// so.
class Oracle {
 public:
    /// Nothing when the official schemas are not at hand.
    static std::optional<Oracle> load(std::string_view revision);

    /// What is wrong with the message, or an empty string. `method` is the request that a response answers; empty when
    /// it answers none that could be read.
    std::string verdict(const tenon::json::object& message, const std::string& method);

 private:
    Oracle(std::string revision, tenon::json::object document);
    std::string check(const std::string& definition, const tenon::json::value& instance);
    std::string check_result(const tenon::json::value& result, const std::string& method);
    std::string check_call(const tenon::json::object& message);
    bool defines(const std::string& definition) const { return definitions().contains(definition); }
    const tenon::json::object& definitions() const { return document_.at(member_).get_object(); }

    std::string revision_;
    tenon::json::object document_;
    std::string member_;                                    // "definitions" or "$defs"
    std::map<std::string, std::string> calls_;              // method -> definition, of what a server sends
    std::map<std::string, tenon::schema::Schema> schemas_;  // by definition, compiled when first needed
};

}  // namespace golden
