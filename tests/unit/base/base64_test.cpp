#include "base/base64.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace tenon::base {
namespace {

TEST(Base64, encodes_the_examples_of_rfc_4648) {
    const std::pair<const char*, const char*> examples[] = {{"", ""},
                                                            {"f", "Zg=="},
                                                            {"fo", "Zm8="},
                                                            {"foo", "Zm9v"},
                                                            {"foob", "Zm9vYg=="},
                                                            {"fooba", "Zm9vYmE="},
                                                            {"foobar", "Zm9vYmFy"}};
    for (const auto& [bytes, text] : examples) {
        EXPECT_EQ(base64_encode(bytes), text);
        EXPECT_EQ(base64_decode(text), bytes);
    }
}

TEST(Base64, the_url_alphabet_has_no_padding) {
    EXPECT_EQ(base64_encode("\xFB\xFF"), "+/8=");
    EXPECT_EQ(base64url_encode("\xFB\xFF"), "-_8");
    EXPECT_EQ(base64url_decode("-_8"), "\xFB\xFF");
    EXPECT_FALSE(base64url_decode("-_8="));
    EXPECT_FALSE(base64url_decode("+/8"));
    EXPECT_FALSE(base64_decode("-_8="));
}

TEST(Base64, refuses_non_canonical_encodings) {
    for (const char* text : {"Zg", "Zg=", "Zg===", "Zh==", "Zm9=", "Zm9vYg", "=", "====", "Z===", "Zg==Zg==", "Zm 9v",
                             "Zm9v\n", "Zm9v ", "Z=g=", "Zm8=\n", "\x80m9v"})
        EXPECT_FALSE(base64_decode(text)) << text;
}

TEST(Base64, decoding_inverts_encoding) {
    EXPECT_TRUE(rc::check("base64", [](const std::string& bytes) {
        RC_ASSERT(base64_decode(base64_encode(bytes)) == bytes);
        RC_ASSERT(base64url_decode(base64url_encode(bytes)) == bytes);
    }));
}

TEST(Base64, only_canonical_text_decodes) {
    EXPECT_TRUE(rc::check("canonical", [] {
        const auto text = *rc::gen::container<std::string>(rc::gen::elementOf(std::string("AQgw+/-_=\n")));
        if (const auto bytes = base64_decode(text)) RC_ASSERT(base64_encode(*bytes) == text);
        if (const auto bytes = base64url_decode(text)) RC_ASSERT(base64url_encode(*bytes) == text);
    }));
}

}  // namespace
}  // namespace tenon::base
