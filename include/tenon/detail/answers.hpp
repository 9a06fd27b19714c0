// Converts a handler's return value to the protocol's result.
#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <vector>

#include <tenon/protocol/prompts.hpp>
#include <tenon/protocol/resources.hpp>
#include <tenon/protocol/tools.hpp>
#include <tenon/typed.hpp>

#pragma GCC visibility push(default)

namespace tenon::detail {

template <class T>
struct IsResult : std::false_type {};
template <class T>
struct IsResult<Result<T>> : std::true_type {};

template <class T>
concept Text = std::convertible_to<T, std::string_view>;

template <class T>
concept ToolContent = std::same_as<T, ToolResult> || std::same_as<T, Content> ||
    std::same_as<T, std::vector<Content>> ||(std::constructible_from<Content, T> && !Text<T>);

/// Returns the schema of {"result": ...}. Structured content must be an object, so other values are wrapped like this.
json::object wrap_schema(json::object schema);

template <class T>
bool is_object() {
    static const bool yes = [] {
        const json::object schema = schema_of<T>();
        const json::value* type = schema.if_contains("type");
        return type && type->is_string() && type->get_string() == "object";
    }();
    return yes;
}

template <class T>
json::object structured_schema() {
    return is_object<T>() ? schema_of<T>() : wrap_schema(schema_of<T>());
}

template <class T>
json::value structured_value(const T& value) {
    json::value v = to_json(value);
    if (is_object<T>()) return v;
    return json::object{{"result", std::move(v)}};
}

template <class T>
constexpr bool has_output_schema() {
    if constexpr (IsResult<T>::value) {
        return has_output_schema<typename T::value_type>();
    } else {
        return !std::is_void_v<T> && !Text<T> && !ToolContent<T> && !std::same_as<T, json::value> &&
               !std::same_as<T, json::object>;
    }
}

template <class T>
std::optional<json::object> output_schema() {
    if constexpr (IsResult<T>::value) {
        return output_schema<typename T::value_type>();
    } else if constexpr (has_output_schema<T>()) {
        return structured_schema<T>();
    } else {
        return std::nullopt;
    }
}

template <class T>
Result<ToolResult> tool_answer(T&& value) {
    using V = std::decay_t<T>;
    ToolResult out;
    if constexpr (IsResult<V>::value) {
        if (!value) return value.error();
        return tool_answer(*std::forward<T>(value));
    } else if constexpr (std::same_as<V, ToolResult>) {
        return std::forward<T>(value);
    } else if constexpr (std::same_as<V, std::vector<Content>>) {
        out.content = std::forward<T>(value);
    } else if constexpr (ToolContent<V>) {
        out.content.emplace_back(std::forward<T>(value));
    } else if constexpr (std::same_as<V, std::string>) {
        out.content.emplace_back(TextContent{std::forward<T>(value)});
    } else if constexpr (Text<V>) {
        out.content.push_back(TextContent{std::string(std::string_view(value))});
    } else if constexpr (std::same_as<V, json::value> || std::same_as<V, json::object>) {
        const json::value v(std::forward<T>(value));
        out.content.push_back(TextContent{json::write(v)});
        if (v.is_object()) out.structuredContent = v;
    } else {
        out.structuredContent = structured_value(value);
    }
    return out;
}

/// Converts the return value of a method's handler to the `result` of the response, which must be an object.
template <class T>
Result<json::object> method_answer(T&& value) {
    using V = std::decay_t<T>;
    if constexpr (IsResult<V>::value) {
        if (!value) return value.error();
        return method_answer(*std::forward<T>(value));
    } else if constexpr (std::same_as<V, json::object>) {
        return Result<json::object>(std::forward<T>(value));
    } else if constexpr (std::same_as<V, json::value>) {
        if (value.is_object()) return Result<json::object>(std::forward<T>(value).as_object());
        return json::object{{"result", std::forward<T>(value)}};
    } else if constexpr (Text<V>) {
        return json::object{{"result", std::string_view(value)}};
    } else {
        json::value wrapped = structured_value(value);
        return Result<json::object>(std::move(wrapped.as_object()));
    }
}

/// Converts the return value of a resource handler. `mime_type` comes from the registration; empty: chosen by the type
/// of the value.
template <class T>
Result<ReadResult> resource_answer(T&& value, const std::string& uri, const std::string& mime_type) {
    using V = std::decay_t<T>;
    ReadResult out;
    if constexpr (IsResult<V>::value) {
        if (!value) return value.error();
        return resource_answer(*std::forward<T>(value), uri, mime_type);
    } else if constexpr (requires {
                             value.has_value();
                             *value;
                         }) {
        if (!value) return resource_not_found(uri).error();
        return resource_answer(*std::forward<T>(value), uri, mime_type);
    } else if constexpr (std::same_as<V, ReadResult>) {
        return std::forward<T>(value);
    } else if constexpr (std::same_as<V, std::vector<ResourceContents>>) {
        out.contents = std::forward<T>(value);
    } else if constexpr (std::same_as<V, ResourceContents>) {
        out.contents.push_back(std::forward<T>(value));
    } else if constexpr (std::same_as<V, Blob>) {
        out.contents.push_back(
            {uri, mime_type.empty() ? "application/octet-stream" : mime_type, {}, std::forward<T>(value).bytes, {}});
    } else if constexpr (Text<V>) {
        out.contents.push_back(
            {uri, mime_type.empty() ? "text/plain" : mime_type, std::string(std::string_view(value)), {}, {}});
    } else {
        out.contents.push_back(
            {uri, mime_type.empty() ? "application/json" : mime_type, json::write(to_json(value)), {}, {}});
    }
    return out;
}

template <class T>
Result<PromptResult> prompt_answer(T&& value) {
    using V = std::decay_t<T>;
    PromptResult out;
    if constexpr (IsResult<V>::value) {
        if (!value) return value.error();
        return prompt_answer(*std::forward<T>(value));
    } else if constexpr (std::same_as<V, PromptResult>) {
        return std::forward<T>(value);
    } else if constexpr (std::same_as<V, std::vector<PromptMessage>>) {
        out.messages = std::forward<T>(value);
    } else if constexpr (std::same_as<V, PromptMessage>) {
        out.messages.push_back(std::forward<T>(value));
    } else {
        static_assert(Text<V>,
                      "tenon: a prompt handler returns a string, a PromptMessage, a vector of them, or a PromptResult");
        out.messages.push_back(user(std::string(std::string_view(value))));
    }
    return out;
}

}  // namespace tenon::detail

#pragma GCC visibility pop
