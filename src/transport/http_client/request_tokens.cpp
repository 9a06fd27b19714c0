#include "transport/http_client/request_tokens.hpp"

#include "base/base64.hpp"

namespace tenon {
namespace {

constexpr std::size_t proof_id_size = 16;

template <class Action>
constexpr bool ends_an_attempt =
    std::is_same_v<Action, auth::client::Ready> || std::is_same_v<Action, auth::client::Failed>;

}  // namespace

RequestTokens::RequestTokens(std::shared_ptr<const auth::client::Profile> profile, std::size_t max_step_ups)
    : profile_(std::move(profile)), tokens_(profile_, max_step_ups) {}

web::OwnFields RequestTokens::fields(std::string_view method, const web::Url& url) {
    return tokens_.fields(method, url, unix_now(),
                          [this] { return base::base64url_encode(random_bytes(proof_id_size)); });
}

// ---- before a request

// Does not wait for a sign-in: only refused requests do.
void RequestTokens::before_request(std::function<void()> go) {
    load();
    const bool refresh = tokens_.should_refresh(unix_now()) && !finishing_;
    if (!refresh && attempt_ != Attempt::refresh) return go();
    waiters_.push_back([go = std::move(go)](const Result<void>&) { go(); });
    if (attempt_ == Attempt::none) begin_refresh();
}

void RequestTokens::begin_refresh() {
    attempt_ = Attempt::refresh;
    lock_then([this] {
        if (!tokens_.should_refresh(unix_now())) return over({});  // another process has refreshed them
        flow_.emplace(make_flow());
        act(flow_->refresh(unix_now()));
    });
}

// ---- after a refusal

void RequestTokens::sign_in(const Refused& refused, Done done) {
    const auto later = [&](Result<void> result) { post([done, result = std::move(result)] { done(result); }); };
    const bool is_old = refused.generation != generation();
    if (tokens_.wants_nonce(refused) || (is_old && attempt_ == Attempt::none)) return later({});
    if (attempt_ != Attempt::none) return waiters_.push_back(std::move(done));
    if (auto why = tokens_.hopeless(refused)) return later(*std::move(why));
    waiters_.push_back(std::move(done));
    attempt_ = Attempt::sign_in;
    lock_then([this, refused] { begin(refused); });
}

void RequestTokens::begin(const Refused& refused) {
    if (refused.generation != generation()) return over({});  // another process has signed in meanwhile
    tokens_.begin(refused);
    flow_.emplace(make_flow());
    act(flow_->begin({refused.challenges, refused.status == 403, public_server(), refused.needs_metadata}, unix_now()));
}

auth::client::SignIn RequestTokens::make_flow() {
    return {profile_,
            tokens_.record(),
            {[this](std::size_t size) { return random_bytes(size); },
             [] { return jose::PrivateKey::generate(jose::Algorithm::es256); }}};
}

void RequestTokens::act(Action action) {
    std::visit(
        [this](auto& a) {
            if constexpr (ends_an_attempt<std::decay_t<decltype(a)>>) {
                end(a);
            } else {
                perform(std::move(a));
            }
        },
        action);
}

// ---- the end of an attempt

void RequestTokens::end(const auth::client::Ready& ready) {
    save(flow_->record());
    tokens_.signed_in(flow_->record(), flow_->scopes(), ready.refreshed);
    over({});
}

void RequestTokens::end(const auth::client::Failed& failed) {
    save(flow_->record());
    tokens_.failed(flow_->record(), flow_->scopes(), failed.why);
    over(failed.why);
}

// Resets all state first, because a waiter may start the next attempt.
void RequestTokens::over(const Result<void>& result) {
    clean_up();
    flow_.reset();
    attempt_ = Attempt::none;
    if (!result) note(LogLevel::info, result.error().message);
    for (Done& waiter : std::exchange(waiters_, {})) post([waiter = std::move(waiter), result] { waiter(result); });
}

}  // namespace tenon
