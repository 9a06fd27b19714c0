#include "transport/http_client/sign_in.hpp"

#include <boost/asio/post.hpp>

#include "base/base64.hpp"
#include "io/random.hpp"
#include "web/address_rules.hpp"

namespace tenon {
namespace {

using auth::client::Profile;
using auth::client::Record;

constexpr Duration lock_poll = std::chrono::milliseconds(100);

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
      tokens_(profile_, authoriser_->tokens.max_step_ups),
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
        if (const auto text = authoriser_->tokens.store->load(key_)) tokens_.use(auth::client::read_record(*text));
    } catch (const std::exception& e) {
        setting_.note(LogLevel::warning, std::string("the stored tokens cannot be used: ") + e.what());
    }
}

web::OwnFields HttpSignIn::fields(std::string_view method, const web::Url& url) const {
    return tokens_.fields(method, url, unix_now(), [] { return base::base64url_encode(random_bytes(16)); });
}

bool HttpSignIn::public_server() const {
    const HttpRoute& route = *setting_.route;
    return route.proxy ? !web::is_private_host(route.origin.host) : *setting_.seen_public;
}

// ---- before a request

void HttpSignIn::before_request(std::function<void()> go) {
    load();
    const bool refresh = tokens_.should_refresh(unix_now()) && !finishing_;
    if (!refresh && !refreshing_) return go();  // does not wait for a sign-in: only refused requests do
    waiters_.push_back([go = std::move(go)](const Result<void>&) { go(); });
    if (!running_) begin_refresh();
}

void HttpSignIn::begin_refresh() {
    running_ = refreshing_ = true;
    lock_then([this] {
        if (!tokens_.should_refresh(unix_now())) return over({});  // another process has refreshed them
        flow_.emplace(make_flow());
        act(flow_->refresh(unix_now()));
    });
}

// ---- after a refusal

void HttpSignIn::sign_in(const Refused& refused, Waiter done) {
    const auto later = [&](Result<void> result) {
        asio::post(*context_, [done, result = std::move(result), alive = std::weak_ptr(alive_)] {
            if (!alive.expired()) done(result);
        });
    };
    const bool is_old = refused.generation != generation();
    if (tokens_.wants_nonce(refused) || (is_old && !running_)) return later({});
    if (running_) return waiters_.push_back(std::move(done));
    if (auto why = tokens_.hopeless(refused)) return later(*std::move(why));
    waiters_.push_back(std::move(done));
    running_ = true;
    lock_then([this, refused] { begin(refused); });
}

void HttpSignIn::begin(const Refused& refused) {
    if (refused.generation != generation()) return over({});  // another process has signed in meanwhile
    tokens_.begin(refused);
    flow_.emplace(make_flow());
    act(flow_->begin({refused.challenges, refused.status == 403, public_server()}, unix_now()));
}

auth::client::SignIn HttpSignIn::make_flow() const {
    return {
        profile_, tokens_.record(), {random_bytes, [] { return jose::PrivateKey::generate(jose::Algorithm::es256); }}};
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
            if (!token.empty() && token != tokens_.record().tokens.access_token) tokens_.use(std::move(stored));
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

void HttpSignIn::on(const auth::client::Ready& ready) {
    save();
    tokens_.signed_in(flow_->record(), flow_->scopes(), ready.refreshed);
    over({});
}

void HttpSignIn::on(const auth::client::Failed& failed) {
    save();
    tokens_.failed(flow_->record(), flow_->scopes(), failed.why);
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
