#include "io/resolve.hpp"

#include <netdb.h>
#include <signal.h>
#include <sys/socket.h>

#include <array>
#include <memory>
#include <thread>

#include "io/last_resort.hpp"

namespace tenon::io {
namespace {

Resolved look_up(const std::string& host) {
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_ADDRCONFIG;
    addrinfo* list = nullptr;
    int error = ::getaddrinfo(host.c_str(), nullptr, &hints, &list);
    // AI_ADDRCONFIG finds nothing on a machine with only a loopback interface.
    if (error == EAI_NONAME || error == EAI_ADDRFAMILY) {
        hints.ai_flags = 0;
        error = ::getaddrinfo(host.c_str(), nullptr, &hints, &list);
    }
    if (error != 0) return {{}, ::gai_strerror(error)};
    const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owner(list, ::freeaddrinfo);
    Resolved out;
    for (const addrinfo* a = list; a; a = a->ai_next) {
        std::array<char, NI_MAXHOST> text{};
        if (::getnameinfo(a->ai_addr, a->ai_addrlen, text.data(), text.size(), nullptr, 0, NI_NUMERICHOST) == 0)
            out.addresses.emplace_back(text.data());
    }
    if (out.addresses.empty()) out.error = "it has no address";
    return out;
}

}  // namespace

void resolve(std::string host, std::function<void(Resolved)> done) {
    sigset_t all, before;
    sigfillset(&all);
    // The new thread inherits the mask: only the threads of the program handle signals.
    ::pthread_sigmask(SIG_BLOCK, &all, &before);
    const auto restore = [&] { ::pthread_sigmask(SIG_SETMASK, &before, nullptr); };
    try {
        std::thread([host = std::move(host), done = std::move(done)] {
            Resolved found;
            survives([&] { found = look_up(host); }, [&](const char* what) { found.error = what; });
            survives([&] { done(std::move(found)); }, [](const char*) {});  // there is no caller to report to
        }).detach();
    } catch (...) {
        restore();
        throw;
    }
    restore();
}

}  // namespace tenon::io
