// A process under attack: started, watched and always ended.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "attack/wire.hpp"

namespace attack {

struct ProcessOptions {
    std::size_t soft_descriptors = 0;  ///< RLIMIT_NOFILE's soft value; 0: as it is
    bool pipes = false;                ///< input and output are pipes to us; otherwise they lead to /dev/null
    std::string error_file = {};       ///< where its standard error goes; nowhere when empty
};

class Process {
 public:
    Process(std::vector<std::string> command, const ProcessOptions& options);
    ~Process();  ///< kills it
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    pid_t pid() const { return pid_; }
    bool is_running();
    /// Waits until it ends. Returns false after a timeout.
    bool wait_for_end(TimePoint until);
    /// Ends it with SIGTERM. Returns false when it still runs at `until`.
    bool stop(TimePoint until);
    /// Returns its exit status, or the negative number of the signal that ended it.
    int status() const { return status_.value_or(0); }

    std::size_t peak_bytes();
    double cpu_seconds();

    int input() const { return input_; }
    int output() const { return output_; }
    void close_input();

 private:
    void reap(int options);
    void look();

    pid_t pid_ = -1;
    int input_ = -1, output_ = -1;
    std::optional<int> status_;
    std::size_t peak_ = 0;
    double cpu_ = 0;
};

}  // namespace attack
