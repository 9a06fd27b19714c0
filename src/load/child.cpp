#include "load/child.hpp"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <system_error>

#include <tenon/transport/process.hpp>

#include "jsonrpc/codec.hpp"
#include "load/lookout.hpp"

namespace tenon::load {
namespace {

using namespace std::chrono_literals;

constexpr std::chrono::milliseconds exit_time = 2s;  // how long a server may run after the end of its input

io::ChildCommand command_of(const bench::Target& target) {
    io::ChildCommand out;
    out.words = target.command;
    out.directory = target.directory;
    out.own_stderr = false;
    out.silent = true;
    std::map<std::string, std::string> environment;
    for (const std::string& name : ProcessOptions().inherit)
        if (const char* value = std::getenv(name.c_str())) environment[name] = value;
    for (const auto& [name, value] : target.environment) environment[name] = value;
    for (const auto& [name, value] : environment)
        out.environment.push_back(std::string(name).append("=").append(value));
    out.path = environment.contains("PATH") ? environment["PATH"] : "/usr/local/bin:/usr/bin:/bin";
    return out;
}

}  // namespace

Child::~Child() {
    if (!child_) return;
    child_->input().reset();
    pollfd ended{child_->exit_fd(), POLLIN, 0};
    if (ended.fd >= 0) ::poll(&ended, 1, static_cast<int>(exit_time.count()));
}

Result<void> Child::start(const bench::Target& target) {
    try {
        child_.emplace(command_of(target));
        return {};
    } catch (const std::system_error& e) {
        return Error{code::connection_closed, e.what()};
    }
}

Error Child::gone() const { return {code::connection_closed, "the server ended, or closed its output"}; }

Result<void> Child::send() {
    std::size_t sent = 0;
    while (sent < unsent_.size()) {
        const ssize_t n = ::write(child_->input().get(), unsent_.data() + sent, unsent_.size() - sent);
        if (n > 0)
            sent += static_cast<std::size_t>(n);
        else if (errno == EAGAIN)
            break;
        else if (errno != EINTR)
            return gone();
    }
    unsent_.erase(0, sent);
    return {};
}

Result<bool> Child::wait(TimePoint until) {
    std::array<pollfd, 2> what = {pollfd{child_->output().get(), POLLIN, 0},
                                  pollfd{unsent_.empty() ? -1 : child_->input().get(), POLLOUT, 0}};
    const timespec patience = time_until(until);
    const int n = ::ppoll(what.data(), what.size(), &patience, nullptr);
    if (n < 0 && errno != EINTR) return gone();
    return n > 0 && what[0].revents != 0;
}

Result<std::size_t> Child::receive() {
    const std::span<char> room = lines_.room();
    const ssize_t n = ::read(child_->output().get(), room.data(), room.size());
    if (n > 0) return static_cast<std::size_t>(n);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) return std::size_t{0};
    return gone();
}

Result<std::string> Child::introduce(const protocol::Rules& rules, TimePoint deadline) {
    const bool handshake = rules.is_legacy();
    const Introduction words = introduction(rules);
    say(handshake ? words.initialize : words.discover);
    std::optional<std::string> answer;
    while (!answer) {
        if (Clock::now() >= deadline) return Error{code::request_timeout, "the handshake did not finish in time"};
        const auto take = [&](std::string_view line) {
            if (read_envelope(line).id == 1) answer = line;
        };
        if (auto pumped = pump(deadline, take); !pumped) return pumped.error();
    }
    if (!handshake) {
        if (read_envelope(*answer).kind == Envelope::Kind::error)
            return Error{code::connection_closed, "`server/discover` got an error: " + *answer};
        return std::string(rules.name());
    }
    say(words.initialized);
    return revision_in(*answer);
}

}  // namespace tenon::load
