// Signs a simulated client in: performs the actions of RequestTokens on the network and the clock of the simulation.
#pragma once

#include <functional>
#include <memory>

#include "simulation/authorisation_server.hpp"
#include "simulation/fetcher.hpp"
#include "transport/http_client/request_tokens.hpp"

namespace tenon::test {

class VirtualSignIn final : public RequestTokens {
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
    explicit VirtualSignIn(Setting setting);

 private:
    std::int64_t unix_now() const override { return AuthorisationServer::seconds(setting_.agenda.now()); }
    std::string random_bytes(std::size_t size) override;
    bool public_server() const override { return true; }
    void post(std::function<void()> work) override { plan(0s, std::move(work)); }
    void note(LogLevel, const std::string& text) override { setting_.note(text); }
    void perform(auth::client::Fetch fetch) override;
    void perform(const auth::client::Listen&) override;
    void perform(const auth::client::AskUser& page) override;
    void perform(const auth::client::AskAssertion&) override;
    void plan(Duration wait, Agenda::Work work);

    const Setting setting_;
    Dice dice_;
    VirtualFetcher fetcher_;
    const std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace tenon::test
