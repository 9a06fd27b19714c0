// Child processes of a host inherit no socket of this library, however they are started.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <filesystem>
#include <set>

#include <tenon/tenon.hpp>
#include <tenon/transport/http_server.hpp>

namespace tenon::test {
namespace {

/// The sockets of this process, and those of them that a child would inherit.
struct Sockets {
    Sockets() {
        for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
            const int fd = std::stoi(entry.path().filename());
            struct stat state {};
            if (::fstat(fd, &state) != 0 || !S_ISSOCK(state.st_mode)) continue;
            all.insert(fd);
            if ((::fcntl(fd, F_GETFD) & FD_CLOEXEC) == 0) inherited.insert(fd);
        }
    }
    std::set<int> all, inherited;
};

TEST(HttpCloseOnExec, child_processes_inherit_no_server_or_client_socket) {
    const Sockets before;
    Server server{"s", "1"};
    server.tool("ping", "Says pong", [] { return "pong"; });
    HttpServer web(server, {.port = 0});
    Client client(http({.url = web.url()}), {});
    client.call_tool("ping", {});
    const Sockets now;
    EXPECT_GE(now.all.size(), before.all.size() + 3) << "expected a listening socket and both ends of a connection";
    EXPECT_EQ(now.inherited, before.inherited);
}

}  // namespace
}  // namespace tenon::test
