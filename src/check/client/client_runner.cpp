#include "check/client/client_runner.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <system_error>

#include <tenon/transport/process.hpp>

#include "check/client/peers.hpp"
#include "check/client/played_http_server.hpp"
#include "io/child_process.hpp"
#include "io/wake_pipe.hpp"
#include "transport/process/process_loop.hpp"

namespace tenon::check::client {
namespace {

// A client that has connected and then sends nothing for this time is considered done.
constexpr Duration quiet_time = std::chrono::seconds(5);
// After the client has exited, its servers have this time to see their end.
constexpr Duration farewell_time = std::chrono::seconds(1);
// After SIGTERM, the client has this time to exit.
constexpr Duration leaving_time = std::chrono::milliseconds(500);
constexpr std::size_t max_error_bytes = 4 * 1024;
constexpr int backlog = 64;

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

std::string quoted(std::string_view word) {
    std::string out = "'";
    for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
}

void write_script(const std::string& path, const std::vector<std::string>& relay, const std::string& socket) {
    std::string text = "#!/bin/sh\nexec";
    for (const std::string& word : relay) text += " " + quoted(word);
    text += " " + quoted(socket) + "\n";
    const io::Fd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0700));
    if (!file || ::write(file.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size())) fail("a script");
}

io::Fd listen_at(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof address.sun_path) errno = ENAMETOOLONG, fail("TMPDIR");
    path.copy(address.sun_path, path.size());
    io::Fd out(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (::bind(out.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
        ::listen(out.get(), backlog) != 0)
        fail("a socket");
    return out;
}

io::Fd listen_on_loopback(std::string& url) {
    io::Fd out(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (::bind(out.get(), reinterpret_cast<const sockaddr*>(&address), size) != 0 ||
        ::listen(out.get(), backlog) != 0 ||
        ::getsockname(out.get(), reinterpret_cast<sockaddr*>(&address), &size) != 0)
        fail("a port");
    url = "http://127.0.0.1:" + std::to_string(ntohs(address.sin_port)) + std::string(endpoint_path);
    return out;
}

void replace_all(std::string& text, std::string_view what, std::string_view with) {
    for (std::size_t i = 0; (i = text.find(what, i)) != std::string::npos; i += with.size())
        text.replace(i, what.size(), with);
}

int poll_time(TimePoint until) {
    using std::chrono::milliseconds;
    constexpr auto longest = milliseconds(60'000);
    const auto left = until - Clock::now();
    if (left <= Duration::zero()) return 0;
    return static_cast<int>(std::chrono::ceil<milliseconds>(std::min<Duration>(left, longest)).count());
}

}  // namespace

PrivateFolder::PrivateFolder(const std::vector<std::string>& relay) {
    const char* where = std::getenv("TMPDIR");
    path_ = std::string(where && *where ? where : "/tmp") + "/tenon-check-XXXXXX";
    if (!::mkdtemp(path_.data())) fail("a folder for temporary files");
    write_script(server(), relay, socket());
}

PrivateFolder::~PrivateFolder() {
    ::unlink(server().c_str());
    ::unlink(socket().c_str());
    ::rmdir(path_.c_str());
}

// One run of the client.
class ClientRunner::Run {
 public:
    Run(const ClientRunner& runner, Scene scene, TimePoint until)
        : runner_(runner),
          until_(until),
          started_(Clock::now()),
          record_{.scene = scene, .http = runner.http_},
          peers_(make_peers(scene, runner.http_, runner.options_.answer_time, record_, started_)),
          child_(child_command({.command = words(),
                                .directory = runner.options_.target.directory,
                                .environment = runner.options_.target.environment})),
          last_news_(started_) {
        child_.input().reset();
    }

    Record play() {
        const std::stop_callback on_stop(runner_.options_.stop, [this] { wake_.wake(); });
        while (goes_on()) turn();
        if (!record_.ended) end_child();
        note(Event::Kind::exited, io::describe_exit(child_.reap()));
        return std::move(record_);
    }

 private:
    std::vector<std::string> words() const {
        std::vector<std::string> out = runner_.options_.target.command;
        for (std::string& word : out) {
            replace_all(word, "{url}", runner_.url_);
            if (runner_.folder_) replace_all(word, "{server}", runner_.folder_->server());
        }
        return out;
    }

    void note(Event::Kind kind, std::string text) {
        record_.events.push_back({.kind = kind, .at = Clock::now() - started_, .text = std::move(text)});
    }

    // After the exit of the client, its remaining output is still read for a while.
    TimePoint end_of_silence() const {
        if (record_.ended) return ended_at_ + farewell_time;
        return last_news_ +
               (peers_->met() ? std::min(quiet_time, runner_.options_.answer_time) : runner_.options_.answer_time);
    }
    bool goes_on() const {
        const TimePoint now = Clock::now();
        if (runner_.options_.stop.stop_requested() || now >= until_ || peers_->full()) return false;
        if (record_.ended) return !peers_->all_gone() && now < end_of_silence();
        return peers_->deadline().has_value() || now < end_of_silence();
    }

    void turn() {
        std::vector<pollfd> fds = {{wake_.fd(), POLLIN, 0},
                                   {record_.ended ? -1 : child_.exit_fd(), POLLIN, 0},
                                   {child_.output().get(), POLLIN, 0},
                                   {child_.errors().get(), POLLIN, 0},
                                   {runner_.listener_.get(), POLLIN, 0}};
        const std::size_t own = fds.size();
        peers_->add_to(fds);
        TimePoint wake_at = std::min(until_, end_of_silence());
        if (const auto due = peers_->deadline()) wake_at = std::min(wake_at, *due);
        if (::poll(fds.data(), fds.size(), poll_time(wake_at)) < 0 && errno != EINTR) fail("poll");
        if (fds[2].revents != 0) read_from(child_.output(), nullptr);
        if (fds[3].revents != 0) read_from(child_.errors(), &record_.errors);
        if (peers_->serve(std::span(fds).subspan(own))) last_news_ = Clock::now();
        if (fds[4].revents != 0) accept();
        peers_->tick();
        if (!record_.ended && child_.has_ended()) {
            record_.ended = true;
            ended_at_ = Clock::now();
        }
    }

    void accept() {
        io::Fd fd(::accept4(runner_.listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
        if (!fd) return;
        last_news_ = Clock::now();
        peers_->add(std::move(fd));
    }

    void read_from(io::Fd& fd, std::string* tail) {
        std::array<char, 16 * 1024> buffer;
        const ssize_t n = ::read(fd.get(), buffer.data(), buffer.size());
        if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
        if (n <= 0) return fd.reset();
        if (!tail) return;
        tail->append(buffer.data(), static_cast<std::size_t>(n));
        if (tail->size() > max_error_bytes) tail->erase(0, tail->size() - max_error_bytes);
    }

    // Stops a client that did not exit by itself.
    void end_child() {
        child_.signal_group(SIGTERM);
        pollfd end{child_.exit_fd(), POLLIN, 0};
        ::poll(&end, 1, poll_time(Clock::now() + leaving_time));
    }

    const ClientRunner& runner_;
    const TimePoint until_, started_;
    Record record_;
    std::unique_ptr<Peers> peers_;
    io::ChildProcess child_;
    io::WakePipe wake_;
    TimePoint last_news_, ended_at_ = {};
};

ClientRunner::ClientRunner(const Options& options, bool http) : options_(options), http_(http) {
    if (http) {
        listener_ = listen_on_loopback(url_);
    } else {
        folder_ = std::make_unique<PrivateFolder>(options.relay);
        listener_ = listen_at(folder_->socket());
    }
}

ClientRunner::~ClientRunner() = default;

Record ClientRunner::play(Scene scene, TimePoint until) { return Run(*this, scene, until).play(); }

}  // namespace tenon::check::client
