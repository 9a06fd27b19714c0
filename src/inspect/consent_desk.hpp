// ConsentDesk: asks the user on the page before something happens, and lets it happen or not. Thread-safe.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "inspect/permissions.hpp"
#include "inspect/recorder.hpp"

namespace tenon::inspect {

class ConsentDesk {
 public:
    ConsentDesk(Permissions& permissions, Recorder& recorder) : permissions_(permissions), recorder_(recorder) {}

    struct Request {
        Subject subject;
        std::string server = {};           ///< the name to show
        json::value definition = nullptr;  ///< the raw tool
        json::value sends = nullptr;       ///< what is sent if the user agrees
        std::string call = {};             ///< id of the call that waits; may be empty
        std::string_view by = "you";       ///< "you", "app" or "server"
    };
    /// Called once, with whether it is allowed. Never under a lock. Must not block.
    using Then = std::function<void(bool allowed)>;

    /// Calls `then` at once if there is a decision, and returns an empty string. Otherwise asks on the page and returns
    /// the id of the open request. Too many open requests are refused.
    std::string ask(Request request, Then then);
    struct Decided {
        bool found = false;
        bool saved = false;
    };
    Decided decide(const std::string& id, ConsentDecision decision);
    /// Withdraws a request, because its caller has given up.
    void drop(const std::string& id);
    void drop_all();
    /// Returns the data of the events of all open requests.
    json::array open() const;

 private:
    struct Open {
        Subject subject;
        json::object data;
        Then then;
    };
    std::optional<Open> take(const std::string& id);

    static constexpr std::size_t max_open = 64;

    Permissions& permissions_;
    Recorder& recorder_;
    mutable std::mutex mutex_;  // guards the members below
    std::map<std::string, Open> open_;
    std::uint64_t next_ = 1;
};

}  // namespace tenon::inspect
