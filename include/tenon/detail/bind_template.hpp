// Binds the variables of a resource template to the parameters of its handler.
#pragma once

#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include <tenon/detail/bind.hpp>

#pragma GCC visibility push(default)

namespace tenon::detail {

/// Returns the names of the variables, in order. Throws tenon::Exception when their number is not `count`. Returns an
/// empty list for a malformed template: registration refuses it with a better message.
std::vector<std::string> template_variables(const std::string& uri_template, std::size_t count);

template <class T>
consteval bool is_template_variable() {
    constexpr Shape shape = shape_of<T>();
    if constexpr (is_a<T, std::optional>) {
        return is_template_variable<PresentT<T>>();
    } else {
        return std::is_same_v<T, std::vector<std::string>> || std::is_same_v<T, std::string> ||
               shape == Shape::integer || shape == Shape::number || shape == Shape::boolean ||
               shape == Shape::enumeration;
    }
}

template <class Number>
bool read_number(const std::string& text, Number& out) {
    const char* end = text.data() + text.size();
    const auto [at, error] = std::from_chars(text.data(), end, out);
    return error == std::errc() && at == end && std::isfinite(static_cast<double>(out));
}

/// Reads one value of a variable. Returns false when the text does not have this type.
template <class T>
bool read_text(const std::string& text, T& out) {
    constexpr Shape shape = shape_of<T>();
    if constexpr (shape == Shape::string) {
        return out = text, true;
    } else if constexpr (shape == Shape::boolean) {
        return out = text == "true", out || text == "false";
    } else if constexpr (shape == Shape::enumeration) {
        Report ignored;
        return decode_enum(json::value(text), out, Path(ignored, {}));
    } else {
        return read_number(text, out);
    }
}

template <class T>
bool read_variable(const ResourceRequest& request, const std::string& name, T& out) {
    const auto found = request.variables.find(name);
    const bool present = found != request.variables.end() && !found->second.empty();
    if constexpr (is_a<T, std::optional>) {
        return !present || read_variable(request, name, out.emplace());
    } else if constexpr (std::is_same_v<T, std::vector<std::string>>) {
        if (present) out = found->second;
        return true;
    } else {
        return present && found->second.size() == 1 && read_text(found->second.front(), out);
    }
}

template <class... T>
consteval bool are_template_variables(const std::tuple<T...>*) {
    return (is_template_variable<T>() && ...);
}

template <class... T>
bool read_variables(const ResourceRequest& request, const std::vector<std::string>& names, std::tuple<T...>& out) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return (read_variable(request, names[I], std::get<I>(out)) && ...);
    }
    (std::index_sequence_for<T...>());
}

template <class F>
ResourceHandler bind_template(const std::string& uri_template, F fn, std::string mime_type) {
    using S = Signature<F>;
    using Values = typename S::Arguments;
    if constexpr (takes_request<S>() || S::arity == 0) {
        return bind_resource(std::move(fn), std::move(mime_type));
    } else {
        constexpr bool fits = are_template_variables(static_cast<const Values*>(nullptr));
        static_assert(fits,
                      "tenon: the handler of a resource template takes (Context?, const ResourceRequest&), or the "
                      "variables: strings, numbers, bool, described enums, std::vector<std::string>, or std::optional "
                      "of these");
        if constexpr (fits)
            return [names = template_variables(uri_template, S::arity), fn = std::move(fn),
                    mime_type = std::move(mime_type)](Context& context, const ResourceRequest& request,
                                                      Reply<ReadResult> reply) mutable {
                Values values;
                if (!read_variables(request, names, values))
                    return std::move(reply).send(resource_not_found(request.uri).error());
                call_handler(fn, context, std::move(values), std::move(reply),
                             [uri = request.uri, mime_type](auto&& v) {
                                 return resource_answer(std::forward<decltype(v)>(v), uri, mime_type);
                             });
            };
    }
}

}  // namespace tenon::detail

#pragma GCC visibility pop
