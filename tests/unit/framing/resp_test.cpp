#include "framing/resp.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace {

using tenon::framing::append_resp_command;
using tenon::framing::RespReader;
using tenon::framing::RespValue;
using Kind = RespValue::Kind;

RespValue text(std::string s) { return {Kind::text, std::move(s), 0, {}}; }
RespValue error(std::string s) { return {Kind::error, std::move(s), 0, {}}; }
RespValue integer(std::int64_t n) { return {Kind::integer, "", n, {}}; }
RespValue array(std::vector<RespValue> items) { return {Kind::array, "", 0, std::move(items)}; }

struct Outcome {
    std::vector<RespValue> values;
    std::string error;
    bool operator==(const Outcome&) const = default;
};

Outcome read(const std::vector<std::string_view>& pieces, RespReader::Limits limits = {}) {
    RespReader reader(limits);
    Outcome out;
    for (const auto piece : pieces)
        reader.feed(piece, [&](RespValue&& value) { out.values.push_back(std::move(value)); });
    out.error = reader.error();
    return out;
}

// The outcome must not depend on how the bytes are split.
Outcome read_split_everywhere(std::string_view bytes, RespReader::Limits limits = {}) {
    const auto whole = read({bytes}, limits);
    for (std::size_t at = 0; at <= bytes.size(); ++at)
        EXPECT_EQ(read({bytes.substr(0, at), bytes.substr(at)}, limits), whole) << "split at " << at;
    std::vector<std::string_view> single;
    for (std::size_t i = 0; i < bytes.size(); ++i) single.push_back(bytes.substr(i, 1));
    EXPECT_EQ(read(single, limits), whole);
    return whole;
}

std::vector<RespValue> values_of(std::string_view bytes) {
    const auto out = read_split_everywhere(bytes);
    EXPECT_EQ(out.error, "") << bytes;
    return out.values;
}

std::string error_in(std::string_view bytes, RespReader::Limits limits = {}) {
    return read_split_everywhere(bytes, limits).error;
}

TEST(Resp, commands_are_arrays_of_bulk_strings) {
    std::string out;
    append_resp_command(out, {"SET", "a b", "", std::string_view("\0\r\n", 3)});
    using namespace std::string_literals;
    EXPECT_EQ(out, "*4\r\n$3\r\nSET\r\n$3\r\na b\r\n$0\r\n\r\n$3\r\n\0\r\n\r\n"s);
}

TEST(Resp, all_types_of_resp2_are_read) {
    EXPECT_EQ(values_of("+OK\r\n"), std::vector{text("OK")});
    EXPECT_EQ(values_of("-ERR no\r\n"), std::vector{error("ERR no")});
    EXPECT_EQ(values_of(":-42\r\n"), std::vector{integer(-42)});
    EXPECT_EQ(values_of("$5\r\na\r\nb\n\r\n"), std::vector{text("a\r\nb\n")});
    EXPECT_EQ(values_of("$0\r\n\r\n"), std::vector{text("")});
    EXPECT_EQ(values_of("$-1\r\n*-1\r\n"), (std::vector{RespValue{}, RespValue{}}));
    EXPECT_EQ(values_of("*0\r\n"), std::vector{array({})});
    EXPECT_EQ(values_of("*2\r\n*1\r\n:1\r\n$1\r\nx\r\n:7\r\n"),
              (std::vector{array({array({integer(1)}), text("x")}), integer(7)}));
}

TEST(Resp, all_types_of_resp3_are_read) {
    EXPECT_EQ(values_of("_\r\n#t\r\n#f\r\n,1.5\r\n(123456789012345678901\r\n"),
              (std::vector{RespValue{}, integer(1), integer(0), text("1.5"), text("123456789012345678901")}));
    EXPECT_EQ(values_of("%1\r\n+k\r\n:1\r\n~1\r\n+s\r\n"),
              (std::vector{array({text("k"), integer(1)}), array({text("s")})}));
    EXPECT_EQ(values_of("=5\r\ntxt:a\r\n!3\r\nERR\r\n"), (std::vector{text("a"), error("ERR")}));
    EXPECT_EQ(values_of(">1\r\n+p\r\n"), (std::vector{RespValue{Kind::push, "", 0, {text("p")}}}));
}

TEST(Resp, malformed_replies_are_refused) {
    for (const auto* bytes :
         {"HTTP/1.1 400 Bad Request\r\n", "+OK\n", "\r\n", ":\r\n", ":1x\r\n", ":99999999999999999999\r\n", "$-2\r\n",
          "*-2\r\n", "%-1\r\n", "$3\r\nabcd\r\n", "#x\r\n", "_x\r\n", "|1\r\n", "$1\r\nx\n\n"})
        EXPECT_NE(error_in(bytes), "") << bytes;
}

TEST(Resp, limits_are_kept_before_memory_is_used) {
    RespReader::Limits limits;
    limits.max_reply_bytes = 100;
    limits.max_items = 10;
    limits.max_depth = 3;
    limits.max_line_bytes = 20;
    EXPECT_EQ(error_in("$101\r\n", limits), "the reply is too large");
    EXPECT_EQ(error_in("*3\r\n$60\r\n" + std::string(60, 'x') + "\r\n$60\r\n", limits), "the reply is too large");
    EXPECT_EQ(error_in("*999999999\r\n", limits), "the reply has too many values");
    EXPECT_EQ(error_in("*2\r\n*9\r\n" + std::string(9 * 4, ' '), limits).empty(), false);
    EXPECT_EQ(error_in("*1\r\n*1\r\n*1\r\n*1\r\n", limits), "the reply is nested too deeply");
    EXPECT_EQ(error_in("+" + std::string(21, 'x'), limits), "a line of the reply is too long");
    const auto twice =
        read_split_everywhere("$80\r\n" + std::string(80, 'x') + "\r\n$80\r\n" + std::string(80, 'x') + "\r\n", limits);
    EXPECT_EQ(twice.values.size(), 2U) << "the limits are those of one reply: " << twice.error;
}

TEST(Resp, nothing_is_read_after_an_error) {
    const auto out = read({"+a\r\n?\r\n", "+b\r\n"});
    EXPECT_EQ(out.values, std::vector{text("a")});
}

// A simple writer of replies, to compare with.
void write(std::string& out, const RespValue& value) {
    switch (value.kind) {
        case Kind::null: out += "$-1\r\n"; return;
        case Kind::text: out += "$" + std::to_string(value.text.size()) + "\r\n" + value.text + "\r\n"; return;
        case Kind::error: out += "!" + std::to_string(value.text.size()) + "\r\n" + value.text + "\r\n"; return;
        case Kind::integer: out += ":" + std::to_string(value.integer) + "\r\n"; return;
        default:
            out += "*" + std::to_string(value.items.size()) + "\r\n";
            for (const auto& item : value.items) write(out, item);
    }
}

rc::Gen<RespValue> any_value(int depth) {
    const auto leaf = rc::gen::oneOf(
        rc::gen::map(rc::gen::arbitrary<std::string>(), text), rc::gen::map(rc::gen::arbitrary<std::string>(), error),
        rc::gen::map(rc::gen::arbitrary<std::int64_t>(), integer), rc::gen::just(RespValue{}));
    if (depth == 0) return leaf;
    const auto list =
        rc::gen::map(rc::gen::resize(4, rc::gen::container<std::vector<RespValue>>(any_value(depth - 1))), array);
    return rc::gen::oneOf(leaf, list);
}

RC_GTEST_PROP(RespProperty, a_written_reply_is_read_in_pieces, ()) {
    const auto expected = *rc::gen::resize(10, rc::gen::container<std::vector<RespValue>>(any_value(2)));
    std::string bytes;
    for (const auto& value : expected) write(bytes, value);
    std::vector<std::string_view> pieces;
    for (std::string_view rest = bytes; !rest.empty();) {
        const auto size = *rc::gen::inRange<std::size_t>(1, 40);
        pieces.push_back(rest.substr(0, size));
        rest.remove_prefix(std::min(rest.size(), size));
    }
    const auto out = read(pieces);
    RC_ASSERT(out.error == "");
    RC_ASSERT(out.values == expected);
}

RC_GTEST_PROP(RespProperty, a_written_command_is_read, ()) {
    const auto parts = *rc::gen::nonEmpty(rc::gen::arbitrary<std::vector<std::string>>());
    std::string bytes;
    append_resp_command(bytes, std::vector<std::string_view>(parts.begin(), parts.end()));
    const auto out = read({bytes});
    RC_ASSERT(out.values.size() == 1U && out.values[0].items.size() == parts.size());
    for (std::size_t i = 0; i < parts.size(); ++i) RC_ASSERT(out.values[0].items[i].text == parts[i]);
}

}  // namespace
