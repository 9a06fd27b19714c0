// rules: LIFE-8
#include <gtest/gtest.h>

#include "protocol/negotiation.hpp"

namespace tenon::protocol {
namespace {

TEST(Negotiation, a_legacy_revision_is_accepted) {
    for (const char* name : {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"})
        EXPECT_EQ(Rules(negotiate(name)).name(), name);
}

TEST(Negotiation, any_other_revision_is_answered_with_the_newest_legacy_one) {
    for (const char* name : {"2026-07-28", "2025-06-19", "2025-6-18", "", "2.0", " 2025-06-18", "2025-06-18\n"})
        EXPECT_EQ(Rules(negotiate(name)).name(), "2025-11-25") << name;
}

}  // namespace
}  // namespace tenon::protocol
