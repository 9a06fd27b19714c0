#include "core/client/output_schema.hpp"

namespace tenon::core {

Error OutputSchema::broken(std::string_view how) const {
    return {code::invalid_answer,
            "the result of the tool `" + tool_ + "` breaks its output schema: " + std::string(how)};
}

// Two threads may compile at the same time. One of the results is then dropped.
const OutputSchema::Compiled& OutputSchema::compiled() const {
    if (const Compiled* ready = compiled_.load()) return *ready;
    auto mine = std::make_unique<const Compiled>(schema::Schema::compile(schema_));
    const Compiled* other = nullptr;
    return compiled_.compare_exchange_strong(other, mine.get()) ? *mine.release() : *other;
}

Result<void> OutputSchema::check(const json::value& result) const {
    const json::object* o = result.if_object();
    if (!o) return {};
    const json::value* failed = o->if_contains("isError");
    if (failed && failed->is_bool() && failed->get_bool()) return {};
    const json::value* structured = o->if_contains("structuredContent");
    if (!structured) return broken("it has no structuredContent");
    const Compiled& schema = compiled();
    if (!schema) return broken("the schema itself cannot be used: " + schema.error().message);
    if (schema->accepts(*structured)) return {};
    const auto violations = schema->check(*structured, max_violations_, "structuredContent");
    return broken(violations.empty() ? "it does not fit" : violations.front().message);
}

Result<json::value> checked(Result<json::value> answer, const OutputSchemaPtr& schema) {
    if (!answer || !schema) return answer;
    if (auto ok = schema->check(*answer); !ok) return ok.error();
    return answer;
}

}  // namespace tenon::core
