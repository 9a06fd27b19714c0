// A thread that fetches for others: what a server has to ask its authorisation server.
#pragma once

#include <memory>
#include <thread>

#include <tenon/log.hpp>

#include "transport/http_client/fetch.hpp"

namespace tenon {

/// Thread-safe.
class FetchThread {
 public:
    explicit FetchThread(FetchOptions options, LogSink note = {});
    ~FetchThread() { stop(); }
    FetchThread(const FetchThread&) = delete;
    FetchThread& operator=(const FetchThread&) = delete;

    /// `done` comes once, on this thread, unless it is stopped before. When the fetch cannot even begin, for want of
    /// memory for example, it comes with that error.
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
