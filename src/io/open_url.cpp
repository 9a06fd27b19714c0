#include "io/open_url.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <thread>
#include <vector>

#include "io/last_resort.hpp"

namespace tenon::io {
namespace {

constexpr std::size_t most_url = 16 * 1024;

bool is_web_page(std::string_view url) {
    const bool web = url.starts_with("https://") || url.starts_with("http://");
    return web && url.size() <= most_url && std::ranges::all_of(url, [](char c) { return c > 0x20 && c < 0x7f; });
}

// Splits a command such as "firefox --new-window %s" into words. The URL replaces %s, or is added at the end.
std::vector<std::string> words_of(std::string_view command, const std::string& url) {
    std::vector<std::string> out;
    bool placed = false;
    while (!command.empty()) {
        const std::string_view word = command.substr(0, command.find(' '));
        command.remove_prefix(std::min(word.size() + 1, command.size()));
        if (word.empty()) continue;
        placed = placed || word == "%s";
        out.emplace_back(word == "%s" ? std::string_view(url) : word);
    }
    if (!placed && !out.empty()) out.push_back(url);
    return out;
}

class SpawnPlan {
 public:
    SpawnPlan() {
        ::posix_spawn_file_actions_init(&files);
        for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
            ::posix_spawn_file_actions_addopen(&files, fd, "/dev/null", O_RDWR, 0);
#if defined(__GLIBC__) && (__GLIBC__ > 2 || (__GLIBC__ == 2 && __GLIBC_MINOR__ >= 34))
        // Also descriptors that the host opened without O_CLOEXEC.
        ::posix_spawn_file_actions_addclosefrom_np(&files, STDERR_FILENO + 1);
#endif
        ::posix_spawnattr_init(&attributes);
        sigset_t none, all;
        sigemptyset(&none);
        sigfillset(&all);
        ::posix_spawnattr_setsigmask(&attributes, &none);
        ::posix_spawnattr_setsigdefault(&attributes, &all);
        ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID);
    }
    ~SpawnPlan() {
        ::posix_spawn_file_actions_destroy(&files);
        ::posix_spawnattr_destroy(&attributes);
    }
    SpawnPlan(const SpawnPlan&) = delete;
    SpawnPlan& operator=(const SpawnPlan&) = delete;

    posix_spawn_file_actions_t files{};
    posix_spawnattr_t attributes{};
};

bool start(std::vector<std::string> words) {
    if (words.empty()) return false;
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    const SpawnPlan plan;
    pid_t pid = 0;
    if (::posix_spawnp(&pid, argv[0], &plan.files, &plan.attributes, argv.data(), environ) != 0) return false;
    const auto reap = [pid] {
        while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
        }
    };
    // Waits for the browser on a thread of its own, so that it does not become a zombie. If no thread can be started,
    // it stays a zombie.
    survives([&] { std::thread(reap).detach(); }, [](const char*) {});
    return true;
}

}  // namespace

bool open_url(const std::string& url) {
    if (!is_web_page(url)) return false;
    std::string_view browsers;
    if (const char* named = std::getenv("BROWSER")) browsers = named;
    while (!browsers.empty()) {
        const std::string_view command = browsers.substr(0, browsers.find(':'));
        browsers.remove_prefix(std::min(command.size() + 1, browsers.size()));
        if (start(words_of(command, url))) return true;
    }
#ifdef __APPLE__
    return start({"open", url});
#else
    return start({"xdg-open", url});
#endif
}

}  // namespace tenon::io
