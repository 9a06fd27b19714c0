// Boxes of the bus in Redis, while reads are refused. With a real redis-server.
#include <atomic>
#include <future>

#include <gtest/gtest.h>

#include "redis/redis_backend.hpp"
#include "redis/redis_store.hpp"
#include "store/front.hpp"
#include "support/redis_server.hpp"
#include "support/store_answer.hpp"

namespace {

using namespace tenon;
using test::answer_of;

// The wake-up of the box comes while the queue is full, and no other wake-up follows.
TEST(RedisBox, a_message_whose_read_was_refused_arrives_when_the_queue_has_room) {
    if (!test::RedisServer::is_installed()) GTEST_SKIP() << "redis-server is not installed";
    const test::RedisServer server;
    redis::Address address;
    address.unix_path = server.socket();
    const auto other = redis::redis_store(address, {});
    const store::StreamName box{"session", "answer:1"};
    ASSERT_TRUE(answer_of<void>(
        [&](auto reply) { other->bus().deliver(box, "yes", std::chrono::hours(1), std::move(reply)); }));

    StoreOptions options;
    options.limits.max_operations = 1;
    const auto backend = redis::RedisBackend::open(address, options);
    store::Front<redis::RedisBackend> full(backend, options);
    std::promise<void> released;
    backend->raw({"BLPOP", "never", "0"}, [&](const auto&) { released.set_value(); });
    std::promise<std::string> taken;
    std::promise<void> begun;
    std::atomic<bool> told = false;  // a new connection begins the subscription again
    const auto receiving = full.bus().receive(box, [&](std::string bytes) { taken.set_value(std::move(bytes)); });
    // It begins after the box, whose first read has been refused then.
    const auto after = full.bus().subscribe("after", {[](std::string_view) {}, [&] {
                                                           if (!told.exchange(true)) begun.set_value();
                                                       }});
    begun.get_future().wait();

    const auto control = redis::RedisBackend::open(address, {});
    control->raw({"LPUSH", "never", "now"}, [](const auto&) {});
    released.get_future().wait();
    EXPECT_EQ(taken.get_future().get(), "yes");
    control->close();
}

}  // namespace
