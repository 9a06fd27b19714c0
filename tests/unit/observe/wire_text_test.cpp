#include <gtest/gtest.h>

#include <tenon/wire_tap.hpp>

namespace tenon {
namespace {

WireMessage message(std::string_view text) {
    WireMessage m;
    m.time = std::chrono::system_clock::time_point(std::chrono::milliseconds(1'794'945'296'789));
    m.connection = 7;
    m.text = text;
    return m;
}

TEST(WireText, a_line_has_time_direction_connection_and_size) {
    WireMessage m = message(R"({"jsonrpc":"2.0","id":1,"method":"ping"})");
    EXPECT_EQ(wire_line(m), R"(19:54:56.789 <- #7 40 {"jsonrpc":"2.0","id":1,"method":"ping"})");
    m.direction = WireMessage::Direction::sent;
    m.http_status = 401;
    EXPECT_EQ(wire_line(m, 12), R"(19:54:56.789 -> #7 40 HTTP 401 {"jsonrpc":"…)");
}

TEST(WireText, json_has_the_whole_message) {
    WireMessage m = message(R"({"id":1,"params":{"password":"canary"}})");
    EXPECT_EQ(wire_json(m), R"({"time":"2026-11-17T19:54:56.789Z","side":"server","direction":"received",)"
                            R"("connection":7,"bytes":39,"message":{"id":1,"params":{"password":"***"}}})");
    m = message("not JSON\x1b[2J Bearer canary1234");
    m.side = WireMessage::Side::client;
    EXPECT_EQ(wire_json(m), R"({"time":"2026-11-17T19:54:56.789Z","side":"client","direction":"received",)"
                            R"("connection":7,"bytes":30,"malformed":"not JSON\u001b[2J Bearer ***"})");
}

TEST(WireText, hidden_characters_of_json_are_escapes) {
    const std::string line = wire_json(message("{\"a\xc2\x9b\":\"\xe2\x80\xae\xf3\xa0\x80\x81\xc3\xa9\"}"));
    EXPECT_NE(line.find("{\"a\\u009b\":\"\\u202e\\udb40\\udc01\xc3\xa9\"}"), std::string::npos) << line;
}

TEST(WireText, a_line_has_no_control_characters_of_the_peer) {
    EXPECT_EQ(wire_line(message("{\x1b[2J\n\xe2\x80\xae")), "19:54:56.789 <- #7 9 { [2J <U+202E>");
}

}  // namespace
}  // namespace tenon
