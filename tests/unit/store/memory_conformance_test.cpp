// The conformance suite, for the memory store.
#include <atomic>

#include <gtest/gtest.h>

#include <tenon/store_conformance.hpp>

#include "store/memory_backend.hpp"

namespace {

using namespace tenon;

class MemoryStore : public testing::TestWithParam<std::string_view> {};

TEST_P(MemoryStore, conforms) {
    std::atomic<std::int64_t> now = 1'000'000'000'000;
    std::shared_ptr<store::MemoryBackend> backend;
    StoreConformance subject;
    subject.open = [&](StoreOptions options) -> std::shared_ptr<Store> {
        options.clock = [&] { return WallTime{} + std::chrono::milliseconds(now); };
        backend = std::make_shared<store::MemoryBackend>(options);
        return std::make_shared<store::Front<store::MemoryBackend>>(backend, std::move(options));
    };
    subject.advance = [&](std::chrono::milliseconds time) { now += time.count(); };
    subject.overwrite = [&](std::string_view kind, const std::string& id, const std::string& bytes) {
        backend->with_tables([&](auto& tables) {
            kind == "session" ? tables.overwrite_session(id, bytes) : tables.overwrite_task(id, bytes);
        });
    };
    EXPECT_EQ(run_store_check(GetParam(), subject), "");
}

INSTANTIATE_TEST_SUITE_P(store, MemoryStore, testing::ValuesIn(store_checks()),
                         [](const auto& check) { return std::string(check.param); });

}  // namespace
