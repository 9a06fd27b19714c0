// rules: LIFE-1
#include "core/server/known_peer.hpp"

#include <gtest/gtest.h>

#include "json/arena.hpp"

namespace tenon::core {
namespace {

json::object params(std::string_view meta) {
    return json::object{{"name", "echo"}, {"_meta", json::parse(meta).value()}};
}
json::object said_by(std::string_view name, std::string_view more = "") {
    return params(R"({"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                  R"("io.modelcontextprotocol/clientCapabilities":{"elicitation":{}},)"
                  R"("io.modelcontextprotocol/clientInfo":{"name":")" +
                  std::string(name) + R"(","version":"1"})" + std::string(more) + "}");
}

struct KnownPeers : testing::Test {
    std::shared_ptr<const Peer> made = std::make_shared<const Peer>(
        Peer{.rules = protocol::Rules(protocol::modern_revision()), .declared = {.tools = true}});
    KnownPeer known;
};

TEST_F(KnownPeers, are_found_by_the_client_data_in_meta) {
    EXPECT_EQ(known.find(said_by("ann"), made->declared), nullptr);
    known.keep(said_by("ann"), made);
    EXPECT_EQ(known.find(said_by("ann"), made->declared), made);
    EXPECT_EQ(known.find(said_by("ann", R"(,"progressToken":7)"), made->declared), made);
    EXPECT_EQ(known.find(said_by("bob"), made->declared), nullptr);
    EXPECT_EQ(known.find(said_by("ann", R"(,"io.modelcontextprotocol/logLevel":"info")"), made->declared), nullptr);
    EXPECT_EQ(known.find(params("{}"), made->declared), nullptr);
    EXPECT_EQ(known.find({{"_meta", 1}}, made->declared), nullptr);
    EXPECT_EQ(known.find({}, made->declared), nullptr);
}

TEST_F(KnownPeers, are_not_found_when_the_client_data_changes) {
    known.keep(said_by("ann", R"(,"io.modelcontextprotocol/logLevel":"info")"), made);
    EXPECT_EQ(known.find(said_by("ann"), made->declared), nullptr);
    known.keep(said_by("bob"), made);
    EXPECT_EQ(known.find(said_by("ann"), made->declared), nullptr);
    EXPECT_EQ(known.find(said_by("bob"), made->declared), made);
}

// The server's capabilities are part of the cached peer, because they decide what may be called.
TEST_F(KnownPeers, are_not_found_when_the_servers_capabilities_changed) {
    known.keep(said_by("ann"), made);
    EXPECT_EQ(known.find(said_by("ann"), {.tools = true, .prompts = true}), nullptr);
    EXPECT_EQ(known.find(said_by("ann"), {.tools = true}), made);
}

TEST_F(KnownPeers, are_not_cached_when_the_client_data_is_too_long) {
    known.keep(said_by("ann"), made);
    known.keep(said_by(std::string(5000, 'a')), made);
    EXPECT_EQ(known.find(said_by(std::string(5000, 'a')), made->declared), nullptr);
    EXPECT_EQ(known.find(said_by("ann"), made->declared), nullptr);
}

TEST_F(KnownPeers, do_not_refer_to_the_messages_memory) {
    {
        json::Arena arena;
        const json::object of_message(said_by("ann"), arena.storage());
        known.keep(of_message, made);
    }
    EXPECT_EQ(known.find(said_by("ann"), made->declared), made);
}

}  // namespace
}  // namespace tenon::core
