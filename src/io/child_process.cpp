#include "io/child_process.hpp"

#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

namespace tenon::io {
namespace {

struct Pipe {
    Fd read, write;
};

Pipe make_pipe() {
    std::array<int, 2> fds = {-1, -1};
    if (::pipe2(fds.data(), O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
    return {Fd(fds[0]), Fd(fds[1])};
}

void set_nonblocking(const Fd& fd) { ::fcntl(fd.get(), F_SETFL, ::fcntl(fd.get(), F_GETFL) | O_NONBLOCK); }

bool is_program(const std::string& path) { return ::access(path.c_str(), X_OK) == 0; }

// Runs before the fork: in the child of a process with threads, allocating memory is not safe.
std::string find_program(const std::string& name, std::string_view path) {
    if (name.find('/') != std::string::npos) return name;
    while (!path.empty()) {
        const std::size_t colon = path.find(':');
        const std::string_view folder = path.substr(0, colon);
        std::string candidate = (folder.empty() ? std::string(".") : std::string(folder)) + "/" + name;
        if (is_program(candidate)) return candidate;
        path.remove_prefix(colon == std::string_view::npos ? path.size() : colon + 1);
    }
    throw std::system_error(ENOENT, std::generic_category(), "no program `" + name + "` in PATH");
}

std::vector<char*> pointers(std::vector<std::string>& strings) {
    std::vector<char*> out;
    out.reserve(strings.size() + 1);
    for (std::string& s : strings) out.push_back(s.data());
    out.push_back(nullptr);
    return out;
}

// The data that the child needs, prepared before the fork.
struct Plan {
    const char* program;
    char** argv;
    char** envp;
    const char* directory;
    int input, output, errors, report;
    pid_t parent;
};

// The program would inherit ignored signals and the signal mask.
void reset_signals() {
    struct sigaction action {};
    action.sa_handler = SIG_DFL;
    for (int number = 1; number < NSIG; ++number) ::sigaction(number, &action, nullptr);
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

// Moves a descriptor to the number `at`. If it has this number already, clears its close-on-exec flag.
bool place(int fd, int at) { return fd == at ? ::fcntl(fd, F_SETFD, 0) == 0 : ::dup2(fd, at) >= 0; }

// Runs in the child. Uses only system calls.
[[noreturn]] void become(const Plan& plan) {
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != plan.parent) ::_exit(127);  // the parent died before prctl()
    reset_signals();
    if (place(plan.input, 0) && place(plan.output, 1) && place(plan.errors, 2) &&
        (*plan.directory == '\0' || ::chdir(plan.directory) == 0)) {
        // Also for descriptors that the host opened without O_CLOEXEC.
        ::syscall(SYS_close_range, 3U, ~0U, CLOSE_RANGE_CLOEXEC);
        ::execve(plan.program, plan.argv, plan.envp);
    }
    const int error = errno;
    [[maybe_unused]] const auto n = ::write(plan.report, &error, sizeof error);
    ::_exit(127);
}

// Returns the errno of a failed start, or 0 when the program runs: execve() closes the pipe.
int read_report(const Fd& report) {
    int error = 0;
    ssize_t n = 0;
    do n = ::read(report.get(), &error, sizeof error);
    while (n < 0 && errno == EINTR);
    return n == sizeof error ? error : 0;
}

// When descriptors 0 to 2 are closed in the host, a pipe may get such a number, and the child would overwrite it.
Fd out_of_the_way(Fd fd) { return fd.get() > 2 ? std::move(fd) : duplicate(fd.get()); }

}  // namespace

ChildProcess::ChildProcess(const ChildCommand& command) {
    if (command.words.empty()) throw std::system_error(EINVAL, std::generic_category(), "no command");
    const std::string program = find_program(command.words.front(), command.path);
    std::vector<std::string> words = command.words, environment = command.environment;
    auto argv = pointers(words), envp = pointers(environment);

    Pipe in = make_pipe(), out = make_pipe(), report = make_pipe();
    Pipe err = command.own_stderr ? make_pipe() : Pipe{};
    Fd theirs_in = out_of_the_way(std::move(in.read)), theirs_out = out_of_the_way(std::move(out.write));
    Fd theirs_err = command.own_stderr ? out_of_the_way(std::move(err.write))
                    : command.silent   ? out_of_the_way(Fd(::open("/dev/null", O_WRONLY | O_CLOEXEC)))
                                       : duplicate(2);
    Fd theirs_report = out_of_the_way(std::move(report.write));

    const Plan plan{program.c_str(),           argv.data(),         envp.data(),
                    command.directory.c_str(), theirs_in.get(),     theirs_out.get(),
                    theirs_err.get(),          theirs_report.get(), ::getpid()};
    pid_ = ::fork();
    if (pid_ < 0) throw std::system_error(errno, std::generic_category(), "fork");
    if (pid_ == 0) become(plan);
    ::setpgid(pid_, pid_);  // parent and child both do this: the group exists before any signal is sent to it
    theirs_report.reset();
    if (const int error = read_report(report.read)) {
        while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
        }
        throw std::system_error(error, std::generic_category(), "cannot start `" + command.words.front() + "`");
    }
    pidfd_ = Fd(static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0)));
    input_ = std::move(in.write), output_ = std::move(out.read), errors_ = std::move(err.read);
    for (const Fd* fd : {&input_, &output_, &errors_})
        if (*fd) set_nonblocking(*fd);
}

ChildProcess::~ChildProcess() { reap(); }

void ChildProcess::signal_group(int number) const {
    if (!status_) ::kill(-pid_, number);
}

bool ChildProcess::has_ended() const {
    if (status_) return true;
    siginfo_t info{};
    return ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid_;
}

int ChildProcess::reap() {
    if (status_) return *status_;
    signal_group(SIGKILL);
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    status_ = status;
    return status;
}

std::string describe_exit(int status) {
    if (WIFEXITED(status)) return "exited with status " + std::to_string(WEXITSTATUS(status));
    const int number = WTERMSIG(status);
    const char* name = ::sigdescr_np(number);
    return "was ended by signal " + std::to_string(number) + (name ? " (" + std::string(name) + ")" : "");
}

}  // namespace tenon::io
