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

}  // namespace

VirtualSignIn::VirtualSignIn(Setting setting)
    : RequestTokens(profile_of(setting.server), max_step_ups),
      setting_(std::move(setting)),
      dice_(setting_.seed),
      fetcher_(setting_.agenda, setting_.network, setting_.owner) {}

void VirtualSignIn::plan(Duration wait, Agenda::Work work) {
    setting_.agenda.after(wait, [work = std::move(work), alive = std::weak_ptr(alive_)] {
        if (!alive.expired()) work();
    });
}

std::string VirtualSignIn::random_bytes(std::size_t size) {
    std::string out;
    while (out.size() < size) out.push_back(static_cast<char>(dice_.below(256)));
    return out;
}

void VirtualSignIn::perform(auth::client::Fetch fetch) {
    web::ClientRequest request{fetch.method, web::parse_url(fetch.url).value(), fetch.fields, fetch.body};
    fetcher_.fetch(std::move(request), [this](const Result<VirtualFetcher::Answer>& answer) {
        if (!answer) return act(flow().fetched(answer.error(), unix_now()));
        act(flow().fetched(auth::client::FetchResult{answer->status, answer->body, {}}, unix_now()));
    });
}

void VirtualSignIn::perform(const auth::client::Listen&) {
    act(flow().listening(std::string("http://127.0.0.1:7000/"), unix_now()));
}

void VirtualSignIn::perform(const auth::client::AskUser& page) {
    setting_.note("is asked to sign in");
    setting_.user_asked(true);
    plan(std::chrono::milliseconds(dice_.below(3000)), [this, url = page.url] {
        setting_.user_asked(false);
        act(flow().redirected(setting_.authority.agree(url, setting_.owner), unix_now()));
    });
}

void VirtualSignIn::perform(const auth::client::AskAssertion&) {
    act(flow().asserted(Error{code::not_authorised, "there is no platform"}, unix_now()));
}

}  // namespace tenon::test
