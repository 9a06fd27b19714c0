#include "simulation/virtual_client.hpp"

namespace tenon::test {
namespace {

std::shared_ptr<const core::ClientSettings> settings_of(const VirtualClient::Options& options) {
    auto out = std::make_shared<core::ClientSettings>(core::ClientSettings{{{"simulated", "1"}, {}}});
    out->identity.abilities.elicitation_form = true;
    out->era = options.era;
    return out;
}

web::Url url_of(const VirtualClient::Options& options) {
    return web::parse_url("https://" + options.host + "/mcp").value();
}

std::shared_ptr<const HttpRoute> route_of(const VirtualClient::Setting& setting,
                                          const VirtualClient::Options& options) {
    auto out = std::make_shared<HttpRoute>();
    out->origin = url_of(options);
    out->connect = [&network = setting.network, owner = options.number, host = options.host](Network::Dialed done) {
        network.dial(owner, host, std::move(done));
    };
    return out;
}

/// The clock of the simulation.
class AgendaClock final : public ConversationClock {
 public:
    explicit AgendaClock(Agenda& agenda) : agenda_(agenda) {}

    TimePoint now() const override { return agenda_.now(); }
    void wake_at(TimePoint at, std::function<void()> due) override {
        due_at_ = at;
        agenda_.at(at, [this, at, due = std::move(due), alive = std::weak_ptr(alive_)] {
            if (!alive.expired() && due_at_ == at) due_at_.reset(), due();
        });
    }
    void cancel() override { due_at_.reset(); }

 private:
    Agenda& agenda_;
    std::optional<TimePoint> due_at_;
    const std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

HttpClientOptions http_options(const VirtualClient::Options& options) {
    HttpClientOptions out;
    out.headers = options.headers;
    out.idle_time = 1h;  // the timers of idle connections are not simulated
    return out;
}

ClientTransport::Bounds bounds() {
    const ClientLimits limits;
    return {limits.max_message_bytes, limits.max_queued_output_bytes};
}

}  // namespace

VirtualClient::VirtualClient(Setting setting, Options options)
    : setting_(std::move(setting)),
      options_(std::move(options)),
      dice_(options_.seed),
      secret_(Mark::make(options_.number, dice_)),
      engine_(settings_of(options_)),
      events_(events()),
      conversation_({setting_.agenda.context(), route_of(setting_, options_),
                     std::make_unique<AgendaClock>(setting_.agenda), tokens()},
                    http_options(options_), events_, bounds()) {
    after(0s, [this] { drive([this](core::ClientEngine& engine) { engine.opened(now()); }); });
    core::ClientCall level;
    level.kind = core::ClientCall::Kind::set_level;
    level.params = {{"level", "info"}};
    begin(std::move(level), {.mark = secret_, .tool = "set_level"});
}

VirtualClient::~VirtualClient() {
    drive([](core::ClientEngine& engine) { engine.shut_down({code::connection_closed, "the client was destroyed"}); });
    alive_.reset();
    conversation_.close();
}

ClientTransport::Events VirtualClient::events() {
    ClientTransport::Events out;
    out.message = [this](std::string_view message) {
        drive([&](core::ClientEngine& engine) { engine.receive(message, now()); });
    };
    out.failed = [this](std::int64_t request, Error why) {
        drive([&](core::ClientEngine& engine) { engine.failed(request, std::move(why), now()); });
    };
    out.session_lost = [this](std::int64_t request) {
        note("loses its session");
        drive([&](core::ClientEngine& engine) { engine.session_lost(request, now()); });
    };
    out.user_asked = [this](bool asked) {
        drive([&](core::ClientEngine& engine) { engine.user_asked(asked, now()); });
    };
    out.closed = [this](Error why) { drive([&](core::ClientEngine& engine) { engine.closed(std::move(why), now()); }); };
    out.note = [this](LogLevel, std::string_view text) { note(std::string(text)); };
    return out;
}

std::unique_ptr<RequestTokens> VirtualClient::tokens() {
    if (!setting_.authority) return {};
    return std::make_unique<VirtualSignIn>(VirtualSignIn::Setting{
        setting_.agenda, setting_.network, *setting_.authority, options_.number, url_of(options_), dice_.next(),
        events_.user_asked, [this](const std::string& text) { note(text); }});
}

void VirtualClient::note(const std::string& text) const {
    setting_.note("client " + std::to_string(options_.number) + ": " + text);
}

void VirtualClient::after(Duration wait, std::function<void()> work) {
    setting_.agenda.after(wait, [work = std::move(work), alive = std::weak_ptr(alive_)] {
        if (!alive.expired()) work();
    });
}

// ---- the user

void VirtualClient::begin(core::ClientCall call, CallRecord record) {
    record.owner = options_.number;
    record.since = now();
    const std::size_t place = setting_.ledger.begin(std::move(record));
    note("calls " + setting_.ledger.at(place).tool + " " + setting_.ledger.at(place).mark);
    call.progress = std::make_shared<const std::function<void(const Progress&)>>(
        [this, place](const Progress& p) { setting_.ledger.reported(place, p.message); });
    call.reply = make_reply<json::value>([this, place](const Result<json::value>& answer) {
        const CallRecord& ended = setting_.ledger.at(place);
        note(ended.mark + (answer ? " is answered" : " fails: " + answer.error().message));
        open_.erase(place);
        setting_.ledger.ended(place, answer, now());
    });
    drive([&](core::ClientEngine& engine) { open_[place] = engine.call(std::move(call), now()); });
    if (setting_.ledger.at(place).ended > 0) open_.erase(place);
}

void VirtualClient::call(const std::string& tool) {
    const std::string mark = Mark::make(options_.number, dice_);
    core::ClientCall call;
    call.method = "tools/call";
    call.params = {{"name", tool}, {"arguments", json::object{{"mark", mark}}}};
    begin(std::move(call), {.mark = mark, .tool = tool});
}

void VirtualClient::subscribe() {
    core::ClientCall call;
    call.kind = core::ClientCall::Kind::subscribe;
    call.params = {{"uri", uri()}};
    begin(std::move(call), {.mark = secret_, .tool = "subscribe"});
}

void VirtualClient::cancel(std::size_t which) {
    if (open_.empty()) return;
    const auto [place, id] = *std::next(open_.begin(), static_cast<std::ptrdiff_t>(which % open_.size()));
    setting_.ledger.at(place).cancelled = true;
    note("cancels " + setting_.ledger.at(place).mark);
    drive([id = id](core::ClientEngine& engine) { engine.cancel(id, "the user wants it"); });
}

void VirtualClient::finish() {
    drive([](core::ClientEngine& engine) { engine.shut_down({code::connection_closed, "the client was closed"}); });
    after(0s, [this] {
        conversation_.finish([this] {
            note("has finished");
            finished_ = true;
            after(0s, [this] { conversation_.close(); });
        });
    });
}

// ---- the engine

void VirtualClient::drive(const std::function<void(core::ClientEngine&)>& what) {
    what(engine_);
    for (auto actions = engine_.take_actions(); !actions.empty(); actions = engine_.take_actions())
        for (auto& action : actions) std::visit([this](auto& a) { on(a); }, action);
    plan_tick();
}

void VirtualClient::plan_tick() {
    const auto next = engine_.next_deadline();
    if (!next || (planned_ && *planned_ <= *next)) return;
    planned_ = next;
    after(*next - now(), [this, when = *next] {
        if (planned_ != when) return;
        planned_.reset();
        drive([this](core::ClientEngine& engine) { engine.tick(now()); });
    });
}

// Sends it later, because the engine may be driven by an event of the conversation.
void VirtualClient::on(core::Transmit& transmit) {
    after(0s, [this, message = std::make_shared<OutgoingMessage>(std::move(transmit.message))] {
        conversation_.send({std::move(*message)});
    });
}

void VirtualClient::on(core::Ask& ask) {
    const auto* form = std::get_if<ElicitRequest>(&ask.request);
    if (!form) return setting_.oracle.fail("an unexpected question");
    const auto owner = Mark::owner_of(form->message);
    setting_.oracle.require(owner == options_.number, "a question for another client: " + form->message);
    note("is asked " + form->message);
    const ElicitResult answer{ElicitAction::accept, {{"word", "A" + form->message}}};
    after(std::chrono::milliseconds(dice_.below(2000)), [this, id = ask.id, answer] {
        drive([&](core::ClientEngine& engine) { engine.answered(id, core::AskAnswer(answer), now()); });
    });
}

void VirtualClient::on(core::Announce& news) {
    note("hears " + news.method);
    if (news.method == "notifications/resources/updated")
        setting_.oracle.require(news.params.at("uri") == json::value(uri()), "news of a resource of another client");
    if (news.method == "notifications/message")
        setting_.oracle.require(Mark::owner_of(news.params.at("data").as_string()) == options_.number,
                                "a log message of another client");
}

void VirtualClient::on(core::Reopen& reopen) {
    drive([&](core::ClientEngine& engine) { engine.cannot_reopen(reopen.why); });
}

void VirtualClient::on(core::Hangup&) {
    note("hangs up");
    over_ = true;
}

}  // namespace tenon::test
