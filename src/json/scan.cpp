#include "json/scan.hpp"

#include <algorithm>
#include <boost/json/parse.hpp>
#include <charconv>

#include "base/utf8.hpp"
#include "json/duplicate_keys.hpp"
#include "json/parse_error.hpp"
#include "json/plain.hpp"

namespace tenon::json {
namespace {

using Kind = Node::Kind;

// The largest values that the members of a node can hold.
constexpr std::uint32_t max_span = (1u << 29) - 1;
constexpr std::size_t max_text = 0xFFFFFFFF;

constexpr std::uint32_t unfinished = 0xFFFFFFFF;  // the size of a container whose end was not read

bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Returns whether Boost accepts the number: it refuses exponents that do not fit an int.
bool is_fit(std::string_view number) {
    boost::system::error_code failed;
    boost::json::parse(number, failed);
    return !failed;
}

}  // namespace

// Each function reads the part that it is named after, and returns the position after it, or null on an error. The
// position is passed as an argument, because a data member would be written to memory at every step.
class Scan::Scanner {
    using At = const char*;

 public:
    Scanner(std::string_view text, ParseLimits limits, Scan& out)
        : end_(text.data() + text.size()),
          depth_left_(limits.max_depth),
          max_members_(limits.max_members),
          nodes_(out.nodes_),
          unescaped_(out.unescaped_) {}

    bool document(At p) {
        const std::size_t bytes = left(p);
        p = value(space(p));
        return p && space(p) == end_ && (bytes <= max_string || !has_longer(max_string));
    }
    bool has_duplicates() const { return has_duplicates_; }
    bool crowded() const { return crowded_; }

 private:
    static constexpr std::size_t max_string = boost::json::string::max_size();

    bool has_longer(std::size_t size) const {
        return std::any_of(nodes_.begin, nodes_.end,
                           [&](const Node& node) { return node.is(Kind::string) && node.size > size; });
    }
    bool is(At p, char c) const { return p != end_ && *p == c; }
    At after(At p, char c) const { return is(p, c) ? p + 1 : nullptr; }
    std::size_t left(At p) const { return static_cast<std::size_t>(end_ - p); }
    At space(At p) const {
        while (p != end_ && static_cast<unsigned char>(*p) <= ' ' && is_blank(*p)) ++p;
        return p;
    }
    // Returns `next`, or null when there are too many nodes.
    At add(Kind kind, At start, At end, At next) { return nodes_.add({kind, start, end}) ? next : nullptr; }

    At value(At p) {
        if (p == end_) return nullptr;
        switch (*p) {
            case '{': return container<Kind::object>(p, '}');
            case '[': return container<Kind::array>(p, ']');
            case '"': return string(p);
            case 't': return word(p, Kind::boolean, "true");
            case 'f': return word(p, Kind::boolean, "false");
            case 'n': return word(p, Kind::null, "null");
            default: return number(p);
        }
    }

    template <Kind kind>
    At container(At p, char closing) {
        if (depth_left_ == 0) return nullptr;
        --depth_left_;
        const std::size_t index = nodes_.size();
        if (!(p = add(kind, p, p, p + 1))) return nullptr;
        nodes_.begin[index].size = unfinished;
        std::uint32_t size = 0;
        p = space(p);
        if (!is(p, closing)) {
            for (;; ++p) {
                if constexpr (kind == Kind::object)
                    if (!(p = key(p))) return nullptr;
                p = space(p);
                if (!(p = is(p, '"') ? string(p) : value(p))) return nullptr;  // most are strings
                ++size;
                p = space(p);
                if (!is(p, ',')) break;
            }
        }
        ++depth_left_;
        Node& node = nodes_.begin[index];
        node.size = size;
        node.span = static_cast<std::uint32_t>(nodes_.size() - index) & max_span;
        if (kind == Kind::object && size > 1 && !is_good(node)) return nullptr;
        return after(p, closing);
    }

    bool is_good(const Node& object) {
        crowded_ = object.size > max_members_;
        if (!crowded_ && !has_duplicates_) has_duplicates_ = has_duplicate_key(object);
        return !crowded_;
    }

    At key(At p) {
        p = space(p);
        if (!is(p, '"') || !(p = string(p))) return nullptr;
        return after(space(p), ':');
    }

    At word(At p, Kind kind, std::string_view name) {
        if (!std::string_view(p, left(p)).starts_with(name)) return nullptr;
        return add(kind, p, p + name.size(), p + name.size());
    }

    At digits(At p) const {
        const At start = p;
        while (p != end_ && is_digit(*p)) ++p;
        return p == start ? nullptr : p;
    }

    At number(At p) {
        const At start = p;
        Kind kind = Kind::integer;
        p += *p == '-';
        p = is(p, '0') ? p + 1 : digits(p);
        if (p && is(p, '.')) {
            kind = Kind::real;
            p = digits(p + 1);
        }
        if (p && (is(p, 'e') || is(p, 'E'))) {
            kind = Kind::real;
            ++p;
            if (is(p, '+') || is(p, '-')) ++p;
            const At exponent = p;
            p = digits(p);
            if (p && p - exponent > 8 && !is_fit({start, static_cast<std::size_t>(p - start)})) return nullptr;
        }
        return p ? add(kind, start, p, p) : nullptr;
    }

    // Inline, because half of a message is strings: function calls would take a tenth of the time of a scan.
    [[gnu::always_inline]] At string(At p) {
        const At start = p + 1;
        p = plain_end(start, end_);
        if (!is(p, '"')) return rest_of_string(start, p);
        return add(Kind::string, start, p, p + 1);
    }

    // Reads the rest of a string from the first character that is not plain.
    At rest_of_string(At start, At p) {
        const std::size_t from = unescaped_.size();
        bool escapes = false;
        for (p = valid_run(p); p && is(p, '\\'); p = valid_run(p)) {
            // Decoded text is never longer than its source. So this reserves enough, and the strings that nodes point
            // to never move.
            if (unescaped_.empty()) unescaped_.reserve(left(start));
            escapes = true;
            unescaped_.append(start, p);
            if (!(p = escape(p + 1))) return nullptr;
            start = p;
        }
        if (!p || !is(p, '"')) return nullptr;
        if (!escapes) return add(Kind::string, start, p, p + 1);
        unescaped_.append(start, p);
        return add(Kind::string, unescaped_.data() + from, unescaped_.data() + unescaped_.size(), p + 1);
    }

    // Skips all characters without a special meaning. Returns null when a UTF-8 sequence is broken.
    At valid_run(At p) const {
        for (;;) {
            p = plain_end(p, end_);
            if (p == end_ || static_cast<unsigned char>(*p) < 0x80) return p;
            do {
                const std::size_t n = base::utf8_sequence({p, left(p)});
                if (n == 0) return nullptr;
                p += n;
            } while (p != end_ && static_cast<unsigned char>(*p) >= 0x80);
        }
    }

    At escape(At p) {
        if (p == end_) return nullptr;
        switch (*p) {
            case '"': unescaped_ += '"'; break;
            case '\\': unescaped_ += '\\'; break;
            case '/': unescaped_ += '/'; break;
            case 'b': unescaped_ += '\b'; break;
            case 'f': unescaped_ += '\f'; break;
            case 'n': unescaped_ += '\n'; break;
            case 'r': unescaped_ += '\r'; break;
            case 't': unescaped_ += '\t'; break;
            case 'u': return code_point(p + 1);
            default: return nullptr;
        }
        return p + 1;
    }
    At code_point(At p) {
        const auto unit = hex4(p);
        if (!unit || (*unit >= 0xDC00 && *unit < 0xE000)) return nullptr;
        p += 4;
        if (*unit < 0xD800 || *unit >= 0xE000) {
            base::append_utf8(unescaped_, *unit);
            return p;
        }
        if (!is(p, '\\') || !is(p + 1, 'u')) return nullptr;
        const auto low = hex4(p + 2);
        if (!low || *low < 0xDC00 || *low >= 0xE000) return nullptr;
        base::append_utf8(unescaped_, 0x10000 + ((*unit - 0xD800) << 10) + (*low - 0xDC00));
        return p + 6;
    }
    std::optional<std::uint32_t> hex4(At p) const {
        std::uint32_t v = 0;
        if (left(p) < 4 || std::from_chars(p, p + 4, v, 16).ptr != p + 4) return std::nullopt;
        return v;
    }

    const At end_;
    std::size_t depth_left_;
    const std::size_t max_members_;
    bool has_duplicates_ = false;  // an object has the same key twice
    bool crowded_ = false;         // an object has too many members
    Nodes& nodes_;
    std::string& unescaped_;
};

bool Scan::Nodes::grow_and_add(Node node) {
    const std::size_t count = size(), room = std::min(2 * count, max);
    full = room <= count;
    if (full) return false;
    auto more = std::make_unique_for_overwrite<Node[]>(room);
    std::copy(begin, end, more.get());
    many = std::move(more);
    begin = many.get();
    end = begin + count;
    limit = begin + room;
    *end++ = node;
    return true;
}

std::size_t Scan::most_nodes(ParseLimits limits) { return std::min<std::size_t>(limits.max_nodes, max_span); }

std::optional<std::string> Scan::read(std::string_view text, ParseLimits limits, DuplicateKeys duplicates) {
    if (text.size() > max_text) return "the text is longer than 4 GiB";
    nodes_.max = most_nodes(limits);
    nodes_.limit = nodes_.begin + std::min(nodes_.max, nodes_.few.size());
    Scanner scanner(text, limits, *this);
    const bool readable = scanner.document(text.data());
    too_large_ = nodes_.full || scanner.crowded();
    if (too_large_) limit_ = nodes_.full ? LimitName::max_nodes : LimitName::max_members;
    if (nodes_.full)
        return "the text has more values and keys than the limit `max_nodes` of " + std::to_string(nodes_.max);
    if (scanner.crowded())
        return "an object has more members than the limit `max_members` of " + std::to_string(limits.max_members);
    if (!readable) return explain_parse_error(text, limits, limit_);
    if (scanner.has_duplicates()) return refuse_duplicate_keys(duplicates);
    return std::nullopt;
}

bool Scan::make_partial_root() {
    if (!too_large_ || nodes_.size() == 0 || !root().is(Kind::object)) return false;
    std::uint32_t members = 0;
    Node* key = nodes_.begin + 1;
    for (bool more = true; more && key + 1 < nodes_.end; ++members) {
        Node* const member = key + 1;
        more = !member->is_container() || member->size != unfinished;
        if (!more) member->size = 0;
        key = member + member->span;
    }
    nodes_.begin->size = members;
    nodes_.begin->span = static_cast<std::uint32_t>(key - nodes_.begin) & max_span;
    return true;
}

}  // namespace tenon::json
