// TapGate: holds messages between a client and a server at breakpoints, until the user lets them go. Thread-safe.
#pragma once

#include <array>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "inspect/recorder.hpp"

namespace tenon::inspect {

class TapGate {
 public:
    explicit TapGate(Recorder& recorder) : recorder_(recorder) {}

    /// `notify` is called, under a lock, when a held message may go. Empty: it is not called any more.
    void on_decision(std::function<void()> notify);

    /// Records a message and returns whether it must wait. `sent`: from the client to the server. At most one message
    /// of each direction waits, because the order must stay.
    bool must_wait(bool sent, std::string_view text);
    struct Decision {
        bool drop = false;
        std::optional<std::string> text = {};  ///< set: replaces the message
    };
    /// Returns the decision about the message of this direction, once.
    std::optional<Decision> take_decision(bool sent);
    /// Ends all waiting: the session is over.
    void end();

    // The commands of the API. They throw Refusal.
    json::object rules() const;
    void set_rules(const json::array& rules);
    void release(const std::string& id, std::optional<std::string> text);
    void drop(const std::string& id);
    /// Returns the data of the events of all held messages.
    json::array held() const;

 private:
    struct Rule {
        std::optional<bool> sent;  // empty: both directions
        std::string method;        // "*": all
    };
    struct Held {
        json::object data;
        std::optional<Decision> decision = {};
    };
    void decide(const std::string& id, Decision decision);

    static constexpr std::size_t max_rules = 100;
    static constexpr std::uint64_t connection = 1;  // a tap has only one

    Recorder& recorder_;
    mutable std::mutex mutex_;  // guards the members below
    std::function<void()> notify_;
    std::vector<Rule> rules_;
    std::array<std::optional<Held>, 2> held_;  // by direction: received, sent
    std::uint64_t next_ = 1;
};

}  // namespace tenon::inspect
