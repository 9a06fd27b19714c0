#include "client_mutant_wire.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <list>

#include "framing/http_response.hpp"
#include "framing/sse.hpp"

namespace tenon::mutant {
namespace {

void write_all(int fd, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t n = ::write(fd, bytes.data(), bytes.size());
        if (n <= 0) return;
        bytes.remove_prefix(static_cast<std::size_t>(n));
    }
}

class Pipes final : public Wire {
 public:
    explicit Pipes(const std::string& program) {
        std::array<int, 2> in{}, out{};
        if (::pipe(in.data()) != 0 || ::pipe(out.data()) != 0) std::exit(3);
        pid_ = ::fork();
        if (pid_ == 0) {
            ::dup2(in[0], 0), ::dup2(out[1], 1);
            for (const int fd : {in[0], in[1], out[0], out[1]}) ::close(fd);
            ::execl(program.c_str(), program.c_str(), nullptr);
            ::_exit(127);
        }
        ::close(in[0]), ::close(out[1]);
        to_ = in[1], from_ = out[0];
    }
    void send(const std::string& text, bool, const Fields&) override { write_all(to_, text + "\n"); }
    void raw(const std::string& bytes) override { write_all(to_, bytes); }
    std::optional<std::string> receive() override {
        for (std::size_t end = 0; (end = buffer_.find('\n')) == std::string::npos;) {
            std::array<char, 4096> bytes{};
            const ssize_t n = ::read(from_, bytes.data(), bytes.size());
            if (n <= 0) return std::nullopt;
            buffer_.append(bytes.data(), static_cast<std::size_t>(n));
        }
        const std::string line = buffer_.substr(0, buffer_.find('\n'));
        buffer_.erase(0, line.size() + 1);
        return line;
    }
    void close() override {
        ::close(to_);
        ::waitpid(pid_, nullptr, 0);
    }
    void kill() override {
        ::kill(pid_, SIGKILL);
        ::waitpid(pid_, nullptr, 0);
    }
    void listen(const Fields&) override {}
    void end_session(const Fields&) override {}
    bool is_http() const override { return false; }

 private:
    pid_t pid_ = -1;
    int to_ = -1, from_ = -1;
    std::string buffer_;
};

class Web final : public Wire {
 public:
    explicit Web(const std::string& url) {
        const std::size_t colon = url.rfind(':');
        port_ = static_cast<std::uint16_t>(std::stoi(url.substr(colon + 1)));
        path_ = url.substr(url.find('/', colon));
    }
    void send(const std::string& text, bool answered, const Fields& fields) override {
        Exchange& exchange = open("POST", fields, text);
        exchange.answered = answered;
        if (answered) return;
        while (!exchange.ended && take(exchange)) {
        }
        exchanges_.remove_if([&](const Exchange& one) { return &one == &exchange; });
    }
    std::optional<std::string> receive() override {
        for (;;) {
            if (!messages_.empty()) {
                std::string out = std::move(messages_.front());
                messages_.pop_front();
                return out;
            }
            if (lost_ || !wait()) return std::nullopt;
        }
    }
    void raw(const std::string&) override {}
    void close() override { exchanges_.clear(); }
    void kill() override {}
    void listen(const Fields& fields) override {
        Exchange& exchange = open("GET", fields, "");
        while (exchange.status == 0 && take(exchange)) {
        }
        refused_get_ = exchange.status == 405;
    }
    void end_session(const Fields& fields) override {
        Exchange& exchange = open("DELETE", fields, "");
        while (!exchange.ended && take(exchange)) {
        }
    }
    bool is_http() const override { return true; }
    std::string session() const override { return session_; }
    bool lost_session() override { return std::exchange(lost_, false); }
    bool refused_get() const override { return refused_get_; }
    bool saw_stream() const override { return saw_stream_; }

 private:
    using Clock = std::chrono::steady_clock;
    struct Exchange {
        explicit Exchange(int socket) : fd(socket) {}
        ~Exchange() { ::close(fd); }
        Exchange(const Exchange&) = delete;
        Exchange& operator=(const Exchange&) = delete;
        int fd;
        framing::HttpResponseParser parser{};
        framing::SseReader events{1 << 20};
        std::string body = {};
        int status = 0;
        bool stream = false, ended = false, answered = false, got_answer = false;
        std::optional<Clock::time_point> resume_at = {};
    };

    Exchange& open(std::string_view method, const Fields& fields, const std::string& body) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(port_);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        Exchange& out = exchanges_.emplace_back(::socket(AF_INET, SOCK_STREAM, 0));
        if (::connect(out.fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) std::exit(3);
        std::string text =
            std::string(method) + " " + path_ + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port_) + "\r\n";
        for (const auto& [name, value] : fields) text += name + ": " + value + "\r\n";
        if (!body.empty()) text += "Content-Length: " + std::to_string(body.size()) + "\r\n";
        write_all(out.fd, text + "\r\n" + body);
        out.parser.expect(framing::HttpResponseParser::To::get_or_post);
        return out;
    }

    // Waits for input. Returns false when no answer is expected any more. An open GET stream alone is not waited for.
    bool wait() {
        std::vector<pollfd> fds;
        std::vector<Exchange*> who;
        bool expected = false;
        auto until = Clock::now() + std::chrono::seconds(30);
        for (Exchange& exchange : exchanges_) {
            if (exchange.resume_at) expected = true, until = std::min(until, *exchange.resume_at);
            if (exchange.ended) continue;
            expected = expected || exchange.answered;
            fds.push_back({exchange.fd, POLLIN, 0});
            who.push_back(&exchange);
        }
        if (!expected) return false;
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
        const int ready = ::poll(fds.data(), fds.size(), std::max(0, static_cast<int>(left.count())));
        for (std::size_t i = 0; i < fds.size(); ++i)
            if (ready > 0 && fds[i].revents != 0) take(*who[i]);
        return resume_what_is_due() || ready > 0;
    }
    bool resume_what_is_due() {
        bool any = false;
        for (Exchange& exchange : exchanges_) {
            if (!exchange.resume_at || Clock::now() < *exchange.resume_at) continue;
            exchange.resume_at.reset();
            any = true;
            Fields fields = resume_fields;
            fields.emplace_back("Last-Event-ID", exchange.events.last_event_id());
            open("GET", fields, "").answered = true;
        }
        return any;
    }

    bool take(Exchange& exchange) {
        using Event = framing::HttpResponseParser::Event;
        std::array<char, 4096> bytes{};
        const ssize_t n = ::read(exchange.fd, bytes.data(), bytes.size());
        if (n <= 0) return end(exchange), false;
        std::string_view input(bytes.data(), static_cast<std::size_t>(n));
        for (;;) {
            const Event event = exchange.parser.next(input);
            if (event == Event::head) begin(exchange);
            if (event == Event::piece) piece(exchange);
            if (event == Event::end) return end(exchange), true;
            if (event == Event::error) std::exit(3);
            if (event == Event::more) return true;
        }
    }
    void begin(Exchange& exchange) {
        const framing::HttpResponse& head = exchange.parser.response();
        exchange.status = head.status;
        exchange.stream = head.fields.only("content-type").value_or("").starts_with("text/event-stream");
        saw_stream_ = saw_stream_ || (exchange.stream && exchange.answered);
        if (const auto session = head.fields.only("mcp-session-id")) session_ = *session;
        if (head.status == 404 && exchange.answered) lost_ = true;
    }
    void piece(Exchange& exchange) {
        if (!exchange.stream) return void(exchange.body += exchange.parser.piece());
        exchange.events.feed(exchange.parser.piece(), [&](const framing::SseReader::Event& event) {
            if (event.data.empty()) return;
            exchange.got_answer = event.data.find("\"result\"") != std::string::npos;
            messages_.push_back(event.data);
        });
    }
    void end(Exchange& exchange) {
        if (std::exchange(exchange.ended, true)) return;
        if (!exchange.stream && !exchange.body.empty()) messages_.push_back(exchange.body);
        if (exchange.stream && exchange.answered && !exchange.got_answer && resumes) resume(exchange);
    }
    void resume(Exchange& broken) const {
        const auto retry = std::chrono::milliseconds(broken.events.retry_ms().value_or(0));
        broken.resume_at = Clock::now() + (waits_for_retry ? retry : std::chrono::milliseconds(0));
    }

    std::uint16_t port_ = 0;
    std::string path_, session_;
    std::list<Exchange> exchanges_;
    std::list<std::string> messages_;
    bool lost_ = false, refused_get_ = false, saw_stream_ = false;
};

}  // namespace

std::unique_ptr<Wire> start(const std::string& program) { return std::make_unique<Pipes>(program); }
std::unique_ptr<Wire> reach(const std::string& url) { return std::make_unique<Web>(url); }

}  // namespace tenon::mutant
