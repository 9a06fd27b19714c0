#include "check/server/arguments.hpp"

#include "check/server/shapes.hpp"

namespace tenon::check {
namespace {

using json::object;

bool accepts(const object& tool, const object& arguments) {
    const auto schema = input_schema(tool);
    return !schema || schema->compiled.accepts(arguments);
}

}  // namespace

std::optional<KnownSchema> input_schema(const object& tool) {
    const object* input = object_in(tool, "inputSchema");
    if (!input) return std::nullopt;
    auto compiled = schema::Schema::compile(*input);
    if (!compiled) return std::nullopt;
    return KnownSchema{*input, *std::move(compiled)};
}

std::optional<object> valid_arguments(const object& tool) {
    const auto schema = input_schema(tool);
    if (!schema) return std::nullopt;
    Choices plainest(std::vector<std::uint32_t>{}), others(1);
    auto guess = conforming(*schema, plainest);
    if (!guess) guess = conforming(*schema, others);
    if (!guess || !guess->is_object()) return std::nullopt;
    return guess->get_object();
}

std::optional<object> arguments_with_one_missing(const object& tool, std::string& which) {
    auto out = valid_arguments(tool);
    if (!out || out->empty()) return std::nullopt;
    which = out->begin()->key();
    out->erase(which);
    return accepts(tool, *out) ? std::nullopt : out;
}

std::optional<object> no_arguments(const object& tool, std::string& which) {
    const object* schema = object_in(tool, "inputSchema");
    const json::array* required = schema ? array_in(*schema, "required") : nullptr;
    if (!required || required->empty() || !required->front().is_string() || accepts(tool, {})) return std::nullopt;
    which = required->front().get_string();
    return object();
}

std::optional<object> arguments_of_wrong_type(const object& tool, std::string& which) {
    auto out = valid_arguments(tool);
    if (!out || out->empty()) return std::nullopt;
    which = out->begin()->key();
    (*out)[which] = object{{"tenon", "check"}};
    return accepts(tool, *out) ? std::nullopt : out;
}

}  // namespace tenon::check
