// rules: HTTP-3, HTTP-5, HTTP-6, HTTP-7, HTTP-8, SEC-4
#include "web/streams.hpp"

#include <gtest/gtest.h>

#include <set>

#include "support/http_exchange.hpp"

namespace tenon::web {
namespace {

using test::new_exchange;
using test::NotedExchange;
using Texts = std::vector<std::string>;

core::Send message(std::string text, Streams::Number origin = 0) { return {core::Encoded{std::move(text)}, origin}; }
core::Send answer(std::string text, Streams::Number origin) { return {core::Encoded{std::move(text)}, origin, true}; }

struct StreamsTest : testing::Test {
    Streams streams{{.session_id = "s", .max_streams = 4, .max_ended_streams = 4, .max_stored_bytes = 10'000}};

    struct Open {
        std::shared_ptr<NotedExchange> writer = new_exchange();
        Streams::Number number = 0;
    };
    Open post() {
        Open out;
        out.number = streams.open(out.writer).value();
        return out;
    }
    Open get() {
        Open out;
        out.number = streams.listen(out.writer).value();
        return out;
    }
    std::shared_ptr<NotedExchange> resume(const std::string& id) {
        auto writer = new_exchange();
        EXPECT_TRUE(streams.resume(writer, id)) << id;
        return writer;
    }
    bool resumes(const std::string& id) { return streams.resume(new_exchange(), id).has_value(); }
};

TEST_F(StreamsTest, an_answer_without_earlier_messages_is_json) {
    const Open a = post();
    streams.send(answer("1", a.number));
    EXPECT_EQ(a.writer->response.status, 200);
    EXPECT_EQ(a.writer->response.content_type, "application/json");
    EXPECT_EQ(a.writer->response.body, "1");
    EXPECT_EQ(a.writer->field("Mcp-Session-Id"), "s");
    EXPECT_EQ(streams.attached(), 0U);
    EXPECT_EQ(streams.stored_bytes(), 0U);
}

TEST_F(StreamsTest, an_error_has_its_status_and_no_session_id) {
    const Open a = post();
    streams.send({core::Encoded{"1"}, a.number, true, true, code::invalid_request});
    EXPECT_EQ(a.writer->response.status, 400);
    EXPECT_EQ(a.writer->field("Mcp-Session-Id"), "");
}

TEST_F(StreamsTest, an_earlier_message_starts_a_stream_that_ends_with_the_answer) {
    const Open a = post();
    streams.send(message("1", a.number));
    EXPECT_TRUE(a.writer->begun);
    EXPECT_FALSE(a.writer->over);
    streams.send(answer("2", a.number));
    EXPECT_EQ(a.writer->messages(), (Texts{"1", "2"}));
    EXPECT_TRUE(a.writer->over);
    EXPECT_EQ(a.writer->misuses, 0);
}

TEST_F(StreamsTest, streams_are_primed_when_the_client_supports_it) {
    const Open before = post();
    streams.send(message("1", before.number));
    ASSERT_EQ(before.writer->events.size(), 1U);

    streams.set_priming(true);
    const Open after = post();
    streams.send(message("1", after.number));
    ASSERT_EQ(after.writer->events.size(), 2U);
    EXPECT_EQ(after.writer->events[0].data, "");
    EXPECT_NE(after.writer->events[0].id, "");
    const Open listener = get();
    ASSERT_EQ(listener.writer->events.size(), 1U)
        << "a listener is primed at once, so it can resume before its first message";
    EXPECT_EQ(listener.writer->events[0].data, "");
}

TEST_F(StreamsTest, event_ids_are_unique_in_a_session) {
    streams.set_priming(true);
    const Open a = post(), b = post(), c = get();
    for (int i = 0; i < 5; ++i)
        for (const auto number : {a.number, b.number, Streams::Number{0}}) streams.send(message("x", number));
    std::set<std::string> ids;
    for (const Open* open : {&a, &b, &c})
        for (const auto& event : open->writer->events) EXPECT_TRUE(ids.insert(event.id).second) << event.id;
    EXPECT_EQ(ids.size(), 18U);
}

TEST_F(StreamsTest, a_message_goes_only_to_its_own_stream) {
    const Open a = post(), b = post(), first = get(), second = get();
    streams.send(message("for a", a.number));
    streams.send(message("for anybody"));
    EXPECT_EQ(a.writer->messages(), Texts{"for a"});
    EXPECT_TRUE(b.writer->events.empty());
    EXPECT_TRUE(first.writer->events.empty()) << "only the newest listener gets the message";
    EXPECT_EQ(second.writer->messages(), Texts{"for anybody"});
    streams.detach(second.writer.get());
    streams.send(message("again"));
    EXPECT_EQ(first.writer->messages(), Texts{"again"});
}

TEST_F(StreamsTest, resuming_replays_the_later_messages_of_that_stream_only) {
    const Open a = post(), b = post();
    for (const char* text : {"1", "2", "3"}) {
        streams.send(message(text + std::string("a"), a.number));
        streams.send(message(text + std::string("b"), b.number));
    }
    streams.detach(a.writer.get());
    streams.send(message("4a", a.number));
    const auto again = resume(a.writer->events[0].id);
    EXPECT_EQ(again->messages(), (Texts{"2a", "3a", "4a"}));
    EXPECT_EQ(again->field("Mcp-Session-Id"), "s");
    streams.send(answer("5a", a.number));
    EXPECT_EQ(again->messages(), (Texts{"2a", "3a", "4a", "5a"}));
    EXPECT_TRUE(again->over);
    EXPECT_EQ(b.writer->messages(), (Texts{"1b", "2b", "3b"}));
}

TEST_F(StreamsTest, a_finished_stream_can_be_resumed) {
    const Open a = post();
    streams.send(message("1", a.number));
    streams.send(answer("2", a.number));
    const auto again = resume(a.writer->events[0].id);
    EXPECT_EQ(again->messages(), Texts{"2"});
    EXPECT_TRUE(again->over);
    EXPECT_EQ(streams.attached(), 0U);
}

TEST_F(StreamsTest, an_undelivered_answer_waits_for_the_client) {
    const Open a = post();
    streams.send(message("1", a.number));
    streams.detach(a.writer.get());
    streams.send(answer("2", a.number));
    EXPECT_EQ(resume(a.writer->events[0].id)->messages(), Texts{"2"});
}

TEST_F(StreamsTest, resuming_closes_the_previous_connection) {
    const Open a = post();
    streams.send(message("1", a.number));
    const auto again = resume(a.writer->events[0].id);
    EXPECT_TRUE(a.writer->over);
    streams.detach(a.writer.get());  // the loss of the old connection is noticed late
    streams.send(message("2", a.number));
    EXPECT_EQ(again->messages(), Texts{"2"});
    EXPECT_EQ(a.writer->misuses + again->misuses, 0);
}

TEST_F(StreamsTest, malformed_and_unknown_event_ids_are_refused) {
    const Open a = post();
    streams.send(message("1", a.number));
    const std::string id = a.writer->events[0].id;
    for (const std::string& wrong :
         {std::string("x"), std::string("-"), std::string("1-"), std::string("-1"), std::string("99-0"), id + "7",
          id + " ", "+" + id, id + "-0", std::string("18446744073709551616-0"),
          std::to_string(a.number) + "-18446744073709551615", std::to_string(a.number) + "-1"}) {
        const auto writer = new_exchange();
        EXPECT_FALSE(streams.resume(writer, wrong)) << wrong;
        EXPECT_FALSE(writer->begun) << wrong;
    }
    EXPECT_FALSE(a.writer->over) << "a wrong event id must not end another connection";
    EXPECT_TRUE(resumes(id));
}

TEST_F(StreamsTest, a_stream_that_has_not_begun_cannot_be_resumed) {
    const Open a = post();
    EXPECT_FALSE(resumes(std::to_string(a.number) + "-0"));
}

TEST_F(StreamsTest, resuming_after_dropped_events_is_refused) {
    const Open a = post();
    for (int i = 0; i < 30; ++i) streams.send(message(std::string(1000, 'x') + std::to_string(i), a.number));
    EXPECT_LE(streams.stored_bytes(), 10'000U);
    EXPECT_FALSE(resumes(a.writer->events.front().id));
    EXPECT_FALSE(resumes(a.writer->events[19].id));
    const auto& almost = a.writer->events[28];
    EXPECT_EQ(resume(almost.id)->messages().size(), 1U);
}

TEST_F(StreamsTest, finished_streams_are_dropped_first) {
    const Open done = post(), open = post();
    streams.send(message("1", done.number));
    streams.send(answer(std::string(6000, 'x'), done.number));
    streams.send(message("1", open.number));
    streams.send(message(std::string(6000, 'y'), open.number));
    EXPECT_FALSE(resumes(done.writer->events[0].id));
    EXPECT_TRUE(resumes(open.writer->events[0].id));
}

TEST_F(StreamsTest, undelivered_answers_are_kept_longer_than_delivered_messages) {
    const Open listener = get();
    for (int i = 0; i < 100; ++i) streams.send(message(std::string(1000, 'n')));
    const Open call = post();
    streams.send(message("1", call.number));
    streams.detach(call.writer.get());
    streams.send(answer(std::string(500, 'x'), call.number));
    for (int i = 0; i < 100; ++i) streams.send(message(std::string(1000, 'n')));
    EXPECT_EQ(resume(call.writer->events[0].id)->events.back().data, std::string(500, 'x'));
    EXPECT_LE(streams.stored_bytes(), 10'000U);
}

TEST_F(StreamsTest, an_undelivered_answer_larger_than_the_store_is_kept) {
    const Open call = post();
    streams.send(message("1", call.number));
    streams.detach(call.writer.get());
    streams.send(answer(std::string(50'000, 'x'), call.number));
    EXPECT_EQ(resume(call.writer->events[0].id)->events.back().data, std::string(50'000, 'x'));
}

TEST_F(StreamsTest, a_long_silent_request_becomes_a_stream) {
    const Open call = post();
    streams.keep_alive();
    EXPECT_FALSE(call.writer->begun);
    streams.keep_alive();
    EXPECT_TRUE(call.writer->begun);
    streams.send(answer("2", call.number));
    EXPECT_EQ(call.writer->events.back().data, "2");
}

TEST_F(StreamsTest, the_number_of_finished_streams_is_limited) {
    for (int i = 0; i < 100; ++i) {
        const Open a = post();
        streams.send(message("1", a.number));
        streams.send(answer("2", a.number));
    }
    EXPECT_LE(streams.stored_bytes(), 4 * 2 * 40U);
}

TEST_F(StreamsTest, the_number_of_open_streams_is_limited) {
    std::vector<Open> all;
    for (int i = 0; i < 2; ++i) all.push_back(post()), all.push_back(get());
    const auto refused = streams.open(new_exchange());
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, code::server_error);
    EXPECT_FALSE(streams.listen(new_exchange()));
    streams.send(answer("1", all[0].number));
    EXPECT_TRUE(streams.open(new_exchange()));
}

TEST_F(StreamsTest, reconnecting_listeners_do_not_exhaust_the_limit) {
    for (int i = 0; i < 100; ++i) {
        const auto writer = new_exchange();
        ASSERT_TRUE(streams.listen(writer)) << i;
        streams.send(message("x"));
        streams.detach(writer.get());
    }
    EXPECT_TRUE(streams.open(new_exchange()));
}

TEST_F(StreamsTest, a_lost_listener_can_be_resumed) {
    const Open a = get();
    streams.send(message("1"));
    streams.detach(a.writer.get());
    streams.send(message("2"));
    EXPECT_EQ(resume(a.writer->events[0].id)->messages(), Texts{"2"});
}

TEST_F(StreamsTest, a_post_that_is_lost_before_its_stream_began_is_dropped) {
    const Open a = post();
    streams.detach(a.writer.get());
    streams.send(message("1", a.number));
    streams.send(answer("2", a.number));
    EXPECT_FALSE(a.writer->begun);
    EXPECT_EQ(a.writer->response.status, 0);
    EXPECT_EQ(streams.stored_bytes(), 0U);
}

TEST_F(StreamsTest, detaching_an_unknown_writer_has_no_effect) {
    const Open a = post();
    streams.detach(new_exchange().get());
    EXPECT_EQ(streams.attached(), 1U);
}

TEST_F(StreamsTest, messages_before_the_first_listener_are_delivered_to_it) {
    streams.set_priming(true);
    streams.send(message("1"));
    streams.send(message("2"));
    const Open a = get(), b = get();
    EXPECT_EQ(a.writer->messages(), (Texts{"1", "2"}));
    EXPECT_TRUE(b.writer->messages().empty());
    EXPECT_NE(a.writer->events.back().id, "");
}

TEST_F(StreamsTest, undelivered_messages_are_limited) {
    for (int i = 0; i < 100; ++i) streams.send(message(std::string(1000, 'x')));
    EXPECT_LE(streams.stored_bytes(), 10'000U);
    EXPECT_EQ(get().writer->messages().size(), 9U);
}

// A client of 2025-06-18 has no event id before its first message, so it can only open a new listener.
TEST_F(StreamsTest, messages_between_two_listeners_are_not_lost) {
    const Open first = get();
    streams.detach(first.writer.get());
    streams.send(message("1"));
    EXPECT_EQ(get().writer->messages(), Texts{"1"});
}

TEST_F(StreamsTest, polling_closes_the_connection_and_keeps_the_stream) {
    streams.set_priming(true);
    const Open a = post();
    streams.let_poll(a.number, 1500);
    EXPECT_TRUE(a.writer->over);
    EXPECT_EQ(a.writer->retry_ms(), 1500);
    ASSERT_FALSE(a.writer->events.empty());
    streams.send(message("1", a.number));
    streams.send(answer("2", a.number));
    const auto again = resume(a.writer->events.back().id);
    EXPECT_EQ(again->messages(), (Texts{"1", "2"}));
    EXPECT_TRUE(again->over);
}

TEST_F(StreamsTest, clients_without_polling_keep_their_connection) {
    const Open a = post();
    streams.let_poll(a.number, 1500);
    EXPECT_FALSE(a.writer->over);
    EXPECT_FALSE(a.writer->begun);
    streams.let_poll(77, 1500);
}

TEST_F(StreamsTest, a_cancelled_request_ends_its_stream_without_an_answer) {
    const Open fresh = post(), begun = post();
    streams.send(message("1", begun.number));
    streams.finish(fresh.number);
    streams.finish(begun.number);
    streams.finish(99);
    EXPECT_TRUE(fresh.writer->begun && fresh.writer->over);
    EXPECT_TRUE(fresh.writer->messages().empty());
    EXPECT_TRUE(begun.writer->over);
    EXPECT_EQ(begun.writer->messages(), Texts{"1"});
    EXPECT_EQ(streams.attached(), 0U);
    const auto again = resume(begun.writer->events[0].id);
    EXPECT_TRUE(again->over);
    EXPECT_TRUE(again->messages().empty());
}

TEST_F(StreamsTest, messages_without_an_answer_get_202_or_an_error) {
    const auto accepted = new_exchange(), refused = new_exchange();
    streams.finish(streams.open(accepted, false).value());
    EXPECT_EQ(accepted->response.status, 202);
    EXPECT_FALSE(accepted->begun);
    streams.send({core::Encoded{"1"}, streams.open(refused, false).value(), true, true, code::invalid_request});
    EXPECT_EQ(refused->response.status, 400);
}

TEST_F(StreamsTest, keep_alive_comments_go_to_open_connected_streams) {
    const Open silent = post(), begun = post(), listener = get(), gone = get();
    streams.send(message("1", begun.number));
    streams.detach(gone.writer.get());
    streams.keep_alive();
    EXPECT_EQ(silent.writer->comments, 0);
    EXPECT_EQ(begun.writer->comments, 1);
    EXPECT_EQ(listener.writer->comments, 1);
    EXPECT_EQ(gone.writer->comments, 0);
}

TEST_F(StreamsTest, end_all_closes_every_connection_once) {
    const Open fresh = post(), begun = post(), listener = get();
    streams.send(message("1", begun.number));
    streams.end_all();
    for (const Open* open : {&fresh, &begun, &listener}) {
        EXPECT_TRUE(open->writer->over);
        EXPECT_EQ(open->writer->misuses, 0);
    }
    EXPECT_EQ(streams.attached(), 0U);
    EXPECT_EQ(streams.stored_bytes(), 0U);
    EXPECT_FALSE(resumes(begun.writer->events[0].id));
    streams.end_all();
}

// A request may find the session just before another request ends it. Its connection would never be closed.
TEST_F(StreamsTest, no_stream_can_be_opened_after_end_all) {
    streams.end_all();
    EXPECT_FALSE(streams.open(new_exchange()));
    EXPECT_FALSE(streams.listen(new_exchange()));
    streams.send(message("1"));
    EXPECT_EQ(streams.stored_bytes(), 0U);
}

TEST_F(StreamsTest, announce_sends_the_endpoint_event) {
    const Open a = get();
    streams.announce("/messages?sessionId=s");
    ASSERT_EQ(a.writer->events.size(), 1U);
    EXPECT_EQ(a.writer->events[0].type, "endpoint");
    EXPECT_EQ(a.writer->events[0].data, "/messages?sessionId=s");
}

TEST_F(StreamsTest, without_keep_events_nothing_is_stored_and_events_have_no_id) {
    Streams plain({.max_streams = 4, .keep_events = false});
    const auto writer = new_exchange();
    const auto number = plain.open(writer).value();
    plain.send(message("1", number));
    EXPECT_EQ(writer->events[0].id, "");
    EXPECT_EQ(plain.stored_bytes(), 0U);
    plain.detach(writer.get());
    plain.send(answer("2", number));
    EXPECT_EQ(plain.stored_bytes(), 0U);
}

// The log of each stream gets the message, but not the answer.
TEST_F(StreamsTest, a_limited_number_of_answers_wait_for_the_store) {
    int appended = 0;
    streams.share("n", 0, [&](auto, const auto&, bool) { ++appended; });
    std::vector<Open> all;
    for (int i = 0; i < 6; ++i) {
        all.push_back(post());
        const Streams::Number number = all.back().number;
        streams.send(message("1", number));
        streams.send(answer("2", number));
        streams.stored(number, 1);
        streams.keep_unstored(number);
        EXPECT_EQ(all.back().writer->messages(), (Texts{"1", "2"})) << "the connected client gets it at once";
    }
    appended = 0;
    EXPECT_TRUE(streams.store_again());
    EXPECT_EQ(appended, 4) << "Options::max_ended_streams";
    EXPECT_FALSE(streams.store_again()) << "they are on their way";
    EXPECT_EQ(appended, 4);
    for (const Open& one : all) streams.keep_unstored(one.number);
    EXPECT_TRUE(streams.store_again());
    for (const Open& one : all) streams.stored(one.number, 2);
    EXPECT_FALSE(streams.store_again());
    EXPECT_EQ(streams.stored_bytes(), 0U);
}

}  // namespace
}  // namespace tenon::web
