#include "load/answer.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>

#include "load/http_responses.hpp"
#include "load/line_buffer.hpp"

namespace tenon::load {
namespace {

using Kind = Envelope::Kind;

TEST(Envelope, is_read_with_members_in_any_order) {
    const Envelope seven{Kind::result, 7}, failed{Kind::error, 7};
    EXPECT_EQ(read_envelope(R"({"jsonrpc":"2.0","id":7,"result":{"id":8}})"), seven);
    EXPECT_EQ(read_envelope(R"({"id":7,"jsonrpc":"2.0","result":{}})"), seven);
    EXPECT_EQ(read_envelope(R"({"result":{"id":8},"jsonrpc":"2.0","id":7})"), seven);
    EXPECT_EQ(read_envelope(R"({"result":{"id":8},"id":7,"jsonrpc":"2.0"})"), seven);
    EXPECT_EQ(read_envelope(" { \"jsonrpc\" : \"2.0\" , \"id\" : 7 , \"result\" : { } } \r\n"), seven);
    EXPECT_EQ(read_envelope("{\"result\": {\"x\": [1]}, \"id\" : 7 }\n"), seven);
    EXPECT_EQ(read_envelope(R"({"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"no"}})"), failed);
    EXPECT_EQ(read_envelope(R"({"jsonrpc":"2.0","error":{"code":1,"message":"no"},"id":7})"), failed);
}

TEST(Envelope, ignores_nested_and_invalid_ids) {
    EXPECT_EQ(read_envelope(R"({"result":{"id":7}})").id, 0u);
    EXPECT_EQ(read_envelope(R"({"result":{"content":[{"text":"\"id\":7}"}]}})").id, 0u);
    EXPECT_EQ(read_envelope(R"({"result":[{"id":7}],"jsonrpc":"2.0"})").id, 0u);
    EXPECT_EQ(read_envelope(R"({"jsonrpc":"2.0","id":"7","result":{}})"), (Envelope{Kind::result, 0}));
    EXPECT_EQ(read_envelope(R"({"jsonrpc":"2.0","id":7.5,"result":{}})"), (Envelope{Kind::result, 0}));
    EXPECT_EQ(read_envelope(R"({"jsonrpc":"2.0","id":null,"error":{}})"), (Envelope{Kind::error, 0}));
    EXPECT_EQ(read_envelope(R"({"jsonrpc":"2.0","id":99999999999999999999,"result":{}})").id, 0u);
}

TEST(Envelope, distinguishes_answers_other_messages_and_garbage) {
    EXPECT_EQ(read_envelope(R"({"jsonrpc":"2.0","method":"notifications/progress"})").kind, Kind::other);
    EXPECT_EQ(read_envelope(R"({"jsonrpc":"2.0","id":7,"method":"ping"})").kind, Kind::other);
    for (const char* text : {"", " ", "{", "{}", "[]", "7", "{\"id\"", "{\"id\":7", "{\"id\":7}", "{\"jsonrpc\":\"2.0",
                             "{\"jsonrpc\":2,\"result\":{}}", "hello"})
        EXPECT_EQ(read_envelope(text).kind, Kind::garbage) << text;
}

TEST(Envelope, reading_any_bytes_is_safe) {
    EXPECT_TRUE(rc::check([] { read_envelope(*rc::gen::string<std::string>()); }));
}

TEST(PositionOf, equals_string_find) {
    EXPECT_TRUE(rc::check([] {
        const auto letters = rc::gen::container<std::string>(rc::gen::inRange('a', 'c'));
        const auto text = *letters, part = *letters;
        RC_ASSERT(position_of(part, text) == text.find(part));
    }));
    const std::string ones(100, '1');
    EXPECT_EQ(position_of(ones + "2", ones + ones + "2"), 100u);
    EXPECT_EQ(position_of(ones + "3", ones + ones + "2"), std::string::npos);
}

// ---- input in pieces

template <class Reader>
void put(Reader& reader, std::string_view bytes) {
    std::ranges::copy(bytes, reader.room().begin());
}

const std::string with_length =
    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nMcp-Session-Id: s1\r\nContent-Length: "
    "12\r\n\r\n{\"result\":1}";
const std::string in_chunks =
    "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n"
    "5\r\n{\"res\r\n7\r\nult\":1}\r\n0\r\n\r\n";
const std::string as_stream =
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
    "d\r\ndata: first\n\n\r\n14\r\ndata: {\"result\":1}\n\n\r\n0\r\n\r\n";

// Returns all messages, and a bar for the end of each response.
std::string read_in_two(const std::string& bytes, std::size_t split) {
    HttpResponses answers(1000);
    answers.expect();
    std::string out;
    const auto use = [&](std::string_view message) { (out += message) += ';'; };
    for (const std::string_view part :
         {std::string_view(bytes).substr(0, split), std::string_view(bytes).substr(split)}) {
        if (part.empty()) continue;
        put(answers, part);
        auto state = answers.take(part.size(), use);
        if (state == HttpResponses::State::head) state = answers.take(0, use);
        if (state == HttpResponses::State::done) out += '|';
        if (state == HttpResponses::State::broken) out += answers.why();
    }
    return out;
}

TEST(HttpResponses, are_the_same_wherever_the_bytes_are_split) {
    for (std::size_t i = 0; i <= with_length.size(); ++i)
        ASSERT_EQ(read_in_two(with_length, i), "{\"result\":1};|") << i;
    for (std::size_t i = 0; i <= in_chunks.size(); ++i) ASSERT_EQ(read_in_two(in_chunks, i), "{\"result\":1};|") << i;
    for (std::size_t i = 0; i <= as_stream.size(); ++i)
        ASSERT_EQ(read_in_two(as_stream, i), "first;{\"result\":1};|") << i;
}

TEST(HttpResponses, one_reader_reads_several_responses_byte_by_byte) {
    HttpResponses answers(1000);
    std::string out;
    const auto use = [&](std::string_view message) { (out += message) += ';'; };
    for (const std::string& bytes : {with_length, in_chunks, as_stream, with_length})
        for (answers.expect(); const char c : bytes) {
            put(answers, std::string_view(&c, 1));
            if (answers.take(1, use) == HttpResponses::State::head) answers.take(0, use);
        }
    EXPECT_EQ(out, "{\"result\":1};{\"result\":1};first;{\"result\":1};{\"result\":1};");
    EXPECT_EQ(answers.session(), "s1");
    EXPECT_TRUE(answers.keep_alive());
    EXPECT_EQ(answers.status(), 200);
}

TEST(HttpResponses, an_unfinished_event_does_not_leak_into_the_next_response) {
    const std::string cut =
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
        "b\r\ndata: left\n\r\n0\r\n\r\n";
    HttpResponses answers(1000);
    std::string out;
    const auto use = [&](std::string_view message) { (out += message) += ';'; };
    for (const std::string& bytes : {cut, as_stream}) {
        answers.expect();
        put(answers, bytes);
        EXPECT_EQ(answers.take(bytes.size(), use), HttpResponses::State::head);
        EXPECT_EQ(answers.take(0, use), HttpResponses::State::done);
    }
    EXPECT_EQ(out, "first;{\"result\":1};");
}

TEST(HttpResponses, too_long_or_truncated_responses_are_broken) {
    const std::string head = "HTTP/1.1 200 OK\r\nContent-Length: 2000\r\n\r\n";
    EXPECT_EQ(read_in_two(head + std::string(1500, 'x'), head.size()), "a message is longer than the limit");
    HttpResponses answers(1000);
    answers.expect();
    put(answers, std::string_view(with_length).substr(0, with_length.size() - 1));
    const auto nothing = [](std::string_view) { FAIL(); };
    EXPECT_EQ(answers.take(with_length.size() - 1, nothing), HttpResponses::State::head);
    EXPECT_EQ(answers.take(0, nothing), HttpResponses::State::more);
    EXPECT_EQ(answers.end_of_input(nothing), HttpResponses::State::broken);
}

TEST(LineBuffer, has_the_same_lines_wherever_the_bytes_are_split) {
    const std::string bytes = "one\n\ntwo two\nthree\nrest";
    for (std::size_t split = 0; split <= bytes.size(); ++split) {
        LineBuffer lines(1000);
        std::string out;
        for (const auto& part : {bytes.substr(0, split), bytes.substr(split)}) {
            put(lines, part);
            ASSERT_TRUE(lines.take(part.size(), [&](std::string_view line) { (out += line) += '|'; }));
        }
        ASSERT_EQ(out, "one||two two|three|") << split;
    }
}

TEST(LineBuffer, a_line_over_the_limit_is_refused) {
    const std::string part(64 * 1024, 'x');
    const auto nothing = [](std::string_view) { FAIL(); };
    LineBuffer lines(4 * part.size());
    for (int i = 0; i < 4; ++i) {
        put(lines, part);
        ASSERT_TRUE(lines.take(part.size(), nothing));
    }
    put(lines, part);
    EXPECT_FALSE(lines.take(part.size(), nothing));
}

}  // namespace
}  // namespace tenon::load
