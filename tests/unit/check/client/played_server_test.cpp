// The test server that clients are checked with: what it sends, and when.
#include "check/client/played_server.hpp"

#include <gtest/gtest.h>

#include "check/client/played_http_server.hpp"
#include "check/client/relay.hpp"

namespace tenon::check::client {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::string_view hello =
    R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{"roots":{}}}})";
constexpr std::string_view tools = R"({"jsonrpc":"2.0","id":2,"method":"tools/list"})";
const TimePoint now{};

std::string texts(const std::vector<Say>& says) {
    std::string out;
    for (const Say& say : says) out += say.text + "\n";
    return out;
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

TEST(PlayedServer, delays_the_answer_to_initialize) {
    PlayedServer server(Scene::plain, seconds(1));
    EXPECT_TRUE(server.take(1, hello, now).empty());
    ASSERT_TRUE(server.deadline());
    EXPECT_TRUE(server.tick(now + milliseconds(1)).empty());
    EXPECT_TRUE(has(texts(server.tick(*server.deadline())), R"("protocolVersion":"2025-06-18")"));
}

TEST(PlayedServer, a_further_request_ends_the_delay_of_the_initialize_answer) {
    PlayedServer server(Scene::plain, seconds(1));
    server.take(1, hello, now);
    const auto says = server.take(2, tools, now);
    ASSERT_EQ(says.size(), 2u);
    EXPECT_EQ(says[0].about, 1u);
    EXPECT_EQ(says[1].about, 2u);
}

TEST(PlayedServer, answers_with_the_revision_of_the_scene) {
    EXPECT_EQ(answered_revision(Scene::plain, "2025-03-26"), "2025-03-26");
    EXPECT_EQ(answered_revision(Scene::plain, "someday"), "2025-11-25");
    EXPECT_EQ(answered_revision(Scene::plain, "2026-07-28"), "2025-11-25");
    EXPECT_EQ(answered_revision(Scene::other_version, "2025-11-25"), "2025-06-18");
    EXPECT_EQ(answered_revision(Scene::other_version, "2025-06-18"), "2025-11-25");
    EXPECT_EQ(answered_revision(Scene::newest_version, "2025-03-26"), "2025-11-25");
}

TEST(PlayedServer, asks_about_the_declared_capabilities_before_it_answers) {
    PlayedServer server(Scene::questions, seconds(1));
    server.take(1, hello, now);
    const std::string asked = texts(server.take(2, tools, now));
    EXPECT_TRUE(has(asked, "ping") && has(asked, "roots/list") && has(asked, "tenon/unknown"));
    EXPECT_FALSE(has(asked, "sampling") || has(asked, "\"tools\""));
    EXPECT_TRUE(server.take(3, R"({"id":0,"error":{}})", now).empty());
    EXPECT_TRUE(server.take(4, R"({"id":9007199254740991,"result":{}})", now).empty());
    EXPECT_TRUE(has(texts(server.take(5, R"({"id":"odd","result":{}})", now)), "\"tools\""));
}

TEST(PlayedServer, answers_after_the_timeout_if_the_client_does_not) {
    PlayedServer server(Scene::questions, seconds(1));
    server.take(1, hello, now);
    server.take(2, tools, now);
    EXPECT_TRUE(has(texts(server.tick(now + seconds(1))), "\"tools\""));
}

TEST(PlayedServer, survives_malformed_input) {
    for (const Scene scene : {Scene::plain, Scene::questions, Scene::modern, Scene::modern_questions}) {
        PlayedServer server(scene, seconds(1));
        std::size_t number = 0;
        for (const std::string_view text :
             {"", "x", "[]", "[1]", "7", "{}", R"({"id":null,"method":7})", R"({"method":"initialize"})",
              R"({"id":1,"method":"initialize","params":[]})", R"({"id":[],"method":"tools/list","params":3})",
              R"([{"id":1,"method":"ping"},2])", "\xff\xfe", R"({"id":{},"result":1})"})
            server.take(++number, text, now);
    }
}

TEST(OddSpelling, keeps_the_json_value) {
    const std::string text = R"({"jsonrpc":"2.0","id":"ü\"1","result":{"a":[1,true,null,{"b":""}],"c":{}}})";
    const std::string odd = oddly_spelled(text);
    EXPECT_EQ(*json::parse(odd), *json::parse(text));
    EXPECT_EQ(odd.find("\"jsonrpc\""), std::string::npos);
    EXPECT_EQ(odd.find('\n'), std::string::npos);
}

Event post(std::string_view body, std::string session = {}) {
    Event out{.kind = Event::Kind::request, .text = std::string(body), .method = "POST", .target = "/mcp"};
    if (!session.empty()) out.fields.emplace_back("mcp-session-id", session);
    return out;
}

std::string bytes(const std::vector<Write>& writes) {
    std::string out;
    for (const Write& write : writes) out += write.bytes;
    return out;
}

TEST(PlayedHttpServer, loses_the_first_session) {
    PlayedHttpServer server(Scene::lost_session, seconds(1));
    EXPECT_TRUE(has(bytes(server.take(0, post(hello), now)), "Mcp-Session-Id: session-1\r\n"));
    EXPECT_TRUE(has(bytes(server.take(1, post(tools, "session-1"), now)), "HTTP/1.1 404 "));
    EXPECT_TRUE(has(bytes(server.take(2, post(hello), now)), "Mcp-Session-Id: session-2\r\n"));
    EXPECT_TRUE(has(bytes(server.take(3, post(tools, "session-2"), now)), "HTTP/1.1 200 "));
    EXPECT_TRUE(has(bytes(server.take(4, post(tools, "session-1"), now)), "HTTP/1.1 404 "));
}

TEST(PlayedHttpServer, breaks_a_stream_and_answers_when_the_client_resumes) {
    PlayedHttpServer server(Scene::polling, seconds(1));
    server.take(0, post(hello), now);
    const auto broken = server.take(1, post(tools, "session-1"), now);
    EXPECT_TRUE(has(bytes(broken), "id: kept-1\nretry: 400\n") && !has(bytes(broken), "greet"));
    EXPECT_TRUE(broken.back().close);
    Event again{.kind = Event::Kind::request, .method = "GET", .target = "/mcp"};
    EXPECT_TRUE(has(bytes(server.take(2, again, now)), "HTTP/1.1 405 "));
    again.fields.emplace_back("Last-Event-ID", "kept-1");
    EXPECT_TRUE(has(bytes(server.take(3, again, now)), "greet"));
}

TEST(PlayedHttpServer, refuses_requests_of_the_other_era) {
    const std::string modern =
        R"({"id":1,"method":"tools/nothing","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}})";
    EXPECT_TRUE(has(bytes(PlayedHttpServer(Scene::plain, seconds(1)).take(0, post(modern), now)), "HTTP/1.1 400 "));
    EXPECT_TRUE(has(bytes(PlayedHttpServer(Scene::modern, seconds(1)).take(0, post(modern), now)), "HTTP/1.1 404 "));
    EXPECT_TRUE(has(bytes(PlayedHttpServer(Scene::modern, seconds(1)).take(0, post(hello), now)), "HTTP/1.1 400 "));
}

TEST(RelayFrames, are_read_correctly_one_byte_at_a_time) {
    const std::string all = write_frame(Signal::data, "a\nb") + write_frame(Signal::data, std::string(300, 'x')) +
                            write_frame(Signal::end) + write_frame(Signal::terminated);
    std::string buffer, seen;
    for (const char c : all) {
        buffer += c;
        while (const auto frame = take_frame(buffer))
            seen += static_cast<char>(frame->signal) + std::to_string(frame->bytes.size()) + " ";
    }
    EXPECT_EQ(seen, "d3 d300 e0 t0 ");
    EXPECT_TRUE(buffer.empty());
}

}  // namespace
}  // namespace tenon::check::client
