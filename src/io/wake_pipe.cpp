#include "io/wake_pipe.hpp"

#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <system_error>

namespace tenon::io {
namespace {

// Globals, because a signal handler has no other access to data.
std::atomic<int> signal_fd{-1};
std::atomic<int> signal_number{0};
struct sigaction before_int, before_term, before_pipe;

void on_signal(int number) {
    const int saved = errno;
    signal_number.store(number);
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto n = ::write(signal_fd.load(), &one, sizeof one);
    errno = saved;
}

}  // namespace

WakePipe::WakePipe() : event_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    if (!event_) throw std::system_error(errno, std::generic_category(), "eventfd");
}

void WakePipe::wake() const noexcept {
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto n = ::write(event_.get(), &one, sizeof one);
}

void WakePipe::clear() const noexcept {
    std::uint64_t count = 0;
    [[maybe_unused]] const auto n = ::read(event_.get(), &count, sizeof count);
}

Signals::Signals(const WakePipe& pipe) {
    signal_fd.store(pipe.fd());
    signal_number.store(0);
    struct sigaction action {};
    action.sa_handler = on_signal;
    action.sa_flags = static_cast<int>(SA_RESETHAND);  // the second signal ends the process
    sigemptyset(&action.sa_mask);
    ::sigaction(SIGINT, &action, &before_int);
    ::sigaction(SIGTERM, &action, &before_term);
    action.sa_handler = SIG_IGN;
    action.sa_flags = 0;
    ::sigaction(SIGPIPE, &action, &before_pipe);
}

Signals::~Signals() {
    ::sigaction(SIGINT, &before_int, nullptr);
    ::sigaction(SIGTERM, &before_term, nullptr);
    ::sigaction(SIGPIPE, &before_pipe, nullptr);
    signal_fd.store(-1);
}

int Signals::received() const noexcept { return signal_number.load(); }

}  // namespace tenon::io
