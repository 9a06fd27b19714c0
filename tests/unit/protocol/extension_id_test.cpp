#include "protocol/extension_id.hpp"

#include <gtest/gtest.h>

namespace tenon::protocol {
namespace {

// rules: LIFE-11
TEST(ExtensionId, follows_the_rules_for_keys_of_meta_and_has_a_prefix) {
    for (const char* good : {"com.example/search", "io.modelcontextprotocol/ui", "a/b", "a-b.c9/x", "com.example/",
                             "com.example/a.b_c-d", "com.Example/9"})
        EXPECT_TRUE(is_extension_id(good)) << good;
    for (const char* bad :
         {"", "search", "/search", ".com/x", "com./x", "com..example/x", "9com/x", "com-/x", "-com/x", "co m/x",
          "com/x y", "com/_x", "com/x.", "com/x/y", "com/\xC3\xA4", "c\xC3\xB6m/x", "com/x\n"})
        EXPECT_FALSE(is_extension_id(bad)) << bad;
}

}  // namespace
}  // namespace tenon::protocol
