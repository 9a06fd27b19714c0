// Child processes of a host inherit no socket of this library, however they are started.
#include <fcntl.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include <tenon/tenon.hpp>
#include <tenon/transport/http_server.hpp>

namespace tenon::test {
namespace {

/// The sockets of this process, and those of them that a child would inherit.
struct Sockets {
    // Reads /proc only: the descriptors belong to other threads, and the thread sanitizer would take any other use of
    // them for a race with their end.
    Sockets() {
        for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
            std::error_code gone;
            const std::string target = std::filesystem::read_symlink(entry.path(), gone).string();
            if (gone || !target.starts_with("socket:")) continue;
            const std::string fd = entry.path().filename();
            all.insert(std::stoi(fd));
            if ((flags_of(fd) & O_CLOEXEC) == 0) inherited.insert(std::stoi(fd));
        }
    }
    static unsigned flags_of(const std::string& fd) {
        std::ifstream info("/proc/self/fdinfo/" + fd);
        std::string word;
        while (info >> word && word != "flags:") {
        }
        unsigned flags = O_CLOEXEC;  // of a socket that is gone
        info >> std::oct >> flags;
        return flags;
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
