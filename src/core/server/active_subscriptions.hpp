// The subscriptions of one client: the resources of resources/subscribe (legacy), and the open requests
// subscriptions/listen (2026-07-28).
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/limits.hpp>
#include <tenon/protocol/tasks.hpp>

#include "core/memory.hpp"
#include "core/server/call.hpp"

namespace tenon::core {

/// An open `subscriptions/listen` request, and the changes that it asked for.
struct ListenCall {
    CallPtr call;
    bool tools = false, resources = false, prompts = false;
    std::set<std::string> uris = {};  // chosen by clients, so not in a hash table: collisions could make it slow
    std::set<std::string> tasks = {};
    MemoryCharge charge = {};
};

/// Reads the parameters of `subscriptions/listen`, without its tasks. Grants only features that the server has.
Result<ListenCall> read_listen(const CallPtr& call, const Limits& limits);
/// Returns notifications/subscriptions/acknowledged, which lists the granted filters. The tasks keep their order.
Encoded encode_acknowledgement(const ListenCall& listener, const std::vector<TaskRecord>& tasks);
/// Returns a notification for one listener. `members` is an object whose members are added to the parameters.
Encoded encode_for(const ListenCall& listener, std::string_view method, const Encoded& members = {});
/// Returns the `_meta` of the response that ends a `subscriptions/listen`.
json::object end_of_listen(const Call& call);

/// The subscriptions of one client. Sends nothing itself. Not thread-safe.
class ActiveSubscriptions {
 public:
    using Listeners = std::map<const Call*, ListenCall>;

    /// Subscribes to a resource. Fails above Limits::max_subscriptions, or when the account is charged too much.
    Result<void> add(const std::string& uri, const Limits& limits, const MemoryAccountPtr& account);
    void remove(const std::string& uri);
    bool contains(const std::string& uri) const { return uris_.contains(uri); }
    const std::set<std::string>& uris() const { return uris_; }

    /// Charges the listener to the account.
    static Result<void> charge(ListenCall& listener, const MemoryAccountPtr& account);
    const ListenCall& add(ListenCall listener);
    void end_listen(const Call& call) { listeners_.erase(&call); }
    const Listeners& listeners() const { return listeners_; }

 private:
    std::set<std::string> uris_;
    MemoryCharge charge_;
    Listeners listeners_;
};

}  // namespace tenon::core
