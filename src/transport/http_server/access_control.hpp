// HttpOptions::auth at work: the gate, and the thread that fetches what it needs.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include <tenon/transport/http_server.hpp>

#include "transport/http_client/fetch_thread.hpp"
#include "transport/http_server/shared_token_gate.hpp"

namespace tenon {

class AccessControl {
 public:
    /// Nothing when everybody may call. Throws Exception when an option cannot be meant so.
    static std::unique_ptr<AccessControl> make(const HttpOptions& options, LogSink note);

    const std::shared_ptr<SharedTokenGate>& admission() const { return admission_; }
    /// What everybody may read, by path.
    std::map<std::string, std::string, std::less<>> documents() const;
    Duration wait_time() const { return admission_->gate().limits().wait_time; }
    /// Nobody who waits is told any more.
    void stop() {
        if (fetches_) fetches_->stop();
    }

 private:
    AccessControl() = default;
    void fetch(auth::FetchOrder order, SharedTokenGate::Fetched done);

    std::shared_ptr<SharedTokenGate> admission_;
    std::optional<FetchThread> fetches_;
};

}  // namespace tenon
