// What a client knows of a server's tools from their listing: how to check their results, and which arguments to repeat
// in headers.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/client_options.hpp>
#include <tenon/schema.hpp>

#include "core/mirrored_parameters.hpp"

namespace tenon::core {

class ToolCatalogue {
 public:
    explicit ToolCatalogue(const ClientLimits& limits) : limits_(limits) {}

    /// Learns from a result of tools/list. Tools whose header annotations are invalid are taken out of it where
    /// `mirrors`. Returns a sentence for the log about each that is taken out, and
    /// one about those that do not fit into the limits.
    std::vector<std::string> learn(json::value& result, bool mirrors);

    /// Whether a result of tools/call fits what the tool said about it; what is not known fits.
    Result<void> check(std::string_view tool, const json::value& result);

    /// The headers of a call, with the values they repeat.
    std::vector<std::pair<std::string, json::value>> mirrored(std::string_view tool,
                                                              const json::object& arguments) const;

 private:
    struct Entry {
        std::optional<json::object> output = {};
        std::optional<Result<schema::Schema>> compiled = {};  // when first needed
        std::vector<MirroredParameter> mirrored = {};
        std::size_t bytes = 0;  // of all that
    };
    bool remember(std::string name, Entry entry);  // false: it does not fit
    const Result<schema::Schema>& compiled(Entry& entry) const;

    const ClientLimits& limits_;
    std::map<std::string, Entry, std::less<>> tools_;  // the server chooses the names: a hash could be made slow
    std::size_t bytes_ = 0;                            // of tools_
};

}  // namespace tenon::core
