// The program signs in: with a browser, with tokens stored by an earlier run, and with a client's own credentials.
// rules: HTTP-14
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "support/auth_world.hpp"
#include "support/child.hpp"
#include "support/folders.hpp"

namespace tenon::test {
namespace {

using Words = std::vector<std::string>;

class TenonLogin : public testing::Test {
 protected:
    TenonLogin() : folder_(testing::TempDir() + "tenon_login_" + std::to_string(::getpid())) {
        std::filesystem::create_directories(folder_);
        ::setenv("XDG_STATE_HOME", folder_.c_str(), 1);
        ::setenv("BROWSER", "/bin/true", 1);  // the test plays the browser
        ::setenv("TEST_SECRET", "s3cret", 1);
    }
    ~TenonLogin() override { std::filesystem::remove_all(folder_); }

    struct Ran {
        int status = -1;
        std::string out, err;
    };
    Ran run(Words options) {
        Words words = {test_folders::bin() + "/tenon", "list", world_.url(), "tools", "--era", "modern"};
        words.insert(words.end(), options.begin(), options.end());
        Child child(std::move(words));
        const std::string page = world_.origin() + "/authorize?";
        child.pump([&] { return child.output_ended() || page_in(child.errors(), page) != ""; });
        if (const std::string url = page_in(child.errors(), page); !url.empty())
            AuthWorld::visit(AuthWorld::visit(url));
        Ran ran;
        ran.status = child.finish().value_or(-1000);
        for (const std::string& line : child.lines()) ran.out += line + "\n";
        ran.err = child.errors();
        return ran;
    }
    static std::string page_in(const std::string& text, const std::string& page) {
        const std::size_t at = text.find(page);
        const std::size_t end = text.find('\n', at);
        return at == std::string::npos || end == std::string::npos ? "" : text.substr(at, end - at);
    }
    static bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

    std::string folder_;
    AuthWorld world_;
};

TEST_F(TenonLogin, without_login_the_error_suggests_the_login_option) {
    const Ran ran = run({});
    EXPECT_EQ(ran.status, 4) << ran.err;
    EXPECT_TRUE(has(ran.err, "--login")) << ran.err;
    EXPECT_EQ(world_.seen().authorisations, 0);
    EXPECT_FALSE(std::filesystem::exists(folder_ + "/tenon")) << "no state is written when nobody signed in";
}

TEST_F(TenonLogin, repeated_login_reuses_the_stored_token) {
    const Ran first = run({"--login"});
    EXPECT_EQ(first.status, 0) << first.err;
    const Ran second = run({"--verbose"});
    EXPECT_EQ(second.status, 0) << second.err;
    EXPECT_EQ(world_.seen().authorisations, 1);
    for (const Ran& ran : {first, second}) EXPECT_FALSE(has(ran.err + ran.out, "SECRET")) << ran.err;
}

TEST_F(TenonLogin, client_credentials_need_no_user) {
    const Ran ran =
        run({"--client-id", "me", "--client-secret-env", "TEST_SECRET", "--scope", "a", "--issuer", world_.origin()});
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_EQ(world_.seen().authorisations, 0);
    EXPECT_FALSE(has(ran.err, "s3cret"));
}

TEST_F(TenonLogin, a_client_secret_is_sent_only_to_the_given_issuer) {
    const Words secret = {"--client-id", "me", "--client-secret-env", "TEST_SECRET"};
    const Ran none = run(secret);
    EXPECT_EQ(none.status, 2) << none.err;
    EXPECT_TRUE(has(none.err, "--issuer")) << none.err;
    Words other = secret;
    other.insert(other.end(), {"--issuer", "https://login.example"});
    EXPECT_EQ(run(other).status, 4);
    const auto targets = world_.seen().targets;
    EXPECT_EQ(std::ranges::count(targets, "/token"), 0)
        << "no token may be requested from an authorisation server that is not the --issuer";
}

TEST_F(TenonLogin, contradictory_sign_in_options_are_usage_errors) {
    for (const Words& options :
         {Words{"--client-secret-env", "TEST_SECRET"},
          Words{"--client-id", "me", "--client-secret-env", "s3cret", "--issuer", "https://as.example"},
          Words{"--client-id", "me", "--client-key", "/nonexistent", "--issuer", "https://as.example"},
          Words{"--login", "-H", "Authorization: Bearer x"}, Words{"--login", "--issuer", "http://as.example"}}) {
        const Ran ran = run(options);
        EXPECT_EQ(ran.status, 2) << ran.err;
    }
    Child started({test_folders::bin() + "/tenon", "list", "--login", "--", "/bin/true"});
    EXPECT_EQ(started.finish(), 2);
}

}  // namespace
}  // namespace tenon::test
