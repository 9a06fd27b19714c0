#include "simulation/virtual_client.hpp"

namespace tenon::test {
namespace {

namespace step = web::conversation;

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

}  // namespace

VirtualClient::VirtualClient(Setting setting, Options options)
    : setting_(std::move(setting)),
      options_(std::move(options)),
      dice_(options_.seed),
      secret_(Mark::make(options_.number, dice_)),
      engine_(settings_of(options_)),
      machine_(url_of(options_), {.headers = options_.headers}),
      calls_(setting_.agenda.context(), route_of(setting_, options_), {8, 3, 1h}) {
    after(0s, [this] { drive([this](core::ClientEngine& engine) { engine.opened(now()); }); });
    core::ClientCall level;
    level.kind = core::ClientCall::Kind::set_level;
    level.params = {{"level", "info"}};
    begin(std::move(level), {.mark = secret_, .tool = "set_level"});
}

VirtualClient::~VirtualClient() {
    drive([](core::ClientEngine& engine) { engine.shut_down({code::connection_closed, "the client was destroyed"}); });
    alive_.reset();
    for (const auto& [id, call] : std::exchange(running_, {})) call->abort();
    calls_.close();
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
    after(0s, [this] { resume(step::Finish{}); });
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
        resume(step::Send{std::move(*message)});
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
    drive([&](core::ClientEngine& engine) { engine.closed(reopen.why); });
}

void VirtualClient::on(core::Hangup&) {
    note("hangs up");
    over_ = true;
}

// ---- the conversation

void VirtualClient::resume(step::Event event) {
    auto actions = machine_.resume(std::move(event), now());
    for (auto& action : actions) std::visit([this](auto& a) { on(a); }, action);
}

void VirtualClient::on(step::Start& start) {
    note("sends " + std::string(start.request.method));
    running_[start.call] = calls_.start(std::move(start.request), *this, start.call, start.urgency);
}

void VirtualClient::on(step::Cancel& cancel) {
    if (const auto node = running_.extract(cancel.call)) node.mapped()->abort();
}

void VirtualClient::on(step::Deliver& deliver) {
    drive([&](core::ClientEngine& engine) { engine.receive(deliver.message, now()); });
}

void VirtualClient::on(step::FailRequest& failed) {
    drive([&](core::ClientEngine& engine) { engine.failed(failed.request, std::move(failed.why), now()); });
}

void VirtualClient::on(step::SessionLost& lost) {
    note("loses its session");
    drive([&](core::ClientEngine& engine) { engine.session_lost(lost.request, now()); });
}

void VirtualClient::on(step::ConnectionLost& lost) {
    drive([&](core::ClientEngine& engine) { engine.closed(std::move(lost.why)); });
}

void VirtualClient::on(step::SetTimer& timer) {
    timer_ = timer.at;
    after(timer.at - now(), [this, when = timer.at] {
        if (timer_ == when) timer_.reset(), resume(step::TimerDue{});
    });
}

void VirtualClient::on(step::Finished&) {
    note("has finished");
    finished_ = true;
    after(0s, [this] {
        resume(step::Close{});
        calls_.close();
    });
}

void VirtualClient::on_head(HttpCallId call, const framing::HttpResponse& head) {
    note("gets " + std::to_string(head.status));
    resume(step::Head{call, head});
}

void VirtualClient::on_end(HttpCallId call) {
    running_.erase(call);
    resume(step::End{call});
}

void VirtualClient::on_failed(HttpCallId call, Error why) {
    note("loses a request: " + why.message);
    running_.erase(call);
    resume(step::Failed{call, std::move(why)});
}

}  // namespace tenon::test
