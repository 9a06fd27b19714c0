#include "core/elicit_form.hpp"

namespace tenon::core {

Result<ElicitForm> ElicitForm::compile(json::object schema) {
    auto compiled = schema::Schema::compile(schema);
    if (!compiled)
        return Error{code::invalid_params,
                     "Invalid params: `params.requestedSchema` cannot be used: " + compiled.error().message};
    return ElicitForm(std::move(schema), *std::move(compiled));
}

Result<ElicitResult> ElicitForm::complete(ElicitResult answer) const {
    if (answer.action != ElicitAction::accept) {
        answer.content.clear();
        return answer;
    }
    const json::value* properties = definition_.if_contains("properties");
    if (const json::object* members = properties ? properties->if_object() : nullptr) {
        for (const auto& [name, schema] : *members) {
            const json::object* o = schema.if_object();
            const json::value* fallback = o ? o->if_contains("default") : nullptr;
            if (fallback && !answer.content.contains(name)) answer.content.emplace(name, *fallback);
        }
    }
    const auto violations = compiled_.check(answer.content, 1, "content");
    if (violations.empty()) return answer;
    return Error{code::internal_error, "the user's answer does not fit the form: " + violations.front().message};
}

}  // namespace tenon::core
