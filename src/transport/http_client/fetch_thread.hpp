// A thread that fetches documents for a server, for example the keys of its authorisation server.
#pragma once

#include <memory>
#include <thread>

#include <tenon/log.hpp>

#include "transport/http_client/fetch.hpp"

namespace tenon {

/// Runs an HttpFetcher on its own thread. fetch() may be called from any thread.
class FetchThread {
 public:
    explicit FetchThread(FetchOptions options, LogNote note = {});
    ~FetchThread() { stop(); }
    FetchThread(const FetchThread&) = delete;
    FetchThread& operator=(const FetchThread&) = delete;

    /// Sends a request and calls `done` once, on the thread of this object, unless stop() comes first. When the request
    /// cannot even start, for example because memory is short, `done` gets that error.
    void fetch(FetchRequest request, HttpFetcher::Done done);
    /// Ends the thread. No `done` is called afterwards. Must not run on the thread of this object.
    void stop();

 private:
    const std::shared_ptr<asio::io_context> context_;
    asio::executor_work_guard<asio::io_context::executor_type> work_;
    std::unique_ptr<HttpFetcher> fetcher_;
    std::thread thread_;
};

}  // namespace tenon
