#include "transport/fetch_thread.hpp"

#include <boost/asio/post.hpp>

namespace tenon {
namespace {

// Nothing should throw this far. A fetch that does must not end the process, nor the fetches after it.
void run(asio::io_context& context) {
    for (;;) {
        try {
            context.run();
            return;
        } catch (...) {
        }
    }
}

}  // namespace

FetchThread::FetchThread(FetchOptions options)
    : context_(std::make_shared<asio::io_context>(1)),
      work_(context_->get_executor()),
      fetcher_(std::make_unique<HttpFetcher>(context_, std::move(options))),
      thread_([context = context_] { run(*context); }) {}

void FetchThread::fetch(FetchRequest request, HttpFetcher::Done done) {
    asio::post(*context_, [this, request = std::move(request), done = std::move(done)]() mutable {
        if (fetcher_) fetcher_->fetch(std::move(request), std::move(done));
    });
}

void FetchThread::stop() {
    if (!thread_.joinable()) return;
    asio::post(*context_, [this] {
        fetcher_.reset();
        context_->stop();
    });
    thread_.join();
}

}  // namespace tenon
