// Each transition of ReplyStream.
#include "web/reply_stream.hpp"

#include <gtest/gtest.h>

namespace tenon::web {
namespace {

/// Records the calls, one letter each.
struct Recorder final : ResponseWriter {
    void respond(Response response) override { calls += "R" + std::to_string(response.status); }
    void begin_stream(Fields) override { calls += "B"; }
    void write(std::string bytes) override { calls += bytes.starts_with(":") ? "#" : "W"; }
    void end() override { calls += "E"; }
    std::string calls;
};

class ReplyStreamTest : public testing::Test {
 protected:
    std::shared_ptr<Recorder> writer_ = std::make_shared<Recorder>();
    ReplyStream reply_{writer_};
};

TEST_F(ReplyStreamTest, the_first_message_can_be_json) {
    EXPECT_TRUE(reply_.can_be_json());
    reply_.respond({202});
    EXPECT_EQ(writer_->calls, "R202");
    EXPECT_FALSE(reply_.connected());
    EXPECT_FALSE(reply_.can_be_json());
    EXPECT_TRUE(reply_.begun());
}

TEST_F(ReplyStreamTest, after_the_stream_has_begun_everything_is_an_event) {
    reply_.begin({});
    EXPECT_FALSE(reply_.can_be_json());
    EXPECT_TRUE(reply_.begun());
    reply_.write("data: x\n\n");
    reply_.end();
    EXPECT_EQ(writer_->calls, "BWE");
    EXPECT_FALSE(reply_.connected());
    reply_.write("data: y\n\n");
    EXPECT_EQ(writer_->calls, "BWE");
}

TEST_F(ReplyStreamTest, an_undecided_response_is_silent_too_long_at_the_second_keep_alive) {
    EXPECT_FALSE(reply_.is_silent_too_long());
    reply_.write_comment();
    EXPECT_EQ(writer_->calls, "");
    EXPECT_TRUE(reply_.is_silent_too_long());
    reply_.begin({});
    EXPECT_FALSE(reply_.is_silent_too_long());
    reply_.write_comment();
    EXPECT_EQ(writer_->calls, "B#");
}

TEST_F(ReplyStreamTest, a_stream_goes_on_after_a_lost_connection) {
    reply_.begin({});
    reply_.detach();
    EXPECT_TRUE(reply_.begun());
    EXPECT_FALSE(reply_.connected());
    reply_.write("data: lost\n\n");
    const auto second = std::make_shared<Recorder>();
    reply_.attach(second, {});
    reply_.write("data: x\n\n");
    EXPECT_EQ(writer_->calls, "B");
    EXPECT_EQ(second->calls, "BW");
    EXPECT_TRUE(reply_.has(second.get()));
}

TEST_F(ReplyStreamTest, another_connection_closes_the_old_one) {
    reply_.begin({});
    reply_.attach(std::make_shared<Recorder>(), {});
    EXPECT_EQ(writer_->calls, "BE");
}

TEST_F(ReplyStreamTest, a_disconnected_stream_does_not_end) {
    reply_.begin({});
    reply_.disconnect();
    EXPECT_EQ(writer_->calls, "BE");
    const auto second = std::make_shared<Recorder>();
    reply_.attach(second, {});
    reply_.write_comment();
    EXPECT_EQ(second->calls, "B#");
}

TEST_F(ReplyStreamTest, an_ended_stream_gives_its_events_to_another_connection_but_no_comments) {
    reply_.begin({});
    reply_.end();
    const auto second = std::make_shared<Recorder>();
    reply_.attach(second, {});
    reply_.write("data: x\n\n");
    reply_.write_comment();
    reply_.disconnect();
    EXPECT_EQ(second->calls, "BWE");
}

}  // namespace
}  // namespace tenon::web
