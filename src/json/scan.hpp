// Checks a JSON text and splits it into nodes, before any value is built.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <tenon/json.hpp>
#include <tenon/limit_name.hpp>

namespace tenon::json {

/// One value or one key of the text. The content of a container follows it: elements, or keys and values in turn. A
/// text of many small values has nearly as many nodes as bytes, so a node is small.
struct Node {
    enum class Kind : std::uint32_t { null, boolean, integer, real, string, array, object };

    Node() = default;
    Node(Kind k, const char* first, const char* last)
        : data(first), size(static_cast<std::uint32_t>(last - first)), kind(k), span(1) {}

    const char* data;    ///< a string is decoded; a number or word is as in the text
    std::uint32_t size;  ///< in bytes; for a container: elements or members
    Kind kind : 3;
    std::uint32_t span : 29;  ///< nodes of this value, including its content

    std::string_view text() const { return {data, size}; }
    const Node* inside() const { return this + 1; }
    const Node* next() const { return this + span; }
    bool is(Kind k) const { return kind == k; }
    bool is_container() const { return kind == Kind::array || kind == Kind::object; }
    bool is_string(std::string_view s) const { return kind == Kind::string && text() == s; }
};
static_assert(sizeof(Node) == 16);

/// What to do with an object that has the same key twice. `taken`: the last value counts.
enum class DuplicateKeys { refused, taken };

/// The nodes of one text. They point into the text. Not thread-safe.
class Scan {
 public:
    Scan() = default;
    Scan(const Scan&) = delete;
    Scan& operator=(const Scan&) = delete;

    /// Returns how many nodes a text may have: `max_nodes`, and at most the number that Node::span can hold.
    static std::size_t most_nodes(ParseLimits limits);

    /// Reads a text. Returns the reason why it is refused, or nullopt. Call it once.
    std::optional<std::string> read(std::string_view text, ParseLimits limits,
                                    DuplicateKeys duplicates = DuplicateKeys::refused);

    /// Makes a root from the part that was read before a text was refused, because it has too many values or members.
    /// The last member that was read may be empty, and all members after it are missing. Returns false when the root is
    /// not an object.
    bool make_partial_root();

    /// Returns the limit because of which read() refused the text.
    LimitName limit() const { return limit_; }
    /// Returns the root. Valid after a read() without an error, or after make_partial_root().
    const Node& root() const { return *nodes_.begin; }

 private:
    class Scanner;

    // A vector of nodes without initialisation. Small texts, which most are, need no allocation.
    struct Nodes {
        std::size_t size() const { return static_cast<std::size_t>(end - begin); }
        /// Returns false when there are too many nodes.
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
        bool full = false;  // a node did not fit
    };

    Nodes nodes_;
    bool too_large_ = false;
    LimitName limit_ = LimitName::none;
    std::string unescaped_;  // the decoded strings that had escapes; never grows beyond its first capacity
};

/// Returns the value of an integer node with at most 18 digits and without a sign, or nullopt.
inline std::optional<std::int64_t> small_integer(const Node& node) {
    constexpr std::size_t few = 18;  // so many digits always fit an int64_t
    if (node.kind != Node::Kind::integer || node.size > few || *node.data == '-') return std::nullopt;
    std::int64_t n = 0;
    for (const char digit : node.text()) n = n * 10 + (digit - '0');
    return n;
}

/// Builds the value of a node. Returns nullopt when the keys of an object collide too often: see KeyCollisions.
std::optional<value> build(const Node& node, storage_ptr storage);
/// The same for a node that is an object.
std::optional<object> build_object(const Node& node, storage_ptr storage);

/// Like parse(), but accepts equal keys and uses the last one, as most parsers do.
Result<value> parse_patiently(std::string_view text, ParseLimits limits);

}  // namespace tenon::json
