// The client signs in over real sockets. The browser also uses real sockets. rules: HTTP-14
#include <gtest/gtest.h>

#include <atomic>

#include <filesystem>
#include <future>

#include "base/base64.hpp"
#include "jose/jws.hpp"
#include "support/auth_world.hpp"

namespace tenon::test {
namespace {

using namespace std::chrono_literals;

class HttpClientAuth : public testing::Test {
 protected:
    Client client(auth::SignInOptions options) {
        ClientOptions out;
        out.era = Era::modern;
        out.learn_tools = false;
        out.log = [this](const LogRecord& r) {
            const std::lock_guard lock(log_mutex_);
            (log_ += r.message) += '\n';
        };
        return Client(world_.transport(auth::sign_in(std::move(options))), std::move(out));
    }
    Client client() { return client(world_.options()); }
    static std::string text_of(Client& c) { return std::get<TextContent>(c.call_tool("t").content.at(0)).text; }
    static Error error_of(Client& c) {
        try {
            c.call_tool("t");
        } catch (const Exception& e) {
            return e.error();
        }
        return {0, "no error"};
    }
    std::string log() {
        const std::lock_guard lock(log_mutex_);
        return log_;
    }

    std::mutex log_mutex_;
    std::string log_;
    AuthWorld world_;
};

TEST_F(HttpClientAuth, a_user_signs_in_and_the_call_is_answered) {
    Client c = client();
    EXPECT_EQ(text_of(c), "well");
    EXPECT_EQ(text_of(c), "well");
    EXPECT_EQ(world_.seen().authorisations, 1);
    EXPECT_EQ(world_.seen().registrations, 1);
}

TEST_F(HttpClientAuth, urls_and_logs_contain_no_token) {
    Client c = client();
    EXPECT_EQ(text_of(c), "well");
    const auto seen = world_.seen();
    for (const std::string& target : seen.targets) EXPECT_EQ(target.find("SECRET"), std::string::npos) << target;
    EXPECT_EQ(log().find("SECRET"), std::string::npos) << log();
}

TEST_F(HttpClientAuth, error_messages_and_logs_contain_no_token) {
    {
        Client c = client();
        EXPECT_EQ(text_of(c), "well");
        const auto held = world_.lock();
        world_.raw["/token"] =
            "HTTP/1.1 400 No\r\nContent-Length: 50\r\n\r\n{\"error\":\"x\",\"error_description\":\"y\"}             ";
    }
    world_.revoke_all();
    Client c = client();
    const Error error = error_of(c);
    EXPECT_EQ(error.code, code::not_authorised) << error.message;
    EXPECT_EQ((error.message + log()).find("SECRET"), std::string::npos) << error.message;
}

TEST_F(HttpClientAuth, concurrent_unauthorised_calls_share_one_refresh) {
    Client c = client();
    EXPECT_EQ(text_of(c), "well");
    world_.revoke_all();
    std::vector<std::future<std::string>> calls;
    for (int i = 0; i < 16; ++i) calls.push_back(std::async(std::launch::async, [&] { return text_of(c); }));
    for (auto& call : calls) EXPECT_EQ(call.get(), "well");
    EXPECT_EQ(world_.seen().refreshes, 1);
    EXPECT_EQ(world_.seen().authorisations, 1);
}

TEST_F(HttpClientAuth, a_non_interactive_client_gets_an_error_that_says_to_sign_in) {
    auto options = world_.options();
    options.interactive = false;
    Client c = client(std::move(options));
    const Error error = error_of(c);
    EXPECT_EQ(error.code, code::not_authorised);
    EXPECT_NE(error.message.find("sign in"), std::string::npos) << error.message;
    EXPECT_EQ(world_.seen().authorisations, 0);
}

TEST_F(HttpClientAuth, waiting_for_the_user_ends_after_user_time) {
    auto options = world_.options();
    options.open_page = [](const auth::Page&) {};
    options.user_time = 50ms;
    Client c = client(std::move(options));
    EXPECT_NE(error_of(c).message.find("in time"), std::string::npos);
}

TEST_F(HttpClientAuth, the_host_can_ask_the_user_by_its_own_function) {
    auto options = world_.options();
    options.redirect_uri = "https://app.example/back";
    options.ask_user = [](const auth::Page& page, const std::stop_token&) { return AuthWorld::visit(page.url); };
    Client c = client(std::move(options));
    EXPECT_EQ(text_of(c), "well");
}

TEST_F(HttpClientAuth, a_redirect_with_a_wrong_state_is_refused) {
    auto options = world_.options();
    options.redirect_uri = "https://app.example/back";
    options.ask_user = [](const auth::Page& page, const std::stop_token&) {
        return page.redirect_uri + "?code=x&state=y";
    };
    Client c = client(std::move(options));
    EXPECT_NE(error_of(c).message.find("`state`"), std::string::npos);
}

TEST_F(HttpClientAuth, an_exception_of_the_hosts_open_page_fails_the_call) {
    auto options = world_.options();
    options.open_page = [](const auth::Page&) { throw std::runtime_error("no screen"); };
    Client c = client(std::move(options));
    EXPECT_NE(error_of(c).message.find("no screen"), std::string::npos);
}

// A page of another site can neither end the wait nor learn anything.
TEST_F(HttpClientAuth, only_a_redirect_with_the_right_state_ends_the_sign_in) {
    std::vector<std::string> replies;
    auto options = world_.options();
    options.open_page = [&](const auth::Page& page) {
        const std::string back = AuthWorld::visit(page.url);
        const std::string begin = back.substr(0, back.find("/callback"));
        replies.push_back(AuthWorld::visit(begin + "/"));
        replies.push_back(AuthWorld::visit(back, "evil.example"));
        replies.push_back(AuthWorld::visit(page.redirect_uri + "?code=x&state=guess"));
        replies.push_back(AuthWorld::visit(page.redirect_uri));
        replies.push_back(AuthWorld::visit(back));
    };
    Client c = client(std::move(options));
    EXPECT_EQ(text_of(c), "well");
    c.close();
    ASSERT_EQ(replies.size(), 5u);
    EXPECT_TRUE(replies[0].starts_with("404"));
    EXPECT_TRUE(replies[1].starts_with("404"));
    EXPECT_TRUE(replies[2].starts_with("400"));
    EXPECT_TRUE(replies[3].starts_with("400"));
    EXPECT_TRUE(replies[4].starts_with("200"));
    EXPECT_NE(replies[4].find("You can close this page"), std::string::npos);
}

TEST_F(HttpClientAuth, a_missing_scope_is_requested_once) {
    world_.challenge = ", scope=\"basic\"";
    world_.tool_scope = "write";
    Client c = client();
    EXPECT_EQ(text_of(c), "well");
    EXPECT_EQ(world_.seen().authorisations, 2);
    {
        const auto held = world_.lock();
        world_.tool_scope = world_.withheld = "admin";
    }
    for (int i = 0; i < 3; ++i) EXPECT_EQ(error_of(c).code, code::not_authorised);
    EXPECT_EQ(world_.seen().authorisations, 3);
}

// Counts how often the inner transport reports other credentials.
class CountsCredentials final : public ClientTransport {
 public:
    explicit CountsCredentials(std::shared_ptr<ClientTransport> inner) : inner_(std::move(inner)) {}
    void start(Events events, Bounds bounds) override {
        events.credentials_changed = [this, pass = std::move(events.credentials_changed)] { ++changes, pass(); };
        inner_->start(std::move(events), bounds);
    }
    Result<void> send(OutgoingMessage message) override { return inner_->send(std::move(message)); }
    void close(TimePoint deadline) override { inner_->close(deadline); }
    std::atomic<int> changes{0};

 private:
    const std::shared_ptr<ClientTransport> inner_;
};

// rules: HTTP-14
TEST_F(HttpClientAuth, a_sign_in_and_a_step_up_change_the_credentials) {
    world_.challenge = ", scope=\"basic\"";
    world_.tool_scope = "write";
    const auto counts = std::make_shared<CountsCredentials>(world_.transport(auth::sign_in(world_.options())));
    Client c(counts, {.era = Era::modern, .learn_tools = false});
    EXPECT_EQ(text_of(c), "well");
    EXPECT_EQ(world_.seen().authorisations, 2);
    EXPECT_EQ(counts->changes, 2);
    EXPECT_EQ(text_of(c), "well");
    EXPECT_EQ(counts->changes, 2) << "the same token";
}

TEST_F(HttpClientAuth, a_server_that_refuses_a_fresh_token_is_an_error) {
    world_.raw["/mcp"] = "HTTP/1.1 401 No\r\nContent-Length: 0\r\n\r\n";
    Client c = client();
    const Error error = error_of(c);
    EXPECT_EQ(error.code, code::not_authorised);
    EXPECT_NE(error.message.find("refuses the token"), std::string::npos) << error.message;
    EXPECT_EQ(world_.seen().authorisations, 1);
}

TEST_F(HttpClientAuth, the_user_is_asked_again_when_the_server_refuses_refreshed_tokens) {
    world_.refreshes_well = false;
    Client c = client();
    EXPECT_EQ(text_of(c), "well");
    world_.revoke_all();
    EXPECT_EQ(text_of(c), "well");
    EXPECT_EQ(world_.seen().refreshes, 1);
    EXPECT_EQ(world_.seen().authorisations, 2);
}

TEST_F(HttpClientAuth, a_redirect_of_the_token_endpoint_to_another_origin_is_not_followed) {
    AuthWorld thief;
    world_.raw["/token"] = "HTTP/1.1 307 No\r\nLocation: " + thief.origin() + "/token\r\nContent-Length: 0\r\n\r\n";
    Client c = client();
    EXPECT_EQ(error_of(c).code, code::not_authorised);
    EXPECT_TRUE(thief.seen().targets.empty());
}

// ---- stored tokens

class HttpClientAuthStored : public HttpClientAuth {
 protected:
    HttpClientAuthStored() : folder_(testing::TempDir() + "tenon_tokens_" + std::to_string(::getpid())) {
        std::filesystem::remove_all(folder_);
    }
    ~HttpClientAuthStored() override { std::filesystem::remove_all(folder_); }
    auth::SignInOptions stored() {
        auto options = world_.options();
        options.tokens.store = auth::file_store(folder_);  // one store per client, as in separate processes
        return options;
    }
    std::string folder_;
};

TEST_F(HttpClientAuthStored, stored_tokens_are_reused_and_only_readable_by_their_owner) {
    {
        Client c = client(stored());
        EXPECT_EQ(text_of(c), "well");
    }
    auto options = stored();
    options.interactive = false;
    Client c = client(std::move(options));
    EXPECT_EQ(text_of(c), "well");
    EXPECT_EQ(world_.seen().authorisations, 1);
    using std::filesystem::perms;
    EXPECT_EQ(std::filesystem::status(folder_).permissions() & perms::mask, perms(0700));
    for (const auto& file : std::filesystem::directory_iterator(folder_))
        EXPECT_EQ(file.status().permissions() & perms::mask, perms(0600)) << file.path();
}

TEST_F(HttpClientAuthStored, a_token_file_readable_by_others_is_ignored) {
    {
        Client c = client(stored());
        EXPECT_EQ(text_of(c), "well");
    }
    for (const auto& file : std::filesystem::directory_iterator(folder_))
        std::filesystem::permissions(file.path(), std::filesystem::perms(0644));
    auto options = stored();
    options.interactive = false;
    Client c = client(std::move(options));
    EXPECT_EQ(error_of(c).code, code::not_authorised);
}

TEST_F(HttpClientAuthStored, a_token_folder_writable_by_others_is_refused) {
    std::filesystem::create_directories(folder_);
    std::filesystem::permissions(folder_, std::filesystem::perms(0777));
    EXPECT_THROW(auth::file_store(folder_), Exception);
}

TEST_F(HttpClientAuthStored, tokens_are_refreshed_before_they_expire) {
    world_.expires_in = 10;
    Client c = client(stored());
    EXPECT_EQ(text_of(c), "well");
    EXPECT_EQ(text_of(c), "well");
    EXPECT_GE(world_.seen().refreshes, 1);
    EXPECT_EQ(world_.seen().authorisations, 1);
}

// A refresh token can be used only once. The second client must use the tokens that the first client got.
TEST_F(HttpClientAuthStored, concurrent_processes_never_use_the_same_refresh_token_twice) {
    world_.expires_in = 10;
    {
        Client c = client(stored());
        EXPECT_EQ(text_of(c), "well");
    }
    std::vector<std::future<void>> processes;
    for (int i = 0; i < 2; ++i)
        processes.push_back(std::async(std::launch::async, [this] {
            Client c = client(stored());
            for (int n = 0; n < 5; ++n) EXPECT_EQ(text_of(c), "well");
        }));
    for (auto& process : processes) process.get();
    EXPECT_TRUE(world_.seen().token_errors.empty());
    EXPECT_EQ(world_.seen().authorisations, 1);
}

TEST_F(HttpClientAuthStored, waiting_for_the_lock_of_another_process_ends_with_an_error) {
    auto options = stored();
    options.tokens.lock_time = 10ms;
    const auto held = auth::file_store(folder_)->try_lock(world_.url());
    ASSERT_TRUE(held);
    EXPECT_FALSE(auth::file_store(folder_)->try_lock(world_.url()));
    Client c = client(std::move(options));
    EXPECT_NE(error_of(c).message.find("another process"), std::string::npos);
}

// ---- DPoP

json::object claims_of(const std::string& proof) {
    const auto parsed = jose::UnverifiedJws::parse(proof);
    if (!parsed) return {};
    const auto key = jose::PublicKey::from_jwk(parsed->header().at("jwk").as_object());
    return json::parse(jose::verify(key.value(), *parsed).value()).value().as_object();
}

TEST_F(HttpClientAuth, each_request_has_its_own_dpop_proof) {
    world_.scheme = "DPoP";
    world_.nonce = "n0nce";
    Client c = client();
    EXPECT_EQ(text_of(c), "well");
    EXPECT_EQ(text_of(c), "well");
    const std::vector<std::string> proofs = world_.seen().proofs;
    std::set<std::string> ids;
    for (const std::string& proof : proofs) {
        const auto claims = claims_of(proof);
        ids.insert(std::string(claims.at("jti").as_string()));
        EXPECT_EQ(claims.at("htm").as_string(), "POST");
        EXPECT_EQ(claims.at("htu").as_string(), world_.url());
        EXPECT_TRUE(claims.contains("ath"));
    }
    EXPECT_EQ(ids.size(), proofs.size());
    ASSERT_GE(proofs.size(), 4u);  // the first request is refused because its proof has no nonce
    EXPECT_FALSE(claims_of(proofs[0]).contains("nonce"));
    for (std::size_t i = 1; i < proofs.size(); ++i) EXPECT_EQ(claims_of(proofs[i]).at("nonce").as_string(), "n0nce");
}

// ---- options

// The issuer is mandatory: options without one do not compile.
static_assert(!std::is_default_constructible_v<auth::TrustedIssuer>);
static_assert(!std::is_default_constructible_v<auth::ClientCredentialsOptions>);
static_assert(!std::is_default_constructible_v<auth::WorkloadOptions>);
static_assert(!std::is_default_constructible_v<auth::EnterpriseOptions>);

TEST_F(HttpClientAuth, a_client_secret_or_key_needs_an_issuer) {
    for (const bool secret : {true, false}) {
        auth::SignInOptions options;
        options.client_id = "i";
        (secret ? options.client_secret : options.client_key) = "SECRET";
        options.tokens.store = auth::memory_store();
        try {
            auth::sign_in(std::move(options));
            ADD_FAILURE() << "a secret without an issuer was accepted, so the server could choose who receives it";
        } catch (const Exception& e) {
            EXPECT_NE(std::string(e.what()).find("SignInOptions::issuer"), std::string::npos) << e.what();
            EXPECT_EQ(std::string(e.what()).find("SECRET"), std::string::npos) << e.what();
        }
    }
}

TEST_F(HttpClientAuth, invalid_options_are_refused_without_revealing_the_secret) {
    const auto why = [](auto make) {
        try {
            make();
        } catch (const Exception& e) {
            return std::string(e.what());
        }
        return std::string("nothing wrong");
    };
    for (const std::string& text : {
             why([] { auth::client_credentials({.client_id = "i", .issuer = "https://as.example"}); }),
             why([] {
                 auth::client_credentials({.client_id = "i",
                                           .client_secret = "SECRET",
                                           .client_key = "SECRET",
                                           .issuer = "https://as.example"});
             }),
             why([] {
                 auth::client_credentials(
                     {.client_id = "i", .client_key = "-----BEGIN SECRET", .issuer = "https://as.example"});
             }),
             why([] { auth::client_credentials({.client_id = "i", .client_secret = "SECRET", .issuer = ""}); }),
             why([] {
                 auth::client_credentials({.client_id = "i", .client_secret = "SECRET", .issuer = "http://as.example"});
             }),
             why([] { auth::sign_in({.client_secret = "SECRET", .tokens = {.store = auth::memory_store()}}); }),
             why([] {
                 auth::sign_in({.client_metadata_url = "http://x/y", .tokens = {.store = auth::memory_store()}});
             }),
             why([] { auth::sign_in({.issuer = "http://as.example", .tokens = {.store = auth::memory_store()}}); }),
             why([] { auth::sign_in({.tokens = {.scopes = {"a b"}, .store = auth::memory_store()}}); }),
             why([] { auth::workload({.issuer = "https://as.example"}); }),
             why([] { auth::enterprise({.id_token = [] { return std::string(); }, .issuer = "https://as.example"}); }),
             why([&] {
                 tenon::http({.url = world_.url(),
                              .headers = {{"authorization", "Bearer SECRET"}},
                              .auth = auth::sign_in(world_.options())});
             }),
         }) {
        EXPECT_NE(text, "nothing wrong");
        EXPECT_EQ(text.find("SECRET"), std::string::npos) << text;
    }
}

}  // namespace
}  // namespace tenon::test
