// rules: SEC-5
#include "web/address_rules.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>

#include <vector>

namespace tenon::web {
namespace {

std::vector<std::uint8_t> bytes_of(const char* text) {
    std::vector<std::uint8_t> v4(4), v6(16);
    if (::inet_pton(AF_INET, text, v4.data()) == 1) return v4;
    return ::inet_pton(AF_INET6, text, v6.data()) == 1 ? v6 : std::vector<std::uint8_t>();
}

TEST(AddressRules, internet_addresses_are_public) {
    for (const char* text :
         {"1.1.1.1",         "9.255.255.255",   "11.0.0.0",        "100.63.255.255", "100.128.0.0",
          "126.255.255.255", "128.0.0.0",       "169.253.255.255", "169.255.0.0",    "172.15.255.255",
          "172.32.0.0",      "192.167.255.255", "192.169.0.0",     "198.17.255.255", "198.20.0.0",
          "223.255.255.255", "2606:4700::1111", "2a00::1",         "::ffff:8.8.8.8", "64:ff9b::8.8.8.8",
          "2002:808:808::1"})
        EXPECT_TRUE(is_public_address(bytes_of(text))) << text;
}

TEST(AddressRules, private_and_special_addresses_are_not_public) {
    for (const char* text : {"0.0.0.0",
                             "0.1.2.3",
                             "10.0.0.1",
                             "10.255.255.255",
                             "100.64.0.1",
                             "100.127.255.255",
                             "127.0.0.1",
                             "127.9.9.9",
                             "169.254.169.254",
                             "172.16.0.1",
                             "172.31.255.255",
                             "192.0.0.1",
                             "192.0.2.1",
                             "192.88.99.1",
                             "192.168.0.1",
                             "198.18.0.1",
                             "198.19.255.255",
                             "198.51.100.1",
                             "203.0.113.9",
                             "224.0.0.1",
                             "239.1.1.1",
                             "240.0.0.1",
                             "255.255.255.255",
                             "::",
                             "::1",
                             "::ffff:127.0.0.1",
                             "::ffff:10.0.0.1",
                             "::10.0.0.1",
                             "64:ff9b::169.254.169.254",
                             "64:ff9b:1::1",
                             "2002:a00:1::1",
                             "2002:7f00:1::",
                             "2001::1",
                             "2001:db8::1",
                             "3fff::1",
                             "fc00::1",
                             "fd12:3456::1",
                             "fe80::1",
                             "fec0::1",
                             "ff02::1",
                             "4000::1"})
        EXPECT_FALSE(is_public_address(bytes_of(text))) << text;
    EXPECT_FALSE(is_public_address({}));
}

TEST(AddressRules, loopback_addresses_are_recognised) {
    for (const char* text : {"127.0.0.1", "127.255.255.255", "::1", "::ffff:127.0.0.1"})
        EXPECT_TRUE(is_loopback_address(bytes_of(text))) << text;
    for (const char* text : {"128.0.0.1", "10.0.0.1", "::", "::2", "::ffff:10.0.0.1", "64:ff9b::127.0.0.1"})
        EXPECT_FALSE(is_loopback_address(bytes_of(text))) << text;
}

TEST(AddressRules, addresses_are_parsed_like_inet_pton) {
    for (const char* text : {"1.2.3.4", "255.255.255.255", "::", "::1", "1::", "1:2:3:4:5:6:7:8", "fe80::1:2",
                             "::ffff:1.2.3.4", "1:2:3:4:5:6:1.2.3.4", "ABCD::EF01"})
        EXPECT_EQ(parse_address(text), bytes_of(text)) << text;
    for (const char* text : {"",
                             "localhost",
                             "1.2.3",
                             "1.2.3.4.5",
                             "1.2.3.256",
                             "01.2.3.4",
                             "0x7f.0.0.1",
                             "127.1",
                             "2130706433",
                             ":",
                             ":::",
                             "1:2:3:4:5:6:7",
                             "1:2:3:4:5:6:7:8:9",
                             "1::2::3",
                             "12345::",
                             "::1%eth0",
                             "[::1]",
                             "1:2:3:4:5:6:7:1.2.3.4",
                             "::1.2.3",
                             "1:"})
        EXPECT_FALSE(parse_address(text)) << text;
}

TEST(AddressRules, loopback_and_private_hosts_are_recognised) {
    for (const char* host : {"localhost", "app.localhost", "127.0.0.1", "::1"})
        EXPECT_TRUE(is_loopback_host(host)) << host;
    for (const char* host : {"localhost.example", "notlocalhost", "10.0.0.1", "example.com"})
        EXPECT_FALSE(is_loopback_host(host)) << host;
    for (const char* host : {"localhost", "10.0.0.1", "169.254.169.254", "fe80::1"})
        EXPECT_TRUE(is_private_host(host)) << host;
    for (const char* host : {"example.com", "1.1.1.1"}) EXPECT_FALSE(is_private_host(host)) << host;
}

}  // namespace
}  // namespace tenon::web
