// A child process with pipes to its standard streams, in a process group of its own.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "io/fd.hpp"

namespace tenon::io {

struct ChildCommand {
    std::vector<std::string> words;        // the program's path, or a name to be found in `path`; its arguments
    std::vector<std::string> environment;  // "NAME=value"
    std::string path;                      // where programs are looked for
    std::string directory;                 // empty: this process's
    bool own_stderr = true;                // a pipe; else this process's, or
    bool silent = false;                   // none
};

/// Spawn from the thread that will watch it: the kernel kills the child when that thread ends.
class ChildProcess {
 public:
    /// Throws std::system_error with the reason when the program cannot be started.
    explicit ChildProcess(const ChildCommand& command);
    ~ChildProcess();  ///< kills what is left, and waits for it
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;

    pid_t pid() const { return pid_; }
    Fd& input() { return input_; }    // to its stdin, nonblocking
    Fd& output() { return output_; }  // from its stdout, nonblocking
    Fd& errors() { return errors_; }  // from its stderr, nonblocking; closed unless own_stderr
    /// Readable when the child has ended; -1 where the kernel has no such thing.
    int exit_fd() const { return pidfd_.get(); }

    /// To the whole group, while the child is not reaped: until then its number belongs to nobody else.
    void signal_group(int number) const;
    /// Whether it has ended. Leaves it to be reaped.
    bool has_ended() const;
    /// Ends what is left of the group, and gives the child's status, as waitpid() does. Waits for the child.
    int reap();

 private:
    pid_t pid_ = -1;
    std::optional<int> status_;
    Fd input_, output_, errors_, pidfd_;
};

/// "exited with status 3", "was ended by signal 9 (Killed)".
std::string describe_exit(int status);

}  // namespace tenon::io
