#include "transport/http_server/log_follower.hpp"

#include <algorithm>

#include "framing/sse.hpp"
#include "jsonrpc/codec.hpp"
#include "web/stored_event.hpp"

namespace tenon {
namespace {

constexpr std::size_t max_events = 1000, max_bytes = 256 * 1024;  // of one read
constexpr store::Keep keep_error{};

web::Response unknown_event() {
    return web::refusal(400, Error{code::invalid_request,
                                   "Invalid request: `Last-Event-ID` is not an event that this session keeps; listen "
                                   "without it"});
}

}  // namespace

void LogFollower::start(Start start) {
    {
        const std::lock_guard lock(mutex_);
        start_ = start;
        if (!options_.endless) read_ = start.after;
    }
    pump();
}

// Reads the next events, unless a read is running already: then it is repeated afterwards.
void LogFollower::pump() {
    store::EventId after = 0;
    {
        const std::lock_guard lock(mutex_);
        if (!writer_) return;
        if (reading_) return static_cast<void>(again_ = true);
        reading_ = true;
        again_ = false;
        after = read_;
    }
    auto take = [self = shared_from_this()](const Result<store::EventBatch>& batch) {
        self->options_.node->run([&] { self->on_batch(batch); });
    };
    options_.node->store().events().read(options_.log, after, max_events, max_bytes,
                                         make_reply<store::EventBatch>(std::move(take)));
}

void LogFollower::on_batch(const Result<store::EventBatch>& batch) {
    bool repeat = false, begins = false, ends = false;
    {
        const std::lock_guard lock(mutex_);
        reading_ = false;
        if (!writer_) return;
        if (!begun_) {
            begins = begin(batch);
            if (!begins) return end();
        }
        if (batch) {
            ends = !write(*batch) || (batch->finished && read_ >= batch->last);
            repeat = again_ || read_ < batch->last;
        } else {
            // The session has ended, and its logs with it. After another error, the store wakes this follower later.
            ends = begun_ && !begins && store::is_not_found(batch.error()) && read_ > 0;
            repeat = again_ && !store::is_unavailable(batch.error());
        }
        if (ends) return end();
    }
    if (begins) watch();
    if (repeat) pump();
}

// Decides from the first read whether there is a stream to show.
bool LogFollower::begin(const Result<store::EventBatch>& batch) {
    const bool empty = !batch && store::is_not_found(batch.error());
    if (!batch && !empty) {
        writer_->respond(web::try_later(503, {code::server_error, "the store of the events cannot be read"}));
        return false;
    }
    const store::EventId after = start_.after;
    const bool unknown = empty ? !options_.endless || after > 0 : after > batch->last;
    const bool lost =
        batch && batch->gap && start_.resumed && !batch->events.empty() && batch->events.front().id > after + 1;
    if (unknown || lost) return writer_->respond(unknown_event()), false;
    if (batch && batch->finished && after == batch->last)
        return writer_->respond({204}), false;  // for server-sent events, 204 means "do not reconnect"
    begun_ = true;
    writer_->begin_stream(options_.fields);
    if (options_.priming) {
        std::string bytes;
        framing::append_sse(bytes, {.id = options_.log.name + "-" + std::to_string(after)});
        writer_->write(std::move(bytes));
    }
    return true;
}

// Returns false when another stream shows the rest.
bool LogFollower::write(const store::EventBatch& batch) {
    for (const store::Event& event : batch.events) {
        if (event.id <= read_) continue;
        read_ = event.id;
        const web::StoredEvent stored = web::decode_event(event.bytes);
        if (stored.listens && event.id > start_.mark) return false;
        if (stored.listens || !is_new(stored.once) || event.id <= start_.after) continue;
        writer_->write(web::to_sse(stored, options_.log.name, event.id));
    }
    return true;
}

// Remembers the key. All readers see the events of a log in the same order, so they agree which message is the first.
bool LogFollower::is_new(std::optional<std::uint64_t> key) {
    if (!key) return true;
    if (!keys_.insert(*key).second) return false;
    key_order_.push_back(*key);
    if (key_order_.size() > max_keys) {
        keys_.erase(key_order_.front());
        key_order_.pop_front();
    }
    return true;
}

void LogFollower::watch() {
    auto subscription = options_.node->store().events().watch(options_.log, [weak = weak_from_this()] {
        if (const auto self = weak.lock()) self->options_.node->run([&] { self->pump(); });
    });
    const std::lock_guard lock(mutex_);
    if (writer_) subscription_ = std::move(subscription);
}

// Under the lock. A subscription may be released inside its own function.
void LogFollower::end() {
    if (begun_) writer_->end();
    writer_.reset();
    subscription_.reset();
}

void LogFollower::refuse(web::Response response) {
    const std::lock_guard lock(mutex_);
    if (!writer_ || begun_) return;
    writer_->respond(std::move(response));
    writer_.reset();
}

void LogFollower::close(std::optional<long long> retry_ms) {
    const std::lock_guard lock(mutex_);
    if (!writer_) return;
    if (!begun_) {
        writer_->respond(web::try_later(503, {code::server_error, "another stream of the session took its place"}));
        return end();
    }
    if (retry_ms) {
        std::string bytes;
        const std::string id = options_.log.name + "-" + std::to_string(std::max(read_, start_.after));
        framing::append_sse(bytes, {.id = id, .retry_ms = retry_ms});
        writer_->write(std::move(bytes));
    }
    end();
}

void LogFollower::keep_alive() {
    const std::lock_guard lock(mutex_);
    if (!writer_ || !begun_) return;
    std::string comment;
    framing::append_sse_comment(comment);
    writer_->write(std::move(comment));
}

bool LogFollower::over() const {
    const std::lock_guard lock(mutex_);
    return !writer_;
}

void LogFollower::client_gone(const web::ResponseWriter&) {
    const std::lock_guard lock(mutex_);
    writer_.reset();
    subscription_.reset();
}

void LogFollower::check_node() {
    const std::string node = options_.log.name.substr(0, options_.log.name.find('.'));
    if (options_.endless || over() || node == options_.node->name()) return;
    options_.node->is_gone(node, [self = shared_from_this()](bool gone) {
        if (!gone) return;
        auto take = [self](const Result<store::EventBatch>& first) { self->fail_requests(first); };
        self->options_.node->store().events().read(self->options_.log, 0, 1, max_bytes,
                                                   make_reply<store::EventBatch>(std::move(take)));
    });
}

// Several nodes may do this at once. The store accepts one end of a log, so the client gets one error.
void LogFollower::fail_requests(const Result<store::EventBatch>& first) {
    if (!first || first->events.empty() || first->finished) return;
    auto& events = options_.node->store().events();
    const auto ids = json::parse(web::decode_event(first->events.front().bytes).requests);
    const json::array* all = ids ? ids->if_array() : nullptr;
    const Error why{code::server_error, "the node that ran the request is gone; send the request again"};
    std::string errors;
    for (const json::value& id : all ? *all : json::array()) {
        errors += errors.empty() ? "" : ",";
        errors += jsonrpc::encode_error(jsonrpc::Id::from(id), why).json;
    }
    if (errors.empty()) return events.finish(options_.log, keep_error, make_reply<void>([](const auto&) {}));
    if (all->size() > 1) errors = "[" + errors + "]";
    events.append(options_.log, std::move(errors), true, keep_error, make_reply<store::EventId>([](const auto&) {}));
}

}  // namespace tenon
