#include "transport/http_server/turns.hpp"

#include <boost/asio/post.hpp>

namespace tenon {
namespace {

constexpr auto time_of_one_turn = std::chrono::microseconds(200);  // so that many small requests are handled together

}  // namespace

void HttpTurns::wait(const base::ThreadDebt& debt, std::weak_ptr<Waiter> waiter) {
    schedule();
    waiting_.emplace(debt.paid_at(), std::move(waiter));
}

void HttpTurns::schedule() {
    if (scheduled_) return;
    boost::asio::post(context_, [this] { serve_some(); });
    scheduled_ = true;
}

void HttpTurns::serve_some() {
    scheduled_ = false;
    const TimePoint end = std::chrono::steady_clock::now() + time_of_one_turn;
    do {
        serve_first();
    } while (!waiting_.empty() && std::chrono::steady_clock::now() < end);
}

void HttpTurns::serve_first() {
    if (waiting_.empty()) return;
    if (waiting_.size() > 1) schedule();  // first, so that an exception does not stop the others
    const auto first = waiting_.extract(waiting_.begin());
    if (const auto waiter = first.mapped().lock()) waiter->on_turn();
}

}  // namespace tenon
