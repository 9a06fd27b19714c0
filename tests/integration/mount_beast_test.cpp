// The example examples/mount_beast.cpp, with clients of both eras.
#define main mount_beast_main  // NOLINT: the example is a program
#include "examples/mount_beast.cpp"
#undef main

#include <thread>

#include "mount_scenarios.hpp"

namespace tenon::test {
namespace {

class MountBeast : public MountScenarios {
 protected:
    MountBeast() {
        asio::co_spawn(context_, accept(acceptor_, mount_), asio::detached);
        asio::co_spawn(context_, tick(mount_), asio::detached);
        thread_ = std::thread([this] { context_.run(); });
    }
    ~MountBeast() override {
        context_.stop();
        thread_.join();
    }
    std::uint16_t port() const override { return acceptor_.local_endpoint().port(); }

 private:
    HttpMount mount_{server};
    asio::io_context context_{1};
    tcp::acceptor acceptor_{context_, {asio::ip::address_v4::loopback(), 0}};
    std::thread thread_;
};
MOUNT_SCENARIOS(MountBeast)

}  // namespace
}  // namespace tenon::test
