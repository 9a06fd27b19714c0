#include "interrupt.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <cstdint>

#include "status.hpp"

namespace tenon::program {
namespace {

sigset_t ending_signals() {
    sigset_t set;
    sigemptyset(&set);
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&set, number);
    return set;
}

void set_event(int fd) {
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto n = ::write(fd, &one, sizeof one);
}

}  // namespace

Interrupt::Interrupt() {
    const sigset_t set = ending_signals();
    ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
    signals_ = Fd(::signalfd(-1, &set, SFD_CLOEXEC));
    end_ = Fd(::eventfd(0, EFD_CLOEXEC));
    if (!signals_ || !end_) throw Failure(Status::connection, "there are no file descriptors left");
    thread_ = std::thread([this] { listen(); });
}

Interrupt::~Interrupt() {
    set_event(end_.get());
    thread_.join();
}

void Interrupt::listen() {
    for (;;) {
        std::array<pollfd, 2> fds = {pollfd{signals_.get(), POLLIN, 0}, pollfd{end_.get(), POLLIN, 0}};
        if (::poll(fds.data(), fds.size(), -1) < 0) continue;
        if (fds[1].revents != 0) return;
        signalfd_siginfo info{};
        if (::read(signals_.get(), &info, sizeof info) != sizeof info) continue;
        if (!source_.request_stop()) ::_exit(static_cast<int>(Status::interrupted));
    }
}

void StopFd::Wake::operator()() const { set_event(fd); }

StopFd::StopFd(const std::stop_token& token) : fd_(::eventfd(0, EFD_CLOEXEC)), callback_(token, Wake{fd_.get()}) {}

}  // namespace tenon::program
