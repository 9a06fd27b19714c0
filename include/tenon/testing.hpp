// For tests of your server: talk to it in one process, as a principal, in both eras, with a clock that you move.
//
//     tenon::test_kit::Dialogue alice(server, {.principal = "alice"});
//     EXPECT_EQ(alice.call("add", {{"a", 2}, {"b", 3}}).at("structuredContent").at("result"), 5);
//     EXPECT_EQ(alice.compare("tests/golden/add.txt"), "");       // TENON_RECORD=1 writes the file
//
// Test each handler that asks questions in both eras. In the modern era (2026-07-28) it runs again from its beginning
// after each answer: see "Replay" in Context.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/client.hpp>
#include <tenon/server.hpp>
#include <tenon/session.hpp>

#pragma GCC visibility push(default)

namespace tenon::test_kit {

/// A clock that moves only when you move it. Copies share the time. Thread-safe.
class FakeClock {
 public:
    FakeClock();
    TimePoint now() const;
    void advance(Duration time) const;

 private:
    struct State;
    std::shared_ptr<State> state_;
};

/// Options of a Dialogue.
struct PeerOptions {
    Era era = Era::modern;           ///< `legacy`: a session of 2025-11-25, opened by a handshake. `automatic`: modern
    std::string principal = {};      ///< the identity of the caller; empty: anonymous
    json::object capabilities = {};  ///< of the client, for example {{"elicitation", json::object()}}
    FakeClock clock = {};
};

/// One client of a server, without threads and sockets. Handlers run inside request(), so a handler that blocks for an
/// answer fails in the legacy era: test that with memory_client(). Not thread-safe. The server must outlive it.
class Dialogue {
 public:
    explicit Dialogue(Server& server, PeerOptions options = {});
    ~Dialogue();
    Dialogue(Dialogue&&) noexcept;
    Dialogue& operator=(Dialogue&&) noexcept;

    /// Sends a request and returns its result. Throws tenon::Exception with the error of the server.
    json::value request(std::string_view method, json::object params = {});
    /// Calls a tool: request("tools/call", ...).
    json::value call(std::string_view tool, json::object arguments = {});
    void notify(std::string_view method, json::object params = {});

    /// Moves the clock, and lets the server handle the timeouts that have passed.
    void advance(Duration time);
    /// Returns the notifications and requests that the server sent since the last call.
    std::vector<json::value> take_notifications();

    /// Returns the dialogue so far: a line "> {...}" for each message that was sent, and "< {...}" for each that came.
    /// Values that differ from run to run (`requestState`, `nextCursor`) are replaced by "*".
    std::string transcript() const;
    /// Compares the transcript with a file. Returns an empty text when they are equal, or else the first difference.
    /// When the environment has TENON_RECORD=1, writes the file instead.
    std::string compare(const std::string& file) const;

 private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Returns a client that is connected to the server in this process, and whose caller is `principal`. Its handlers run
/// on threads, so they may ask questions. The server must outlive it.
Client memory_client(Server& server, std::string principal = {}, ClientOptions options = {});

}  // namespace tenon::test_kit

#pragma GCC visibility pop
