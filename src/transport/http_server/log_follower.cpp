#include "transport/http_server/log_follower.hpp"

#include <algorithm>

#include "framing/sse.hpp"
#include "jsonrpc/codec.hpp"
#include "web/stored_event.hpp"

namespace tenon {
namespace {

constexpr std::size_t max_events = 1000, max_bytes = 256 * 1024;  // of one read
constexpr store::Keep keep_error{};
constexpr long long retry_of_unmarked = 1000;  // for a stream whose mark could not be stored

web::Response unknown_event() {
    return web::refusal(400, Error{code::invalid_request,
                                   "Invalid request: `Last-Event-ID` is not an event that this session keeps; listen "
                                   "without it"});
}

}  // namespace

LogFollower::LogFollower(Options options, std::shared_ptr<web::ResponseWriter> writer)
    : options_(std::move(options)),
      log_(options_.log),
      place_(options_.stream.empty() ? options_.log.name : web::listener_place(options_.stream)),
      writer_(std::move(writer)) {}

void LogFollower::open() {
    const std::lock_guard lock(mutex_);
    if (writer_ && options_.priming) begin_response();
}

void LogFollower::start(Start start) {
    {
        const std::lock_guard lock(mutex_);
        start_ = start;
        if (options_.stream.empty()) {
            read_ = start.after;
        } else {
            view_.emplace(web::ListenerView::Start{options_.stream, start.after, start.mark, start.first});
        }
    }
    pump();
}

// Reads the next events, unless a read is running already: then it is repeated afterwards.
void LogFollower::pump() {
    store::EventId after = 0;
    store::StreamName from;
    {
        const std::lock_guard lock(mutex_);
        if (!writer_) return;
        if (reading_) return static_cast<void>(again_ = true);
        reading_ = true;
        again_ = false;
        after = read_;
        from = log_;
    }
    auto take = [self = shared_from_this()](const Result<store::EventBatch>& batch) {
        self->options_.node->run([&] { self->on_batch(batch); });
    };
    options_.node->store().events().read(std::move(from), after, max_events, max_bytes,
                                         make_reply<store::EventBatch>(std::move(take)));
}

void LogFollower::on_batch(const Result<store::EventBatch>& batch) {
    bool repeat = false, begins = false, ends = false, moved = false;
    {
        const std::lock_guard lock(mutex_);
        reading_ = false;
        if (!writer_) return;
        if (!checked_) {
            begins = checked_ = view_ ? begin_listener(batch) : begin(batch);
            if (!begins) return end();
        }
        if (batch) {
            ends = !write(*batch);
            moved = std::exchange(moved_, false);
            ends = ends || (!moved && batch->finished && read_ >= batch->last);
            repeat = moved || again_ || read_ < batch->last;
        } else {
            // The session has ended, and its logs with it. After another error, the store wakes this follower later.
            ends = !begins && store::is_not_found(batch.error()) && read_ > 0;
            const bool away = store::is_unavailable(batch.error());
            again_ = again_ || away;  // check_node() repeats it, if the store does not wake this follower before
            repeat = again_ && !away;
        }
        if (ends) return end();
    }
    if (begins || moved) watch();
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
    const bool lost = batch && batch->gap && !batch->events.empty() && batch->events.front().id > after + 1;
    if (empty || after > batch->last || lost) return writer_->respond(unknown_event()), false;
    if (batch->finished && after == batch->last)
        return writer_->respond({204}), false;  // for server-sent events, 204 means "do not reconnect"
    begin_response();
    return true;
}

// The log has at least the mark of this connection. The response of a stream that was resumed begins later: see
// write().
bool LogFollower::begin_listener(const Result<store::EventBatch>& batch) {
    std::optional<web::Response> refused;
    if (!batch)
        refused = store::is_not_found(batch.error())
                      ? web::lost_session()
                      : web::try_later(503, {code::server_error, "the store of the events cannot be read"});
    const bool lost = batch && batch->gap && !batch->events.empty() && batch->events.front().id > start_.after + 1;
    if (start_.resumed && (lost || start_.after >= start_.mark)) refused = unknown_event();
    if (!refused) return true;
    if (begun_) return !store::is_not_found(batch.error());  // the store wakes this follower later
    writer_->respond(*std::move(refused));
    return false;
}

// Under the lock. The first event says where the client is, also after it resumed a stream: a client that gets no event
// on its new connection may forget where it was.
void LogFollower::begin_response() {
    if (std::exchange(begun_, true)) return;
    writer_->begin_stream(options_.fields);
    if (options_.priming) prime(start_.after);
}

void LogFollower::prime(store::EventId id, std::optional<long long> retry_ms) {
    std::string bytes;
    framing::append_sse(bytes, {.id = web::event_id(place_, id), .retry_ms = retry_ms});
    writer_->write(std::move(bytes));
}

// Returns false at the end of the stream.
bool LogFollower::write(const store::EventBatch& batch) {
    if (view_ && read_ == 0) view_->set_trimmed(batch.gap);
    if (view_ && read_ > 0 && batch.gap) return false;  // it may have lost the mark of another stream
    for (const store::Event& event : batch.events) {
        if (event.id <= read_) continue;
        read_ = event.id;
        if (!show(event)) return false;
        if (read_ == 0) return true;
    }
    return true;
}

// The request runs again, and its events are in another log. The first of them only says so.
void LogFollower::move_to(std::string log_name) {
    before_.push_back(std::exchange(log_.name, std::move(log_name)));
    place_ = log_.name;
    read_ = start_.after = 1;
    moved_ = true;
}

bool LogFollower::shows(const std::string& log_name) const {
    const std::lock_guard lock(mutex_);
    return log_.name == log_name || std::ranges::find(before_, log_name) != before_.end();
}

store::StreamName LogFollower::log() const {
    const std::lock_guard lock(mutex_);
    return log_;
}

// Returns false when nothing more belongs to this stream.
bool LogFollower::show(const store::Event& event) {
    using Step = web::ListenerView::Step;
    const web::StoredEvent stored = web::decode_event(event.bytes);
    if (!stored.moved.empty() && !view_) return move_to(std::string(stored.moved)), true;
    const Step step = view_ ? view_->take(event.id, stored) : Step::show;
    if (step == Step::skip) return true;
    if (step == Step::end) {
        // 204 means "do not reconnect": a newer stream has taken the place of this one, which has nothing more to show.
        if (!begun_ && start_.resumed) writer_->respond({204});
        if (!begun_ && !start_.resumed) begin_response();
        return false;
    }
    if (step == Step::again) return read_ = 0, true;
    begin_response();
    if (step == Step::show) writer_->write(web::to_sse(stored, place_, event.id));
    if (step == Step::live && options_.priming && !stored.listens.empty()) prime(event.id);
    return true;
}

void LogFollower::watch() {
    const store::StreamName watched = log();
    auto subscription = options_.node->store().events().watch(watched, [weak = weak_from_this()] {
        if (const auto self = weak.lock()) self->options_.node->run([&] { self->pump(); });
    });
    const std::lock_guard lock(mutex_);
    if (writer_ && log_ == watched) subscription_ = std::move(subscription);  // it may have moved meanwhile
}

// Under the lock. A subscription may be released inside its own function.
void LogFollower::end() {
    if (begun_) writer_->end();
    writer_.reset();
    subscription_.reset();
}

void LogFollower::refuse(web::Response response) {
    const std::lock_guard lock(mutex_);
    if (!writer_) return;
    begun_ ? prime(0, retry_of_unmarked) : writer_->respond(std::move(response));
    end();
}

void LogFollower::close(std::optional<long long> retry_ms) {
    const std::lock_guard lock(mutex_);
    if (!writer_) return;
    if (!begun_) {
        writer_->respond(web::try_later(503, {code::server_error, "another stream of the session took its place"}));
        return end();
    }
    if (retry_ms) prime(std::max(read_, start_.after), retry_ms);
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
    bool failed = false;
    {
        const std::lock_guard lock(mutex_);
        failed = writer_ && checked_ && again_ && !reading_;
    }
    if (failed) pump();
    const std::string name = log().name, node = name.substr(0, name.find('.'));
    if (!options_.stream.empty() || over() || node == options_.node->name()) return;
    options_.node->is_gone(node, [self = shared_from_this(), name](bool gone) {
        if (!gone) return;
        if (self->options_.run_again) return self->options_.run_again(self, name);
        self->fail(name, "the node that ran the request is gone; send the request again");
    });
}

void LogFollower::fail(const std::string& log_name, std::string why) {
    const store::StreamName failed{options_.log.group, log_name};
    auto take = [self = shared_from_this(), failed, error = Error{code::server_error, std::move(why)}](
                    const Result<store::EventBatch>& first) { self->fail_requests(failed, first, error); };
    options_.node->store().events().read(failed, 0, 1, max_bytes, make_reply<store::EventBatch>(std::move(take)));
}

// Several nodes may do this at once. The store accepts one end of a log, so the client gets one error.
void LogFollower::fail_requests(const store::StreamName& failed, const Result<store::EventBatch>& first,
                                const Error& why) const {
    if (!first || first->events.empty() || first->finished) return;
    auto& events = options_.node->store().events();
    const auto ids = json::parse(web::decode_event(first->events.front().bytes).requests);
    const json::array* all = ids ? ids->if_array() : nullptr;
    std::string errors;
    for (const json::value& id : all ? *all : json::array()) {
        errors += errors.empty() ? "" : ",";
        errors += jsonrpc::encode_error(jsonrpc::Id::from(id), why).json;
    }
    if (errors.empty()) return events.finish(failed, keep_error, make_reply<void>([](const auto&) {}));
    if (all->size() > 1) errors = "[" + errors + "]";
    events.append(failed, std::move(errors), true, keep_error, make_reply<store::EventId>([](const auto&) {}));
}

}  // namespace tenon
