// A mutant over HTTP: changes requests on their way to a correct server, and its responses on their way back.
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <thread>

#include <tenon/tenon.hpp>
#include <tenon/transport/http_server.hpp>

#include "check/good_server.hpp"
#include "check/mutations.hpp"
#include "support/http_client.hpp"

namespace tenon::check::mutant {
namespace {

constexpr std::size_t max_head = 64 * 1024;

std::string lower(std::string text) {
    for (char& c : text)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
    return text;
}

bool send_all(int fd, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t n = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (n <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
}

bool receive_some(int fd, std::string& into) {
    std::array<char, 16 * 1024> buffer;
    const ssize_t n = ::recv(fd, buffer.data(), buffer.size(), 0);
    if (n > 0) into.append(buffer.data(), static_cast<std::size_t>(n));
    return n > 0;
}

Web read_head(const std::string& head) {
    Web out;
    const std::size_t space = head.find(' '), line = head.find("\r\n");
    out.method = head.substr(0, space);
    out.target = head.substr(space + 1, head.find(' ', space + 1) - space - 1);
    for (std::size_t at = line + 2; at < head.size();) {
        const std::size_t end = head.find("\r\n", at), colon = head.find(':', at);
        if (colon < end)
            out.fields.emplace_back(
                lower(head.substr(at, colon - at)),
                head.substr(head.find_first_not_of(' ', colon + 1), end - head.find_first_not_of(' ', colon + 1)));
        at = end + 2;
    }
    return out;
}

std::string request_bytes(const Web& web) {
    std::string out = web.method + " " + web.target + " HTTP/1.1\r\n";
    for (const auto& [name, value] : web.fields)
        if (name != "content-length") out += name + ": " + value + "\r\n";
    if (web.method == "POST" || !web.body.empty()) out += "content-length: " + std::to_string(web.body.size()) + "\r\n";
    return out + "\r\n" + web.body;
}

std::string answer_bytes(const Web& web) {
    std::string out = "HTTP/1.1 " + std::to_string(web.status) + " As It Is\r\n";
    for (const auto& [name, value] : web.answer_fields)
        if (name != "content-length" && name != "transfer-encoding") out += name + ": " + value + "\r\n";
    return out + "content-length: " + std::to_string(web.answer.size()) + "\r\n\r\n" + web.answer;
}

// One connection of a client, on its own thread.
class Connection {
 public:
    Connection(int fd, std::uint16_t inner, const Mutant& mutant) : fd_(fd), inner_(inner), mutant_(mutant) {}
    ~Connection() { ::close(fd_); }

    void serve() {
        while (one()) continue;
    }

 private:
    bool one() {
        std::size_t end = 0;
        while ((end = in_.find("\r\n\r\n")) == in_.npos && in_.size() < max_head)
            if (!receive_some(fd_, in_)) return false;
        if (end == in_.npos) return relay();
        Web web = read_head(in_.substr(0, end + 2));
        if (!web.field("transfer-encoding").empty()) return relay();
        const std::size_t length = std::strtoul(web.field("content-length").c_str(), nullptr, 10);
        while (in_.size() < end + 4 + length)
            if (!receive_some(fd_, in_)) return false;
        web.body = in_.substr(end + 4, length);
        in_.erase(0, end + 4 + length);
        return serve(web);
    }

    bool serve(Web& web) {
        Memory memory;
        if (mutant_.request) mutant_.request(web, memory);
        if (web.status == 0) as_revision_of_web(web);
        if (web.status != 0) return send_all(fd_, answer_bytes(web));
        test::HttpClient server(inner_);
        server.send(request_bytes(web));
        if (web.method == "GET" || web.body.find("subscriptions/listen") != std::string::npos)
            return stream(server, web);
        test::HttpReply reply = server.reply();
        web.status = reply.status;
        web.answer_fields = reply.fields;
        web.answer = reply.body;
        if (mutant_.answer) mutant_.answer(web, memory);
        return send_all(fd_, web.raw.empty() ? answer_bytes(web) : web.raw) && !web.closes;
    }

    // Passes on the stream of a GET until one side closes it.
    bool stream(test::HttpClient& server, Web& web) {
        test::HttpReply head = server.head();
        web.status = head.status;
        web.answer_fields = head.fields;
        Memory memory;
        if (mutant_.answer) mutant_.answer(web, memory);
        if (web.status != 200 || !head.is_stream()) return send_all(fd_, answer_bytes(web));
        std::string text = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n";
        if (!send_all(fd_, text + web.answer)) return false;
        while (const auto piece = server.chunk())
            if (!send_all(fd_, *piece)) return false;
        return false;
    }

    void as_revision_of_web(Web& web) const {
        const auto message = json::parse(web.body);
        if (!message || !message->is_object()) return;
        Passing p{web.body, message->get_object()};
        if (const value* method = p.message.if_contains("method"); method && method->is_string())
            p.method = method->get_string();
        as_revision(p, mutant_.revision);
        web.body = p.line;
        if (p.before.empty()) return;
        web.status = 200;
        web.answer_fields = {{"content-type", "application/json"}};
        web.answer = p.before.front();
    }

    // Passes a request that cannot be parsed here to the correct server unchanged.
    bool relay() {
        test::HttpClient server(inner_);
        server.send(in_);
        std::thread back([&] {
            const test::HttpReply reply = server.reply();
            Web web;
            web.status = reply.status == 0 ? 400 : reply.status;
            web.answer_fields = {{"connection", "close"}};
            Memory memory;
            if (mutant_.answer) mutant_.answer(web, memory);
            send_all(fd_, answer_bytes(web));
            ::shutdown(fd_, SHUT_RDWR);
        });
        std::string more;
        while (receive_some(fd_, more)) {
            if (!server.send(more)) break;
            more.clear();
        }
        back.join();
        return false;
    }

    const int fd_;
    const std::uint16_t inner_;
    const Mutant& mutant_;
    std::string in_;
};

}  // namespace

int serve_web(const Mutant& mutant) {
    static Server server = good_server();
    static HttpServer inner(server, {.port = 0});
    const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (::bind(listener, reinterpret_cast<const sockaddr*>(&address), size) != 0 || ::listen(listener, 64) != 0)
        return 1;
    ::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size);
    std::printf("http://127.0.0.1:%d/mcp\n", ntohs(address.sin_port));
    std::fflush(stdout);
    std::thread([listener, &mutant] {
        for (;;) {
            const int fd = ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
            if (fd < 0) continue;
            std::thread([fd, &mutant] { Connection(fd, inner.port(), mutant).serve(); }).detach();
        }
    }).detach();
    char nothing = 0;
    while (::read(STDIN_FILENO, &nothing, 1) > 0) continue;  // until the parent process has exited
    ::_exit(0);
}

}  // namespace tenon::check::mutant
