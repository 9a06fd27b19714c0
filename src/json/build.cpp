#include <boost/json/parse.hpp>
#include <charconv>

#include "json/outline.hpp"

namespace tenon::json {
namespace {

using Kind = Node::Kind;

// Boost 1.81 rounds: of random doubles one in four comes back as its neighbour. But one out of range is what Boost
// makes of it.
double real(std::string_view spelling) {
    double d = 0;
    const auto read = std::from_chars(spelling.data(), spelling.data() + spelling.size(), d);
    return read.ec == std::errc() ? d : boost::json::parse(spelling).to_number<double>();
}

// What no integer type holds is a double.
template <class Take>
decltype(auto) with_number(const Node& node, Take take) {
    const char* const end = node.data + node.size;
    if (const auto small = small_integer(node)) return take(*small);
    if (node.is(Kind::integer)) {
        std::int64_t i;
        if (std::from_chars(node.data, end, i).ec == std::errc()) return take(i);
        std::uint64_t u;
        if (*node.data != '-' && std::from_chars(node.data, end, u).ec == std::errc()) return take(u);
    }
    return take(real(node.text()));
}

// Calls `take` with what makes the value of a scalar, and with null for a container.
template <class Take>
decltype(auto) with_scalar(const Node& node, Take take) {
    switch (node.kind) {
        case Kind::boolean: return take(node.size == 4);
        case Kind::integer:
        case Kind::real: return with_number(node, take);
        case Kind::string: return take(node.text());
        default: return take(nullptr);
    }
}

void fill(object& out, const Node& node);

// Recursion is as deep as the text, which was bounded.
void fill(array& out, const Node& node) {
    out.reserve(node.size);
    const Node* element = node.inside();
    for (std::size_t i = 0; i < node.size; ++i, element = element->next()) {
        value& v = with_scalar(*element, [&](auto scalar) -> value& { return out.emplace_back(scalar); });
        if (element->is(Kind::array)) fill(v.emplace_array(), *element);
        if (element->is(Kind::object)) fill(v.emplace_object(), *element);
    }
}

void fill(object& out, const Node& node) {
    out.reserve(node.size);
    const Node* key = node.inside();
    for (std::size_t i = 0; i < node.size; ++i) {
        const Node* const member = key->next();
        value& v = with_scalar(*member,
                               [&](auto scalar) -> value& { return out.emplace(key->text(), scalar).first->value(); });
        if (member->is(Kind::array)) fill(v.emplace_array(), *member);
        if (member->is(Kind::object)) fill(v.emplace_object(), *member);
        key = member->next();
    }
}

}  // namespace

object build_object(const Node& node, storage_ptr storage) {
    object out(std::move(storage));
    fill(out, node);
    return out;
}

value build(const Node& node, storage_ptr storage) {
    if (node.is(Kind::object)) return build_object(node, std::move(storage));
    if (node.is(Kind::array)) {
        array out(std::move(storage));
        fill(out, node);
        return out;
    }
    return with_scalar(node, [&](auto scalar) { return value(scalar, std::move(storage)); });
}

}  // namespace tenon::json
