// URLs in reports have no credentials.
#include "check/wire/shown_url.hpp"

#include <gtest/gtest.h>

namespace tenon::check {
namespace {

TEST(ShownUrl, a_url_without_credentials_is_shown_as_it_is) {
    EXPECT_EQ(shown_url("http://127.0.0.1:8808/mcp"), "http://127.0.0.1:8808/mcp");
    EXPECT_EQ(shown_url("https://host/a@b"), "https://host/a@b");
    EXPECT_EQ(shown_url(""), "");
}

TEST(ShownUrl, the_query_and_the_fragment_are_hidden) {
    EXPECT_EQ(shown_url("https://host/mcp?token=secret&x=1"), "https://host/mcp?(not shown)");
    EXPECT_EQ(shown_url("https://host/mcp#secret"), "https://host/mcp?(not shown)");
}

TEST(ShownUrl, the_user_and_the_password_are_hidden) {
    EXPECT_EQ(shown_url("https://user:pass@word@host:1/mcp?a=b"), "https://(not shown)@host:1/mcp?(not shown)");
    EXPECT_EQ(shown_url("https://user:secret@host"), "https://(not shown)@host");
}

}  // namespace
}  // namespace tenon::check
