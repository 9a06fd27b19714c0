#include "transport/http_server/client_network.hpp"

#include <gtest/gtest.h>

namespace tenon::test {
namespace {

std::string network(const char* address) { return network_of(boost::asio::ip::make_address(address)); }

TEST(ClientNetwork, is_the_whole_address_for_ipv4) {
    EXPECT_EQ(network("192.0.2.1"), "192.0.2.1");
    EXPECT_EQ(network("::ffff:192.0.2.1"), "192.0.2.1") << "the same client, on a socket for both";
    EXPECT_NE(network("192.0.2.1"), network("192.0.2.2"));
}

TEST(ClientNetwork, is_the_first_64_bits_for_ipv6) {
    EXPECT_EQ(network("2001:db8:1:2::1"), network("2001:db8:1:2:ffff:ffff:ffff:ffff"));
    EXPECT_NE(network("2001:db8:1:2::1"), network("2001:db8:1:3::1"));
}

TEST(ClientNetwork, counts_connections_up_to_a_limit) {
    NetworkCounts counts;
    EXPECT_TRUE(counts.add("a", 2));
    EXPECT_TRUE(counts.add("a", 2));
    EXPECT_FALSE(counts.add("a", 2));
    EXPECT_TRUE(counts.add("b", 2));
    EXPECT_EQ(counts.of("a"), 2U);
    counts.remove("a");
    EXPECT_TRUE(counts.add("a", 2));
    for (int i = 0; i < 2; ++i) counts.remove("a");
    EXPECT_EQ(counts.of("a"), 0U);
    EXPECT_FALSE(counts.add("a", 0));
}

}  // namespace
}  // namespace tenon::test
