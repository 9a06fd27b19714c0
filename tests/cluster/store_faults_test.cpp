// Faults of real stores under real nodes: a clear error at start-up, 503 at run time, and nothing half-written. The
// stores by themselves are tested in unit/redis and unit/sqlite.
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <csignal>
#include <fstream>
#include <future>

#include <gtest/gtest.h>

#include <tenon/store/open.hpp>
#include <tenon/tenon.hpp>

#include "support/http_client.hpp"
#include "support/owned_store.hpp"
#include "support/redis_server.hpp"
#include "support/temporary_folder.hpp"

namespace tenon::test {
namespace {

using std::chrono::milliseconds;

/// One node with a store.
struct FaultNode {
    explicit FaultNode(const std::string& url)
        : owned(open_store(url).value()), http(with_tools(server), http_options()) {}
    HttpOptions http_options() const {
        HttpOptions out;
        out.port = 0;
        out.store = owned.store;
        return out;
    }
    static Server& with_tools(Server& server) {
        server.tool("hello", "Greets", [] { return "hello"; });
        return server;
    }
    HttpReply post(const std::string& body, const std::string& fields) const {
        HttpClient client(http.port());
        client.send(
            "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: application/json, text/event-stream\r\n"
            "Content-Type: application/json\r\n" +
            fields + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
        return client.reply();
    }
    /// Begins a session, which needs the store.
    HttpReply begin() const {
        return post(R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
                    R"("capabilities":{},"clientInfo":{"name":"t","version":"1"}}})",
                    {});
    }
    HttpReply ping(const std::string& session) const {
        return post(R"({"jsonrpc":"2.0","id":2,"method":"ping"})", "Mcp-Session-Id: " + session + "\r\n");
    }
    /// Calls a tool without a session, which needs no store.
    HttpReply call() const {
        return post(
            R"({"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"hello","arguments":{},"_meta":{)"
            R"("io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}})",
            "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: hello\r\n");
    }
    /// Returns whether the node refuses what needs the store, and serves the rest.
    bool copes() const {
        const HttpReply refused = begin();
        return refused.status == 503 && !refused.field("retry-after").empty() && call().status == 200;
    }
    /// Begins sessions until it succeeds: reconnecting takes a moment. ctest ends a test that waits for ever.
    std::string begin_again() const {
        for (;;)
            if (const HttpReply reply = begin(); reply.status == 200) return reply.field("mcp-session-id");
    }

    const OwnedStore owned;
    Server server{"node", "1"};
    HttpServer http;
};

/// Returns why a node does not start.
std::string refusal(const std::string& url) {
    auto opened = open_store(url);
    if (!opened) return opened.error().message;
    const OwnedStore owned(*std::move(opened));
    Server server{"node", "1"};
    HttpOptions http;
    http.port = 0;
    http.store = owned.store;
    try {
        const HttpServer started(server, http);
        return "it started";
    } catch (const Exception& e) {
        return e.what();
    }
}

#define EXPECT_CONTAINS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

bool is_whole(const std::string& path) {
    sqlite3* db = nullptr;
    std::string said;
    if (sqlite3_open(path.c_str(), &db) != SQLITE_OK) return false;
    sqlite3_exec(
        db, "PRAGMA integrity_check",
        [](void* to, int, char** values, char**) {
            *static_cast<std::string*>(to) = values[0];
            return 0;
        },
        &said, nullptr);
    sqlite3_close(db);
    return said == "ok";
}

/// Another program that holds the lock of a database.
class LockedDatabase {
 public:
    LockedDatabase(const std::string& path, const char* begin) {
        EXPECT_EQ(sqlite3_open(path.c_str(), &db_), SQLITE_OK);
        sqlite3_busy_timeout(db_, 60'000);  // a node may be writing just now
        EXPECT_EQ(sqlite3_exec(db_, begin, nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(db_);
    }
    ~LockedDatabase() {
        sqlite3_exec(db_, "ROLLBACK", nullptr, nullptr, nullptr);
        sqlite3_close(db_);
    }
    LockedDatabase(const LockedDatabase&) = delete;
    LockedDatabase& operator=(const LockedDatabase&) = delete;

 private:
    sqlite3* db_ = nullptr;
};

// ---- start-up

TEST(StoreFaults, a_node_says_why_it_does_not_start) {
    const TemporaryFolder folder;
    std::ofstream(folder.path() + "/text.db")
        << "this is not a database, but it is long enough to look at: " << std::string(1000, 'x');
    EXPECT_CONTAINS(refusal("mysql://127.0.0.1"), "mysql");
    EXPECT_CONTAINS(refusal("redis+unix:" + folder.path() + "/nothing"), folder.path() + "/nothing");
    EXPECT_CONTAINS(refusal("sqlite:" + folder.path() + "/missing/state.db"), "Check that its folder exists");
    EXPECT_CONTAINS(refusal("sqlite:" + folder.path() + "/text.db"), "text.db");
    std::ifstream text(folder.path() + "/text.db");
    std::string first;
    std::getline(text, first, ',');
    EXPECT_EQ(first, "this is not a database") << "a foreign file is left alone";
}

TEST(StoreFaults, a_node_with_a_wrong_password_does_not_start) {
    if (!RedisServer::is_installed()) GTEST_SKIP() << "redis-server is not installed";
    const RedisServer redis({"--requirepass", "right"});
    const std::string why = refusal("redis+unix:" + redis.socket() + "?password=wrong-SECRET");
    EXPECT_NE(why, "it started");
    EXPECT_EQ(why.find("SECRET"), std::string::npos) << why;
}

TEST(StoreFaults, a_node_with_a_locked_database_does_not_start) {
    const TemporaryFolder folder;
    const std::string path = folder.path() + "/state.db";
    { const FaultNode creates_it("sqlite:" + path); }
    std::string why;
    {
        const LockedDatabase locked(path, "BEGIN EXCLUSIVE");
        why = refusal("sqlite:" + path);
    }
    EXPECT_CONTAINS(why, "HttpOptions::store");
    FaultNode node("sqlite:" + path);
    EXPECT_EQ(node.begin().status, 200);
}

// ---- run time

TEST(StoreFaults, a_database_that_gets_locked_costs_503_until_it_is_free) {
    const TemporaryFolder folder;
    const std::string path = folder.path() + "/state.db";
    const FaultNode node("sqlite:" + path);
    node.begin_again();
    {
        const LockedDatabase locked(path, "BEGIN IMMEDIATE");
        EXPECT_TRUE(node.copes());
    }
    node.begin_again();
    EXPECT_TRUE(is_whole(path));
}

// In a child process, because the limit of the size of files cannot be raised for one thread.
TEST(StoreFaults, a_disk_that_gets_full_costs_503_and_leaves_nothing_half_written) {
    const TemporaryFolder folder;
    const std::string path = folder.path() + "/state.db";
    const auto child = ::fork();
    if (child == 0) {
        ::signal(SIGXFSZ, SIG_IGN);
        const FaultNode node("sqlite:" + path);
        const std::string session = node.begin_again();
        const rlimit none{0, RLIM_INFINITY}, all{RLIM_INFINITY, RLIM_INFINITY};
        ::setrlimit(RLIMIT_FSIZE, &none);
        const bool copes = node.copes();
        ::setrlimit(RLIMIT_FSIZE, &all);
        node.begin_again();
        const FaultNode other("sqlite:" + path);
        ::_exit(!copes ? 1 : other.ping(session).status != 200 ? 2 : 0);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    EXPECT_TRUE(is_whole(path));
}

TEST(StoreFaults, a_redis_that_is_silent_or_full_or_gone_costs_503_until_it_is_back) {
    if (!RedisServer::is_installed()) GTEST_SKIP() << "redis-server is not installed";
    RedisServer redis;
    const FaultNode node(redis.url());
    node.begin_again();
    const auto config = [&](const std::string& words) {
        return std::system(("redis-cli -s " + redis.socket() + " CONFIG SET " + words + " >/dev/null").c_str());
    };
    ASSERT_EQ(config("maxmemory 1"), 0);
    EXPECT_TRUE(node.copes()) << "full";
    ASSERT_EQ(config("maxmemory 0"), 0);
    node.begin_again();

    redis.send_signal(SIGSTOP);
    EXPECT_TRUE(node.copes()) << "silent";
    redis.send_signal(SIGCONT);
    node.begin_again();

    redis.stop();
    EXPECT_TRUE(node.copes()) << "gone";
    redis.start();
    const std::string next = node.begin_again();
    const FaultNode other(redis.url());
    EXPECT_EQ(other.ping(next).status, 200);
}

// ---- foreign records

TEST(StoreFaults, foreign_keys_stop_a_node_at_start_and_are_left_alone) {
    const TemporaryFolder folder;
    const std::string url = "sqlite:" + folder.path() + "/state.db";
    const auto store = open_store(url).value();
    std::promise<void> set;
    store->values().set("key_ring", "junk", milliseconds::max(),
                        make_reply<void>([&](const auto&) { set.set_value(); }));
    set.get_future().wait();
    EXPECT_CONTAINS(refusal(url), "`key_ring` of the store is not a key ring of tenon");
    std::promise<std::optional<std::string>> got;
    store->values().get("key_ring", make_reply<std::optional<std::string>>([&](auto value) { got.set_value(*value); }));
    EXPECT_EQ(got.get_future().get(), "junk");
}

// ---- keys from the configuration

TEST(StoreFaults, nodes_with_configured_keys_need_no_ring) {
    Server old_server{"node", "1", {.limits = {.page_size = 1}}}, new_server{"node", "1", {.limits = {.page_size = 1}}};
    for (Server* server : {&old_server, &new_server})
        for (const char* name : {"a", "b"}) server->tool(name, "Does nothing", [] { return ""; });
    const StateKey one{1}, two{2};
    HttpOptions older, newer;
    older.port = newer.port = 0;
    older.keys = {one};
    newer.keys = {two, one};
    const HttpServer old_node(old_server, older), new_node(new_server, newer);
    const auto list = [](const HttpServer& node, const std::string& cursor) {
        HttpClient client(node.port());
        const std::string body =
            R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{)" +
            (cursor.empty() ? "" : "\"cursor\":\"" + cursor + "\",") +
            R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}})";
        client.send(
            "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: application/json, text/event-stream\r\n"
            "Content-Type: application/json\r\nMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/list\r\n"
            "Content-Length: " +
            std::to_string(body.size()) + "\r\n\r\n" + body);
        return json::parse(client.reply().message()).value();
    };
    const auto cursor_of = [&](const HttpServer& node) {
        return std::string(list(node, "").at("result").at("nextCursor").as_string());
    };
    EXPECT_TRUE(list(new_node, cursor_of(old_node)).as_object().contains("result"));
    EXPECT_TRUE(list(old_node, cursor_of(new_node)).as_object().contains("error"))
        << "it does not have the new key yet";
}

}  // namespace
}  // namespace tenon::test
