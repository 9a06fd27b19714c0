// Implements HttpOptions::auth: the token gate, and the thread that fetches keys and introspection results for it.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include <tenon/transport/http_server.hpp>

#include "transport/http_client/fetch_thread.hpp"
#include "transport/http_server/shared_token_gate.hpp"

namespace tenon {

/// What nodes that serve the same tokens share.
struct SharedAccess {
    std::shared_ptr<ClusterNode> node = {};        ///< remembers DPoP proofs in its store; null: this process does
    auth::DpopNonces::Secrets nonce_secrets = {};  ///< empty: a secret of this process
};

/// Checks the tokens of all requests of a server. Thread-safe.
class AccessControl {
 public:
    /// Returns null when `options.auth` is not set. Throws Exception when an option is invalid.
    static std::unique_ptr<AccessControl> make(const HttpOptions& options, LogNote note, SharedAccess shared = {});

    const std::shared_ptr<SharedTokenGate>& admission() const { return admission_; }
    /// Returns the documents that every caller may read without a token, by path.
    std::map<std::string, std::string, std::less<>> documents() const;
    /// Returns how long a request may wait until its token can be checked.
    Duration wait_time() const { return admission_->gate().limits().wait_time; }
    /// Stops fetching. Waiting requests are not retried afterwards.
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
