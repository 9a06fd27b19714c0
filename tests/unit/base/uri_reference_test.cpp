#include "base/uri_reference.hpp"

#include <gtest/gtest.h>

namespace tenon::base {
namespace {

// The examples of RFC 3986, section 5.4.
TEST(UriReference, resolves_the_examples_of_rfc_3986) {
    constexpr const char* from = "http://a/b/c/d;p?q";
    constexpr const char* examples[][2] = {
        {"g:h", "g:h"},
        {"g", "http://a/b/c/g"},
        {"./g", "http://a/b/c/g"},
        {"g/", "http://a/b/c/g/"},
        {"/g", "http://a/g"},
        {"//g", "http://g"},
        {"?y", "http://a/b/c/d;p?y"},
        {"g?y", "http://a/b/c/g?y"},
        {"#s", "http://a/b/c/d;p?q#s"},
        {"g#s", "http://a/b/c/g#s"},
        {";x", "http://a/b/c/;x"},
        {"", "http://a/b/c/d;p?q"},
        {".", "http://a/b/c/"},
        {"./", "http://a/b/c/"},
        {"..", "http://a/b/"},
        {"../", "http://a/b/"},
        {"../g", "http://a/b/g"},
        {"../..", "http://a/"},
        {"../../g", "http://a/g"},
        {"../../../g", "http://a/g"},
        {"/./g", "http://a/g"},
        {"/../g", "http://a/g"},
        {"g.", "http://a/b/c/g."},
        {"..g", "http://a/b/c/..g"},
        {"./../g", "http://a/b/g"},
        {"g/./h", "http://a/b/c/g/h"},
        {"g/../h", "http://a/b/c/h"},
    };
    for (const auto& [reference, expected] : examples) EXPECT_EQ(resolve_uri(from, reference), expected) << reference;
}

TEST(UriReference, resolves_against_empty_relative_and_opaque_bases) {
    EXPECT_EQ(resolve_uri("", "a#b"), "a#b");
    EXPECT_EQ(resolve_uri("urn:x:y", "#a"), "urn:x:y#a");
    EXPECT_EQ(resolve_uri("http://a", "b"), "http://a/b");
    EXPECT_EQ(resolve_uri("a/b", "c"), "a/c");
}

}  // namespace
}  // namespace tenon::base
