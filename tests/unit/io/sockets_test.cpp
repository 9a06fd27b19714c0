#include "io/sockets.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

namespace tenon::io {
namespace {

bool closes_on_exec(const Fd& fd) { return (::fcntl(fd.get(), F_GETFD) & FD_CLOEXEC) != 0; }

TEST(Sockets, are_close_on_exec) {
    const Fd listener = tcp_socket(AF_INET), client = tcp_socket(AF_INET);
    EXPECT_TRUE(closes_on_exec(listener));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const any = reinterpret_cast<sockaddr*>(&address);
    ASSERT_EQ(::bind(listener.get(), any, size), 0);
    ASSERT_EQ(::listen(listener.get(), 1), 0);
    ASSERT_EQ(::getsockname(listener.get(), any, &size), 0);
    ASSERT_EQ(::connect(client.get(), any, size), 0);

    const Fd accepted = accept_connection(listener.get());
    ASSERT_TRUE(accepted);
    EXPECT_TRUE(closes_on_exec(accepted));
    EXPECT_NE(::fcntl(accepted.get(), F_GETFL) & O_NONBLOCK, 0);
}

TEST(Sockets, failures_return_an_empty_descriptor) {
    EXPECT_FALSE(tcp_socket(-1));
    EXPECT_FALSE(accept_connection(-1));
}

}  // namespace
}  // namespace tenon::io
