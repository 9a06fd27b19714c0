#include <tenon/schema.hpp>

#include "schema/compiler.hpp"
#include "schema/explainer.hpp"
#include "schema/validator.hpp"

namespace tenon::schema {

Result<Schema> Schema::compile(const json::value& schema, const Options& options) {
    auto program = std::make_shared<Program>();
    program->limits = options.limits;
    if (auto error = Compiler(options, *program).compile(schema)) return std::move(*error);
    return Schema(std::move(program));
}

bool Schema::accepts(const json::value& instance) const {
    Validator validator(*program_);
    return validator.run(program_->root, instance, nullptr) && !validator.out_of_budget();
}

std::vector<Violation> Schema::check(const json::value& instance, std::size_t max_violations,
                                     std::string_view root_name) const {
    Validator validator(*program_);
    if (validator.run(program_->root, instance, nullptr) && !validator.out_of_budget()) return {};
    return explain(*program_, instance, {max_violations, root_name, validator.out_of_budget()});
}

}  // namespace tenon::schema
