#include "transport/http_client/fetch_thread.hpp"

#include <boost/asio/post.hpp>

#include "io/last_resort.hpp"

namespace tenon {
FetchThread::FetchThread(FetchOptions options, LogNote note)
    : context_(std::make_shared<asio::io_context>(1)),
      work_(context_->get_executor()),
      fetcher_(std::make_unique<HttpFetcher>(context_, std::move(options))),
      thread_([context = context_, note = std::move(note)] {
          io::run_thread([&] { context->run(); },
                         [&](const char* what) {
                             if (note) note(LogLevel::error, std::string("while fetching: ") + what);
                         });
      }) {}

void FetchThread::fetch(FetchRequest request, HttpFetcher::Done done) {
    asio::post(*context_, [this, request = std::move(request), done = std::move(done)]() mutable {
        if (!fetcher_) return;
        io::survives([&] { fetcher_->fetch(std::move(request), done); },
                     [&](const char* what) {
                         done(Error{code::internal_error, std::string("cannot fetch: ") + what});
                     });
    });
}

void FetchThread::stop() {
    if (!thread_.joinable()) return;
    const auto end = [this] {
        fetcher_.reset();
        context_->stop();
    };
    if (!io::insist([&] { asio::post(*context_, end); }, std::chrono::steady_clock::now())) context_->stop();
    thread_.join();
}

}  // namespace tenon
