// The functions below have the names of the C library's functions, so calls of this program and of its libraries come
// here. Each passes the call on to the next definition: that of the sanitizer, or the C library's.
#include "faults/faults.hpp"

#include <dirent.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <new>
#include <thread>

extern "C" void __sanitizer_print_stack_trace() __attribute__((weak));

namespace tenon::test {
namespace {

thread_local bool is_subject = false;

std::atomic<Fault> armed{Fault::none};
std::atomic<long> operations{0}, first_failing{0}, last_failing{0};
const bool logs = std::getenv("FAULT_LOG") != nullptr;  // prints the stack of each first fault
std::atomic<long> monotonic_offset{0}, wall_offset{0};  // in seconds

void print_stack() {
    if (&__sanitizer_print_stack_trace) return __sanitizer_print_stack_trace();
    void* frames[64];
    ::backtrace_symbols_fd(frames, ::backtrace(frames, 64), 2);
}

/// Counts one operation. Returns whether it fails.
bool fails(Fault fault) {
    if (!is_subject || armed.load(std::memory_order_relaxed) != fault) return false;
    const long n = ++operations;
    if (n < first_failing || n > last_failing) return false;
    if (logs && n == first_failing) {
        is_subject = false;  // printing needs memory
        print_stack();
        is_subject = true;
    }
    return true;
}
int failing(std::initializer_list<std::pair<Fault, int>> errors) {
    if (!is_subject) return 0;
    for (const auto& [fault, error] : errors)
        if (fails(fault)) return error;
    return 0;
}
int no_descriptor() { return failing({{Fault::emfile, EMFILE}, {Fault::enfile, ENFILE}}); }
int bad_read() { return failing({{Fault::eintr, EINTR}, {Fault::eagain, EAGAIN}, {Fault::econnreset, ECONNRESET}}); }
int bad_socket() { return failing({{Fault::eintr, EINTR}, {Fault::econnreset, ECONNRESET}}); }
int bad_socket_output() {
    return failing({{Fault::eintr, EINTR}, {Fault::econnreset, ECONNRESET}, {Fault::epipe, EPIPE}});
}
int bad_write() {
    return failing({{Fault::eintr, EINTR},
                    {Fault::eagain, EAGAIN},
                    {Fault::econnreset, ECONNRESET},
                    {Fault::epipe, EPIPE},
                    {Fault::enospc, ENOSPC}});
}

template <class F>
F next(const char* name) {
    return reinterpret_cast<F>(::dlsym(RTLD_NEXT, name));
}

template <class T>
T fail_with(int error) {
    errno = error;
    return static_cast<T>(-1);
}

bool is_socket(int fd) {
    int type = 0;
    socklen_t size = sizeof type;
    return ::getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0;
}

/// The kernel reports EPIPE and ECONNRESET only for a connection that is over. So this ends it.
ssize_t fail_socket(int fd, int error) {
    if (error != EINTR) ::shutdown(fd, SHUT_RDWR);
    return fail_with<ssize_t>(error);
}

/// The last registration of each socket in an epoll. Asio uses edge-triggered events: after EAGAIN or a short write it
/// waits for the next event. The kernel sends one when the socket is ready again; announce_again() does here.
struct Registration {
    int epoll = -1;
    epoll_event event = {};
};
constexpr int max_registrations = 4096;
std::mutex registrations_mutex;
Registration registrations[max_registrations];

void remember(int epoll, int operation, int fd, const epoll_event* event) {
    if (fd < 0 || fd >= max_registrations) return;
    const std::lock_guard lock(registrations_mutex);
    registrations[fd] = operation == EPOLL_CTL_DEL || !event ? Registration{} : Registration{epoll, *event};
}

bool is_registered(int fd) {
    const std::lock_guard lock(registrations_mutex);
    return fd >= 0 && fd < max_registrations && registrations[fd].epoll >= 0;
}

void announce_again(int fd) {
    static const auto call = next<decltype(&::epoll_ctl)>("epoll_ctl");
    const std::lock_guard lock(registrations_mutex);
    Registration& known = registrations[fd];
    call(known.epoll, EPOLL_CTL_MOD, fd, &known.event);
}

/// Counts an operation of a socket. Returns whether it fails with EAGAIN.
bool is_not_ready(int fd) {
    if (!is_subject || !is_registered(fd) || !fails(Fault::eagain)) return false;
    announce_again(fd);
    errno = EAGAIN;
    return true;
}

/// Counts an operation of a socket. Returns whether it sends only one byte.
bool sends_one_byte(int fd, std::size_t size) {
    return is_subject && size > 1 && is_registered(fd) && fails(Fault::short_io);
}

void on_dump(int) {
    static std::mutex one;
    const std::lock_guard lock(one);
    std::fprintf(stderr, "---- thread %ld\n", ::syscall(SYS_gettid));
    print_stack();
}

void dump_all_threads() {
    DIR* const tasks = ::opendir("/proc/self/task");
    while (const dirent* task = tasks ? ::readdir(tasks) : nullptr) {
        const long id = std::atol(task->d_name);
        if (id == 0 || id == ::syscall(SYS_gettid)) continue;
        ::syscall(SYS_tgkill, ::getpid(), id, SIGUSR2);
        ::usleep(300'000);  // so that the stacks do not mix
    }
    if (tasks) ::closedir(tasks);
}

}  // namespace

std::string name_of(Fault fault) {
    switch (fault) {
        case Fault::none: return "none";
        case Fault::allocation: return "allocation";
        case Fault::thread: return "thread";
        case Fault::emfile: return "emfile";
        case Fault::enfile: return "enfile";
        case Fault::enospc: return "enospc";
        case Fault::eintr: return "eintr";
        case Fault::eagain: return "eagain";
        case Fault::epipe: return "epipe";
        case Fault::econnreset: return "econnreset";
        case Fault::short_io: return "short_io";
        case Fault::clock_jump: return "clock_jump";
        case Fault::clock_back: return "clock_back";
    }
    return "";
}

std::string describe(const FaultPlan& plan) {
    return name_of(plan.fault) + " " + std::to_string(plan.first) +
           (plan.count == 1 ? "" : " and following, " + std::to_string(plan.count) + " in all");
}

void arm(const FaultPlan& plan) {
    operations = 0;
    first_failing = plan.first;
    last_failing = plan.first + plan.count - 1;
    armed = plan.fault;
}

long disarm() {
    armed = Fault::none;
    monotonic_offset = wall_offset = 0;
    return operations;
}

bool fault_is_over() { return armed != Fault::none && operations >= last_failing; }

Subject::Subject(bool on) : before_(is_subject) { is_subject = on; }
Subject::~Subject() { is_subject = before_; }

namespace {
std::mutex watch_mutex;
std::condition_variable watch_over;
bool watching = false;
std::string watched;
std::thread watcher;

/// FAULT_PATIENCE, a variable of the environment, shortens the wait while you look for a fault.
int patience() {
    const char* const text = std::getenv("FAULT_PATIENCE");
    return text ? std::atoi(text) : 60;
}

}  // namespace

Watchdog::Watchdog(const FaultPlan& plan) {
    const Subject not_me(false);
    ::signal(SIGUSR2, on_dump);
    watching = true;
    watched = describe(plan);
    watcher = std::thread([] {
        std::unique_lock lock(watch_mutex);
        if (watch_over.wait_for(lock, std::chrono::seconds(patience()), [] { return !watching; })) return;
        std::fprintf(stderr, "The program hangs. Fault: %s. %ld operations so far.\n", watched.c_str(),
                     operations.load());
        dump_all_threads();
        std::abort();
    });
}

Watchdog::~Watchdog() {
    {
        const std::lock_guard lock(watch_mutex);
        watching = false;
        watch_over.notify_all();
    }
    watcher.join();
}

int open_descriptors() {
    int count = 0;
    DIR* const all = ::opendir("/proc/self/fd");
    while (::readdir(all)) ++count;
    ::closedir(all);
    return count;
}

namespace {

void* allocated(void* p) {
    if (!p) throw std::bad_alloc();
    return p;
}
void* allocate(std::size_t size) {
    return allocated(fails(Fault::allocation) ? nullptr : std::malloc(size == 0 ? 1 : size));
}
void* allocate(std::size_t size, std::align_val_t align) {
    void* p = nullptr;
    if (!fails(Fault::allocation) && ::posix_memalign(&p, static_cast<std::size_t>(align), size) != 0) p = nullptr;
    return allocated(p);
}

struct Start {
    void* (*run)(void*);
    void* argument;
    bool subject;
};
void* start_thread(void* raw) {
    const Start start = *static_cast<Start*>(raw);
    std::free(raw);
    is_subject = start.subject;
    return start.run(start.argument);
}

}  // namespace
}  // namespace tenon::test

using namespace tenon::test;

// ---- memory

void* operator new(std::size_t size) { return allocate(size); }
void* operator new[](std::size_t size) { return allocate(size); }
void* operator new(std::size_t size, std::align_val_t align) { return allocate(size, align); }
void* operator new[](std::size_t size, std::align_val_t align) { return allocate(size, align); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    return fails(Fault::allocation) ? nullptr : std::malloc(size);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
    return fails(Fault::allocation) ? nullptr : std::malloc(size);
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, const std::nothrow_t&) noexcept { std::free(p); }
void operator delete[](void* p, const std::nothrow_t&) noexcept { std::free(p); }

extern "C" {

// The linker replaces realloc() by this in our own code (--wrap).
void* __real_realloc(void* p, std::size_t size);
void* __wrap_realloc(void* p, std::size_t size) { return fails(Fault::allocation) ? nullptr : __real_realloc(p, size); }

// serve_stdio() calls it when a handler does not end. In a test that is an error.
void __wrap__Exit(int) {
    std::fprintf(stderr, "_Exit() was called\n");
    std::abort();
}

// ---- threads and clocks

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*), void* argument) {
    static const auto create = next<decltype(&pthread_create)>("pthread_create");
    if (fails(Fault::thread)) return EAGAIN;
    auto* const start = static_cast<Start*>(std::malloc(sizeof(Start)));
    *start = {run, argument, is_subject};
    const int result = create(thread, attributes, start_thread, start);
    if (result != 0) std::free(start);
    return result;
}

// Keeps the signal of the watchdog.
int pthread_sigmask(int how, const sigset_t* set, sigset_t* old) noexcept {
    static const auto mask = next<decltype(&pthread_sigmask)>("pthread_sigmask");
    if (!set) return mask(how, set, old);
    sigset_t changed = *set;
    sigdelset(&changed, SIGUSR2);
    return mask(how, &changed, old);
}

int clock_gettime(clockid_t clock, timespec* time) noexcept {
    static const auto get = next<decltype(&clock_gettime)>("clock_gettime");
    if (fails(Fault::clock_jump)) monotonic_offset = wall_offset = 3600;
    if (fails(Fault::clock_back)) wall_offset = -24 * 3600;
    const int result = get(clock, time);
    if (clock == CLOCK_MONOTONIC) time->tv_sec += monotonic_offset;
    if (clock == CLOCK_REALTIME) time->tv_sec += wall_offset;
    return result;
}

// The kernel does not know of the jump.
int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock, const timespec* time) {
    static const auto wait = next<decltype(&pthread_cond_clockwait)>("pthread_cond_clockwait");
    timespec real = *time;
    if (clock == CLOCK_MONOTONIC && real.tv_sec > monotonic_offset) real.tv_sec -= monotonic_offset;
    return wait(condition, mutex, clock, &real);
}

// ---- system calls

ssize_t read(int fd, void* to, std::size_t size) {
    static const auto call = next<decltype(&read)>("read");
    if (const int error = bad_read()) return fail_with<ssize_t>(error);
    return call(fd, to, size > 8 && fails(Fault::short_io) ? 1 : size);  // an eventfd has 8 bytes
}
ssize_t write(int fd, const void* from, std::size_t size) {
    static const auto call = next<decltype(&write)>("write");
    if (size == 8) return call(fd, from, size);  // an eventfd does not fail
    if (const int error = bad_write()) return fail_with<ssize_t>(error);
    return call(fd, from, fails(Fault::short_io) && size > 1 ? 1 : size);
}
ssize_t recv(int fd, void* to, std::size_t size, int flags) {
    static const auto call = next<decltype(&recv)>("recv");
    if (is_not_ready(fd)) return -1;
    if (const int error = bad_socket()) return fail_socket(fd, error);
    return call(fd, to, size > 1 && fails(Fault::short_io) ? 1 : size, flags);
}
ssize_t send(int fd, const void* from, std::size_t size, int flags) {
    static const auto call = next<decltype(&send)>("send");
    if (is_not_ready(fd)) return -1;
    if (const int error = bad_socket_output()) return fail_socket(fd, error);
    if (!sends_one_byte(fd, size)) return call(fd, from, size, flags);
    const ssize_t sent = call(fd, from, 1, flags);
    announce_again(fd);
    return sent;
}
ssize_t recvmsg(int fd, msghdr* message, int flags) {
    static const auto call = next<decltype(&recvmsg)>("recvmsg");
    if (is_not_ready(fd)) return -1;
    if (const int error = bad_socket()) return fail_socket(fd, error);
    if (!fails(Fault::short_io) || message->msg_iovlen == 0 || message->msg_iov[0].iov_len == 0)
        return call(fd, message, flags);
    iovec one{message->msg_iov[0].iov_base, 1};
    msghdr shorter = *message;
    shorter.msg_iov = &one;
    shorter.msg_iovlen = 1;
    return call(fd, &shorter, flags);
}
ssize_t sendmsg(int fd, const msghdr* message, int flags) {
    static const auto call = next<decltype(&sendmsg)>("sendmsg");
    if (is_not_ready(fd)) return -1;
    if (const int error = bad_socket_output()) return fail_socket(fd, error);
    if (message->msg_iovlen == 0 || !sends_one_byte(fd, message->msg_iov[0].iov_len)) return call(fd, message, flags);
    iovec one{message->msg_iov[0].iov_base, 1};
    msghdr shorter = *message;
    shorter.msg_iov = &one;
    shorter.msg_iovlen = 1;
    const ssize_t sent = call(fd, &shorter, flags);
    announce_again(fd);
    return sent;
}
int poll(pollfd* fds, nfds_t count, int time) {
    static const auto call = next<decltype(&poll)>("poll");
    if (fails(Fault::eintr)) return fail_with<int>(EINTR);
    return call(fds, count, time);
}
int epoll_wait(int fd, epoll_event* events, int count, int time) {
    static const auto call = next<decltype(&epoll_wait)>("epoll_wait");
    if (fails(Fault::eintr)) return fail_with<int>(EINTR);
    return call(fd, events, count, time);
}
int accept(int fd, sockaddr* address, socklen_t* size) {
    static const auto call = next<decltype(&accept)>("accept");
    if (const int error = no_descriptor()) return fail_with<int>(error);
    if (const int error = failing({{Fault::eintr, EINTR}})) return fail_with<int>(error);
    if (is_not_ready(fd)) return -1;
    return call(fd, address, size);
}
int accept4(int fd, sockaddr* address, socklen_t* size, int flags) {
    static const auto call = next<decltype(&accept4)>("accept4");
    if (const int error = no_descriptor()) return fail_with<int>(error);
    if (const int error = failing({{Fault::eintr, EINTR}})) return fail_with<int>(error);
    if (is_not_ready(fd)) return -1;
    return call(fd, address, size, flags);
}
int connect(int fd, const sockaddr* address, socklen_t size) {
    static const auto call = next<decltype(&connect)>("connect");
    if (const int error = failing({{Fault::econnreset, ECONNRESET}})) return fail_with<int>(error);
    return call(fd, address, size);
}
int socket(int domain, int type, int protocol) noexcept {
    static const auto call = next<decltype(&socket)>("socket");
    if (const int error = no_descriptor()) return fail_with<int>(error);
    return call(domain, type, protocol);
}
int eventfd(unsigned value, int flags) noexcept {
    static const auto call = next<decltype(&eventfd)>("eventfd");
    if (const int error = no_descriptor()) return fail_with<int>(error);
    return call(value, flags);
}
int pipe2(int* fds, int flags) noexcept {
    static const auto call = next<decltype(&pipe2)>("pipe2");
    if (const int error = no_descriptor()) return fail_with<int>(error);
    return call(fds, flags);
}
int timerfd_create(clockid_t clock, int flags) noexcept {
    static const auto call = next<decltype(&timerfd_create)>("timerfd_create");
    if (const int error = no_descriptor()) return fail_with<int>(error);
    return call(clock, flags);
}
int epoll_create1(int flags) noexcept {
    static const auto call = next<decltype(&epoll_create1)>("epoll_create1");
    if (const int error = no_descriptor()) return fail_with<int>(error);
    return call(flags);
}
int epoll_ctl(int fd, int operation, int of, epoll_event* event) noexcept {
    static const auto call = next<decltype(&epoll_ctl)>("epoll_ctl");
    // Only for sockets: Asio does not look at the error for its own descriptors, when it makes an io_context.
    if (operation == EPOLL_CTL_ADD && is_socket(of))
        if (const int error = failing({{Fault::enospc, ENOSPC}})) return fail_with<int>(error);
    remember(fd, operation, of, event);
    return call(fd, operation, of, event);
}
int close(int fd) {
    static const auto call = next<decltype(&close)>("close");
    remember(-1, EPOLL_CTL_DEL, fd, nullptr);
    return call(fd);
}
int open(const char* path, int flags, ...) {
    static const auto call = next<int (*)(const char*, int, ...)>("open");
    va_list rest;
    va_start(rest, flags);
    const auto mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    if (const int error = no_descriptor()) return fail_with<int>(error);
    if ((flags & O_CREAT) != 0)
        if (const int error = failing({{Fault::enospc, ENOSPC}})) return fail_with<int>(error);
    return call(path, flags, mode);
}

}  // extern "C"
