// The form of an elicitation. Fills missing members of the user's answer with their defaults, and validates it.
#pragma once

#include <tenon/protocol/elicitation.hpp>
#include <tenon/schema.hpp>

namespace tenon::core {

class ElicitForm {
 public:
    /// Returns the error -32602 when `schema` is not a valid JSON Schema.
    static Result<ElicitForm> compile(json::object schema);

    /// Returns the answer to send. An accepted answer gets the defaults of the form, any other answer loses its
    /// content. Returns an error when an accepted answer does not fit the schema.
    Result<ElicitResult> complete(ElicitResult answer) const;

 private:
    ElicitForm(json::object definition, schema::Schema compiled)
        : definition_(std::move(definition)), compiled_(std::move(compiled)) {}

    json::object definition_;
    schema::Schema compiled_;
};

}  // namespace tenon::core
