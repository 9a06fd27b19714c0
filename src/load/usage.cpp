#include "load/usage.hpp"

#include <dirent.h>
#include <time.h>
#include <unistd.h>

#include <fstream>
#include <memory>
#include <sstream>
#include <string>

namespace tenon::load {
namespace {

using namespace std::chrono;

std::string folder_of(pid_t pid) { return "/proc/" + std::to_string(pid); }

std::string text_of(const std::string& file) {
    std::ifstream in(file);
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
}

Duration duration_of(const timespec& t) { return seconds(t.tv_sec) + nanoseconds(t.tv_nsec); }

Duration clock_of(clockid_t clock) {
    timespec t{};
    return ::clock_gettime(clock, &t) == 0 ? duration_of(t) : Duration{};
}

Duration of_ticks(long ticks) { return nanoseconds(ticks * (1'000'000'000 / ::sysconf(_SC_CLK_TCK))); }

// The times in /proc/PID/stat are rounded to 10 ms. The CPU clock of the process returns their exact sum.
void add_times(pid_t pid, Usage& out) {
    const std::string stat = text_of(folder_of(pid) + "/stat");
    const std::size_t after_name = stat.rfind(')');
    if (after_name == std::string::npos) return;
    std::istringstream in(stat.substr(after_name + 1));
    std::string skipped;
    for (int field = 3; field < 14; ++field) in >> skipped;
    long user = 0, system = 0, children_user = 0, children_system = 0;
    in >> user >> system >> children_user >> children_system;
    out.user += of_ticks(user + children_user);
    out.system += of_ticks(system + children_system);
    clockid_t clock{};
    if (::clock_getcpuclockid(pid, &clock) == 0) out.cpu += clock_of(clock);
    out.cpu += of_ticks(children_user + children_system);
}

std::size_t kibibytes(const std::string& status, const std::string& key) {
    const std::size_t at = status.find("\n" + key + ":");
    return at == std::string::npos ? 0 : std::strtoull(status.c_str() + at + key.size() + 2, nullptr, 10) * 1024;
}

void add_memory(pid_t pid, Usage& out) {
    const std::string status = text_of(folder_of(pid) + "/status");
    out.resident += kibibytes(status, "VmRSS");
    out.peak += kibibytes(status, "VmHWM");
}

void add(pid_t pid, Usage& out) {
    add_times(pid, out);
    add_memory(pid, out);
    const std::string tasks = folder_of(pid) + "/task";
    const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir(tasks.c_str()), [](DIR* d) { return ::closedir(d); });
    if (!folder) return;
    while (const dirent* entry = ::readdir(folder.get())) {
        if (entry->d_name[0] == '.') continue;
        std::istringstream children(text_of(tasks + "/" + entry->d_name + "/children"));
        for (pid_t child = 0; children >> child;) add(child, out);
    }
}

}  // namespace

Usage usage_of(pid_t pid) {
    Usage out;
    if (pid > 0) add(pid, out);
    return out;
}

Duration own_cpu() { return clock_of(CLOCK_PROCESS_CPUTIME_ID); }

}  // namespace tenon::load
