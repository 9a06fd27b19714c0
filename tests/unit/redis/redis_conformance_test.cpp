// The conformance suite, for the Redis store with a real redis-server.
#include <condition_variable>
#include <mutex>
#include <thread>

#include <gtest/gtest.h>

#include <tenon/store_conformance.hpp>

#include "redis/redis_backend.hpp"
#include "store/front.hpp"
#include "support/redis_server.hpp"

namespace {

using namespace tenon;

test::RedisServer& server() {
    static test::RedisServer one;
    return one;
}

framing::RespValue ask(redis::RedisBackend& backend, std::vector<std::string> parts) {
    std::mutex mutex;
    std::condition_variable changed;
    std::optional<framing::RespValue> out;
    backend.raw(std::move(parts), [&](Result<framing::RespValue>&& value) {
        const std::lock_guard lock(mutex);
        out = value ? *value : framing::RespValue{};
        changed.notify_all();
    });
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return out.has_value(); });
    return *out;
}

class RedisStore : public testing::TestWithParam<std::string_view> {};

TEST_P(RedisStore, conforms) {
    if (!test::RedisServer::is_installed()) GTEST_SKIP() << "redis-server is not installed";
    redis::Address address;
    address.unix_path = server().socket();
    const auto control = redis::RedisBackend::open(address, {});
    StoreConformance subject;
    subject.open = [&](StoreOptions options) -> std::shared_ptr<Store> {
        return std::make_shared<store::Front<redis::RedisBackend>>(redis::RedisBackend::open(address, options),
                                                                   options);
    };
    // The clock of the server cannot be moved, so this waits until it has advanced.
    const auto time = [&] {
        const auto reply = ask(*control, {"TIME"});
        return std::stoll(reply.items.at(0).text) * 1000 + std::stoll(reply.items.at(1).text) / 1000;
    };
    subject.advance = [&](std::chrono::milliseconds by) {
        for (const auto end = time() + by.count(); time() <= end;) std::this_thread::yield();
    };
    subject.overwrite = [&](std::string_view kind, const std::string& id, const std::string& bytes) {
        const auto key = kind == "session" ? control->commands().session_key(id) : control->commands().task_key(id);
        ask(*control, {"HSET", key, "d", bytes});
    };
    EXPECT_EQ(run_store_check(GetParam(), subject), "");
    control->close();
}

INSTANTIATE_TEST_SUITE_P(store, RedisStore, testing::ValuesIn(store_checks()),
                         [](const auto& check) { return std::string(check.param); });

}  // namespace
