// A JSON text, checked and taken apart, before any value is made of it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <tenon/json.hpp>

namespace tenon::json {

/// One value of the text, or one key. What is inside a container follows it: elements, or keys and values in turn.
/// A text of many small values has nearly as many nodes as bytes, so a node is small.
struct Node {
    enum class Kind : std::uint32_t { null, boolean, integer, real, string, array, object };

    Node() = default;
    Node(Kind k, const char* first, const char* last)
        : data(first), size(static_cast<std::uint32_t>(last - first)), kind(k), span(1) {}

    const char* data;    ///< of a string: decoded; of a number or word: as it is spelled
    std::uint32_t size;  ///< bytes; of a container: elements or members
    Kind kind : 3;
    std::uint32_t span : 29;  ///< nodes: itself and all that is inside

    std::string_view text() const { return {data, size}; }
    const Node* inside() const { return this + 1; }
    const Node* next() const { return this + span; }
    bool is(Kind k) const { return kind == k; }
    bool is_container() const { return kind == Kind::array || kind == Kind::object; }
    bool is_string(std::string_view s) const { return kind == Kind::string && text() == s; }
};
static_assert(sizeof(Node) == 16);

/// What happens to an object that has the same key twice. When it is taken, the last value counts.
enum class Repeated { refused, taken };

/// Refers to the text that it was read from. Not thread-safe.
class Scan {
 public:
    Scan() = default;
    Scan(const Scan&) = delete;
    Scan& operator=(const Scan&) = delete;

    /// What is wrong with the text; the same as of parse(). Once.
    std::optional<Error> read(std::string_view text, ParseLimits limits, Repeated repeated = Repeated::refused);

    /// After a text was refused because it has too many values or members: makes a root of what was read before. The
    /// member that went too far is empty, and what follows it is missing. False when the root is not an object.
    bool close();

    /// After a text was read without an error, or after close().
    const Node& root() const { return *nodes_.begin; }

 private:
    class Scanner;

    // Nothing is paid for the nodes that a text does not have, and most texts are small.
    struct Nodes {
        std::size_t size() const { return static_cast<std::size_t>(end - begin); }
        /// False when there are too many.
        bool add(const Node& node) {
            if (end == limit) [[unlikely]]
                return grow_and_add(node);
            *end++ = node;
            return true;
        }
        bool grow_and_add(Node node);

        std::array<Node, 128> few;
        std::unique_ptr<Node[]> many;
        Node* begin = few.data();
        Node* end = begin;
        Node* limit = begin + few.size();
        std::size_t max = few.size();
        bool full = false;  // one more was wanted
    };

    Nodes nodes_;
    bool too_large_ = false;
    std::string unescaped_;  // the strings that had escapes; never grows beyond what it reserved
};

/// The value of a node that is an integer of few digits; -0 is none.
inline std::optional<std::int64_t> small_integer(const Node& node) {
    constexpr std::size_t few = 18;  // as many digits as no int64_t overflows with
    if (node.kind != Node::Kind::integer || node.size > few || *node.data == '-') return std::nullopt;
    std::int64_t n = 0;
    for (const char digit : node.text()) n = n * 10 + (digit - '0');
    return n;
}

/// The value of a node. Nothing when the keys of an object collide too often: see KeyCollisions.
std::optional<value> build(const Node& node, storage_ptr storage);
/// The same, of a node that is an object.
std::optional<object> build_object(const Node& node, storage_ptr storage);

/// Like parse(), but takes the last of equal keys, as most parsers do.
Result<value> parse_patiently(std::string_view text, ParseLimits limits);

/// A text that cannot be parsed.
Error parse_error(std::string what);
/// In the words of Boost, what is wrong with a text that Scan refused.
Error explain(std::string_view text, ParseLimits limits);

}  // namespace tenon::json
