// A server that requires sign-in and its authorisation server, on one port, and a browser whose user agrees to
// everything. Their behaviour can be changed while they run.
#pragma once

#include <algorithm>
#include <atomic>
#include <charconv>
#include <map>
#include <mutex>
#include <set>
#include <string>

#include <tenon/auth/client.hpp>
#include <tenon/client.hpp>
#include <tenon/transport/http_client.hpp>

#include "auth/form.hpp"
#include "base/base64.hpp"
#include "support/http_client.hpp"
#include "support/scripted_server.hpp"

namespace tenon::test {

class AuthWorld {
 public:
    // The behaviour. Set it before the first request, or under lock().
    std::string scheme = "Bearer";
    std::string challenge = "";   ///< further parameters of the challenge
    std::string tool_scope = "";  ///< the scope that a tool call needs
    std::string withheld = "";    ///< a scope that is never granted
    std::string nonce = "";       ///< the nonce that proofs must have
    int expires_in = 3600;
    bool rotates = true;                          ///< each refresh token can be used only once
    bool refreshes_well = true;                   ///< the server accepts refreshed tokens
    std::map<std::string, std::string> raw = {};  ///< complete responses, by path

    /// What the servers have seen.
    struct Seen {
        int authorisations = 0, refreshes = 0, calls = 0, registrations = 0;
        std::vector<std::string> proofs = {};        ///< DPoP headers of requests to the server
        std::vector<std::string> targets = {};       ///< targets of all requests
        std::vector<std::string> token_errors = {};  ///< errors that the token endpoint returned
    };

    AuthWorld() : server_([this](ScriptedConnection& c, int) { serve(c); }) {}

    /// Returns a copy, because the server's threads keep counting.
    Seen seen() {
        const auto held = lock();
        return seen_;
    }
    std::unique_lock<std::mutex> lock() { return std::unique_lock(mutex_); }
    std::string url() const { return server_.url(); }
    std::string origin() const { return server_.url(""); }
    void revoke_all() {
        const auto held = lock();
        valid_.clear();
    }

    /// Visits a page. Returns the target of its redirect, or its status and body.
    static std::string visit(const std::string& url, const std::string& host = "") {
        const std::size_t slash = url.find('/', 7);
        std::uint16_t port = 0;
        std::from_chars(url.data() + url.find(':', 7) + 1, url.data() + slash, port);
        HttpClient browser(port);
        browser.send("GET " + url.substr(slash) +
                     " HTTP/1.1\r\nHost: " + (host.empty() ? url.substr(7, slash - 7) : host) + "\r\n\r\n");
        const HttpReply reply = browser.reply();
        return reply.status == 302 ? reply.field("location") : std::to_string(reply.status) + " " + reply.body;
    }
    static void agree(const auth::Page& page) { visit(visit(page.url)); }

    auth::SignInOptions options() {
        auth::SignInOptions out;
        out.client_name = "test";
        out.open_page = agree;
        out.tokens.store = auth::memory_store();
        return out;
    }
    std::shared_ptr<ClientTransport> transport(std::shared_ptr<auth::Authoriser> authoriser) {
        HttpClientOptions out;
        out.url = url();
        out.proxy = "";
        out.auth = std::move(authoriser);
        return tenon::http(std::move(out));
    }

 private:
    void serve(ScriptedConnection& c) {
        for (ScriptedRequest r; c.read(r);) {
            const auto held = lock();
            seen_.targets.push_back(r.target);
            const std::string path = r.target.substr(0, r.target.find('?'));
            if (raw.contains(path)) {
                if (!c.send(raw[path])) return;
            } else if (path == "/mcp") {
                mcp(c, r);
            } else if (path == "/.well-known/oauth-protected-resource/mcp") {
                c.json(R"({"resource":")" + url() + R"(","authorization_servers":[")" + origin() + R"("]})");
            } else if (path == "/.well-known/oauth-authorization-server") {
                c.json(metadata());
            } else if (path == "/register") {
                ++seen_.registrations;
                c.json(R"({"client_id":"c1"})", "", "201 Created");
            } else if (path == "/authorize") {
                authorise(c, r);
            } else if (path == "/token") {
                give_tokens(c, r);
            } else {
                c.empty("404 Not Found");
            }
        }
    }
    std::string metadata() const {
        return R"({"issuer":")" + origin() + R"(","authorization_endpoint":")" + origin() +
               R"(/authorize","token_endpoint":")" + origin() + R"(/token","registration_endpoint":")" + origin() +
               R"(/register","code_challenge_methods_supported":["S256"],"token_endpoint_auth_methods_supported":["none"]})";
    }
    static std::string field(const std::string& form, std::string_view name) {
        const auto fields = auth::client::parse_form(form);
        return fields ? auth::client::field_of(*fields, name) : "";
    }
    void authorise(ScriptedConnection& c, const ScriptedRequest& r) {
        ++seen_.authorisations;
        const std::string query = r.target.substr(r.target.find('?') + 1);
        scope_ = field(query, "scope");
        if (!withheld.empty() && scope_.find(withheld) != std::string::npos) scope_.erase(scope_.find(withheld));
        c.empty("302 Found", "Location: " + field(query, "redirect_uri") +
                                 "?code=code-SECRET&state=" + field(query, "state") + "&iss=" + origin() + "\r\n");
    }
    void give_tokens(ScriptedConnection& c, const ScriptedRequest& r) {
        const std::string used = field(r.body, "refresh_token");
        if (field(r.body, "grant_type") == "refresh_token") {
            ++seen_.refreshes;
            if (refreshable_.count(used) == 0) {
                seen_.token_errors.push_back("invalid_grant");
                return void(c.json(R"({"error":"invalid_grant"})", "", "400 Bad Request"));
            }
            if (rotates) refreshable_.erase(used);
        }
        const std::string n = std::to_string(++made_);
        if (used.empty() || refreshes_well) valid_["token-SECRET-" + n] = scope_;
        refreshable_.insert("refresh-SECRET-" + n);
        c.json(R"({"access_token":"token-SECRET-)" + n + R"(","refresh_token":"refresh-SECRET-)" + n +
               R"(","token_type":")" + scheme + R"(","expires_in":)" + std::to_string(expires_in) + "}");
    }

    void mcp(ScriptedConnection& c, const ScriptedRequest& r) {
        const std::string sent = r.field("authorization");
        const auto token = valid_.find(sent.substr(std::min(sent.size(), scheme.size() + 1)));
        if (!sent.starts_with(scheme + " ") || token == valid_.end())
            return void(c.json(R"({"why":"who?"})", "WWW-Authenticate: " + scheme + " realm=\"r\"" + challenge + "\r\n",
                               "401 Unauthorized"));
        if (scheme == "DPoP") {
            seen_.proofs.push_back(r.field("dpop"));
            const bool has =
                r.field("dpop").find('.') != std::string::npos && !nonce.empty() && has_nonce(r.field("dpop"));
            if (!nonce.empty() && !has)
                return void(
                    c.empty("401 Unauthorized",
                            "WWW-Authenticate: DPoP error=\"use_dpop_nonce\"\r\nDPoP-Nonce: " + nonce + "\r\n"));
        }
        if (r.method != "POST") return void(c.empty("405 No"));
        answer(c, r, token->second);
    }
    bool has_nonce(const std::string& proof) const {
        const std::size_t dot = proof.find('.');
        const auto claims = base::base64url_decode(std::string_view(proof).substr(dot + 1, proof.rfind('.') - dot - 1));
        return claims && claims->find("\"nonce\":\"" + nonce + "\"") != std::string::npos;
    }
    void answer(ScriptedConnection& c, const ScriptedRequest& r, const std::string& granted) {
        const auto result = [&](const std::string& json) {
            c.json(R"({"jsonrpc":"2.0","id":)" + r.id() + R"(,"result":)" + json + "}");
        };
        if (r.says("server/discover"))
            return result(
                R"({"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}})");
        if (r.says("tools/list"))
            return result(R"({"resultType":"complete","tools":[{"name":"t","inputSchema":{"type":"object"}}]})");
        ++seen_.calls;
        if (!tool_scope.empty() && granted.find(tool_scope) == std::string::npos)
            return void(
                c.json(R"({"why":"more"})",
                       "WWW-Authenticate: Bearer error=\"insufficient_scope\", scope=\"" + tool_scope + "\"\r\n",
                       "403 Forbidden"));
        result(R"({"content":[{"type":"text","text":"well"}]})");
    }

    std::mutex mutex_;
    Seen seen_;
    std::map<std::string, std::string> valid_;  // access tokens with their scopes
    std::set<std::string> refreshable_;
    std::string scope_;
    int made_ = 0;
    ScriptedServer server_;
};

}  // namespace tenon::test
