// Faults of the Redis store, with a real redis-server: each is a clear error, and the store works again when it is
// gone.
#include <atomic>

#include <gtest/gtest.h>

#include <tenon/store/open.hpp>

#include "redis/commands.hpp"
#include "redis/link.hpp"
#include "redis/redis_store.hpp"
#include "support/redis_server.hpp"
#include "support/store_answer.hpp"

namespace {

using namespace tenon;
using test::answer_of;
using test::RedisServer;
constexpr auto an_hour = std::chrono::hours(1);

class RedisFaults : public testing::Test {
 protected:
    void SetUp() override {
        if (!RedisServer::is_installed()) GTEST_SKIP() << "redis-server is not installed";
    }
};

std::shared_ptr<Store> open(const std::string& url, StoreOptions options = {}) {
    return open_store(url, std::move(options)).value();
}

Result<void> set(Store& store, const std::string& value = "v") {
    return answer_of<void>([&](auto reply) { store.values().set("k", value, an_hour, std::move(reply)); });
}

TEST_F(RedisFaults, a_server_that_is_not_there_is_reported_at_once) {
    StoreOptions options;
    options.limits.longest_reconnect = std::chrono::milliseconds(20);
    const auto store = open("redis+unix:/nonexistent/socket", options);
    const auto refused = test::check(*store);
    ASSERT_FALSE(refused);
    EXPECT_TRUE(store::is_unavailable(refused.error()));
    EXPECT_NE(refused.error().message.find("/nonexistent/socket"), std::string::npos) << refused.error().message;
}

TEST_F(RedisFaults, a_restarted_server_is_used_again_and_subscriptions_with_it) {
    RedisServer server;
    StoreOptions options;
    options.limits.longest_reconnect = std::chrono::milliseconds(20);
    const auto store = open(server.url(), options);
    ASSERT_TRUE(set(*store));
    std::mutex mutex;
    std::condition_variable changed;
    int gaps = 0, messages = 0;
    const auto count = [&](int& counter) {
        const std::lock_guard lock(mutex);
        ++counter;
        changed.notify_all();
    };
    const auto wait = [&](const int& counter, int least) {
        std::unique_lock lock(mutex);
        changed.wait(lock, [&] { return counter >= least; });
    };
    const auto gaps_now = [&] {
        const std::lock_guard lock(mutex);
        return gaps;
    };
    auto subscription = store->bus().subscribe("t", {[&](std::string_view) { count(messages); }, [&] { count(gaps); }});
    wait(gaps, 1);
    server.stop();
    Result<void> failed = set(*store);
    while (failed) failed = set(*store);
    EXPECT_TRUE(store::is_unavailable(failed.error()));
    EXPECT_EQ(gaps_now(), 1);  // a subscription begins once
    server.start();
    while (!set(*store)) {
    }
    wait(gaps, 2);  // messages may have been lost
    ASSERT_TRUE(answer_of<void>([&](auto reply) { store->bus().publish("t", "m", std::move(reply)); }));
    wait(messages, 1);
}

TEST_F(RedisFaults, a_silent_server_fails_in_bounded_time_and_recovers) {
    RedisServer server;
    StoreOptions options;
    options.limits.operation_time = options.limits.connect_time = std::chrono::milliseconds(100);
    options.limits.longest_reconnect = std::chrono::milliseconds(20);
    const auto store = open(server.url(), options);
    while (!set(*store)) {
    }
    server.send_signal(SIGSTOP);
    const auto silent = set(*store);
    server.send_signal(SIGCONT);
    ASSERT_FALSE(silent);
    EXPECT_TRUE(store::is_unavailable(silent.error())) << silent.error().message;
    while (!set(*store)) {
    }
}

TEST_F(RedisFaults, the_queue_is_bounded) {
    RedisServer server;
    StoreOptions options;
    options.limits.max_operations = 5;
    options.limits.operation_time = std::chrono::milliseconds(200);
    const auto store = open(server.url(), options);
    ASSERT_TRUE(set(*store));
    server.send_signal(SIGSTOP);
    std::atomic<int> full = 0, answered = 0;
    for (int i = 0; i < 20; ++i)
        store->values().set("k", "v", an_hour, make_reply<void>([&](Result<void>&& result) {
                                if (!result && result.error().message.find("max_operations") != std::string::npos)
                                    ++full;
                                ++answered;
                            }));
    EXPECT_EQ(full, 15);
    EXPECT_FALSE(set(*store));
    server.send_signal(SIGCONT);
    while (!set(*store)) {
    }
    EXPECT_EQ(answered, 20);
}

TEST_F(RedisFaults, a_wrong_password_is_misconfigured_and_not_shown) {
    RedisServer server({"--requirepass", "right-secret"});
    const auto check = [&](const std::string& user, const std::string& password) {
        redis::Address address;
        address.unix_path = server.socket();
        address.user = user, address.password = password;
        const auto store = redis::redis_store(address, {});
        return test::check(*store);
    };
    EXPECT_TRUE(check("", "right-secret"));
    EXPECT_TRUE(check("default", "right-secret"));
    for (const auto& refused : {check("", "wrong-secret"), check("someone", "wrong-secret"), check("", "")}) {
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().code, code::store_misconfigured);
        EXPECT_EQ(refused.error().message.find("secret"), std::string::npos) << refused.error().message;
    }
}

TEST_F(RedisFaults, lost_scripts_are_sent_again) {
    RedisServer server;
    const auto store = open(server.url());
    const auto add = [&] {
        return answer_of<std::int64_t>([&](auto reply) { store->values().add("c", 1, an_hour, std::move(reply)); });
    };
    EXPECT_EQ(add().value(), 1);
    EXPECT_EQ(std::system(("redis-cli -s " + server.socket() + " SCRIPT FLUSH >/dev/null").c_str()), 0);
    EXPECT_EQ(add().value(), 2);
}

TEST_F(RedisFaults, a_server_without_memory_is_reported) {
    RedisServer server({"--maxmemory", "1mb", "--maxmemory-policy", "noeviction"});
    const auto store = open(server.url());
    const auto full = set(*store, std::string(2'000'000, 'x'));
    const auto after = set(*store, std::string(2'000'000, 'x'));
    ASSERT_FALSE(full && after);
    const auto& why = full ? after.error() : full.error();
    EXPECT_TRUE(store::is_unavailable(why));
    EXPECT_NE(why.message.find("memory"), std::string::npos) << why.message;
}

TEST_F(RedisFaults, a_replica_is_reported) {
    RedisServer primary, replica;
    // A replica of a server that is not there is read-only, too.
    ASSERT_EQ(std::system(("redis-cli -s " + replica.socket() + " REPLICAOF 127.0.0.1 1 >/dev/null").c_str()), 0);
    const auto store = open(replica.url());
    const auto refused = set(*store);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("replica"), std::string::npos) << refused.error().message;
}

TEST_F(RedisFaults, a_foreign_key_harms_only_itself) {
    RedisServer server;
    const auto store = open(server.url());
    const auto key = redis::Commands("tenon").session_key("s");
    ASSERT_EQ(std::system(("redis-cli -s " + server.socket() + " SET '" + key + "' x >/dev/null").c_str()), 0);
    const auto load = [&](const std::string& id) {
        return answer_of<store::StoredSession>([&](auto reply) { store->sessions().load(id, std::move(reply)); });
    };
    EXPECT_EQ(load("s").error().code, code::store_corrupt);
    EXPECT_EQ(load("other").error().code, code::store_not_found);
}

TEST_F(RedisFaults, prefixes_and_databases_separate_stores) {
    RedisServer server;
    const auto one = open(server.url() + "?prefix=one"), two = open(server.url() + "?prefix=two"),
               three = open(server.url() + "?prefix=one&database=3");
    ASSERT_TRUE(set(*one));
    for (const auto& other : {two, three}) {
        const auto value =
            answer_of<std::optional<std::string>>([&](auto reply) { other->values().get("k", std::move(reply)); });
        ASSERT_TRUE(value);
        EXPECT_EQ(*value, std::nullopt);
    }
    const auto wrong = test::check(*open(server.url() + "?database=999"));
    ASSERT_FALSE(wrong);
    EXPECT_EQ(wrong.error().code, code::store_misconfigured) << wrong.error().message;
}

TEST(RedisErrors, replies_are_sorted_by_what_to_do) {
    const auto code_of = [](std::string text) {
        return redis::error_of({framing::RespValue::Kind::error, std::move(text), 0, {}}).code;
    };
    EXPECT_EQ(code_of("WRONGPASS invalid username-password pair or user is disabled."), code::store_misconfigured);
    EXPECT_EQ(code_of("NOPERM this user has no permissions"), code::store_misconfigured);
    EXPECT_EQ(code_of("MOVED 3999 127.0.0.1:6381"), code::store_misconfigured);
    EXPECT_EQ(code_of("READONLY You can't write against a read only replica."), code::store_unavailable);
    EXPECT_EQ(code_of("OOM command not allowed"), code::store_unavailable);
    EXPECT_EQ(code_of("LOADING Redis is loading the dataset in memory"), code::store_unavailable);
    EXPECT_EQ(code_of("WRONGTYPE Operation against a key"), code::store_corrupt);
}

// All keys of a session have one hash tag, so they are in one slot of a cluster.
TEST(RedisKeys, all_keys_of_a_session_share_a_slot) {
    const redis::Commands commands("tenon");
    const auto tag = [](const std::string& key) { return key.substr(key.find('{'), key.find('}') - key.find('{')); };
    for (const std::string id : {"abc", "}", "{x}", "a}b{c"}) {
        const auto remove = commands.make(store::op::SessionRemove{id});
        const auto append = commands.make(store::op::EventAppend{{id, "s}{"}, "x", false, {}});
        for (const auto* command : {&remove, &append})
            for (std::size_t i = 0; i < command->keys; ++i) {
                EXPECT_EQ(tag(command->parts[i]), tag(commands.session_key(id)));
                EXPECT_GT(tag(command->parts[i]).size(), 1U);
            }
    }
}

}  // namespace
