// ChangeWatch: sees what changes on a server during a few calls, and whether the server tells its client.
//
//     ChangeWatch watch(probe, talk);         // listens, subscribes, and notes what the server offers
//     talk.ask("tools/call", ...);
//     ServerChanges seen = watch.finish();    // notes it again, and waits for missing notifications
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "check/server/probe.hpp"

namespace tenon::check {

class ChangeWatch {
 public:
    /// Both must live longer than this object.
    ChangeWatch(Probe& probe, Conversation& talk);
    ServerChanges finish();

 private:
    void choose_resources();
    void listen();
    void listen_to_stream();
    void listen_by_request();
    void stop_listening();
    Offer offer();
    std::set<std::string> names(std::string_view capability, std::string_view method, std::string_view member,
                                std::string_view key);
    std::map<std::string, std::string> contents();
    void collect();
    void ignore_restless_parts();
    bool has_heard_all() const;

    Probe& probe_;
    Conversation& talk_;
    ServerChanges seen_;
    std::vector<std::string> uris_;                 // resources whose contents are compared
    std::size_t first_ = 0;                         // messages before this one came before the watch
    std::shared_ptr<Exchange> stream_ = {};         // legacy HTTP
    std::optional<std::size_t> subscription_ = {};  // 2026-07-28: the number of the request
};

}  // namespace tenon::check
