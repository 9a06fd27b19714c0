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
      machine_(url_of(options_), {.headers = options_.headers, .signs_in = setting_.authority != nullptr}),
      calls_(setting_.agenda.context(), route_of(setting_, options_),
             {web::ConversationOptions{}.max_connections, 3, 1h}) {
    if (setting_.authority)
        sign_in_ = std::make_unique<VirtualSignIn>(VirtualSignIn::Setting{
            setting_.agenda, setting_.network, *setting_.authority, options_.number, url_of(options_), dice_.next(),
            [this](bool asked) { drive([&](core::ClientEngine& engine) { engine.user_asked(asked, now()); }); },
            [this](const std::string& text) { note(text); }});
    after(0s, [this] { drive([this](core::ClientEngine& engine) { engine.opened(now()); }); });
    core::ClientCall level;
    level.kind = core::ClientCall::Kind::set_level;
    level.params = {{"level", "info"}};
    begin(std::move(level), {.mark = secret_, .tool = "set_level"});
}

VirtualClient::~VirtualClient() {
    drive([](core::ClientEngine& engine) { engine.shut_down({code::connection_closed, "the client was destroyed"}); });
    alive_.reset();
    sign_in_.reset();
    for (const auto& [id, call] : std::exchange(running_, {}))
        if (call.http) call.http->abort();
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
    if (sign_in_) sign_in_->finish();
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
    drive([&](core::ClientEngine& engine) { engine.cannot_reopen(reopen.why); });
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
    const HttpCallId call = start.call;
    running_.insert_or_assign(call, Running{std::move(start)});
    if (!sign_in_) return launch(call);
    sign_in_->before_request([this, call] { launch(call); });
}

void VirtualClient::launch(HttpCallId call) {
    const auto it = running_.find(call);
    if (it == running_.end()) return;  // it was cancelled meanwhile
    web::ClientRequest& request = it->second.start.request;
    note("sends " + std::string(request.method));
    if (sign_in_) {
        it->second.generation = sign_in_->tokens().generation();
        for (auto& field : sign_in_->fields(request.method, request.url)) request.fields.push_back(std::move(field));
    }
    it->second.http = calls_.start(std::move(request), *this, call, it->second.start.urgency);
}

void VirtualClient::on(step::Cancel& cancel) {
    if (const auto node = running_.extract(cancel.call); node && node.mapped().http) node.mapped().http->abort();
}

void VirtualClient::on(step::SignIn& sign_in) {
    const auto it = running_.find(sign_in.call);
    if (it == running_.end()) return;
    it->second.http->abort();
    sign_in_->sign_in(*it->second.refused, [this, call = sign_in.call](const Result<void>& result) {
        if (result) return resume(step::SignedIn{call});
        running_.erase(call);
        resume(step::Failed{call, result.error()});
    });
}

bool VirtualClient::sign_in_may_help(HttpCallId call, const framing::HttpResponse& head) {
    const auto it = running_.find(call);
    if (!sign_in_ || it == running_.end()) return false;
    const auto field = head.fields.only("www-authenticate");
    VirtualSignIn::Refused refused{head.status, auth::client::parse_challenges(field.value_or("")),
                                   it->second.generation};
    if (it->second.start.may_sign_in && sign_in_->can_help(refused)) {
        it->second.refused = std::move(refused);
        return true;
    }
    if (head.status != 401) sign_in_->tokens().accepted(it->second.generation);
    return false;
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
    drive([&](core::ClientEngine& engine) { engine.closed(std::move(lost.why), now()); });
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
    resume(step::Head{call, head, sign_in_may_help(call, head)});
}

// A refused call stays: SignIn follows, and then the next Start.
void VirtualClient::on_end(HttpCallId call) {
    if (const auto it = running_.find(call); it != running_.end() && !it->second.refused) running_.erase(it);
    resume(step::End{call});
}

void VirtualClient::on_failed(HttpCallId call, Error why) {
    note("loses a request: " + why.message);
    running_.erase(call);
    resume(step::Failed{call, std::move(why)});
}

}  // namespace tenon::test
