// The oracle checks a server's messages against the official JSON Schema of a revision.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include <tenon/json.hpp>
#include <tenon/schema.hpp>

namespace golden {

/// The schemas of one revision. They are closed first: a member that a definition does not name is a violation, which
/// detects fields of newer revisions in older sessions. Parts that are open by design (`_meta`, a tool's schemas) stay
/// open.
class Oracle {
 public:
    /// Returns nothing when the official schemas are not installed.
    static std::optional<Oracle> load(std::string_view revision);

    /// Returns what is wrong with the message, or an empty string. `method` is the method of the answered request. It
    /// is empty when the message answers no readable request.
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
    std::map<std::string, std::string> calls_;              // method -> definition, of messages that a server sends
    std::map<std::string, tenon::schema::Schema> schemas_;  // by definition, compiled at first use
};

}  // namespace golden
