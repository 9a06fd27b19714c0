// rules: SEC-4
#include "transport/http_server/peers.hpp"

#include <gtest/gtest.h>

namespace tenon {
namespace {

TEST(HttpPeers, a_principal_is_one_peer_on_all_its_connections) {
    HttpPeers peers;
    const HttpPeerPtr first = peers.of("ann"), second = peers.of("ann");
    EXPECT_EQ(first, second);
    EXPECT_NE(peers.of("bob")->number, first->number);
}

TEST(HttpPeers, each_anonymous_connection_is_its_own_peer) {
    HttpPeers peers;
    const HttpPeerPtr first = peers.of(""), second = peers.of("");
    EXPECT_NE(first->number, second->number);
    EXPECT_EQ(peers.of("", first), first) << "the next request of the connection must have the same peer";
}

TEST(HttpPeers, a_connection_that_signs_in_becomes_another_peer) {
    HttpPeers peers;
    const HttpPeerPtr anonymous = peers.of("");
    const HttpPeerPtr ann = peers.of("ann", anonymous);
    EXPECT_EQ(ann->principal, "ann");
    EXPECT_EQ(peers.of("ann", ann), ann);
    EXPECT_EQ(peers.of("bob", ann)->principal, "bob");
}

TEST(HttpPeers, a_peer_is_forgotten_with_its_last_reference) {
    HttpPeers peers;
    for (int i = 0; i < 1000; ++i) peers.of("principal " + std::to_string(i));
    EXPECT_EQ(peers.principals(), 0U);
}

TEST(HttpPeers, a_peer_may_outlive_its_table) {
    auto peers = std::make_unique<HttpPeers>();
    const HttpPeerPtr ann = peers->of("ann");
    peers.reset();
    EXPECT_EQ(ann->principal, "ann");
}

}  // namespace
}  // namespace tenon
