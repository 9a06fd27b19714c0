// The authorisation server of a simulated world: metadata, registration, the sign-in page, tokens and keys. It can
// fail, be slow, forget tokens and change its key.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "jose/key.hpp"
#include "simulation/oracle.hpp"
#include "simulation/plain_connection.hpp"

namespace tenon::test {

class AuthorisationServer {
 public:
    static constexpr std::string_view host = "login.example";
    static std::string issuer() { return "https://" + std::string(host); }
    static constexpr std::int64_t first_second = 1'800'000'000;  // the wall clock at the beginning
    static constexpr std::int64_t token_seconds = 100;           // the life of a token

    AuthorisationServer(Agenda& agenda, Dice& dice, Network& network, Oracle& oracle, std::string resource);
    AuthorisationServer(const AuthorisationServer&) = delete;
    AuthorisationServer& operator=(const AuthorisationServer&) = delete;

    /// Visits the page as a user that agrees. Returns the URL to which the browser is redirected.
    std::string agree(const std::string& page, std::size_t owner);

    // Faults.
    void fail_for(Duration time) { fails_until_ = later(agenda_.now(), time); }
    void be_slow_for(Duration time) { slow_until_ = later(agenda_.now(), time); }
    void change_key() { key_ = (key_ + 1) % keys().size(); }
    void forget_refresh_tokens() { refresh_.clear(); }

    /// Returns the wall clock of the simulation, in seconds since 1970.
    static std::int64_t seconds(TimePoint now);

 private:
    using Response = PlainConnection::Response;
    struct Grant {
        std::size_t owner = 0;
        std::string scope = {}, challenge = {}, redirect_uri = {}, client_id = {};
    };
    static const std::vector<jose::PrivateKey>& keys();
    Response answer(const framing::HttpRequest& head, const std::string& body);
    Response respond(const framing::HttpRequest& head, const std::string& body);
    Response give_tokens(const std::string& form);
    Response tokens_for(Grant grant);
    std::string metadata() const;
    std::string key_set() const;

    Agenda& agenda_;
    Dice& dice_;
    Oracle& oracle_;
    const std::string resource_;
    std::size_t key_ = 0;
    TimePoint fails_until_ = {}, slow_until_ = {};
    int clients_ = 0;
    std::int64_t tokens_ = 0;
    std::map<std::string, Grant> codes_, refresh_;
};

}  // namespace tenon::test
