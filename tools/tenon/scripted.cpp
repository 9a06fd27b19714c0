#include "scripted.hpp"

#include "status.hpp"
#include "typed_arguments.hpp"

namespace tenon::program {
namespace {

bool has_field(const json::object& form, const std::string& name) {
    const json::value* fields = form.if_contains("properties");
    return fields && fields->is_object() && fields->get_object().contains(name);
}

// A field with a default needs no answer: the library adds it.
json::object with_defaults(json::object content, const json::object& form) {
    const json::value* fields = form.if_contains("properties");
    if (!fields || !fields->is_object()) return content;
    for (const auto& [name, field] : fields->get_object()) {
        const json::object* o = field.if_object();
        const json::value* otherwise = o ? o->if_contains("default") : nullptr;
        if (otherwise && !content.contains(name)) content.emplace(name, *otherwise);
    }
    return content;
}

}  // namespace

ElicitResult scripted_answer(const std::vector<std::string>& answers, const ElicitRequest& request) {
    std::vector<std::string> own;
    for (const std::string& answer : answers)
        if (has_field(request.requestedSchema, assignment_of(answer).key)) own.push_back(answer);
    json::object content = with_defaults(typed_arguments(own, request.requestedSchema), request.requestedSchema);
    try {
        check_arguments(content, request.requestedSchema);
    } catch (const Failure& failure) {
        throw Failure(Status::usage, "the server's form is not filled in: " + std::string(failure.what()),
                      "--answer KEY=VALUE answers a field");
    }
    return {ElicitAction::accept, std::move(content)};
}

}  // namespace tenon::program
