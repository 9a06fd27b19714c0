#include <poll.h>
#include <unistd.h>

#include <array>

#include "attack/messages.hpp"
#include "attack/process.hpp"
#include "attack/run.hpp"

namespace attack {
namespace {

// Sends text and looks for a word in the output. Functions return false after a timeout, or when the server ends.
class Talk {
 public:
    explicit Talk(Process& server) : server_(server) {}

    bool send(std::string_view bytes, bool reads, TimePoint until) {
        while (!bytes.empty()) {
            if (!wait(true, reads, until)) return false;
            const ssize_t n = ::write(server_.input(), bytes.data(), std::min<std::size_t>(bytes.size(), 1 << 16));
            if (n > 0) bytes.remove_prefix(static_cast<std::size_t>(n));
            if (n < 0 && errno != EAGAIN) return false;
            if (reads) read();
        }
        return true;
    }
    bool hear(std::string_view word, TimePoint until) {
        while (tail_.find(word) == std::string::npos)
            if (!wait(false, true, until) || !read()) return false;
        return true;
    }

 private:
    bool wait(bool writes, bool reads, TimePoint until) const {
        std::array<pollfd, 2> fds = {pollfd{writes ? server_.input() : -1, POLLOUT, 0},
                                     pollfd{reads ? server_.output() : -1, POLLIN, 0}};
        const auto left = std::chrono::ceil<milliseconds>(until - Clock::now()).count();
        return left > 0 && ::poll(fds.data(), fds.size(), static_cast<int>(left)) > 0;
    }
    // Keeps the end of the output, because a word may be split between two reads.
    bool read() {
        std::array<char, 65536> buffer;
        const ssize_t n = ::read(server_.output(), buffer.data(), buffer.size());
        if (n > 0) tail_.append(buffer.data(), static_cast<std::size_t>(n));
        if (tail_.size() > 200'000) tail_.erase(0, tail_.size() - 100'000);
        return n > 0 || (n < 0 && errno == EAGAIN);
    }

    Process& server_;
    std::string tail_;
};

}  // namespace

Row run(const PipeAttack& attack, const Paths& paths) {
    Row row{.attack = std::string(attack.name), .by = "stdio", .load = std::string(attack.load), .sent = 1};
    Process server({paths.programs + "/attack_victim", "stdio"},
                   {.pipes = true, .error_file = paths.logs + "/victim.log"});
    Talk talk(server);
    const TimePoint until = Clock::now() + seconds(10);
    talk.send(initialize_message() + "\n" + message("notifications/initialized", "", "") + "\n", true, until);
    if (!talk.hear("serverInfo", until)) return row.broken.emplace_back("the victim does not start"), row;

    row.idle_bytes = server.peak_bytes();
    talk.send(attack.bytes(), attack.reads, Clock::now() + seconds(attack.reads ? 10 : 3));
    talk.send("\n" + message("ping", "", R"("after the attack")") + "\n", true, Clock::now() + seconds(10));
    const bool answered = talk.hear(R"("id":"after the attack")", Clock::now() + seconds(5));

    row.peak_bytes = server.peak_bytes(), row.cpu_seconds = server.cpu_seconds();
    if (!server.is_running()) row.broken.push_back("the server ended with " + std::to_string(server.status()));
    judge(row);
    if (!answered) row.broken.emplace_back("a ping after it gets no answer in 5 s");
    server.close_input();
    if (!server.stop(Clock::now() + seconds(Bounds::stop_seconds))) row.broken.emplace_back("SIGTERM does not end it");
    return row;
}

}  // namespace attack
