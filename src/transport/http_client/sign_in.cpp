#include "transport/http_client/sign_in.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>

#include "auth/client/dpop_proof.hpp"
#include "auth/members.hpp"
#include "base/base64.hpp"
#include "io/random.hpp"
#include "web/address_rules.hpp"
#include "web/client_answer.hpp"

namespace tenon {
namespace {

using auth::client::Profile;
using auth::client::Record;
using auth::client::Scopes;

constexpr std::int64_t refresh_ahead = 30;  // seconds before the tokens expire
constexpr Duration lock_poll = std::chrono::milliseconds(100);
constexpr std::size_t max_nonce_bytes = 1024;

std::string random_bytes(std::size_t size) {
    std::string out(size, '\0');
    io::fill_random(out.data(), out.size());
    return out;
}

std::shared_ptr<const Profile> profile_for(const auth::Authoriser& authoriser, const web::Url& server) {
    auto out = std::make_shared<Profile>(authoriser.profile);
    out->server = server;
    return out;
}

bool is_oauth(const auth::client::Challenge& c) { return c.is("Bearer") || c.is("DPoP"); }

std::string parameter(const HttpSignIn::Refused& refused, std::string_view name) {
    for (const auto& c : refused.challenges)
        if (is_oauth(c) && !c.parameter(name).empty()) return std::string(c.parameter(name));
    return {};
}

Error not_authorised(std::string why) { return {code::not_authorised, std::move(why)}; }

}  // namespace

std::int64_t unix_now() {
    return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch())
        .count();
}

HttpSignIn::HttpSignIn(std::shared_ptr<asio::io_context> context, std::shared_ptr<auth::Authoriser> authoriser,
                       Setting setting)
    : context_(std::move(context)),
      authoriser_(std::move(authoriser)),
      profile_(profile_for(*authoriser_, setting.route->origin)),
      setting_(std::move(setting)),
      key_(setting_.route->origin.text()),
      fetcher_(context_, setting_.fetch),
      lock_timer_(*context_),
      user_timer_(*context_) {}

HttpSignIn::~HttpSignIn() {
    alive_.reset();
    worker_.request_stop();
}

// ---- current tokens

void HttpSignIn::load() {
    if (std::exchange(loaded_, true)) return;
    try {
        if (const auto text = authoriser_->tokens.store->load(key_)) use(auth::client::read_record(*text));
    } catch (const std::exception& e) {
        setting_.note(LogLevel::warning, std::string("the stored tokens cannot be used: ") + e.what());
    }
}

void HttpSignIn::use(Record record) {
    if (record.tokens.access_token != record_.tokens.access_token) ++generation_;
    record_ = std::move(record);
    proof_key_.reset();
    if (!record_.tokens.dpop) return;
    const auto jwk = auth::client::parse_object(record_.dpop_key, "the key");
    if (auto key = jwk ? jose::PrivateKey::from_jwk(*jwk) : Result<jose::PrivateKey>(jwk.error()); key)
        proof_key_ = *std::move(key);
}

bool HttpSignIn::expires_within(std::int64_t seconds) const {
    const std::int64_t at = record_.tokens.expires_at;
    return at != 0 && at - seconds <= unix_now();
}

web::OwnFields HttpSignIn::fields(std::string_view method, const web::Url& url) const {
    const auto& tokens = record_.tokens;
    if (tokens.access_token.empty() || expires_within(0) || !auth::client::is_safe(url)) return {};
    if (!tokens.dpop) return {{"Authorization", "Bearer " + tokens.access_token}};
    if (!proof_key_) return {};
    const auth::client::ProofOf of{method, url,        tokens.access_token,
                                   nonce_, unix_now(), base::base64url_encode(random_bytes(16))};
    return {{"Authorization", "DPoP " + tokens.access_token}, {"DPoP", auth::client::dpop_proof(*proof_key_, of)}};
}

void HttpSignIn::accepted(std::uint64_t generation) { accepted_ = std::max(accepted_, generation); }

void HttpSignIn::saw_nonce(std::string nonce) {
    if (nonce.size() <= max_nonce_bytes) nonce_ = std::move(nonce);
}

bool HttpSignIn::public_server() const {
    const HttpRoute& route = *setting_.route;
    return route.proxy ? !web::is_private_host(route.origin.host) : *setting_.seen_public;
}

// ---- before a request

void HttpSignIn::before_request(std::function<void()> go) {
    load();
    const bool refresh = !record_.tokens.refresh_token.empty() && expires_within(refresh_ahead) && !finishing_;
    if (!refresh && !refreshing_) return go();  // does not wait for a sign-in: only refused requests do
    waiters_.push_back([go = std::move(go)](const Result<void>&) { go(); });
    if (!running_) begin_refresh();
}

void HttpSignIn::begin_refresh() {
    running_ = refreshing_ = true;
    lock_then([this] {
        if (!expires_within(refresh_ahead) || record_.tokens.refresh_token.empty()) return over({});
        flow_.emplace(make_flow());
        act(flow_->refresh(unix_now()));
    });
}

// ---- after a refusal

bool HttpSignIn::can_help(const Refused& refused) const {
    if (finishing_) return false;
    const bool oauth = refused.challenges.empty() || std::ranges::any_of(refused.challenges, is_oauth);
    if (refused.status == 401) return oauth;
    return refused.status == 403 && parameter(refused, "error") == "insufficient_scope";
}

// Returns whether the refused request carried tokens that this object obtained and the server has never accepted.
bool HttpSignIn::is_new(const Refused& refused) const {
    return own_ != 0 && own_ == refused.generation && accepted_ < refused.generation;
}

// Returns an error when another sign-in would only be refused again for the same reason.
std::optional<Error> HttpSignIn::hopeless(const Refused& refused) const {
    const bool nobody = profile_->kind == Profile::Kind::user && !profile_->interactive;
    if (nobody && (record_.tokens.refresh_token.empty() || refused.status == 403))
        return not_authorised(refused.status == 403
                                  ? "the server requires more scopes than you have granted; sign in again"
                                  : "the server requires you to sign in first");
    if (refused.status == 401) {
        if (!is_new(refused) || refreshed_) return std::nullopt;
        return not_authorised("the server refuses the token that its own authorisation server has just given");
    }
    const Scopes wanted = auth::client::parse_scopes(parameter(refused, "scope"));
    const std::string names = web::printable(auth::client::write_scopes(wanted));
    if (wanted.empty()) return not_authorised("the server requires more scopes than you have, but does not say which");
    if (auth::client::contains_all(asked_, wanted))
        return not_authorised("the server requires the scopes `" + names +
                              "`, which were already requested and not granted");
    if (step_ups_ >= authoriser_->tokens.max_step_ups)
        return not_authorised("the server keeps requiring more scopes, now `" + names +
                              "`; TokenOptions::max_step_ups is " + std::to_string(step_ups_));
    return std::nullopt;
}

void HttpSignIn::sign_in(const Refused& refused, Waiter done) {
    const auto later = [&](Result<void> result) {
        asio::post(*context_, [done, result = std::move(result), alive = std::weak_ptr(alive_)] {
            if (!alive.expired()) done(result);
        });
    };
    const bool wants_nonce = parameter(refused, "error") == "use_dpop_nonce" && !nonce_.empty();
    if (wants_nonce || (refused.generation != generation_ && !running_)) return later({});
    if (running_) return waiters_.push_back(std::move(done));
    if (auto why = hopeless(refused)) return later(*std::move(why));
    waiters_.push_back(std::move(done));
    running_ = true;
    if (refused.status == 403) ++step_ups_;
    lock_then([this, refused] { begin(refused); });
}

void HttpSignIn::begin(const Refused& refused) {
    if (refused.generation != generation_) return over({});     // another process has signed in meanwhile
    if (is_new(refused)) record_.tokens.refresh_token.clear();  // the server refuses the tokens that it gives
    flow_.emplace(make_flow());
    act(flow_->begin({refused.challenges, refused.status == 403, public_server()}, unix_now()));
}

auth::client::SignIn HttpSignIn::make_flow() const {
    return {profile_, record_, {random_bytes, [] { return jose::PrivateKey::generate(jose::Algorithm::es256); }}};
}

// Takes the lock that all processes share, because a refresh token can be used only once. Then uses tokens that another
// process has stored meanwhile.
void HttpSignIn::lock_then(std::function<void()> then) {
    poll_lock(later(Clock::now(), authoriser_->tokens.lock_time), std::move(then));
}

void HttpSignIn::poll_lock(TimePoint until, std::function<void()> then) {
    try {
        lock_ = authoriser_->tokens.store->try_lock(key_);
        if (lock_) {
            const auto text = authoriser_->tokens.store->load(key_);
            Record stored = text ? auth::client::read_record(*text) : Record();
            const std::string& token = stored.tokens.access_token;
            if (!token.empty() && token != record_.tokens.access_token) use(std::move(stored));
        }
    } catch (const std::exception& e) {
        return over(not_authorised(std::string("cannot use the store of tokens: ") + e.what()));
    }
    if (lock_) return then();
    if (Clock::now() >= until)
        return over(not_authorised("another process is signing in to this server; try again when it is done"));
    lock_timer_.expires_after(lock_poll);
    lock_timer_.async_wait([this, until, then = std::move(then), alive = std::weak_ptr(alive_)](error_code error) {
        if (!error && !alive.expired()) poll_lock(until, then);
    });
}

// ---- end of a sign-in

void HttpSignIn::finish() {
    finishing_ = true;
    worker_.request_stop();
    came_back(not_authorised("the client was closed while the user signed in"));
}

void HttpSignIn::save() {
    try {
        const auto& store = authoriser_->tokens.store;
        if (flow_->record().is_empty()) return store->erase(key_);
        store->save(key_, auth::client::write_record(flow_->record()));
    } catch (const std::exception& e) {
        setting_.note(LogLevel::warning, std::string("the tokens cannot be kept: ") + e.what());
    }
}

void HttpSignIn::on(const auth::client::Ready&) {
    save();
    asked_ = auth::client::joined(std::move(asked_), flow_->scopes());
    use(flow_->record());
    own_ = generation_;
    refreshed_ = flow_->refreshed();
    over({});
}

void HttpSignIn::on(const auth::client::Failed& failed) {
    save();
    asked_ = auth::client::joined(std::move(asked_), flow_->scopes());
    use(flow_->record());
    over(failed.why);
}

// Ends the sign-in and calls the waiters. Resets all state first, because a waiter may start the next sign-in.
void HttpSignIn::over(const Result<void>& result) {
    user_timer_.cancel();
    listener_.reset();
    lock_.reset();
    flow_.reset();
    running_ = refreshing_ = false;
    if (!result) setting_.note(LogLevel::info, result.error().message);
    asio::post(*context_, [waiters = std::exchange(waiters_, {}), result, alive = std::weak_ptr(alive_)] {
        for (const auto& waiter : waiters)
            if (!alive.expired()) waiter(result);
    });
}

}  // namespace tenon
