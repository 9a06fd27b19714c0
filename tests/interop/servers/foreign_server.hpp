// Third-party servers, run by the Node.js of tests/interop/node_modules.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <tenon/client.hpp>
#include <tenon/transport/process.hpp>

#include "support/child.hpp"
#include "support/folders.hpp"

namespace tenon::test {

inline const std::filesystem::path interop_folder = test_folders::tests() + "/interop";

inline std::filesystem::path npm_package(const std::string& name) {
    return interop_folder / "node_modules" / "@modelcontextprotocol" / name;
}

/// Returns the path of Node.js, or an empty string when it is not installed. It is not node_modules/.bin/node: see
/// run.sh.
inline std::string node_program() {
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(interop_folder / "node_modules", none)) {
        const auto node = entry.path() / "bin" / "node";
        if (entry.path().filename().string().starts_with("node-linux-") && exists(node)) return node;
    }
    return {};
}

inline bool npm_packages_are_installed() {
    return !node_program().empty() && exists(npm_package("server-everything")) &&
           exists(npm_package("server-filesystem")) && exists(npm_package("server"));
}

inline std::string everything_script() { return npm_package("server-everything") / "dist" / "index.js"; }
inline std::string filesystem_script() { return npm_package("server-filesystem") / "dist" / "index.js"; }
inline std::string own_script(const std::string& name) { return interop_folder / "servers" / name; }

inline std::vector<std::string> node_command(std::vector<std::string> script_and_arguments) {
    script_and_arguments.insert(script_and_arguments.begin(), node_program());
    return script_and_arguments;
}

/// Starts a server over stdio. Most of these servers keep running for a while after their input ended, so the exit time
/// is short.
inline std::shared_ptr<ProcessTransport> by_stdio(std::vector<std::string> script_and_arguments,
                                                  ProcessOptions options = {}) {
    options.command = node_command(std::move(script_and_arguments));
    options.exit_time = std::chrono::milliseconds(20);
    return process(std::move(options));
}

/// A server over HTTP on a port that the kernel chose. The destructor stops it, and it also stops when the test process
/// dies.
class HttpProcess {
 public:
    explicit HttpProcess(std::vector<std::string> script_and_arguments) : child_(command(script_and_arguments)) {
        const std::string sign = "listening on port ";
        port_ = wait_until_it_says(sign).substr(sign.size());
    }
    std::string wait_until_it_says(std::string_view beginning) {
        while (const auto line = child_.line())
            if (line->starts_with(beginning)) return *line;
        throw std::runtime_error("the server did not say: " + std::string(beginning) + "\n" + child_.errors());
    }
    std::string url(const std::string& path) const { return "http://127.0.0.1:" + port_ + path; }

 private:
    static std::vector<std::string> command(const std::vector<std::string>& words) {
        std::vector<std::string> out = node_command({"--import", own_script("say_port.mjs")});
        out.insert(out.begin(), {"/usr/bin/env", "PORT=0"});
        out.insert(out.end(), words.begin(), words.end());
        return out;
    }
    Child child_;
    std::string port_;
};

/// Base class of all suites. Skips the test when the npm packages are missing. Fails it when a process is left behind.
class ForeignServer : public ::testing::Test {
 protected:
    void SetUp() override {
        if (!npm_packages_are_installed()) GTEST_SKIP() << "the npm packages are not installed";
    }
    void TearDown() override {
        server_.reset();
        siginfo_t child{};
        EXPECT_NE(::waitid(P_ALL, 0, &child, WEXITED | WNOHANG | WNOWAIT), 0) << "a child process is left behind";
    }
    /// Starts the server at the first call. All clients of a test share it.
    HttpProcess& http_server(std::vector<std::string> script_and_arguments) {
        if (!server_) server_ = std::make_unique<HttpProcess>(std::move(script_and_arguments));
        return *server_;
    }

 private:
    std::unique_ptr<HttpProcess> server_;
};

}  // namespace tenon::test
