// A thread that fetches for others: what a server has to ask its authorisation server.
#pragma once

#include <memory>
#include <thread>

#include "transport/http_fetch.hpp"

namespace tenon {

/// Thread-safe.
class FetchThread {
 public:
    explicit FetchThread(FetchOptions options);
    ~FetchThread() { stop(); }
    FetchThread(const FetchThread&) = delete;
    FetchThread& operator=(const FetchThread&) = delete;

    /// `done` comes once, on this thread, unless it is stopped before.
    void fetch(FetchRequest request, HttpFetcher::Done done);
    /// No `done` comes after that.
    void stop();

 private:
    const std::shared_ptr<asio::io_context> context_;
    asio::executor_work_guard<asio::io_context::executor_type> work_;
    std::unique_ptr<HttpFetcher> fetcher_;
    std::thread thread_;
};

}  // namespace tenon
