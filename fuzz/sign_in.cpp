// Invariant: signing in fetches and shows safe URLs only, and ends after few steps with a token or a reason.
// Input: one byte that chooses the profile, then lines: a stored record, the challenge, and the response to each step.
#include "auth/client/sign_in.hpp"

#include "support.hpp"

namespace tenon::fuzz::sign_in_target {
namespace {

using namespace auth::client;

constexpr std::int64_t now = 1'800'000'000;
constexpr int most_steps = 60;

const jose::PrivateKey& proof_key() {
    static const jose::PrivateKey key = jose::PrivateKey::generate(jose::Algorithm::es256);
    return key;
}

std::shared_ptr<const Profile> profile(std::uint8_t choice) {
    auto out = std::make_shared<Profile>();
    out->kind = static_cast<Profile::Kind>(choice % 4);
    out->server = web::parse_url("https://mcp.example/mcp").value();
    out->client_name = "fuzz";
    out->dpop = static_cast<Profile::Dpop>(choice / 4 % 3);
    out->issuer = "https://as.example";
    if (out->kind != Profile::Kind::user) out->client_id = "id", out->client_secret = "SECRET";
    out->idp_issuer = "https://idp.example";
    out->idp_client_id = "idp";
    return out;
}

Randomness randomness() {
    return {[](std::size_t size) { return std::string(size, 'r'); }, [] { return proof_key(); }};
}

void check(const Fetch& fetch) {
    const auto url = web::parse_url(fetch.url);
    must(url.has_value() && is_safe(*url), "only safe URLs are fetched");
}

FetchResult answer_from(Feed& feed) {
    FetchResult out;
    out.status = feed.byte() % 4 == 0 ? 400 : 200;
    out.body = feed.until('\n');
    return out;
}

Action next(SignIn& flow, const Action& action, Feed& feed) {
    if (const auto* fetch = std::get_if<Fetch>(&action)) {
        check(*fetch);
        if (feed.empty()) return flow.fetched(Error{code::connection_closed, "no connection"}, now);
        return flow.fetched(answer_from(feed), now);
    }
    if (std::holds_alternative<Listen>(action)) return flow.listening(std::string("http://127.0.0.1:7/callback"), now);
    if (const auto* page = std::get_if<AskUser>(&action)) {
        const auto url = web::parse_url(page->url);
        must(url.has_value() && is_safe(*url), "only safe pages are shown");
        const std::string said(feed.until('\n'));
        return flow.redirected(
            said.empty() ? page->redirect_uri + "?code=C&iss=https://as.example&state=" + page->state : said, now);
    }
    return flow.asserted(std::string(feed.until('\n')), now);
}

void run(std::string_view input) {
    Feed feed(input);
    const std::uint8_t choice = feed.byte();
    SignIn flow(profile(choice), read_record(feed.until('\n')), randomness());
    const bool has_tokens = !flow.record().tokens.refresh_token.empty();
    const bool refresh = choice >= 128 && has_tokens;
    Action action =
        refresh ? flow.refresh(now) : flow.begin({parse_challenges(feed.until('\n')), choice % 2 == 1, true}, now);
    for (int steps = 0; steps < most_steps; ++steps) {
        if (std::holds_alternative<Ready>(action))
            return must(!flow.record().tokens.access_token.empty(), "the record has a token at the end");
        if (const auto* failed = std::get_if<Failed>(&action))
            return must(!failed->why.message.empty(), "a failure says why");
        action = next(flow, action, feed);
    }
    must(false, "signing in ends");
}

const Target target{"sign_in", run};

}  // namespace
}  // namespace tenon::fuzz::sign_in_target
