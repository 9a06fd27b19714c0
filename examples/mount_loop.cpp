// MCP inside a plain HTTP server without a framework: a thread for each connection, and one request. Its parser is
// only as good as an example needs; HttpMount checks the head again.
//   build/bin/mount_loop 8080     then: http://127.0.0.1:8080/mcp
#include <arpa/inet.h>
#include <poll.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <thread>

#include <tenon/tenon.hpp>

bool send_all(int socket, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
}

// Reads more bytes. Returns an empty text at the end of the input, or on an error.
std::string receive(int socket) {
    std::string bytes(16 * 1024, '\0');
    const ssize_t got = ::recv(socket, bytes.data(), bytes.size(), 0);
    bytes.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    return bytes;
}

bool client_left(int socket) {
    char byte = 0;
    return ::recv(socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

// Reads the head, and removes it from `input`.
std::optional<tenon::HttpRequestHead> read_head(int socket, std::string& input) {
    std::size_t end = 0;
    while ((end = input.find("\r\n\r\n")) == input.npos) {
        const std::string more = receive(socket);
        if (more.empty() || input.size() > 64 * 1024) return std::nullopt;
        input += more;
    }
    tenon::HttpRequestHead head;
    std::string_view lines = std::string_view(input).substr(0, end + 2);
    for (bool first = true; !lines.empty(); first = false) {
        const std::string_view line = lines.substr(0, lines.find("\r\n"));
        lines.remove_prefix(line.size() + 2);
        const std::size_t cut = std::min(line.find(first ? ' ' : ':'), line.size());
        const std::string left(line.substr(0, cut)), right(line.substr(std::min(cut + 1, line.size())));
        if (first) head = {left, right.substr(0, right.find(' '))};
        if (!first) head.headers.emplace_back(left, right.substr(std::min(right.find_first_not_of(' '), right.size())));
    }
    input.erase(0, end + 4);
    return head;
}

std::size_t length_of(const tenon::HttpRequestHead& head) {
    for (const auto& [name, value] : head.headers)
        if (::strcasecmp(name.c_str(), "content-length") == 0) return std::strtoull(value.c_str(), nullptr, 10);
    return 0;
}

bool write_head(int socket, const tenon::HttpResponseHead& head) {
    std::string text = "HTTP/1.1 " + std::to_string(head.status) + " \r\nConnection: close\r\n";
    for (const auto& [name, value] : head.headers) text += name + ": " + value + "\r\n";
    if (head.content_length && head.status != 204)
        text += "Content-Length: " + std::to_string(*head.content_length) + "\r\n";
    return send_all(socket, text + "\r\n");  // a stream ends with its connection
}

void serve(int socket, tenon::HttpMount& mount, const std::string& address) {
    auto client = mount.connect(address);
    std::string input;
    const auto head = read_head(socket, input);
    if (!head) return;
    auto exchange = client.request(*head);
    for (std::size_t left = length_of(*head); left > 0 && exchange.wants_body(); input.clear()) {
        if (input.empty() && (input = receive(socket)).empty()) return;
        input.resize(std::min(input.size(), left));
        exchange.body(input);
        left -= input.size();
    }
    if (exchange.wants_body()) exchange.end_of_body();
    for (auto state = tenon::HttpOutput::State::open; state == tenon::HttpOutput::State::open;) {
        const auto out = exchange.wait_and_take(std::chrono::milliseconds(500));
        if (out.head && !write_head(socket, *out.head)) return;
        if (!send_all(socket, out.body) || client_left(socket)) return;  // the end of `exchange` tells that it left
        state = out.state;
    }
}

int listen_on(std::uint16_t port) {
    const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const int yes = 1;
    ::setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 || ::listen(listener, 64) != 0)
        std::perror("mount_loop"), std::exit(1);
    return listener;
}

// Serves until the listener is shut down. Each thread has one connection at a time.
void run(int listener, tenon::HttpMount& mount) {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 64; ++i)
        threads.emplace_back([listener, &mount] {
            for (int socket = 0; (socket = ::accept(listener, nullptr, nullptr)) >= 0; ::close(socket)) {
                const timeval patience{30, 0};
                ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
                ::setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
                serve(socket, mount, "127.0.0.1");  // it listens on loopback only
            }
        });
    pollfd end{listener, 0, 0};
    while (::poll(&end, 1, 500) == 0) mount.tick();
    mount.stop();
}

int main(int argc, char** argv) {
    tenon::Server server{"mounted", "1.0.0"};
    server.tool("add", "Adds two numbers", tenon::args(tenon::arg<double>("a"), tenon::arg<double>("b")),
                [](double a, double b) { return a + b; });
    tenon::HttpMount mount(server);  // for clients on this machine; see HttpOptions for others
    run(listen_on(static_cast<std::uint16_t>(argc > 1 ? std::atoi(argv[1]) : 8080)), mount);
    return 0;
}
