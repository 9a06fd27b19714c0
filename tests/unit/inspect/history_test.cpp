// The history of messages, its filter and its exports.
#include "inspect/history.hpp"

#include <gtest/gtest.h>

#include "inspect/export.hpp"

namespace tenon::inspect {
namespace {

class HistoryTest : public testing::Test {
 protected:
    const Message& add(bool sent, const std::string& text, double at = 0, std::uint64_t connection = 1) {
        Message message;
        message.sent = sent;
        message.text = text;
        message.at = at;
        message.connection = connection;
        const auto value = json::parse(text);
        return history_.add(std::move(message), value ? &*value : nullptr);
    }
    std::vector<std::uint64_t> numbers(const json::object& filter, std::uint64_t after = 0, std::uint64_t before = 0,
                                       std::size_t limit = 100, std::size_t offset = 0) {
        std::vector<std::uint64_t> out;
        for (const Message* m :
             history_.page(MessageFilter::read(filter).value(), {after, before, offset, limit}).messages)
            out.push_back(m->number);
        return out;
    }
    using Numbers = std::vector<std::uint64_t>;
    History history_{{.max_messages = 6, .max_bytes = 100'000, .max_pinned = 2}};
};

constexpr const char* ask = R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"Echo"}})";

TEST_F(HistoryTest, a_response_gets_the_method_and_the_latency_of_its_request) {
    add(true, ask, 1000);
    const Message& answer = add(false, R"({"jsonrpc":"2.0","id":7,"result":{}})", 1250);
    EXPECT_EQ(answer.method, "tools/call");
    EXPECT_EQ(answer.request, 1u);
    EXPECT_EQ(answer.latency, 250);
    EXPECT_EQ(history_.find(1)->response, 2u);
}

TEST_F(HistoryTest, an_id_belongs_to_one_side_of_one_connection) {
    add(true, ask, 0, 1);
    EXPECT_EQ(add(false, R"({"jsonrpc":"2.0","id":7,"result":{}})", 0, 2).request, 0u);
    EXPECT_EQ(add(true, R"({"jsonrpc":"2.0","id":7,"result":{}})", 0, 1).request, 0u);
    EXPECT_EQ(add(false, R"({"jsonrpc":"2.0","id":"7","result":{}})", 0, 1).request, 0u);
    EXPECT_EQ(add(false, R"({"jsonrpc":"2.0","id":7,"error":{}})", 0, 1).request, 1u);
}

TEST_F(HistoryTest, text_that_is_not_a_message_is_kept) {
    EXPECT_EQ(add(false, "Listening on port 1").kind, MessageKind::invalid);
    EXPECT_EQ(add(false, "[]").kind, MessageKind::invalid);
    EXPECT_EQ(add(false, R"({"method":"notifications/x"})").kind, MessageKind::notification);
}

TEST_F(HistoryTest, an_offset_counts_the_selected_messages) {
    for (int i = 0; i < 3; ++i) {
        add(true, ask);
        add(false, "not a message");
    }
    EXPECT_EQ(numbers({}, 0, 0, 2, 3), (Numbers{4, 5}));
    EXPECT_EQ(numbers({{"direction", "sent"}}, 0, 0, 100, 1), (Numbers{3, 5}));
    EXPECT_EQ(numbers({{"direction", "sent"}}, 0, 0, 100, 3), Numbers());
    EXPECT_EQ(history_.page(MessageFilter::read({{"direction", "sent"}}).value(), {.offset = 2}).total, 3u);
}

TEST_F(HistoryTest, the_filter_selects) {
    add(true, ask);
    add(false, R"({"jsonrpc":"2.0","id":7,"result":{"text":"HELLO"}})");
    add(false, R"({"jsonrpc":"2.0","method":"notifications/message"})", 0, 2);
    EXPECT_EQ(numbers({{"direction", "sent"}}), Numbers{1});
    EXPECT_EQ(numbers({{"kind", "notification"}}), Numbers{3});
    EXPECT_EQ(numbers({{"method", "tools/call"}}), (Numbers{1, 2}));
    EXPECT_EQ(numbers({{"text", "hello"}}), Numbers{2});
    EXPECT_EQ(numbers({{"text", "echo"}}), Numbers{1});
    EXPECT_EQ(numbers({{"connection", 2}}), Numbers{3});
    EXPECT_EQ(numbers({{"verdict", "broken"}}), Numbers{});
    EXPECT_EQ(numbers({{"verdict", "clean"}}), (Numbers{1, 2, 3}));
}

TEST_F(HistoryTest, a_wrong_filter_is_refused_by_name) {
    EXPECT_NE(MessageFilter::read({{"kind", "x"}}).error().message.find("filter.kind"), std::string::npos);
    EXPECT_NE(MessageFilter::read({{"direction", "up"}}).error().message.find("filter.direction"), std::string::npos);
    EXPECT_NE(MessageFilter::read({{"verdict", "bad"}}).error().message.find("filter.verdict"), std::string::npos);
}

TEST_F(HistoryTest, pages_go_forward_and_backward) {
    for (int i = 0; i < 6; ++i) add(true, ask);
    EXPECT_EQ(numbers({}, 2, 0, 2), (Numbers{3, 4}));
    EXPECT_EQ(numbers({}, 0, 5, 2), (Numbers{3, 4}));
    EXPECT_EQ(numbers({}, 1, 4, 9), (Numbers{2, 3}));
}

TEST_F(HistoryTest, the_oldest_message_that_is_not_pinned_is_forgotten) {
    add(true, ask);
    EXPECT_TRUE(history_.pin(1, true));
    for (int i = 0; i < 7; ++i) add(true, ask);
    EXPECT_EQ(numbers({}), (Numbers{1, 4, 5, 6, 7, 8}));
    EXPECT_EQ(history_.dropped(), 2u);
    EXPECT_EQ(numbers({{"pinned", true}}), Numbers{1});
}

TEST_F(HistoryTest, pins_are_limited) {
    for (int i = 0; i < 3; ++i) add(true, ask);
    EXPECT_TRUE(history_.pin(1, true));
    EXPECT_TRUE(history_.pin(2, true));
    EXPECT_FALSE(history_.pin(3, true));
    EXPECT_TRUE(history_.pin(1, false));
    EXPECT_TRUE(history_.pin(3, true));
    EXPECT_FALSE(history_.pin(99, true));
}

TEST_F(HistoryTest, a_late_response_to_a_forgotten_request_has_no_request) {
    add(true, ask);
    for (int i = 0; i < 6; ++i) add(true, R"({"jsonrpc":"2.0","method":"notifications/x"})");
    EXPECT_EQ(add(false, R"({"jsonrpc":"2.0","id":7,"result":{}})").request, 0u);
}

TEST_F(HistoryTest, large_texts_are_forgotten_and_cut) {
    add(true, std::string(60'000, 'x'));
    add(true, std::string(60'000, 'y'));
    EXPECT_EQ(history_.first(), 2u);
    const json::object shown = message_json(*history_.find(2), 100);
    EXPECT_EQ(shown.at("text").as_string().size(), 100u);
    EXPECT_EQ(shown.at("cut"), json::value(true));
    EXPECT_EQ(shown.at("size"), json::value(60'000));
}

TEST(CutText, keeps_whole_characters) {
    EXPECT_EQ(cut_text("aäb", 2), "a");
    EXPECT_EQ(cut_text("aäb", 3), "aä");
    EXPECT_EQ(cut_text("ab", 2), "ab");
}

// ---- exports

TEST_F(HistoryTest, har_joins_a_request_and_its_response) {
    add(true, ask, 1'794'961'609'396.0);
    add(false, R"({"jsonrpc":"2.0","id":7,"result":{}})", 1'794'961'609'400.0);
    add(false, R"({"jsonrpc":"2.0","method":"notifications/message"})", 1'794'961'609'401.0);
    const auto page = history_.page({}, {});
    const json::value har = json::parse(export_har(page.messages, {.target = "https://x.example/mcp"})).value();
    const json::array& entries = har.at("log").at("entries").as_array();
    ASSERT_EQ(entries.size(), 2u);
    EXPECT_EQ(entries[0].at("startedDateTime"), json::value("2026-11-18T00:26:49.396Z"));
    EXPECT_EQ(entries[0].at("request").at("postData").at("text"), json::value(ask));
    EXPECT_EQ(entries[0].at("response").at("status"), json::value(200));
    EXPECT_EQ(entries[0].at("time").to_number<double>(), 4.0);
    EXPECT_EQ(entries[1].at("response").at("status"), json::value(0));
}

TEST_F(HistoryTest, exports_mask_secrets_unless_told_otherwise) {
    add(true, R"({"jsonrpc":"2.0","id":1,"method":"x","params":{"password":"swordfish"}})");
    const auto page = history_.page({}, {});
    for (const auto& write : {export_json, export_har}) {
        EXPECT_EQ(write(page.messages, {}).find("swordfish"), std::string::npos);
        EXPECT_NE(write(page.messages, {.mask = false}).find("swordfish"), std::string::npos);
    }
}

}  // namespace
}  // namespace tenon::inspect
