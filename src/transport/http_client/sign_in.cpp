#include "transport/http_client/sign_in.hpp"

#include <boost/asio/post.hpp>

#include "io/random.hpp"
#include "web/address_rules.hpp"

namespace tenon {
namespace {

using auth::client::Profile;
using auth::client::Record;

constexpr Duration lock_poll = std::chrono::milliseconds(100);

std::shared_ptr<const Profile> profile_for(const auth::Authoriser& authoriser, const web::Url& server) {
    auto out = std::make_shared<Profile>(authoriser.profile);
    out->server = server;
    return out;
}

Error not_authorised(std::string why) { return {code::not_authorised, std::move(why)}; }

}  // namespace

HttpSignIn::HttpSignIn(std::shared_ptr<asio::io_context> context, std::shared_ptr<auth::Authoriser> authoriser,
                       Setting setting)
    : RequestTokens(profile_for(*authoriser, setting.route->origin), authoriser->tokens.max_step_ups),
      context_(std::move(context)),
      authoriser_(std::move(authoriser)),
      setting_(std::move(setting)),
      key_(setting_.route->origin.text()),
      fetcher_(context_, setting_.fetch),
      lock_timer_(*context_),
      user_timer_(*context_) {}

HttpSignIn::~HttpSignIn() {
    alive_.reset();
    worker_.request_stop();
}

void HttpSignIn::finish() {
    RequestTokens::finish();
    worker_.request_stop();
    user_returned(not_authorised("the client was closed while the user signed in"));
}

// ---- the surroundings of an attempt

std::int64_t HttpSignIn::unix_now() const {
    return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch())
        .count();
}

std::string HttpSignIn::random_bytes(std::size_t size) {
    std::string out(size, '\0');
    io::fill_random(out.data(), out.size());
    return out;
}

bool HttpSignIn::public_server() const {
    const HttpRoute& route = *setting_.route;
    return route.proxy ? !web::is_private_host(route.origin.host) : *setting_.seen_public;
}

void HttpSignIn::post(std::function<void()> work) {
    asio::post(*context_, [work = std::move(work), alive = std::weak_ptr(alive_)] {
        if (!alive.expired()) work();
    });
}

void HttpSignIn::clean_up() {
    user_timer_.cancel();
    listener_.reset();
    lock_.reset();
}

// ---- the store of tokens

void HttpSignIn::load() {
    if (std::exchange(loaded_, true)) return;
    try {
        if (const auto text = authoriser_->tokens.store->load(key_)) tokens_.use(auth::client::read_record(*text));
    } catch (const std::exception& e) {
        setting_.note(LogLevel::warning, std::string("the stored tokens cannot be used: ") + e.what());
    }
}

void HttpSignIn::save(const Record& record) {
    try {
        const auto& store = authoriser_->tokens.store;
        if (record.is_empty()) return store->erase(key_);
        store->save(key_, auth::client::write_record(record));
    } catch (const std::exception& e) {
        setting_.note(LogLevel::warning, std::string("the tokens cannot be kept: ") + e.what());
    }
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

}  // namespace tenon
