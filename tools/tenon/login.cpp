#include "login.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "files.hpp"

namespace tenon::program {
namespace {

std::string secret_in(const std::string& variable) {
    const char* value = std::getenv(variable.c_str());
    if (!value || *value == '\0')
        throw usage_failure("--client-secret-env " + variable + ": there is no such variable here",
                            "give the name of a variable, not the secret itself");
    return value;
}

std::string key_in(const std::string& file) {
    auto text = read_whole_file(file);
    if (!text) throw usage_failure("cannot read " + file + ": " + text.error().message);
    return *std::move(text);
}

bool has_own_header(const Target& target) {
    return std::ranges::any_of(target.headers, [](const auto& header) {
        std::string name = header.first;
        std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
        return name == "authorization";
    });
}

// Prints the address too, because the user may have no browser here, or one on another machine.
void show(Console& console, const auth::Page& page) {
    console.note([&](Out& out) {
        out << "Sign in to " << safe_line(page.server) << " with your browser. If it does not open, go to\n"
            << safe_line(page.url) << "\n";
    });
    auth::open_browser(page.url);
}

// Warns when tokens cannot be stored, for example on a full disk. The next command will have to sign in again.
class ReportingStore final : public auth::TokenStore {
 public:
    ReportingStore(std::shared_ptr<auth::TokenStore> inner, Console& console)
        : inner_(std::move(inner)), console_(console) {}

    std::optional<std::string> load(const std::string& server) override { return inner_->load(server); }
    void save(const std::string& server, const std::string& secret) override {
        try {
            inner_->save(server, secret);
        } catch (const std::exception& e) {
            console_.note([&](Out& out) {
                out << "tenon: the sign-in is for this command only, because the tokens cannot be kept: "
                    << safe_line(e.what()) << "\n";
            });
            throw;
        }
    }
    void erase(const std::string& server) override { inner_->erase(server); }
    std::shared_ptr<void> try_lock(const std::string& server) override { return inner_->try_lock(server); }

 private:
    const std::shared_ptr<auth::TokenStore> inner_;
    Console& console_;
};

std::shared_ptr<auth::Authoriser> by_user(const Login& login, Console& console) {
    auth::SignInOptions options;
    options.client_name = "tenon";
    options.client_id = login.client_id;
    options.client_secret = login.client_secret;
    options.client_key = login.client_key;
    if (!login.issuer.empty()) options.issuer = login.issuer;
    options.interactive = login.browser;
    options.open_page = [&console](const auth::Page& page) { show(console, page); };
    options.tokens.scopes = login.scopes;
    options.tokens.store = std::make_shared<ReportingStore>(auth::file_store(), console);
    return auth::sign_in(std::move(options));
}

std::shared_ptr<auth::Authoriser> by_itself(const Login& login) {
    return auth::client_credentials({.client_id = login.client_id,
                                     .client_secret = login.client_secret,
                                     .client_key = login.client_key,
                                     .issuer = login.issuer,
                                     .tokens = {.scopes = login.scopes}});
}

}  // namespace

Login login_of(const CommandLine& line) {
    Login out;
    out.browser = line.has("login");
    out.client_id = line.last("client-id");
    if (line.has("client-secret-env")) out.client_secret = secret_in(line.last("client-secret-env"));
    if (line.has("client-key")) out.client_key = key_in(line.last("client-key"));
    out.issuer = line.last("issuer");
    out.scopes = line.all("scope");
    if (out.client_id.empty() && (!out.client_secret.empty() || !out.client_key.empty()))
        throw usage_failure("a secret or a key belongs to a client", "give its --client-id");
    if (!out.client_secret.empty() && !out.client_key.empty())
        throw usage_failure("--client-secret-env and --client-key cannot be combined");
    if (out.issuer.empty() && (!out.client_secret.empty() || !out.client_key.empty()))
        throw usage_failure("--client-secret-env and --client-key need --issuer",
                            "give the URL of the authorisation server that the client is registered with; only that "
                            "server sees the secret");
    return out;
}

std::shared_ptr<auth::Authoriser> authoriser_for(const Target& target, const Login& login, Console& console) {
    if (target.url.empty()) return {};
    if (has_own_header(target)) {
        if (login.browser || !login.client_id.empty())
            throw usage_failure("signing in and an Authorization header cannot be combined");
        return {};
    }
    const bool alone = !login.browser && (!login.client_secret.empty() || !login.client_key.empty());
    try {
        return alone ? by_itself(login) : by_user(login, console);
    } catch (const Exception& e) {
        // There is no place to store tokens, so there are no old tokens. This is an error only for a new login.
        if (!login.browser && login.client_id.empty()) return {};
        throw usage_failure(e.what());
    }
}

}  // namespace tenon::program
