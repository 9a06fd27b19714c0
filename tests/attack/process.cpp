#include "attack/process.hpp"

#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include "load/usage.hpp"

namespace attack {
namespace {

double seconds_of(const timeval& t) { return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6; }

void limit_descriptors(std::size_t soft) {
    rlimit limit{};
    if (soft == 0 || ::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
    limit.rlim_cur = std::min<rlim_t>(soft, limit.rlim_max);
    ::setrlimit(RLIMIT_NOFILE, &limit);
}

// Returns the peak of resident memory, without children: the children of a client under attack are hostile servers.
std::size_t peak_of(pid_t pid) {
    std::ifstream status("/proc/" + std::to_string(pid) + "/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("VmHWM:")) return std::strtoul(line.c_str() + 6, nullptr, 10) * 1024;
    return 0;
}

// In the child, between fork and exec. `started` is closed by a successful exec, and gets a byte otherwise.
[[noreturn]] void become(char** argv, int input, int output, int started, const ProcessOptions& options) {
    const int nowhere = ::open("/dev/null", O_RDWR);
    const int errors =
        options.error_file.empty() ? nowhere : ::open(options.error_file.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    ::dup2(input >= 0 ? input : nowhere, 0);
    ::dup2(output >= 0 ? output : nowhere, 1);
    ::dup2(errors, 2);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // nothing is left behind when the attack program is killed
    limit_descriptors(options.soft_descriptors);
    ::close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
    ::execv(argv[0], argv);
    [[maybe_unused]] const ssize_t written = ::write(started, "!", 1);
    ::_exit(127);
}

}  // namespace

// Until exec is done, the child's memory is a copy of ours and says nothing about the program.
Process::Process(std::vector<std::string> command, const ProcessOptions& options) {
    std::array<int, 2> in = {-1, -1}, out = {-1, -1}, started = {-1, -1};
    if (::pipe2(started.data(), O_CLOEXEC) != 0) throw std::runtime_error("pipe");
    if (options.pipes && (::pipe2(in.data(), O_CLOEXEC) != 0 || ::pipe2(out.data(), O_CLOEXEC) != 0))
        throw std::runtime_error("pipe");
    std::vector<char*> argv;
    for (std::string& word : command) argv.push_back(word.data());
    argv.push_back(nullptr);
    pid_ = ::fork();
    if (pid_ < 0) throw std::runtime_error("fork");
    if (pid_ == 0) become(argv.data(), in[0], out[1], started[1], options);
    for (const int theirs : {in[0], out[1], started[1]})
        if (theirs >= 0) ::close(theirs);
    input_ = in[1], output_ = out[0];
    char failed = 0;
    const bool runs = ::read(started[0], &failed, 1) == 0;
    ::close(started[0]);
    if (!runs) {
        reap(0);
        throw std::runtime_error("cannot start " + command[0] + "; ./dev attack builds it");
    }
    for (const int ours : {input_, output_})
        if (ours >= 0) ::fcntl(ours, F_SETFL, ::fcntl(ours, F_GETFL) | O_NONBLOCK);
}

Process::~Process() {
    close_input();
    if (output_ >= 0) ::close(output_);
    if (status_) return;
    ::kill(pid_, SIGKILL);
    reap(0);
}

void Process::close_input() {
    if (input_ >= 0) ::close(input_);
    input_ = -1;
}

void Process::reap(int options) {
    int status = 0;
    rusage usage{};
    if (status_ || ::wait4(pid_, &status, options, &usage) != pid_) return;
    status_ = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    cpu_ = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
}

bool Process::is_running() {
    reap(WNOHANG);
    return !status_;
}

bool Process::wait_for_end(TimePoint until) {
    for (; is_running() && Clock::now() < until; look()) ::poll(nullptr, 0, 10);
    return !is_running();
}

bool Process::stop(TimePoint until) {
    if (is_running()) ::kill(pid_, SIGTERM);
    return wait_for_end(until);
}

void Process::look() {
    if (!is_running()) return;
    const auto usage = tenon::load::usage_of(pid_);
    peak_ = std::max(peak_, peak_of(pid_));
    cpu_ = std::chrono::duration<double>(usage.cpu).count();
}

std::size_t Process::peak_bytes() { return look(), peak_; }
double Process::cpu_seconds() { return look(), cpu_; }

}  // namespace attack
