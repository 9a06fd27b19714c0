#include "runtime/client_impl.hpp"

#include "core/client/short_memory.hpp"
#include "io/last_resort.hpp"
#include "observe/mask.hpp"
#include "protocol/extension_id.hpp"

namespace tenon {
namespace {

std::shared_ptr<const core::ClientSettings> settings_of(const ClientOptions& o, const ClientTransport& transport) {
    if (auto ok = protocol::check_extension_ids(o.extensions); !ok) throw Exception(ok.error());
    auto s = std::make_shared<core::ClientSettings>(core::ClientSettings{{o.info, {}}});
    s->identity.abilities = {static_cast<bool>(o.on_roots),  static_cast<bool>(o.on_sample),     o.sample_tools,
                             static_cast<bool>(o.on_elicit), static_cast<bool>(o.on_elicit_url), o.extensions};
    s->identity.abilities.sampling_context = o.sample_context;
    s->identity.abilities.tasks = o.tasks;
    s->learn_tools = o.learn_tools;
    s->restart = o.restart;
    s->ping_interval = o.ping_interval;
    s->sends_mirrored = transport.sends_mirrored();
    for (const auto& [name, settings] : transport.extensions())
        s->identity.abilities.extensions.emplace(name, settings);
    s->era = o.era;
    s->revision = o.revision;
    s->limits = o.limits;
    s->validate_results = o.validate_results;
    s->hears_tools = static_cast<bool>(o.on_tools_changed);
    s->hears_resources = static_cast<bool>(o.on_resources_changed);
    s->hears_prompts = static_cast<bool>(o.on_prompts_changed);
    return s;
}

std::shared_ptr<const Observers> observers_of(const ClientOptions& o) {
    auto out = std::make_shared<const Observers>(o.observers, o.audit);
    return out->any() ? out : nullptr;
}

// Text of the server is escaped, and credentials in it are masked.
void write_log(const LogSink& log, LogLevel level, std::string_view text) {
    if (log) log({.time = std::chrono::system_clock::now(), .level = level, .message = observe::safe_text(text)});
}

}  // namespace

Client::Impl::Impl(std::shared_ptr<ClientTransport> transport, ClientOptions options)
    : options_(std::move(options)),
      transport_(std::move(transport)),
      observers_(observers_of(options_)),
      ends_(std::make_shared<const ClientOperation::Ends>(ClientOperation::Ends{
          options_.info, transport_->network_transport(),
          [log = options_.log](LogLevel level, std::string_view text) { write_log(log, level, text); }})),
      wire_(taps(options_.tap), WireMessage::Side::client),
      engine_(settings_of(options_, *transport_)),
      handlers_(options_.limits.max_workers) {}

void Client::Impl::note(LogLevel level, std::string_view text) const { write_log(options_.log, level, text); }

// When start() has thrown, close() was not called.
Client::Impl::~Impl() { stop_clock(); }

void Client::Impl::start() {
    clock_ = std::thread([this] {  // close() joins it, so `this` outlives the thread
        io::run_thread(
            [this] { keep_time(); },
            [this](const char* what) { note(LogLevel::error, std::string("while handling a timer: ") + what); });
    });
    transport_->start(events(), {options_.limits.max_message_bytes, options_.limits.max_queued_output_bytes});
}

// The transport may report an event while the client is destroyed. The event is then ignored.
ClientTransport::Events Client::Impl::events() {
    const auto with = [weak = weak_from_this()](auto what) {
        if (const auto self = weak.lock()) what(*self);
    };
    ClientTransport::Events e;
    e.opened = [with] {
        with([](Impl& self) { self.with_engine([](core::ClientEngine& engine) { engine.opened(Clock::now()); }); });
    };
    e.message = [with](std::string_view text) { with([&](Impl& self) { self.receive(text); }); };
    e.too_long = [with](std::size_t limit) {
        with([&](Impl& self) {
            self.with_engine([&](core::ClientEngine& engine) { engine.receive_too_long(limit, Clock::now()); });
        });
    };
    e.failed = [with](std::int64_t request, const Error& why) {
        with([&](Impl& self) {
            self.with_engine([&](core::ClientEngine& engine) { engine.failed(request, why, Clock::now()); });
        });
    };
    e.session_lost = [with](std::int64_t request) {
        with([&](Impl& self) {
            self.with_engine([&](core::ClientEngine& engine) { engine.session_lost(request, Clock::now()); });
        });
    };
    e.user_asked = [with](bool asked) {
        with([&](Impl& self) {
            self.with_engine([&](core::ClientEngine& engine) { engine.user_asked(asked, Clock::now()); });
        });
    };
    e.credentials_changed = [with] {
        with([](Impl& self) { self.with_engine([](core::ClientEngine& engine) { engine.credentials_changed(); }); });
    };
    e.closed = [with](const Error& why) {
        with([&](Impl& self) {
            self.with_engine([&](core::ClientEngine& engine) { engine.closed(why, Clock::now()); });
        });
    };
    e.note = [with](LogLevel level, std::string_view text) { with([&](Impl& self) { self.note(level, text); }); };
    return e;
}

void Client::Impl::receive(std::string_view text) {
    io::survives([&] { wire_.received(text); }, [](const char*) {});  // a tap must not make a message disappear
    with_engine([&](core::ClientEngine& engine) { engine.receive(text, Clock::now()); });
}

// ---- actions

bool Client::Impl::collect(core::ClientActions& rest) noexcept {
    for (auto actions = engine_.take_actions(); !actions.empty(); actions = engine_.take_actions()) {
        while (!actions.empty()) {
            auto* transmit = std::get_if<core::Transmit>(&actions.front());
            if (!transmit) {
                rest.splice(rest.end(), actions, actions.begin());
                continue;
            }
            const bool request = transmit->message.kind == OutgoingMessage::Kind::request;
            const std::int64_t id = transmit->message.id;
            auto sent = send(std::move(transmit->message));
            actions.pop_front();
            // The server waits for what is lost here. Only an exception has this code.
            if (!sent && !request && sent.error().code == code::internal_error) engine_.broke();
            if (!sent && request)
                try_engine(
                    [&](core::ClientEngine& engine) { engine.failed(id, std::move(sent).error(), Clock::now()); });
        }
    }
    const auto next = engine_.next_deadline();
    return next && (!waits_until_ || *next < *waits_until_);
}

Result<void> Client::Impl::send(OutgoingMessage message) noexcept {
    io::survives([&] { wire_.sent(message.body); }, [](const char*) {});
    try {
        return transport_->send(std::move(message));
    } catch (...) {
        return core::current_error_or_short();
    }
}

// Each action is tried, whatever happens to the others: calls would wait for ever for an action that was lost.
void Client::Impl::perform(core::ClientActions& actions) noexcept {
    for (core::ClientAction& action : actions) {
        const auto log = [this](const char* what) {
            note(LogLevel::error, std::string("while handling an event: ") + what);
        };
        if (!io::survives([&] { perform(action); }, log)) cannot_perform(action);
    }
}

void Client::Impl::perform(core::ClientAction& action) {
    if (auto* answer = std::get_if<core::HandOver>(&action)) {
        std::move(answer->reply).send(std::move(answer->answer));
    } else if (auto* progress = std::get_if<core::ReportProgress>(&action)) {
        (*progress->sink)(progress->progress);
    } else if (auto* question = std::get_if<core::Ask>(&action)) {
        ask(std::move(*question));
    } else if (auto* stop = std::get_if<core::StopAsk>(&action)) {
        stop->stop.request_stop();
    } else if (auto* news = std::get_if<core::Announce>(&action)) {
        announce(std::move(*news));
    } else if (auto* reopen = std::get_if<core::Reopen>(&action)) {
        if (!transport_->reopen(reopen->wait))
            with_engine([&](core::ClientEngine& engine) { engine.cannot_reopen(std::move(reopen->why)); });
    } else if (auto* said = std::get_if<core::ClientNote>(&action)) {
        note(said->level, said->text);
    } else if (std::holds_alternative<core::Hangup>(action)) {
        hang_up();
    }
}

// A question and a server that was to be started again must not be left without an answer. Replies take care of
// themselves (Reply::Sink::lost). Progress, notifications and log lines may be lost.
void Client::Impl::cannot_perform(core::ClientAction& action) noexcept {
    if (auto* question = std::get_if<core::Ask>(&action)) answered(question->id, core::out_of_memory());
    if (auto* reopen = std::get_if<core::Reopen>(&action))
        with_engine([&](core::ClientEngine& engine) { engine.cannot_reopen(std::move(reopen->why)); });
}

// Closes the transport on a thread of the pool, because this may be the transport's own thread.
void Client::Impl::hang_up() {
    try {
        handlers_.post([self = shared_from_this(), until = later(Clock::now(), options_.limits.close_time)] {
            self->guarded("the transport", [&] { self->transport_->close(until); });
        });
    } catch (...) {
        note(LogLevel::error, "cannot end the transport now: " + detail::current_error().message);
    }
}

// ---- deadlines and the end

void Client::Impl::keep_time() {
    std::unique_lock lock(mutex_);
    while (!stop_clock_) {
        waits_until_ = engine_.next_deadline();
        if (!waits_until_) {
            deadline_changed_.wait(lock);
        } else if (deadline_changed_.wait_until(lock, *waits_until_) == std::cv_status::timeout) {
            lock.unlock();
            with_engine([](core::ClientEngine& engine) { engine.tick(Clock::now()); });
            lock.lock();
        }
    }
}

void Client::Impl::roots_changed() {
    with_engine([](core::ClientEngine& engine) { engine.roots_changed(); });
}

Result<void> Client::Impl::notify(std::string_view method, const json::object& params) {
    Result<void> sent;
    with_engine([&](core::ClientEngine& engine) { sent = engine.send_notification(method, params); });
    return sent;
}

void Client::Impl::close(TimePoint deadline) {
    if (!closing_.exchange(true)) {
        with_engine([](core::ClientEngine& engine) {
            engine.shut_down({code::connection_closed, "the client was closed"});
        });
    }
    transport_->close(deadline);
    stop_clock();
    const auto left = [&] {
        return in_callback() ? Duration::zero() : std::max(deadline - Clock::now(), Duration::zero());
    };
    const bool handlers_ended = handlers_.stop(left());
    callbacks_over_ = true;
    const bool callbacks_ended = callbacks_.stop(left());
    if (!in_callback() && !(handlers_ended && callbacks_ended))
        note(LogLevel::warning, "a callback still runs after the client was closed");
}

void Client::Impl::stop_clock() {
    const std::lock_guard alone(close_mutex_);
    {
        const std::lock_guard lock(mutex_);
        stop_clock_ = true;
    }
    deadline_changed_.notify_one();
    if (clock_.joinable()) clock_.join();
}

}  // namespace tenon
