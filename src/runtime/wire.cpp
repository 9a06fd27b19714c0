#include "runtime/wire.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <mutex>

#include "io/fd.hpp"
#include "io/last_resort.hpp"
#include "io/output.hpp"

namespace tenon {
namespace {

// Writes lines to a file, or to stderr. To stderr it never blocks: a line that does not fit is cut.
class TraceFile {
 public:
    explicit TraceFile(const std::string& name) {
        if (name == "stderr") {
            io::survives([this] { stderr_ = std::make_unique<io::Output>(STDERR_FILENO); }, [](const char*) {});
        } else {
            file_ = io::Fd(::open(name.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
        }
    }
    void write(std::string line) {
        line += '\n';
        const std::lock_guard lock(mutex_);
        if (stderr_) {
            stderr_->write(line);
            return;
        }
        std::string_view rest = line;
        while (file_ && !rest.empty()) {
            const ssize_t n = ::write(file_.get(), rest.data(), rest.size());
            if (n < 0 && errno == EINTR) continue;
            if (n <= 0) return;  // the disk is full: a trace must not stop the program
            rest.remove_prefix(static_cast<std::size_t>(n));
        }
    }

 private:
    std::mutex mutex_;
    std::unique_ptr<io::Output> stderr_;
    io::Fd file_;
};

WireTapPtr read_environment() {
    const char* const value = std::getenv("TENON_TRACE");
    if (!value || *value == '\0') return nullptr;
    std::string_view name(value);
    constexpr std::string_view prefix = "json:";
    const bool as_json = name.starts_with(prefix);
    if (as_json) name.remove_prefix(prefix.size());
    const auto file = std::make_shared<TraceFile>(std::string(name));
    return std::make_shared<const WireTap>(
        [file, as_json](const WireMessage& m) { file->write(as_json ? wire_json(m) : wire_line(m)); });
}

std::uint64_t next_connection() {
    static std::atomic<std::uint64_t> count{0};
    return ++count;
}

}  // namespace

const WireTapPtr& trace_of_environment() {
    static const WireTapPtr tap = read_environment();
    return tap;
}

WireTapPtr taps(WireTap own) {
    const WireTapPtr& traced = trace_of_environment();
    if (!own) return traced;
    if (!traced) return std::make_shared<const WireTap>(std::move(own));
    return std::make_shared<const WireTap>([own = std::move(own), traced](const WireMessage& message) {
        own(message);
        (*traced)(message);
    });
}

Wire::Wire(WireTapPtr tap, WireMessage::Side side)
    : tap_(std::move(tap)), side_(side), connection_(tap_ ? next_connection() : 0) {}

void Wire::show(WireMessage::Direction direction, std::string_view text, int http_status) const noexcept {
    io::survives(
        [&] {
            (*tap_)({side_, direction, std::chrono::system_clock::now(), connection_, text, http_status});
        },
        [](const char*) {});
}

// Each event has its message in one line: see framing::append_sse().
void Wire::sent_events(std::string_view events) const noexcept {
    if (!tap_) return;
    constexpr std::string_view data = "data: ";
    while (!events.empty()) {
        const std::string_view line = events.substr(0, events.find('\n'));
        if (line.starts_with(data) && line.size() > data.size()) sent(line.substr(data.size()));
        events.remove_prefix(std::min(line.size() + 1, events.size()));
    }
}

}  // namespace tenon
