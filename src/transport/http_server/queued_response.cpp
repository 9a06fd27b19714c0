#include "transport/http_server/queued_response.hpp"

#include <algorithm>
#include <chrono>

#include "io/stoppable_wait.hpp"
#include "transport/http_server/connection_end.hpp"
#include "web/date_field.hpp"
#include "web/response.hpp"

namespace tenon {
namespace {

constexpr std::size_t head_bytes = 256;        // enough for most response heads
constexpr std::size_t chunk_bytes = 32;        // enough for the frame of a chunk
constexpr std::size_t far_behind = 64 * 1024;  // handlers wait when this much output was not taken
constexpr std::size_t max_joined = 16384;      // copying a smaller body costs less than sending two pieces

// Returns the Date field. Each thread caches its own text of the current second, so no lock is needed.
std::string_view date_now() {
    static thread_local web::DateField field;
    return field.at(std::chrono::system_clock::now());
}

}  // namespace

void QueuedResponse::respond(web::Response response) {
    std::unique_lock lock(mutex_);
    if (phase_ != Phase::waiting) return;
    if (!response.body.empty()) options_.wire.sent(response.body, response.status);
    for (const auto& field : options_.fields) response.fields.push_back(field);
    const bool joined = response.body.size() <= max_joined;
    queue_.reserve(head_bytes + (joined ? response.body.size() : 0));
    web::append_head(queue_, response, {.keep_alive = options_.keep_alive, .date = date_now()});
    if (response.head_only) {
        response.body.clear();
    } else if (joined) {
        queue_ += response.body;
    } else {
        body_ = std::move(response.body);
    }
    queued(lock, Phase::done);
}

void QueuedResponse::begin_stream(web::Fields fields) {
    std::unique_lock lock(mutex_);
    if (phase_ != Phase::waiting) return;
    for (const auto& field : options_.fields) fields.push_back(field);
    web::append_head(
        queue_, {200, std::move(fields), "text/event-stream", {}},
        {.stream = true, .chunks = options_.chunks, .keep_alive = options_.keep_alive, .date = date_now()});
    queued(lock, Phase::streaming);
}

void QueuedResponse::append(std::string_view bytes) {
    if (options_.chunks) return web::append_chunk(queue_, bytes);
    queue_ += bytes;
}

void QueuedResponse::write(std::string bytes) {
    std::unique_lock lock(mutex_);
    if (phase_ != Phase::streaming) return;
    options_.wire.sent_events(bytes);
    if (!grow_for(bytes.size())) return overflow(lock);
    append(bytes);
    queued(lock, Phase::streaming);
}

// Makes room for more bytes of a stream. Pays before the queue grows, and for both buffers, because the old and the new
// one exist together for a moment.
bool QueuedResponse::grow_for(std::size_t bytes) {
    const std::size_t now = queue_.capacity(), needed = queue_.size() + bytes + chunk_bytes;
    if (needed <= now) return true;
    const std::size_t then = std::max(needed, 2 * now);
    if (!pay_for(now + then + body_.capacity())) return false;
    queue_.reserve(then);
    return true;
}

void QueuedResponse::end() {
    std::unique_lock lock(mutex_);
    if (phase_ != Phase::streaming) return;
    if (options_.chunks) web::append_last_chunk(queue_);
    queued(lock, Phase::done);
}

bool QueuedResponse::reader_is_behind() const { return phase_ == Phase::streaming && queue_.size() > far_behind; }

void QueuedResponse::wait_for_reader(base::LateStop& stop) {
    io::wait_or_stop(mutex_, caught_up_, stop, [this] { return !reader_is_behind(); });
}

// Returns whether the peer's memory account covers the queue, and a stream is not too far ahead of its reader. A
// growing string may have twice the memory that it needs, so the capacity counts.
bool QueuedResponse::fits() {
    if (phase_ == Phase::streaming && queue_.size() > options_.max_queued) {
        limit_ = LimitName::max_queued_output_bytes;
        return false;
    }
    return pay_for(queue_.capacity() + body_.capacity());
}

// Charges the peer's account. Notes the limit that refuses it.
bool QueuedResponse::pay_for(std::size_t bytes) {
    const auto verdict = charge_.cover(bytes);
    if (verdict == base::MemoryDecision::granted) return true;
    limit_ = memory_limit(verdict);
    return false;
}

void QueuedResponse::fail() noexcept {
    std::unique_lock lock(mutex_);
    if (phase_ == Phase::waiting || phase_ == Phase::streaming) overflow(lock);
}

void QueuedResponse::overflow(std::unique_lock<std::mutex>& lock) noexcept {
    phase_ = Phase::overflowed;
    std::string().swap(queue_);  // frees the memory; assigning an empty string would keep the buffer
    std::string().swap(body_);
    charge_.release();
    count();
    caught_up_.notify_all();
    woken_ = false;  // wakes the connection again, even if it has not taken the earlier output yet
    wake(lock);
}

void QueuedResponse::queued(std::unique_lock<std::mutex>& lock, Phase next) {
    if (!fits()) return overflow(lock);
    phase_ = next;
    count();
    if (next == Phase::done) caught_up_.notify_all();
    wake(lock);
}

void QueuedResponse::wake_taker() noexcept {
    std::unique_lock lock(mutex_);
    woken_ = false;
    wake(lock);
}

void QueuedResponse::wake(std::unique_lock<std::mutex>& lock) noexcept {
    if (std::exchange(woken_, true)) return;
    const auto taker = taker_.lock();
    lock.unlock();
    if (taker) taker->wake();
}

QueuedResponse::State QueuedResponse::take(std::string& out, std::string& body, base::MemoryCharge& charge) {
    const std::lock_guard lock(mutex_);
    woken_ = false;
    out.clear();
    out.swap(queue_);
    caught_up_.notify_all();
    body = std::exchange(body_, {});
    count();
    charge = std::exchange(charge_, base::MemoryCharge(account_));
    return phase_ == Phase::overflowed ? State::overflow : phase_ == Phase::done ? State::done : State::open;
}

bool QueuedResponse::overflowed() const {
    const std::lock_guard lock(mutex_);
    return phase_ == Phase::overflowed;
}

LimitName QueuedResponse::limit_hit() const {
    const std::lock_guard lock(mutex_);
    return limit_;
}

void QueuedResponse::abandon() {
    const std::lock_guard lock(mutex_);
    if (phase_ != Phase::overflowed) phase_ = Phase::abandoned;
    taker_.reset();
    caught_up_.notify_all();
    std::string().swap(queue_);  // frees the memory; assigning an empty string would keep the buffer
    std::string().swap(body_);
    charge_.release();
    count();
}

}  // namespace tenon
