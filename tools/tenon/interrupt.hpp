// Handles Ctrl-C: the first one cancels, the second one exits at once.
#pragma once

#include <stop_token>
#include <thread>

#include "fd.hpp"

namespace tenon::program {

/// During its lifetime, SIGINT, SIGTERM and SIGHUP request a stop of its token. Create it before all other threads, so
/// they inherit the signal mask that blocks these signals.
class Interrupt {
 public:
    Interrupt();
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    std::stop_token token() const { return source_.get_token(); }
    bool happened() const { return source_.stop_requested(); }

 private:
    void listen();

    std::stop_source source_;
    Fd signals_, end_;
    std::thread thread_;
};

/// A file descriptor that becomes readable when a stop of the token is requested.
class StopFd {
 public:
    explicit StopFd(const std::stop_token& token);
    int fd() const { return fd_.get(); }

 private:
    struct Wake {
        int fd;
        void operator()() const;
    };
    Fd fd_;
    std::stop_callback<Wake> callback_;  // destroyed first, so it never uses a closed descriptor
};

}  // namespace tenon::program
