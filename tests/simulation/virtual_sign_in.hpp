// Signs a simulated client in: does what HttpSignIn does, on the network and the clock of the simulation.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "auth/client/client_tokens.hpp"
#include "auth/client/sign_in.hpp"
#include "simulation/authorisation_server.hpp"
#include "simulation/fetcher.hpp"

namespace tenon::test {

class VirtualSignIn {
 public:
    struct Setting {
        Agenda& agenda;
        Network& network;
        AuthorisationServer& authority;
        std::size_t owner;
        web::Url server;
        std::uint64_t seed;
        std::function<void(bool)> user_asked;
        std::function<void(const std::string&)> note;
    };
    using Refused = auth::client::RefusedRequest;
    using Done = std::function<void(Result<void>)>;

    explicit VirtualSignIn(Setting setting);

    auth::client::ClientTokens& tokens() { return tokens_; }
    /// Calls `go` at once, or after a refresh.
    void before_request(std::function<void()> go);
    web::OwnFields fields(std::string_view method, const web::Url& url);
    bool can_help(const Refused& refused) const { return !finishing_ && tokens_.can_help(refused); }
    void sign_in(const Refused& refused, Done done);
    void finish() { finishing_ = true; }

 private:
    void act(auth::client::Action action);
    void on(auth::client::Fetch& fetch);
    void on(auth::client::Listen&);
    void on(auth::client::AskUser& page);
    void on(auth::client::AskAssertion&);
    void on(auth::client::Ready&);
    void on(auth::client::Failed& failed);
    void over(const Result<void>& result);
    void make_flow();
    void plan(Duration wait, Agenda::Work work);
    std::int64_t now() const { return AuthorisationServer::seconds(setting_.agenda.now()); }

    const Setting setting_;
    Dice dice_;
    const std::shared_ptr<const auth::client::Profile> profile_;
    auth::client::ClientTokens tokens_;
    VirtualFetcher fetcher_;
    std::optional<auth::client::SignIn> flow_;
    std::vector<Done> waiters_;
    bool running_ = false, refreshing_ = false, finishing_ = false;
    const std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace tenon::test
