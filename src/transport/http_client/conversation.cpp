#include "transport/http_client/conversation.hpp"

#include "core/client/short_memory.hpp"
#include "io/last_resort.hpp"

namespace tenon {
namespace {

namespace step = web::conversation;

web::ConversationOptions options_of(const HttpClientOptions& o, ClientTransport::Bounds bounds, bool signs_in) {
    return {.headers = o.headers,
            .old_http_sse = o.old_http_sse,
            .signs_in = signs_in,
            .max_connections = o.max_connections,
            .max_message_bytes = bounds.max_message_bytes,
            .max_refusal_bytes = o.max_refusal_bytes,
            .max_session_id_bytes = o.max_session_id_bytes,
            .max_event_id_bytes = o.max_event_id_bytes,
            .reconnect = {o.reconnect_time, o.max_reconnect_time, o.max_reconnects},
            .max_retry_time = o.max_retry_time};
}

step::Failed broken_call(step::CallId call) noexcept {
    return {call, core::error_or_short(code::connection_closed, "the connection was closed because memory is short")};
}

std::vector<auth::client::Challenge> challenges_of(const framing::HttpResponse& head) {
    std::string all;
    for (const auto& field : head.fields.all())
        if (framing::equal_ignoring_case(field.name, "www-authenticate"))
            (all += all.empty() ? "" : ", ") += field.value;
    return auth::client::parse_challenges(all);
}

}  // namespace

HttpConversation::HttpConversation(Parts parts, const HttpClientOptions& options, const ClientTransport::Events& events,
                                   ClientTransport::Bounds bounds)
    : events_(events),
      machine_(parts.route->origin, options_of(options, bounds, parts.tokens != nullptr)),
      calls_(std::move(parts.context), std::move(parts.route),
             {options.max_connections, options.max_redirects, options.idle_time}),
      clock_(std::move(parts.clock)),
      tokens_(std::move(parts.tokens)) {}

void HttpConversation::send(QueuedMessage message) { resume(std::move(message)); }

void HttpConversation::finish(std::function<void()> done) {
    finished_ = std::move(done);
    if (tokens_) tokens_->finish();
    if (collapsed_) return on(step::Finished{});
    resume(step::Finish{});
}

void HttpConversation::close() {
    finished_ = {};
    if (tokens_) tokens_->finish();
    resume(step::Close{});
    clock_->cancel();
    calls_.close();
}

// ---- the machine

// An exception, for example because memory is short, fails the request of this event: of a message that the client
// sends, or of the response that brings these bytes. The other events are steps of the machine itself.
void HttpConversation::resume(step::Event event) noexcept {
    if (collapsed_) return;
    const auto* const sent = std::get_if<step::Send>(&event);
    const bool of_call = sent && sent->message.kind == OutgoingMessage::Kind::request;
    const bool of_request = of_call || std::holds_alternative<step::Piece>(event);
    const std::int64_t request = of_call ? sent->message.id : 0;
    step::Actions actions;
    const auto handle = [&] { actions = machine_.resume(std::move(event), clock_->now()); };
    if (io::survives(handle, [](const char*) {})) return perform(std::move(actions));
    const auto end_request = [&] {
        give_up();
        // The machine may not know the request yet. The second report of a failure is ignored.
        if (of_call) events_.failed(request, {code::internal_error, "out of memory"});
    };
    if (!of_request || !io::survives(end_request, [](const char*) {})) collapse();
}

// An action that cannot be performed may leave a connection without its next step. The other actions come first: what
// follows from the failure may replace them, for example a timer.
void HttpConversation::perform(std::span<step::Action> actions) noexcept {
    for (std::size_t i = 0; i < actions.size() && !collapsed_; ++i) {
        const auto act = [&] { std::visit([this](auto& a) { on(std::move(a)); }, actions[i]); };
        if (io::survives(act, [](const char*) {})) continue;
        if (std::holds_alternative<step::Log>(actions[i])) continue;  // of the user's function; nothing is lost
        const auto* const start = std::get_if<step::Start>(&actions[i]);
        if (!start) return collapse();
        perform(actions.subspan(i + 1));
        recover();
        return resume(broken_call(start->call));  // running_ may not have it. The machine ignores a second report
    }
}

void HttpConversation::give_up() {
    perform(machine_.resume(step::Broken{{code::internal_error, "out of memory"}}, clock_->now()));
}

void HttpConversation::recover() noexcept {
    calls_.reset();
    const CallId last = running_.empty() ? 0 : running_.rbegin()->first;  // later ones were started by the events below
    while (!running_.empty() && running_.begin()->first <= last) {
        const CallId call = running_.begin()->first;
        running_.erase(running_.begin());
        resume(broken_call(call));
    }
}

// The machine cannot go on, because it has handled only a part of an event. The client must know, or its calls would
// wait for ever.
void HttpConversation::collapse() noexcept {
    if (std::exchange(collapsed_, true)) return;
    calls_.close();
    running_.clear();
    clock_->cancel();
    const auto tell = [this] {
        events_.closed(core::error_or_short(code::connection_closed,
                                            "the connection was closed because memory is short; make a new Client"));
    };
    io::insist(tell, later(Clock::now(), io::last_chance));
    io::survives([this] { on(step::Finished{}); }, [](const char*) {});
}

void HttpConversation::on(const step::SetTimer& timer) {
    clock_->wake_at(timer.at, [this] { resume(step::TimerDue{}); });
}

void HttpConversation::on(const step::Finished&) {
    if (const auto done = std::exchange(finished_, {})) done();
}

// ---- calls

void HttpConversation::on(step::Start start) {
    const CallId call = start.call;
    running_.insert_or_assign(call, Running{std::move(start)});
    if (!tokens_) return launch(call);
    tokens_->before_request([this, call] { launch(call); });
}

void HttpConversation::launch(CallId call) {
    const auto it = running_.find(call);
    if (it == running_.end()) return;  // it was cancelled meanwhile
    auto& [start, http, generation, refused] = it->second;
    if (tokens_) {
        generation = tokens_->generation();
        if (std::exchange(credentials_, generation) != generation && events_.credentials_changed)
            events_.credentials_changed();
        for (auto& field : tokens_->fields(start.request.method, start.request.url))
            start.request.fields.push_back(std::move(field));
    }
    http = calls_.start(std::move(start.request), *this, call, start.urgency);
}

void HttpConversation::on(const step::Cancel& cancel) {
    const auto node = running_.extract(cancel.call);
    if (node && node.mapped().http) node.mapped().http->abort();
}

void HttpConversation::on(const step::GetTokens& sign_in) {
    const auto it = running_.find(sign_in.call);
    if (it == running_.end()) return;
    it->second.http->abort();
    tokens_->sign_in(*it->second.refused, [this, call = sign_in.call](const Result<void>& result) {
        if (result) return resume(step::GotTokens{call});
        running_.erase(call);
        resume(step::Failed{call, result.error()});
    });
}

bool HttpConversation::sign_in_may_help(CallId call, const framing::HttpResponse& head) {
    const auto it = running_.find(call);
    if (!tokens_ || it == running_.end()) return false;
    if (const auto nonce = head.fields.only("dpop-nonce")) tokens_->saw_nonce(std::string(*nonce));
    RequestTokens::Refused refused{head.status, challenges_of(head), it->second.generation,
                                   it->second.start.needs_metadata};
    if (it->second.start.may_sign_in && tokens_->can_help(refused)) {
        it->second.refused = std::move(refused);
        return true;
    }
    if (head.status != 401) tokens_->accepted(it->second.generation);
    return false;
}

// ---- events of calls

void HttpConversation::on_event(step::CallEvent event) {
    std::visit(
        [this](auto& e) {
            prepare(e);
            resume(std::move(e));
        },
        event);
}

// A refused call stays: GetTokens follows, and then the next Start.
void HttpConversation::prepare(const step::End& end) {
    if (const auto it = running_.find(end.call); it != running_.end() && !it->second.refused) running_.erase(it);
}

}  // namespace tenon
