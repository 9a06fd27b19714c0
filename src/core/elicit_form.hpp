// A form that a server wants filled in: the answer has the defaults of what was left out, and fits.
#pragma once

#include <tenon/protocol/elicitation.hpp>
#include <tenon/schema.hpp>

namespace tenon::core {

class ElicitForm {
 public:
    /// -32602 when it is no schema.
    static Result<ElicitForm> compile(json::object schema);

    /// What is sent for a user's answer; an error when it does not fit.
    Result<ElicitResult> complete(ElicitResult answer) const;

 private:
    ElicitForm(json::object definition, schema::Schema compiled)
        : definition_(std::move(definition)), compiled_(std::move(compiled)) {}

    json::object definition_;
    schema::Schema compiled_;
};

}  // namespace tenon::core
