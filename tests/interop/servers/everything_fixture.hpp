// @modelcontextprotocol/server-everything, by each way that it can be spoken to. Each test has its own.
#pragma once

#include <optional>

#include "foreign_server.hpp"
#include "gather.hpp"

namespace tenon::test {

enum class Way { stdio };

inline std::string name_of(const ::testing::TestParamInfo<Way>& info) {
    switch (info.param) {
        case Way::stdio: return "stdio";
    }
    return "";
}

class Everything : public ::testing::TestWithParam<Way> {
 protected:
    void SetUp() override {
        if (!npm_packages_are_installed()) GTEST_SKIP() << "the npm packages are not installed";
    }
    Client connected(ClientOptions options = {}) { return Client(transport(), std::move(options)); }

 private:
    std::shared_ptr<ClientTransport> transport() { return by_stdio({everything_script(), "stdio"}); }
};

}  // namespace tenon::test
