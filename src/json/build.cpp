#include <boost/json/parse.hpp>
#include <charconv>

#include "json/collisions.hpp"
#include "json/scan.hpp"

namespace tenon::json {
namespace {

using Kind = Node::Kind;

// Boost 1.81 does not round correctly: one in four random doubles is read as a neighbouring value. So std::from_chars
// reads doubles. Boost reads those that are out of range.
double real(std::string_view spelling) {
    double d = 0;
    const auto read = std::from_chars(spelling.data(), spelling.data() + spelling.size(), d);
    return read.ec == std::errc() ? d : boost::json::parse(spelling).to_number<double>();
}

// A number that does not fit an integer type is a double.
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

// Calls `take` with the content of the value, or with the kind of an empty container.
template <class Take>
decltype(auto) with_content(const Node& node, Take take) {
    switch (node.kind) {
        case Kind::boolean: return take(node.size == 4);
        case Kind::integer:
        case Kind::real: return with_number(node, take);
        case Kind::string: return take(node.text());
        case Kind::array: return take(boost::json::array_kind);
        case Kind::object: return take(boost::json::object_kind);
        default: return take(nullptr);
    }
}

// Each `fill` returns false when the keys of an object collide too often.
bool fill(value& container, const Node& node);

bool fill(array& out, const Node& node) {
    out.reserve(node.size);
    const Node* element = node.inside();
    for (std::size_t i = 0; i < node.size; ++i, element = element->next()) {
        value& v = with_content(*element, [&](auto content) -> value& { return out.emplace_back(content); });
        if (element->is_container() && !fill(v, *element)) return false;
    }
    return true;
}

// The last of equal keys counts. Most texts with equal keys were refused before.
template <class Content>
value& add(object& out, std::string_view key, Content content) {
    const auto [at, is_new] = out.emplace(key, content);
    if (!is_new) [[unlikely]]
        at->value() = value(content, out.storage());
    return at->value();
}

bool fill(object& out, const Node& node) {
    out.reserve(table_size(node.size));
    KeyCollisions collisions;
    const Node* key = node.inside();
    for (std::size_t i = 0; i < node.size; ++i) {
        const Node* const member = key->next();
        value& v = with_content(*member, [&](auto content) -> value& { return add(out, key->text(), content); });
        if (!collisions.accept_last_of(out)) return false;
        if (member->is_container() && !fill(v, *member)) return false;
        key = member->next();
    }
    return true;
}

// The recursion is bounded: Scan has checked the depth of the text.
bool fill(value& container, const Node& node) {
    if (node.is(Kind::array)) return fill(container.get_array(), node);
    return fill(container.get_object(), node);
}

}  // namespace

std::optional<object> build_object(const Node& node, storage_ptr storage) {
    std::optional<object> out(std::in_place, std::move(storage));
    if (!fill(*out, node)) out.reset();
    return out;
}

std::optional<value> build(const Node& node, storage_ptr storage) {
    auto out = with_content(
        node, [&](auto content) { return std::optional<value>(std::in_place, content, std::move(storage)); });
    if (node.is_container() && !fill(*out, node)) out.reset();
    return out;
}

}  // namespace tenon::json
