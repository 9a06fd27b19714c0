// Arguments of tools and prompts: their names, types and bounds, their schema, and the conversion from JSON.
//
//     tenon::args(tenon::arg<std::string>("city", "City name"),
//                 tenon::arg<int>("days", "Days ahead").min(1).max(7).def(1))
#pragma once

#include <functional>

#include <tenon/typed/decode.hpp>
#include <tenon/typed/schema_of.hpp>

#pragma GCC visibility push(default)

namespace tenon {

/// Returns suggestions for an argument. `prefix` is the text that the user typed so far. Runs like a CompletionHandler.
using Completer = std::function<std::vector<std::string>(std::string_view prefix)>;

/// One argument. It is required unless T is optional or def() sets a default.
template <class T>
class Arg : public detail::Keywords<Arg<T>, T> {
 public:
    Arg(std::string_view name, std::string_view description) : Arg::Keywords(description), name_(name) {
        detail::require_form<true, detail::PresentT<T>>();
    }

    /// Sets the suggestions for `completion/complete`. Only for prompts.
    Arg& complete(Completer completer) {
        static_assert(detail::shape_of<detail::PresentT<T>>() == detail::Shape::string ||
                          detail::shape_of<detail::PresentT<T>>() == detail::Shape::enumeration,
                      "tenon: complete() is for strings and enums");
        completer_ = std::move(completer);
        return *this;
    }

    const std::string& name() const { return name_; }
    const Completer& completer() const { return completer_; }

 private:
    std::string name_;
    Completer completer_;
};

template <class T>
Arg<T> arg(std::string_view name, std::string_view description = {}) {
    return Arg<T>(name, description);
}

namespace detail {

void refuse_duplicates(const std::vector<std::string_view>& names);  // throws std::invalid_argument
bool only_known(const json::object& arguments, const std::vector<std::string_view>& names, const Path& at);

}  // namespace detail

/// The arguments of one tool or prompt, in order.
template <class... T>
class Args {
 public:
    using Tuple = std::tuple<T...>;
    static constexpr std::size_t size = sizeof...(T);

    explicit Args(Arg<T>... list) : list_(std::move(list)...) { detail::refuse_duplicates(names()); }

    /// Returns an object schema with one property for each argument, and no others allowed.
    json::object schema() const {
        detail::Definitions defs;
        json::object properties;
        json::array required;
        const auto add = [&]<class A>(const Arg<A>& a) {
            json::object property = detail::schema<detail::PresentT<A>>(defs);
            detail::merge(property, a.keywords());
            detail::check_keywords(a.name(), property);
            properties[a.name()] = std::move(property);
            if (a.required()) required.emplace_back(a.name());
        };
        each(add);
        return defs.finish(detail::closed(detail::object_schema(std::move(properties), std::move(required))));
    }

    /// Reads the arguments: checks types and presence, applies defaults, and refuses unknown arguments. Does not check
    /// bounds and patterns; validate with schema() for that. Errors name the place, for example `arguments.days`.
    Result<Tuple> decode(const json::object& arguments) const {
        detail::Report report;
        const detail::Path at(report, "arguments");
        Tuple out{};
        std::size_t known = 0;
        const auto read = [&]<class A>(const Arg<A>& a, A& value) {
            const json::value* given = arguments.if_contains(a.name());
            if (given) ++known;
            return detail::decode_member(given, a.default_value(), value, {at, a.name()});
        };
        const bool read_all = [&]<std::size_t... I>(std::index_sequence<I...>) {
            return (read(std::get<I>(list_), std::get<I>(out)) && ...);
        }
        (std::index_sequence_for<T...>());
        if (!read_all || (known < arguments.size() && !detail::only_known(arguments, names(), at)))
            return Error{code::invalid_params, std::move(report.message)};
        return Result<Tuple>(boost::system::in_place_value, std::move(out));
    }

    std::vector<std::string_view> names() const {
        std::vector<std::string_view> result;
        each([&](const auto& a) { result.push_back(a.name()); });
        return result;
    }

    /// Returns the name and the completer of each argument that has a completer.
    std::vector<std::pair<std::string, Completer>> completers() const {
        std::vector<std::pair<std::string, Completer>> result;
        each([&](const auto& a) {
            if (a.completer()) result.emplace_back(a.name(), a.completer());
        });
        return result;
    }

    /// Calls f(arg) for each argument in order.
    template <class F>
    void each(F f) const {
        std::apply([&](const auto&... a) { (f(a), ...); }, list_);
    }

 private:
    std::tuple<Arg<T>...> list_;
};

template <class... T>
Args<T...> args(Arg<T>... list) {
    return Args<T...>(std::move(list)...);
}

}  // namespace tenon

#pragma GCC visibility pop
