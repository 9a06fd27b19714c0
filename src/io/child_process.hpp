// A child process with pipes to its standard streams, in a process group of its own.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "io/fd.hpp"

namespace tenon::io {

struct ChildCommand {
    std::vector<std::string> words;        // the program, as a path or as a name to find in `path`, and its arguments
    std::vector<std::string> environment;  // "NAME=value"
    std::string path;                      // folders to search for the program, like $PATH
    std::string directory;                 // empty: the directory of this process
    bool own_stderr = true;                // stderr is a pipe; otherwise the stderr of this process, or
    bool silent = false;                   // /dev/null
};

/// A running child process. Create it on the thread that watches it: the kernel kills the child when that thread ends.
class ChildProcess {
 public:
    /// Throws std::system_error with the reason when the program cannot be started.
    explicit ChildProcess(const ChildCommand& command);
    ~ChildProcess();  ///< kills the process group, and waits for the child
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;

    pid_t pid() const { return pid_; }
    Fd& input() { return input_; }    // to its stdin, nonblocking
    Fd& output() { return output_; }  // from its stdout, nonblocking
    Fd& errors() { return errors_; }  // from its stderr, nonblocking; closed unless own_stderr
    /// Returns a descriptor that is readable when the child has ended; -1 on kernels without pidfd.
    int exit_fd() const { return pidfd_.get(); }

    /// Sends a signal to the whole process group. Does nothing after reap(): the group's number may then belong to
    /// another group.
    void signal_group(int number) const;
    /// Returns whether the child has ended. Does not reap it.
    bool has_ended() const;
    /// Kills the process group, waits for the child, and returns its status in the form of waitpid().
    int reap();

 private:
    pid_t pid_ = -1;
    std::optional<int> status_;
    Fd input_, output_, errors_, pidfd_;
};

/// Returns "exited with status 3" or "was ended by signal 9 (Killed)".
std::string describe_exit(int status);

}  // namespace tenon::io
