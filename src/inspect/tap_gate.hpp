// TapGate: holds messages between a client and a server at breakpoints, until the user lets them go. Thread-safe.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "inspect/recorder.hpp"

namespace tenon::inspect {

/// Where a message of a tap belongs.
struct TapPlace {
    bool sent = true;  ///< from the client to the server
    bool stdio = true;
    std::uint64_t connection = 1;
};

class TapGate {
 public:
    explicit TapGate(Recorder& recorder) : recorder_(recorder) {}

    /// `notify` is called, under a lock, when a held message may go. Empty: it is not called any more.
    void on_decision(std::function<void()> notify);

    /// Records a message. Returns the id under which it must wait, or an empty string: it may go. The owner of the
    /// message keeps the order: what comes after it in the same direction waits too.
    std::string hold(const TapPlace& place, std::string_view text);
    struct Decision {
        bool drop = false;
        std::optional<std::string> text = {};  ///< set: replaces the message
    };
    /// Returns the decision about a message, once.
    std::optional<Decision> take_decision(const std::string& id);
    /// Ends the wait of a message whose client or server is gone.
    void forget(const std::string& id);
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
        TapPlace place;
        json::object data;
        std::optional<Decision> decision = {};
    };
    void decide(const std::string& id, Decision decision);

    static constexpr std::size_t max_rules = 100;
    static constexpr std::size_t max_held = 256;  // above the connections of a tap; more messages pass

    Recorder& recorder_;
    mutable std::mutex mutex_;  // guards the members below
    std::function<void()> notify_;
    std::vector<Rule> rules_;
    std::map<std::string, Held> held_;  // by id
    std::uint64_t next_ = 1;
};

}  // namespace tenon::inspect
