// Runs user code: handlers of questions on a pool of threads, callbacks one after the other on one thread.
#include "core/client/short_memory.hpp"
#include "io/last_resort.hpp"
#include "json/weight.hpp"
#include "protocol/read_server.hpp"
#include "runtime/client_impl.hpp"

namespace tenon {
namespace {

thread_local int callback_depth = 0;

class CallbackSection {
 public:
    CallbackSection() { ++callback_depth; }
    ~CallbackSection() { --callback_depth; }
};

}  // namespace

bool Client::Impl::in_callback() { return callback_depth > 0; }

void Client::Impl::answered(core::AskId id, Result<core::AskAnswer> answer) noexcept {
    with_engine([&](core::ClientEngine& engine) { engine.answered(id, std::move(answer), Clock::now()); });
}

// The question must be answered whatever fails here: the server waits for it.
void Client::Impl::ask(core::Ask question) {
    const core::AskId id = question.id;
    const auto run = [self = shared_from_this(), id](const core::Ask& asked) {
        if (asked.stop.stop_requested()) return;
        const CallbackSection section;
        const AnsweredQuestion operation(self->observers_, self->ends_);
        auto answer = self->answer(asked);
        io::survives([&] { operation.end(asked, answer); }, [](const char*) {});
        self->answered(id, std::move(answer));
    };
    try {
        handlers_.post([run, question = std::move(question)] { run(question); });
    } catch (...) {
        answered(id, core::current_error_or_short());
    }
}

Result<core::AskAnswer> Client::Impl::answer(const core::Ask& question) const noexcept {
    try {
        if (const auto* form = std::get_if<ElicitRequest>(&question.request))
            return core::AskAnswer(options_.on_elicit(*form, question.stop));
        if (const auto* page = std::get_if<ElicitUrlRequest>(&question.request))
            return core::AskAnswer(options_.on_elicit_url(*page, question.stop));
        if (const auto* sample = std::get_if<SampleRequest>(&question.request))
            return core::AskAnswer(options_.on_sample(*sample, question.stop));
        return core::AskAnswer(options_.on_roots(question.stop));
    } catch (...) {
        return core::current_error_or_short();
    }
}

void Client::Impl::guarded(const char* what, const std::function<void()>& user) const noexcept {
    const CallbackSection section;
    io::survives(user, [&](const char* why) { note(LogLevel::error, std::string(what) + " threw: " + why); });
}

void Client::Impl::enqueue(std::function<void()> event) {
    auto job = [self = shared_from_this(), event = std::move(event)] {
        --self->queued_;
        self->guarded("a callback", event);
    };
    // From here on, nothing throws: the event runs exactly once.
    ++queued_;
    if (callbacks_over_) return job();
    try {
        callbacks_.post(job);
    } catch (...) {
        job();  // no thread could be started: run it here
    }
}

void Client::Impl::enqueue_if_room(std::size_t bytes, std::function<void()> event) {
    const ClientLimits& limits = options_.limits;
    const std::size_t with_it = queued_bytes_.fetch_add(bytes) + bytes;
    if (queued_ < limits.max_queued_events && with_it <= limits.max_queued_event_bytes) {
        overflowed_ = false;
        return enqueue([this, bytes, event = std::move(event)] {  // enqueue() keeps this alive
            queued_bytes_ -= bytes;
            event();
        });
    }
    queued_bytes_ -= bytes;
    if (!overflowed_.exchange(true))
        note(LogLevel::warning,
             "callbacks are too slow for the server's notifications, or those are too large; some are dropped "
             "(ClientLimits::max_queued_events, max_queued_event_bytes)");
}

void Client::Impl::announce(core::Announce what) {
    const std::size_t bytes = what.method.size() + json::weight(what.params);
    enqueue_if_room(bytes, [self = shared_from_this(), what = std::move(what)] { self->tell(what); });
}

void Client::Impl::tell(const core::Announce& what) const {
    const auto text = [&](std::string_view name) {
        const json::value* v = what.params.if_contains(name);
        return v && v->is_string() ? std::string(v->get_string()) : std::string();
    };
    const auto& o = options_;
    const auto call = [&](const auto& user, auto&&... arguments) {
        if (user) guarded("a callback", [&] { user(arguments...); });
    };
    if (what.method == "notifications/tools/list_changed") call(o.on_tools_changed);
    if (what.method == "notifications/resources/list_changed") call(o.on_resources_changed);
    if (what.method == "notifications/prompts/list_changed") call(o.on_prompts_changed);
    if (what.method == "notifications/resources/updated") call(o.on_resource_updated, text("uri"));
    if (what.method == "notifications/elicitation/complete") call(o.on_elicitation_complete, text("elicitationId"));
    if (what.method == "notifications/message" && o.on_log) {
        if (const auto message = protocol::read_log_message(what.params)) {
            call(o.on_log, *message);
        } else {
            note(LogLevel::warning, "dropped a log message of the server: " + message.error().message);
        }
    }
    call(o.on_notification, what.method, what.params);
}

}  // namespace tenon
