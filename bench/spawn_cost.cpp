// spawn_cost ROUNDS PATTERN command...: runs a command several times. Prints three medians: the CPU time in ms of
// the command and of its children, the wall time in ms, and the largest memory of one process in KiB. The output of the
// command must contain the pattern, which proves that the command did its work.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

double milliseconds(const timeval& t) {
    return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_usec) / 1e3;
}

double median(std::vector<double> v) {
    std::sort(v.begin(), v.end());
    return v[v.size() / 2];
}

struct Cost {
    double cpu, wall, memory;
};

std::string read_all(int fd) {
    std::string out;
    std::array<char, 4096> buffer;
    for (ssize_t n; (n = ::read(fd, buffer.data(), buffer.size())) > 0;)
        out.append(buffer.data(), static_cast<std::size_t>(n));
    return out;
}

Cost run(char** command, const std::string& pattern) {
    std::array<int, 2> out = {-1, -1};
    if (::pipe2(out.data(), O_CLOEXEC) != 0) std::exit(2);
    const auto start = std::chrono::steady_clock::now();
    const pid_t child = ::fork();
    if (child == 0) {
        const int nothing = ::open("/dev/null", O_RDWR);
        ::dup2(nothing, 0), ::dup2(out[1], 1), ::dup2(nothing, 2);
        ::execvp(command[0], command);
        ::_exit(127);
    }
    ::close(out[1]);
    const std::string said = read_all(out[0]);
    ::close(out[0]);
    rusage usage{};
    int status = 0;
    ::wait4(child, &status, 0, &usage);
    const std::chrono::duration<double, std::milli> wall = std::chrono::steady_clock::now() - start;
    if (status != 0 || said.find(pattern) == std::string::npos) {
        std::fprintf(stderr, "%s: status %d, and it said: %s\n", command[0], status, said.c_str());
        std::exit(1);
    }
    return {milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime), wall.count(),
            static_cast<double>(usage.ru_maxrss)};
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 4) return std::fprintf(stderr, "usage: spawn_cost ROUNDS PATTERN command...\n"), 2;
    std::vector<double> cpu, wall, memory;
    for (int i = std::atoi(argv[1]); i > 0; --i) {
        const Cost cost = run(argv + 3, argv[2]);
        cpu.push_back(cost.cpu), wall.push_back(cost.wall), memory.push_back(cost.memory);
    }
    std::printf("%.3f %.3f %.0f\n", median(cpu), median(wall), median(memory));
}
