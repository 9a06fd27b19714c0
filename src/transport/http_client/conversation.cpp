#include "transport/http_client/conversation.hpp"

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

void HttpConversation::send(QueuedMessage message) {
    const bool request = message.message.kind == OutgoingMessage::Kind::request;
    const std::int64_t id = message.message.id;
    if (resume(std::move(message)) || !request) return;
    const auto fail = [&] { events_.failed(id, {code::internal_error, "memory is short; the request was not sent"}); };
    io::insist(fail, later(Clock::now(), io::last_chance));
}

void HttpConversation::finish(std::function<void()> done) {
    finished_ = std::move(done);
    if (tokens_) tokens_->finish();
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

// An exception, for example because memory is short, fails only the request of this event.
bool HttpConversation::resume(step::Event event) {
    const bool done =
        io::survives([&] { perform(machine_.resume(std::move(event), clock_->now())); }, [](const char*) {});
    if (!done) insist_on_giving_up();
    return done;
}

void HttpConversation::perform(step::Actions actions) {
    for (auto& action : actions) {
        const auto act = [&] { std::visit([this](auto& a) { on(std::move(a)); }, action); };
        if (!io::survives(act, [](const char*) {})) insist_on_giving_up();
    }
}

// The request must end, so this waits until there is enough memory.
void HttpConversation::insist_on_giving_up() {
    io::insist([this] { give_up("memory is short, or a function threw an exception"); },
               later(Clock::now(), io::last_chance));
}

void HttpConversation::give_up(const char* why) {
    const std::string text = std::string("cannot read the server's answer: ") + why;
    perform(machine_.resume(step::Broken{{code::internal_error, text}}, clock_->now()));
    events_.note(LogLevel::error, "in the HTTP client: " + text);
}

void HttpConversation::recover() {
    calls_.reset();
    const CallId last = running_.empty() ? 0 : running_.rbegin()->first;  // later ones were started by the events below
    while (!running_.empty() && running_.begin()->first <= last) {
        const CallId call = running_.begin()->first;
        running_.begin()->second.http.reset();
        resume(step::Failed{call, {code::connection_closed, "the connection was closed because memory is short"}});
        running_.erase(call);
    }
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
        if (result) return static_cast<void>(resume(step::GotTokens{call}));
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
