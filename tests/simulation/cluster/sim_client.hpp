// A client of a simulated cluster: one session (2025-11-25) whose requests go to any node. It resumes broken streams,
// answers questions, and tells the oracle what it gets.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "framing/sse.hpp"
#include "simulation/cluster/sim_node.hpp"

namespace tenon::test {

/// What clients need of their world.
class ClientWorld {
 public:
    virtual ~ClientWorld() = default;
    /// Returns the node to which the load balancer sends the next request; null: no node is running.
    virtual SimNode* next_node() = 0;
    virtual StoreModel& store() = 0;
};

class SimClient {
 public:
    /// Whether a client opens a second GET stream although it has one. The server closes the older one.
    static constexpr bool uses_two_get_streams = false;

    SimClient(ClientWorld& world, std::size_t number);
    const std::string& name() const { return name_; }

    // Steps. Each does nothing if it is not possible now.
    void open();
    void call(std::size_t choice);
    void listen();
    void lose_call(std::size_t choice);
    void lose_listener();
    void cancel(std::size_t choice);
    void subscribe(bool on);
    void end_session();
    /// Sends requests of another principal for this session. They must be refused.
    void be_attacked(std::size_t choice);

    /// Returns whether every call was answered, or has a reason to stay open. `why` says what is missing.
    bool settled(std::string& why) const;
    bool ended() const { return phase_ == Phase::none || phase_ == Phase::ended; }
    /// From now on the client opens no session.
    void stop_opening() { may_open_ = false; }
    /// After the faults: requires that the client has got everything.
    void require_all();

 private:
    enum class Phase { none, opening, confirming, ready, ending, ended };
    struct Call {
        std::string token, session;
        int id = 0;
        std::string tool;
        int count = 0, said = 0;
        std::shared_ptr<Exchange> exchange = {};
        std::shared_ptr<framing::SseReader> reader = {};
        std::optional<web::EventPlace> place = {};  // of the last event
        bool doubtful = false;                      // an event came without an id
        bool answered = false, cancelled = false, lost = false, refused = false;
        std::optional<json::value> question = {};
        std::set<std::string> answers = {};  // that the client has sent
        bool over() const { return answered || lost || refused; }
    };
    using CallPtr = std::shared_ptr<Call>;
    struct Listener {
        std::shared_ptr<Exchange> exchange = {};
        std::shared_ptr<framing::SseReader> reader = {};
        std::optional<web::EventPlace> place = {};
        bool wanted = false;
    };

    std::shared_ptr<Exchange> send(const std::string& method, const std::string& more, const std::string& body,
                                   Exchange::Client client);
    std::shared_ptr<Exchange> post(const json::value& message, Exchange::Client client, const std::string& more = {}) {
        return send("POST", more, json::write(message), std::move(client));
    }
    using Accepted = std::function<void(const web::Response&)>;
    /// Posts a message until a response is not 503. `done` gets this response.
    void insist(const json::value& message, const Accepted& done, int tries = 60);
    static std::string describe(const web::Response& response);
    void later(Duration most, std::function<void()> work);
    void confirm();
    void ready();
    void session_is_gone(const std::string& what);
    bool may_be_gone() const { return phase_ == Phase::ending || phase_ == Phase::ended; }
    bool doubtful(const Call& call) const;

    // Calls.
    Exchange::Client listener_of(const CallPtr& call, bool resumed);
    void resume(const CallPtr& call);
    void resume_later(const CallPtr& call);
    void on_call_response(const CallPtr& call, const web::Response& response, bool resumed);
    void on_call_bytes(const CallPtr& call, std::string_view bytes);
    void take(const CallPtr& call, const json::value& message);
    void take_answer(const CallPtr& call, const json::object& message);
    void answer(const CallPtr& call, const json::value& question);

    // The GET stream.
    void start_listening();
    void on_listener_bytes(std::string_view bytes);
    void take_announcement(const json::value& message);
    void listen_later();

    void note(const std::string& text) { store_.oracle.note(name_ + ": " + text); }

    ClientWorld& world_;
    StoreModel& store_;
    const std::string name_, principal_;
    Phase phase_ = Phase::none;
    bool may_open_ = true;
    std::string session_;
    int requests_ = 0, sessions_ = 0;
    std::vector<CallPtr> calls_;
    Listener listener_;
    std::set<std::string> announced_;  // texts of log messages that came
};

}  // namespace tenon::test
