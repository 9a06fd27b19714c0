// The parts of a cluster by themselves: stored events, records of sessions, and responses that wait.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/http_exchange.hpp"
#include "transport/http_server/held_response.hpp"
#include "transport/http_server/session_record.hpp"
#include "web/stored_event.hpp"

namespace tenon::test {
namespace {

TEST(StoredEvent, is_read_as_it_was_written) {
    const web::StoredEvent events[] = {{},
                                       {.data = R"({"jsonrpc":"2.0"})"},
                                       {.requests = "[1]", .data = "{}"},
                                       {.requests = R"(["a\n"])"},
                                       {.retry_ms = 500},
                                       {.requests = "[]", .retry_ms = 0},
                                       {.data = "{}", .once = 17},
                                       {.requests = "[1]", .data = "{}", .once = UINT64_MAX},
                                       {.listens = "n0af.7"},
                                       {.resumes = "n0af.7"}};
    for (const web::StoredEvent& event : events) {
        const std::string text = web::encode_event(event);
        const web::StoredEvent read = web::decode_event(text);
        EXPECT_EQ(read.requests, event.requests);
        EXPECT_EQ(read.data, event.data);
        EXPECT_EQ(read.retry_ms, event.retry_ms);
        EXPECT_EQ(read.once, event.once);
        EXPECT_EQ(read.listens, event.listens);
        EXPECT_EQ(read.resumes, event.resumes);
    }
}

RC_GTEST_PROP(StoredEvent, any_text_is_readable, (const std::string& text)) {
    const web::StoredEvent read = web::decode_event(text);
    RC_ASSERT(read.requests.size() + read.data.size() <= text.size());
    web::decode_event("open:" + text);
    web::decode_event("retry:" + text);
    web::decode_event("once:" + text);
    web::decode_event("listen:" + text);
    web::decode_event("resume:" + text);
}

TEST(StoredEvent, an_event_place_has_a_log_and_a_number) {
    const auto place = web::read_event_place("n0af.17-42");
    ASSERT_TRUE(place);
    EXPECT_EQ(place->log, "n0af.17");
    EXPECT_EQ(place->event, 42U);
    for (const char* wrong : {"", "-", "a", "a-", "-1", "a-x", "A-1", "a b-1", "a-1-2x", "a:b-1"})
        EXPECT_FALSE(web::read_event_place(wrong)) << wrong;
    EXPECT_FALSE(web::read_event_place(std::string(65, 'a') + "-1"));
}

TEST(StoredEvent, the_place_of_a_get_stream_names_the_stream) {
    const auto place = web::read_event_place(web::event_id(web::listener_place("n0af.7"), 3));
    ASSERT_TRUE(place);
    EXPECT_EQ(web::listener_of(*place), "n0af.7");
    for (const char* other : {"n0af.7-3", "s-3", "s.-3", "sx.1-3"})
        EXPECT_FALSE(web::listener_of(web::read_event_place(other).value())) << other;
}

core::SessionState example_state() {
    core::SessionState state;
    state.revision = protocol::Revision::v2025_06_18;
    state.capabilities = protocol::read_capabilities({{"roots", json::object()}, {"x", 1}});
    state.client = {.name = "c", .version = "1", .title = "C"};
    state.declared = {.tools = true, .apps = true};
    state.initialized = true;
    state.log_level = LogLevel::alert;
    state.subscriptions = {"a:b", "c:d"};
    return state;
}

TEST(SessionRecord, is_read_as_it_was_written) {
    store::SessionRecord record{.id = "s", .principal = "ann"};
    put_state(example_state(), {"t", "r", "p"}, record);
    EXPECT_EQ(decode_extra(record.extra).lists, (ListDigests{"t", "r", "p"}));
    EXPECT_EQ(record.principal, "ann");
    const auto read = state_of(record);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->revision, protocol::Revision::v2025_06_18);
    EXPECT_EQ(read->client.title, "C");
    EXPECT_TRUE(read->capabilities.roots);
    EXPECT_EQ(read->capabilities.raw, example_state().capabilities.raw);
    EXPECT_EQ(read->declared, example_state().declared);
    EXPECT_TRUE(read->initialized);
    EXPECT_EQ(read->log_level, LogLevel::alert);
    EXPECT_EQ(read->subscriptions, example_state().subscriptions);
}

TEST(SessionRecord, a_malformed_record_is_refused) {
    store::SessionRecord good;
    put_state(example_state(), {"t", "r", "p"}, good);
    for (auto member :
         {&store::SessionRecord::revision, &store::SessionRecord::capabilities, &store::SessionRecord::client_info}) {
        for (const char* text : {"", "{", "2026-07-28", "[]"}) {
            store::SessionRecord bad = good;
            bad.*member = text;
            EXPECT_FALSE(state_of(bad)) << text;
        }
    }
    good.extra = "{";  // of another version: has its defaults
    EXPECT_TRUE(state_of(good));
}

TEST(SessionRecord, changes_are_announced_and_applied) {
    using Kind = core::StateChange::Kind;
    const std::vector<core::StateChange> changes{
        {Kind::initialized}, {Kind::log_level, "error"}, {Kind::subscribe, "x:y"}, {Kind::unsubscribe, "a:b"}};
    const json::value text = encode_changes(changes);
    EXPECT_EQ(decode_changes(text), changes);
    EXPECT_TRUE(decode_changes("odd").empty());
    EXPECT_TRUE(decode_changes(json::array{1, json::array{"later", "x"}, json::array{"level"}}).empty());
    store::SessionRecord record;
    core::SessionState before = example_state();
    before.initialized = false;
    put_state(before, {}, record);
    for (const auto& change : changes) apply(change, record);
    EXPECT_TRUE(record.initialized);
    EXPECT_EQ(record.log_level, LogLevel::error);
    EXPECT_EQ(record.subscriptions, (std::vector<std::string>{"c:d", "x:y"}));
}

TEST(HeldResponse, passes_everything_on_when_it_is_released) {
    const auto to = new_exchange();
    HeldResponse held(to);
    held.begin_stream({{"X", "y"}});
    held.write("data: 1\n\n");
    EXPECT_FALSE(to->begun);
    held.release();
    held.write("data: 2\n\n");
    held.end();
    EXPECT_EQ(to->messages(), (std::vector<std::string>{"1", "2"}));
    EXPECT_EQ(to->field("X"), "y");
    EXPECT_TRUE(to->over);
    EXPECT_EQ(to->misuses, 0);
}

TEST(HeldResponse, can_be_replaced_until_it_is_released) {
    const auto to = new_exchange();
    HeldResponse held(to);
    held.respond({200});
    held.replace({503});
    EXPECT_EQ(to->response.status, 503);
    held.replace({404});
    held.release();
    EXPECT_EQ(to->response.status, 503);
    EXPECT_EQ(to->misuses, 0);
}

}  // namespace
}  // namespace tenon::test
