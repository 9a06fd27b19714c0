// The example examples/mount_loop.cpp, with clients of both eras.
#define main mount_loop_main  // NOLINT: the example is a program
#include "examples/mount_loop.cpp"
#undef main

#include <netinet/in.h>

#include "mount_scenarios.hpp"

namespace tenon::test {
namespace {

class MountLoop : public MountScenarios {
 protected:
    MountLoop() : thread_([this] { run(listener_, mount_); }) {}
    ~MountLoop() override {
        ::shutdown(listener_, SHUT_RDWR);
        thread_.join();
        ::close(listener_);
    }
    std::uint16_t port() const override {
        sockaddr_in address{};
        socklen_t size = sizeof address;
        ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
        return ntohs(address.sin_port);
    }

 private:
    HttpMount mount_{server};
    const int listener_ = listen_on(0);
    std::thread thread_;
};
MOUNT_SCENARIOS(MountLoop)

}  // namespace
}  // namespace tenon::test
