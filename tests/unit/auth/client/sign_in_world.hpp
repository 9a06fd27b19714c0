// A sign-in whose environment the test plays: documents by URL, a user who agrees, and a clock that is a number.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "auth/client/sign_in.hpp"

namespace tenon::auth::client::test {

class SignInWorld {
 public:
    std::shared_ptr<Profile> profile = std::make_shared<Profile>();
    Record record = {};
    std::int64_t now = 1'000'000;
    /// The documents by URL. Other URLs are 404.
    std::map<std::string, FetchResult> places;
    /// The `iss` field of the redirect, and a whole redirect URL to use instead of the right one.
    std::string iss = "https://as.example";
    std::string redirect = {};
    bool needs_metadata = false;  ///< the revision of the server requires metadata

    /// What the sign-in did.
    std::vector<Fetch> fetches;
    std::vector<AskUser> pages;
    std::vector<std::string> audiences;
    std::string preferred;
    std::string error;  ///< empty when the sign-in succeeded
    Scopes scopes;

    SignInWorld() {
        profile->server = web::parse_url("https://mcp.example/mcp").value();
        profile->client_name = "test";
        places["https://mcp.example/.well-known/oauth-protected-resource/mcp"] = {
            200, R"({"resource":"https://mcp.example/mcp","authorization_servers":["https://as.example"]})"};
        set_issuer("");
        places["https://as.example/register"] = {201, R"({"client_id":"registered"})"};
        places["https://as.example/token"] = {200, tokens};
    }
    /// Sets the authorisation server's metadata. `more` adds members or replaces existing ones.
    void set_issuer(const std::string& more, const std::string& issuer = "https://as.example") {
        json::object o{{"issuer", issuer},
                       {"authorization_endpoint", issuer + "/authorize"},
                       {"token_endpoint", issuer + "/token"},
                       {"registration_endpoint", issuer + "/register"},
                       {"code_challenge_methods_supported", json::array{"S256"}},
                       {"token_endpoint_auth_methods_supported", json::array{"none"}}};
        const json::value members = json::parse("{" + more + "}").value();
        for (const auto& [key, value] : members.as_object()) o[key] = value;
        places[issuer + "/.well-known/oauth-authorization-server"] = {200, json::write(o)};
    }

    bool sign_in(std::string_view challenge = "Bearer", bool insufficient = false, bool on_the_internet = true) {
        SignIn flow(profile, record, randomness());
        return run(flow, flow.begin({parse_challenges(challenge), insufficient, on_the_internet, needs_metadata}, now));
    }
    bool refresh() {
        SignIn flow(profile, record, randomness());
        return run(flow, flow.refresh(now));
    }

    std::vector<std::string> visited() const {
        std::vector<std::string> out;
        for (const Fetch& f : fetches) out.push_back(f.url);
        return out;
    }
    bool asked(const std::string& url) const {
        return std::ranges::any_of(fetches, [&](const Fetch& f) { return f.url == url; });
    }
    /// Returns a field of the last request to this URL.
    std::string sent(const std::string& url, const std::string& name) const {
        std::string out = "(none)";
        for (const Fetch& f : fetches) {
            const auto fields = f.url == url ? parse_form(f.body) : std::nullopt;
            for (const auto& [n, value] : fields.value_or(std::vector<std::pair<std::string, std::string>>()))
                if (n == name) out = value;
        }
        return out;
    }
    std::string page_field(const std::string& name) const {
        const std::string& url = pages.back().url;
        const auto fields = parse_form(url.substr(url.find('?') + 1));
        for (const auto& [n, value] : *fields)
            if (n == name) return value;
        return "(none)";
    }
    static std::string header(const Fetch& fetch, std::string_view name) {
        for (const auto& [n, value] : fetch.fields)
            if (n == name) return value;
        return "";
    }

    static constexpr const char* tokens =
        R"({"access_token":"AT","token_type":"Bearer","expires_in":60,"refresh_token":"RT"})";

 protected:
    Randomness randomness() {
        return {[this](std::size_t n) { return std::string(n, static_cast<char>('a' + counter_++ % 26)); },
                [] { return jose::PrivateKey::generate(jose::Algorithm::es256); }};
    }
    /// Performs an action of the sign-in.
    Action next(SignIn& flow, const Action& action) {
        if (const auto* fetch = std::get_if<Fetch>(&action)) {
            fetches.push_back(*fetch);
            const auto place = places.find(fetch->url);
            if (place == places.end()) return flow.fetched(FetchResult{404, "no", ""}, now);
            if (place->second.status == 0)
                return flow.fetched(Error{tenon::code::connection_closed, "no connection"}, now);
            return flow.fetched(place->second, now);
        }
        if (const auto* listen = std::get_if<Listen>(&action)) {
            preferred = listen->preferred;
            return flow.listening(std::string("http://127.0.0.1:7/callback"), now);
        }
        if (const auto* ask = std::get_if<AskUser>(&action)) {
            pages.push_back(*ask);
            if (!redirect.empty()) return flow.redirected(redirect, now);
            return flow.redirected(
                ask->redirect_uri + "?code=CODE&state=" + ask->state + (iss.empty() ? "" : "&iss=" + iss), now);
        }
        audiences.push_back(std::get<AskAssertion>(action).audience);
        return flow.asserted(std::string("JWT"), now);
    }

 private:
    bool run(SignIn& flow, Action action) {
        error.clear();
        for (int steps = 0; steps < 50; ++steps) {
            if (std::holds_alternative<Ready>(action)) return finish(flow);
            if (auto* failed = std::get_if<Failed>(&action)) {
                error = failed->why.message;
                return finish(flow);
            }
            action = next(flow, action);
        }
        ADD_FAILURE() << "the sign-in does not end";
        return false;
    }
    bool finish(const SignIn& flow) {
        record = flow.record();
        scopes = flow.scopes();
        return error.empty();
    }

    int counter_ = 0;
};

}  // namespace tenon::auth::client::test

namespace tenon::auth::client {

class SigningIn : public testing::Test, protected test::SignInWorld {
 protected:
    bool says(std::string_view part) const { return error.find(part) != std::string::npos; }
    static inline const std::string token = "https://as.example/token";
};

}  // namespace tenon::auth::client
