// Starts a redis-server for one test program, on a Unix socket in a new folder. So there is no port to choose.
#pragma once

#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <string>
#include <vector>

namespace tenon::test {

/// A server that ends with this object. Persistence is off.
class RedisServer {
 public:
    explicit RedisServer(std::vector<std::string> options = {}) {
        char folder[] = "/tmp/tenon-redis-XXXXXX";
        if (!::mkdtemp(folder)) std::abort();
        folder_ = folder;
        options_ = std::move(options);
        start();
    }
    ~RedisServer() {
        stop();
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
    }
    RedisServer(const RedisServer&) = delete;
    RedisServer& operator=(const RedisServer&) = delete;

    static bool is_installed() { return std::system("command -v redis-server >/dev/null 2>&1") == 0; }
    std::string socket() const { return folder_ + "/socket"; }
    const std::string& folder() const { return folder_; }
    std::string url() const { return "redis+unix:" + socket(); }

    void start() {
        // Before fork(): in the child of a program with threads, allocating could wait for ever.
        std::vector<std::string> words = {
            "redis-server", "--unixsocket", socket(),    "--port",        "0", "--save", "",
            "--dir",        folder_,        "--logfile", folder_ + "/log"};
        words.insert(words.end(), options_.begin(), options_.end());
        std::vector<char*> argv;
        for (auto& word : words) argv.push_back(word.data());
        argv.push_back(nullptr);
        child_ = ::fork();
        if (child_ == 0) {
            ::execvp(argv[0], argv.data());
            ::_exit(127);
        }
        while (!accepts() && ::waitpid(child_, nullptr, WNOHANG) == 0) ::usleep(2000);
    }
    /// Ends it at once, as kill -9 does.
    void stop() {
        if (child_ <= 0) return;
        ::kill(child_, SIGKILL);
        ::waitpid(child_, nullptr, 0);
        child_ = -1;
    }
    void send_signal(int number) const { ::kill(child_, number); }

 private:
    bool accepts() const {
        const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        socket().copy(address.sun_path, sizeof address.sun_path - 1);
        const bool out = ::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
        ::close(fd);
        return out;
    }

    std::string folder_;
    std::vector<std::string> options_;
    pid_t child_ = -1;
};

}  // namespace tenon::test
