// The output schema of one tool, as the server declared it.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include <tenon/schema.hpp>

namespace tenon::core {

/// Checks results of the tool against its output schema. The first check compiles the schema, which takes long if the
/// schema is hostile. Thread-safe: the caller of a tool checks the result without holding the lock of the engine.
class OutputSchema {
 public:
    OutputSchema(std::string tool, json::object schema, std::size_t max_violations)
        : tool_(std::move(tool)), schema_(std::move(schema)), max_violations_(max_violations) {}
    ~OutputSchema() { delete compiled_.load(); }
    OutputSchema(const OutputSchema&) = delete;
    OutputSchema& operator=(const OutputSchema&) = delete;

    /// Checks a result of tools/call. Accepts results with `isError`.
    Result<void> check(const json::value& result) const;
    bool is_compiled() const { return compiled_.load() != nullptr; }

 private:
    using Compiled = Result<schema::Schema>;
    const Compiled& compiled() const;
    Error broken(std::string_view how) const;

    const std::string tool_;
    const json::object schema_;
    const std::size_t max_violations_;
    mutable std::atomic<const Compiled*> compiled_ = nullptr;  // owned; never changes after it was set
};

using OutputSchemaPtr = std::shared_ptr<const OutputSchema>;

/// Returns the answer, or an error when the answer does not match the schema. The schema may be null.
Result<json::value> checked(Result<json::value> answer, const OutputSchemaPtr& schema);

}  // namespace tenon::core
