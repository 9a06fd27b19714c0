#include "schema/format.hpp"

#include "schema/idna.hpp"
#include "schema/punycode.hpp"

#include "unit/schema/testing.hpp"

namespace tenon::schema {
namespace {

void expect_format(std::string_view name, std::vector<std::string_view> valid, std::vector<std::string_view> invalid) {
    const FormatCheck check = find_format(name);
    ASSERT_NE(check, nullptr) << name;
    for (const auto s : valid) EXPECT_TRUE(check(s)) << name << " should accept " << s;
    for (const auto s : invalid) EXPECT_FALSE(check(s)) << name << " should refuse " << s;
}

TEST(Format, is_only_checked_when_assert_formats_is_set) {
    testing::expect(R"({"format":"ipv4"})", {"\"x\""}, {});
    testing::expect(R"({"format":"ipv4"})", {"\"1.2.3.4\"", "1"}, {"\"x\""},
                    {.assert_formats = true, .resolver = {}, .limits = {}});
    testing::expect(R"({"format":"no-such"})", {"\"x\""}, {}, {.assert_formats = true, .resolver = {}, .limits = {}});
}

TEST(Format, dates_times_and_durations_are_checked) {
    expect_format("date", {"2024-02-29", "0001-01-01"}, {"2023-02-29", "2024-13-01", "2024-1-01", "", "2024-01-01Z"});
    expect_format("time", {"23:59:60Z", "08:30:06.5+01:00", "00:00:00z"},
                  {"24:00:00Z", "12:00:00", "22:59:60Z", "12:00:00.Z", "12:00:00+1:00"});
    expect_format("date-time", {"2024-02-29T08:30:06Z", "1998-12-31t15:59:60-08:00"},
                  {"2024-02-29 08:30:06Z", "2024-02-29T", "2023-02-29T08:30:06Z"});
    expect_format("duration", {"P1Y2M3DT4H5M6S", "P2W", "PT0S", "P1M"},
                  {"P", "PT", "P1YT", "P1D2H", "P1Y2W", "P1Y2D", "1D", "P1"});
}

TEST(Format, host_names_addresses_and_email_are_checked) {
    expect_format("hostname", {"a.b-c.example", "xn--9n2bp8q"}, {"", "-a", "a-", "a..b", "a_b", "xn--X", "a."});
    expect_format("idn-hostname", {"실례.테스트", "a。b", "l·l"}, {"a·l", "〮a", "", "."});
    expect_format("ipv4", {"0.0.0.0", "255.255.255.255"}, {"256.1.1.1", "1.1.1", "01.1.1.1", "1.1.1.1.1", ""});
    expect_format("ipv6", {"::", "::1", "1:2:3:4:5:6:7:8", "1::8", "::ffff:1.2.3.4", "1:2:3:4:5:6:1.2.3.4"},
                  {"", ":", "1:2:3:4:5:6:7", "1::2::3", "12345::", "::1%eth0", ":::", "1:", "1:2:3:4:5:6:7:8:9",
                   "1:2:3:4:5:6:7::8:9"});
    expect_format("email", {"a@b.example", "\"a b\"@c", "a@[1.2.3.4]", "a@[IPv6:::1]"},
                  {"a", "@b", "a@", ".a@b", "a..b@c", "a b@c", "a@b@c"});
    expect_format("idn-email", {"실@실례.테스트", "a@b"}, {"a", "@"});
}

TEST(Format, uris_iris_and_templates_are_checked) {
    expect_format("uri", {"http://a:80/b?c#d", "urn:x:y", "http://[::1]/"},
                  {"/a", "a", "http://a b", "http://a/%zz", "1a:b", "http://[x]/", "http://é"});
    expect_format("uri-reference", {"/a", "", "?q", "#f", "a:b", "./a:b"}, {"\\a", "1:b", "%", "#a#b"});
    expect_format("iri", {"http://é/ü?ö#ä"}, {"é", "http://\\"});
    expect_format("iri-reference", {"é", "/ü"}, {"\\"});
    expect_format("uri-template", {"/a/{b}/{+c,d*,e:3}", ""}, {"{", "}", "{}", "{a", "{a:0}", "{a b}", "a b"});
}

TEST(Format, uuids_json_pointers_and_regexes_are_checked) {
    expect_format("uuid", {"2eb8aa08-aa98-11ea-b4aa-73b441d16380"},
                  {"2eb8aa08aa9811eab4aa73b441d16380", "", "2eb8aa08-aa98-11ea-b4aa-73b441d1638g"});
    expect_format("json-pointer", {"", "/", "/a~0b~1c/0"}, {"a", "/~", "/~2", "#/a"});
    expect_format("relative-json-pointer", {"0", "1/a", "12#"}, {"", "-1", "01", "1##", "1a", "/a"});
    expect_format("regex", {"^a(?=b)\\1$", "[^]"}, {"(", "\\a"});
}

TEST(Format, malformed_bytes_do_not_crash) {
    constexpr std::string_view nasty[] = {"\xFF\xFE", "\xE2\x82", "%",      "{",      "[",
                                          "xn--\xFF", "@",        "a@\xFF", "//\xFF", "\\u",
                                          "P9",       "::\xFF",   "xn--",   "xn---",  "xn--99999999999"};
    for (const char* name : {"date", "time", "date-time", "duration", "email", "idn-email", "hostname", "idn-hostname",
                             "ipv4", "ipv6", "uri", "uri-reference", "iri", "iri-reference", "uri-template", "uuid",
                             "json-pointer", "relative-json-pointer", "regex"})
        for (const auto s : nasty) find_format(name)(s);
}

// RFC 3492, section 6.2. The fuzz target `idna` found a text that was decoded.
TEST(Formats, punycode_before_the_last_hyphen_is_ascii) {
    EXPECT_EQ(punycode_decode("b\xFC"
                              "cher-"),
              std::nullopt);
    EXPECT_EQ(punycode_decode("\xFF-a"), std::nullopt);
    EXPECT_EQ(punycode_decode("bcher-kva"), U"b\u00FCcher");
}

// The fuzz target `idna` found this label.
TEST(Formats, an_a_label_has_at_most_63_bytes) {
    const std::string found = "xn--JJ2fHJ2EHHHHHHHHHHHJJ1HHHHHHHHHHHJJ1HHHHHHHHHHJJ2EHHHHHJJ2EHHHH";
    EXPECT_EQ(found.size(), 67U);
    EXPECT_FALSE(is_a_label(found));
    EXPECT_TRUE(is_a_label("xn--bcher-kva"));
}

}  // namespace
}  // namespace tenon::schema
