// Performs the actions that the state machine of a sign-in requests: fetches, the browser, and functions of the host.
#include <boost/asio/post.hpp>

#include "io/last_resort.hpp"
#include "io/open_url.hpp"
#include "transport/http_client/masked_exchange.hpp"
#include "transport/http_client/sign_in.hpp"

namespace tenon {
namespace {

using auth::client::FetchResult;

std::uint16_t port_of(const std::string& redirect_uri) {
    const auto url = web::parse_url(redirect_uri);
    return url ? url->port : std::uint16_t(0);
}

}  // namespace

void HttpSignIn::perform(auth::client::Fetch fetch) {
    std::optional<auth::Exchange> shown;
    if (authoriser_->tokens.on_exchange) shown = masked_request(fetch.method, fetch.url, fetch.fields, fetch.body);
    fetcher_.fetch(
        {fetch.method, std::move(fetch.url), std::move(fetch.fields), std::move(fetch.body),
         public_server() && !fetch.named_by_host},
        [this, shown = std::move(shown), begin = Clock::now()](const Result<FetchResponse>& answer) mutable {
            if (shown) show(*std::move(shown), answer, Clock::now() - begin);
            if (!answer) return act(flow().fetched(answer.error(), unix_now()));
            act(flow().fetched(FetchResult{answer->status, answer->body, answer->field("dpop-nonce").value_or("")},
                               unix_now()));
        });
}

void HttpSignIn::show(auth::Exchange exchange, const Result<FetchResponse>& answer, Duration took) const {
    const auto tell = [&] {
        exchange.took = took;
        if (answer)
            add_masked_response(exchange, answer->status, answer->fields, answer->body);
        else
            exchange.error = answer.error().message;
        authoriser_->tokens.on_exchange(exchange);
    };
    io::survives(tell, [](const char*) {});
}

// ---- the user

void HttpSignIn::perform(const auth::client::Listen& listen) {
    if (authoriser_->ask_user) return act(flow().listening(authoriser_->redirect_uri, unix_now()));
    const std::uint16_t wanted = authoriser_->redirect_port;
    auto opened = RedirectListener::open(*context_, wanted != 0 ? wanted : port_of(listen.preferred));
    if (!opened && wanted == 0) opened = RedirectListener::open(*context_, 0);
    if (!opened) return act(flow().listening(opened.error(), unix_now()));
    listener_ = *std::move(opened);
    act(flow().listening(listener_->redirect_uri(), unix_now()));
}

void HttpSignIn::perform(const auth::client::AskUser& ask) {
    if (setting_.user_asked) setting_.user_asked(true);
    user_timer_.expires_after(authoriser_->user_time);
    user_timer_.async_wait([this, alive = std::weak_ptr(alive_)](error_code error) {
        if (!error && !alive.expired())
            user_returned(Error{code::not_authorised, "the user did not sign in in time; try again"});
    });
    show(ask);
}

void HttpSignIn::show(const auth::client::AskUser& ask) {
    const auth::Page page{ask.url, ask.redirect_uri, setting_.route->origin.text()};
    if (authoriser_->ask_user) {
        return in_background([ask = authoriser_->ask_user, page](std::stop_token stop) { return ask(page, stop); },
                             [this](const Result<std::string>& url) { user_returned(url); });
    }
    listener_->wait(ask.state, [this](const std::string& url) { user_returned(url); });
    if (authoriser_->open_page) {
        in_background(
            [open = authoriser_->open_page, page](const std::stop_token&) {
                open(page);
                return std::string();
            },
            [this](const Result<std::string>& shown) {
                if (!shown) user_returned(shown);
            });
    } else if (!io::open_url(page.url)) {
        setting_.note(LogLevel::warning, "no browser could be started; open this page yourself: " + page.url);
    }
}

// Only the first call counts; later ones are ignored.
void HttpSignIn::user_returned(const Result<std::string>& url) {
    if (!waits_for_user()) return;
    user_timer_.cancel();
    worker_.request_stop();
    if (setting_.user_asked) setting_.user_asked(false);
    act(flow().redirected(url, unix_now()));
}

// ---- the platform, the company

void HttpSignIn::perform(const auth::client::AskAssertion& ask) {
    in_background(
        [get = authoriser_->assertion, audience = ask.audience](const std::stop_token&) { return get(audience); },
        [this](const Result<std::string>& jwt) { act(flow().asserted(jwt, unix_now())); });
}

// Runs a function of the host on its own thread, because it may block. It may also throw.
void HttpSignIn::in_background(std::function<std::string(std::stop_token)> work,
                               std::function<void(Result<std::string>)> done) {
    worker_ = std::jthread([work = std::move(work), done = std::move(done), context = context_, note = setting_.note,
                            alive = std::weak_ptr(alive_)](const std::stop_token& stop) {
        Result<std::string> result = Error();
        try {
            result = work(stop);
        } catch (const std::exception& e) {
            result = Error{code::not_authorised, std::string("cannot sign in: ") + e.what()};
        } catch (...) {
            result = Error{code::not_authorised, "cannot sign in: a function of the host failed"};
        }
        io::survives(
            [&] {
                asio::post(*context, [done, alive, result = std::move(result)] {
                    if (!alive.expired()) done(result);
                });
            },
            [&](const char* what) { note(LogLevel::error, std::string("signing in ended: ") + what); });
    });
}

}  // namespace tenon
