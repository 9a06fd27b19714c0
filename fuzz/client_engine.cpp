// Invariant: whatever a server sends, each call ends exactly once, every sent message is JSON, and nothing is left
// open. Input: one step in each line. Its first byte is the kind of event, the rest is the message of the server.
#include "core/client/engine.hpp"

#include "support.hpp"

namespace tenon::fuzz::client_engine_target {
namespace {

using core::ClientCall;
using namespace std::chrono_literals;

class World {
 public:
    explicit World(std::uint8_t choice) {
        core::ClientSettings settings{{{"fuzz", "1"}}};
        settings.era = choice % 3 == 0 ? Era::automatic : choice % 3 == 1 ? Era::legacy : Era::modern;
        settings.hears_tools = true;
        settings.identity.abilities = {true, true, true, true, true};
        settings.limits.max_pending_calls = 8;
        settings.limits.max_server_requests = 3;
        settings.limits.max_input_rounds = 2;
        engine_.emplace(std::make_shared<const core::ClientSettings>(settings));
    }

    void step(char what, std::string_view text) {
        switch (what) {
            case 'o': engine_->opened(now_); break;
            case 't': now_ += 20s, engine_->tick(now_); break;
            case 'T': now_ += 31min, engine_->tick(now_); break;
            case 'c': call(text.empty() ? "tools/list" : std::string(text)); break;
            case 'k': engine_->cancel(static_cast<core::CallId>(text.size()), "enough"); break;
            case 'a': answer(static_cast<core::AskId>(text.size())); break;
            case 'f':
                engine_->failed(static_cast<std::int64_t>(text.size()), {code::server_error, "lost"}, now_);
                break;
            case 'l': engine_->session_lost(static_cast<std::int64_t>(text.size()), now_); break;
            case 'L': engine_->receive_too_long(100, now_); break;
            case 'u': engine_->user_asked(!text.empty(), now_); break;
            case 'x': engine_->closed({code::connection_closed, "gone"}, now_); break;
            default: engine_->receive(text, now_);
        }
        take();
    }

    void end() {
        step('x', ""), step('x', "");
        engine_->shut_down({code::connection_closed, "over"});
        take();
        must(engine_->pending() == 0 && ended_ == calls_, "every call has ended");
        must(!engine_->next_deadline(), "no deadline is left");
    }

 private:
    void call(std::string method) {
        constexpr ClientCall::Kind kinds[] = {ClientCall::Kind::request,   ClientCall::Kind::connect,
                                              ClientCall::Kind::ping,      ClientCall::Kind::set_level,
                                              ClientCall::Kind::subscribe, ClientCall::Kind::unsubscribe};
        ClientCall call;
        call.kind = kinds[method.size() % std::size(kinds)];
        call.method = std::move(method);
        call.params = {{"name", "t"}, {"uri", "a:b"}, {"level", "info"}};
        call.reply = make_reply<json::value>([this](const Result<json::value>&) { ++ended_; });
        ++calls_;
        engine_->call(std::move(call), now_);
    }
    void answer(core::AskId ask) {
        if (ask % 3 == 0) return engine_->answered(ask, Error{code::internal_error, "no"}, now_);
        if (ask % 3 == 1) return engine_->answered(ask, core::AskAnswer(ElicitResult{ElicitAction::accept}), now_);
        engine_->answered(ask, core::AskAnswer(std::vector<Root>{}), now_);
    }
    void take() {
        for (core::ClientAction& action : engine_->take_actions()) {
            if (auto* sent = std::get_if<core::Transmit>(&action))
                must(json::parse(sent->message.body).has_value(), "a sent message is JSON");
            else if (auto* end = std::get_if<core::HandOver>(&action))
                std::move(end->reply).send(std::move(end->answer));
            else if (auto* stop = std::get_if<core::StopAsk>(&action))
                stop->stop.request_stop();
        }
        must(ended_ <= calls_, "a call ends once");
    }

    std::optional<core::ClientEngine> engine_;
    TimePoint now_ = TimePoint() + 1h;
    std::size_t calls_ = 0, ended_ = 0;
};

void run(std::string_view input) {
    Feed feed(input);
    World world(feed.byte());
    for (int steps = 0; !feed.empty() && steps < 200; ++steps) {
        const char what = static_cast<char>(feed.byte());
        if (what != '\n') world.step(what, feed.until('\n'));
    }
    world.end();
}

const Target target{
    "client_engine", run, {.base_bytes = 2 << 20, .bytes = 10'000, .base_allocations = 20'000, .allocations = 200}};

}  // namespace
}  // namespace tenon::fuzz::client_engine_target
