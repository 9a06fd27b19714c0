// Makes the n-th allocation, system call or thread creation fail. faults.cpp replaces the functions of the C library,
// so link it only into a program of its own.
#pragma once

#include <string>

namespace tenon::test {

enum class Fault {
    none,
    allocation,  ///< operator new throws std::bad_alloc; malloc, calloc and realloc of our own code return null
    thread,      ///< pthread_create returns EAGAIN
    emfile,      ///< functions that make a descriptor fail with EMFILE
    enfile,      ///< the same with ENFILE
    enospc,      ///< writes, open() and epoll_ctl() fail with ENOSPC
    eintr,       ///< calls that a signal can interrupt fail with EINTR
    eagain,      ///< reads, writes and accept() fail with EAGAIN, and a socket is ready again at once
    epipe,       ///< writes fail with EPIPE
    econnreset,  ///< reads and writes fail with ECONNRESET
    short_io,    ///< reads and writes transfer one byte
    clock_jump,  ///< both clocks are an hour later from then on
    clock_back,  ///< the wall clock is a day earlier from then on
};
std::string name_of(Fault fault);

/// The operations that fail: `count` of them, beginning with number `first` (the first operation has number 1).
struct FaultPlan {
    Fault fault = Fault::none;
    long first = 1;
    long count = 1;
};
std::string describe(const FaultPlan& plan);

/// Begins to count operations. Only those of subjects count.
void arm(const FaultPlan& plan);
/// Ends all faults, and moves the clocks back. Returns how many operations of this kind there were.
long disarm();
/// Returns whether all operations of the plan have failed.
bool fault_is_over();

/// While one exists, its thread is a subject. A new thread is a subject if the thread that made it is one.
class Subject {
 public:
    explicit Subject(bool on = true);
    ~Subject();
    Subject(const Subject&) = delete;
    Subject& operator=(const Subject&) = delete;

 private:
    const bool before_;
};

/// Aborts the program after a minute, with the stacks of all threads and the plan. This is not a time limit that a
/// correct run can come near to.
class Watchdog {
 public:
    explicit Watchdog(const FaultPlan& plan);
    ~Watchdog();
    Watchdog(const Watchdog&) = delete;
    Watchdog& operator=(const Watchdog&) = delete;
};

/// Returns the number of open descriptors of this process.
int open_descriptors();

}  // namespace tenon::test
