#include "store/records.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace {

using namespace tenon;

store::SessionRecord session() {
    store::SessionRecord out;
    out.id = "s";
    out.principal = "alice";
    out.subscriptions = {"a", "b"};
    return out;
}

TEST(Records, every_damaged_byte_is_noticed) {
    const auto bytes = store::encode_session(session());
    ASSERT_TRUE(store::decode_session("s", bytes));
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        auto damaged = bytes;
        damaged[i] = static_cast<char>(damaged[i] ^ 1);
        const auto decoded = store::decode_session("s", damaged);
        ASSERT_FALSE(decoded) << "byte " << i;
        EXPECT_EQ(decoded.error().code, code::store_corrupt);
    }
    for (std::size_t size = 0; size < bytes.size(); ++size)
        EXPECT_FALSE(store::decode_session("s", bytes.substr(0, size)));
}

TEST(Records, a_record_of_another_id_or_kind_is_refused) {
    EXPECT_FALSE(store::decode_session("t", store::encode_session(session())));
    TaskRecord task;
    task.id = "s";
    EXPECT_FALSE(store::decode_session("s", store::encode_task(task)));
    EXPECT_FALSE(store::decode_task("s", store::encode_session(session())));
    EXPECT_TRUE(store::decode_task("s", store::encode_task(task)));
}

TEST(Records, a_record_of_a_later_format_says_so) {
    auto bytes = store::encode_session(session());
    bytes[6] = 9;
    EXPECT_NE(store::decode_session("s", bytes).error().message.find("format 9"), std::string::npos);
}

RC_GTEST_PROP(RecordsProperty, any_bytes_are_refused_or_read, (const std::string& bytes)) {
    store::decode_session("s", bytes);
    store::decode_task("s", bytes);
}

}  // namespace
