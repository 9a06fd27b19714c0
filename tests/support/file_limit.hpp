// Simulates a full disk: no file of this process can grow beyond `bytes`. Writing more fails with EFBIG.
#pragma once

#include <signal.h>
#include <sys/resource.h>

#include <stdexcept>

namespace tenon::test {

class FileLimit {
 public:
    explicit FileLimit(rlim_t bytes) : handler_(::signal(SIGXFSZ, SIG_IGN)) {
        if (::getrlimit(RLIMIT_FSIZE, &before_) != 0) throw std::runtime_error("getrlimit");
        const rlimit now{bytes, before_.rlim_max};
        if (::setrlimit(RLIMIT_FSIZE, &now) != 0) throw std::runtime_error("setrlimit");
    }
    ~FileLimit() {
        ::setrlimit(RLIMIT_FSIZE, &before_);
        ::signal(SIGXFSZ, handler_);
    }
    FileLimit(const FileLimit&) = delete;
    FileLimit& operator=(const FileLimit&) = delete;

 private:
    rlimit before_{};
    sighandler_t handler_;
};

}  // namespace tenon::test
