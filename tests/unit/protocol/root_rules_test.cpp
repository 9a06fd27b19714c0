// The URIs of roots.
#include "protocol/root_rules.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tenon::protocol {
namespace {

bool accepted(const std::string& uri) {
    const Root root{uri, "r"};
    return check_roots({&root, 1}).has_value();
}

// rules: SEC-3
TEST(RootRules, absolute_file_uris_are_accepted) {
    for (const char* uri : {"file:///home/ada", "file:///home/ada/with%20space", "file:///C:/work", "file:///",
                            "FILE:///home", "file://server/share", "file:///a/..b/c."})
        EXPECT_TRUE(accepted(uri)) << uri;
}

// rules: SEC-3
TEST(RootRules, other_schemes_and_traversal_are_refused) {
    for (const char* uri :
         {"", "/home/ada", "https://example.com/", "file:/home", "file:home", "file://server", "file:///home/../etc",
          "file:///home/%2e%2e/etc", "file:///home/%252e%252e/etc", "file:///home/./x", "file:///home%00",
          "file:///a\\b", "file:///a%5c..%5cb", "file:///a?b", "file:///a#b", "file:///a b", "files:///a"})
        EXPECT_FALSE(accepted(uri)) << uri;
}

TEST(RootRules, the_error_names_the_root) {
    const std::vector<Root> roots = {{"file:///a"}, {"https://b"}};
    const auto ok = check_roots(roots);
    ASSERT_FALSE(ok);
    EXPECT_EQ(ok.error().code, code::invalid_params);
    EXPECT_EQ(ok.error().message, "`roots[1].uri` must begin with file://: https://b");
}

}  // namespace
}  // namespace tenon::protocol
