// A request that stands alone (2026-07-28): a session of its own that lives as long as its answer.
#pragma once

#include <mutex>

#include "http/response.hpp"
#include "runtime/session_impl.hpp"
#include "transport/http_endpoint.hpp"

namespace tenon {

/// Its answer is JSON when it comes first, and otherwise the last event of a stream.
class HttpEndpoint::LoneRequest {
 public:
    LoneRequest(std::weak_ptr<HttpEndpoint> endpoint, ExchangePtr exchange)
        : endpoint_(std::move(endpoint)), exchange_(std::move(exchange)) {}

    void own(std::shared_ptr<Session::Impl> session) { session_ = std::move(session); }
    void deliver(core::Action action);
    bool over() const;
    void keep_alive();
    void tick();
    void stop(std::string_view why);
    /// It runs until somebody ends it, so nobody should wait for that.
    bool endless = false;

 private:
    void say(core::Send message);
    void finish();
    std::shared_ptr<Session::Impl> session() const;

    const std::weak_ptr<HttpEndpoint> endpoint_;
    mutable std::mutex mutex_;  // guards what follows
    ExchangePtr exchange_;      // empty when it is over
    bool begun_ = false;
    int silent_rounds_ = 0;  // of keep_alive()
    std::shared_ptr<Session::Impl> session_;
};

}  // namespace tenon
