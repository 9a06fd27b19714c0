#include "simulation/virtual_sign_in.hpp"

#include <tenon/auth/error.hpp>

namespace tenon::test {
namespace {

constexpr std::size_t max_step_ups = 3;

std::shared_ptr<const auth::client::Profile> profile_of(const web::Url& server) {
    auto out = std::make_shared<auth::client::Profile>();
    out->server = server;
    out->client_name = "simulated";
    return out;
}

std::string random_bytes(Dice& dice, std::size_t size) {
    std::string out;
    while (out.size() < size) out.push_back(static_cast<char>(dice.below(256)));
    return out;
}

}  // namespace

VirtualSignIn::VirtualSignIn(Setting setting)
    : setting_(std::move(setting)),
      dice_(setting_.seed),
      profile_(profile_of(setting_.server)),
      tokens_(profile_, max_step_ups),
      fetcher_(setting_.agenda, setting_.network, setting_.owner) {}

void VirtualSignIn::plan(Duration wait, Agenda::Work work) {
    setting_.agenda.after(wait, [work = std::move(work), alive = std::weak_ptr(alive_)] {
        if (!alive.expired()) work();
    });
}

void VirtualSignIn::make_flow() {
    flow_.emplace(profile_, tokens_.record(),
                  auth::client::Randomness{[this](std::size_t size) { return random_bytes(dice_, size); },
                                           [] { return jose::PrivateKey::generate(jose::Algorithm::es256); }});
}

web::OwnFields VirtualSignIn::fields(std::string_view method, const web::Url& url) {
    return tokens_.fields(method, url, now(), [this] { return std::to_string(dice_.next()); });
}

void VirtualSignIn::before_request(std::function<void()> go) {
    const bool refresh = tokens_.should_refresh(now()) && !finishing_;
    if (!refresh && !refreshing_) return go();
    waiters_.push_back([go = std::move(go)](const Result<void>&) { go(); });
    if (running_) return;
    setting_.note("refreshes its tokens");
    running_ = refreshing_ = true;
    make_flow();
    act(flow_->refresh(now()));
}

void VirtualSignIn::sign_in(const Refused& refused, Done done) {
    const auto tell = [&](Result<void> result) { plan(0s, [done, result = std::move(result)] { done(result); }); };
    if (tokens_.wants_nonce(refused) || (refused.generation != tokens_.generation() && !running_)) return tell({});
    if (running_) return waiters_.push_back(std::move(done));
    if (auto why = tokens_.hopeless(refused)) return tell(*std::move(why));
    setting_.note("signs in after " + std::to_string(refused.status));
    waiters_.push_back(std::move(done));
    running_ = true;
    tokens_.begin(refused);
    make_flow();
    act(flow_->begin({refused.challenges, refused.status == 403, true}, now()));
}

void VirtualSignIn::act(auth::client::Action action) {
    std::visit([this](auto& what) { on(what); }, action);
}

void VirtualSignIn::on(auth::client::Fetch& fetch) {
    web::ClientRequest request{fetch.method, web::parse_url(fetch.url).value(), fetch.fields, fetch.body};
    fetcher_.fetch(std::move(request), [this](const Result<VirtualFetcher::Answer>& answer) {
        if (!answer) return act(flow_->fetched(answer.error(), now()));
        act(flow_->fetched(auth::client::FetchResult{answer->status, answer->body, {}}, now()));
    });
}

void VirtualSignIn::on(auth::client::Listen&) { act(flow_->listening(std::string("http://127.0.0.1:7000/"), now())); }

void VirtualSignIn::on(auth::client::AskUser& page) {
    setting_.user_asked(true);
    plan(std::chrono::milliseconds(dice_.below(3000)), [this, url = page.url] {
        setting_.user_asked(false);
        act(flow_->redirected(setting_.authority.agree(url, setting_.owner), now()));
    });
}

void VirtualSignIn::on(auth::client::AskAssertion&) {
    act(flow_->asserted(Error{code::not_authorised, "there is no platform"}, now()));
}

void VirtualSignIn::on(auth::client::Ready& ready) {
    tokens_.signed_in(flow_->record(), flow_->scopes(), ready.refreshed);
    over({});
}

void VirtualSignIn::on(auth::client::Failed& failed) {
    tokens_.failed(flow_->record(), flow_->scopes(), failed.why);
    over(failed.why);
}

// Resets all state first, because a waiter may start the next sign-in.
void VirtualSignIn::over(const Result<void>& result) {
    setting_.note(result ? "has new tokens" : "cannot sign in: " + result.error().message);
    running_ = refreshing_ = false;
    plan(0s, [waiters = std::exchange(waiters_, {}), result] {
        for (const Done& waiter : waiters) waiter(result);
    });
}

}  // namespace tenon::test
