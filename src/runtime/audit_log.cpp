#include <tenon/audit.hpp>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include <tenon/log_lines.hpp>

#include "base/memory_budget.hpp"
#include "io/last_resort.hpp"
#include "io/output.hpp"
#include "io/rotating_file.hpp"
#include "observe/audit_line.hpp"

namespace tenon {
namespace {

constexpr std::chrono::milliseconds gather_time{10};   // records wait this long, so that many are written at once
constexpr std::chrono::seconds retry_time{1};          // after an error
constexpr std::size_t many_bytes = 256 * 1024;         // are written without waiting for more
constexpr std::size_t kept_line_bytes = 16 * 1024;     // of a thread, for its next record
constexpr std::size_t kept_queue_bytes = 1024 * 1024;  // for the next batch

/// The writer of this thread, which keeps its memory. A callback that adds a record itself gets another one.
class BorrowedWriter {
 public:
    BorrowedWriter() : own_(std::move(spare())) {
        if (!own_) own_ = std::make_unique<observe::AuditLineWriter>();
    }
    ~BorrowedWriter() {
        own_->keep_at_most(kept_line_bytes);
        spare() = std::move(own_);
    }
    BorrowedWriter(const BorrowedWriter&) = delete;
    BorrowedWriter& operator=(const BorrowedWriter&) = delete;

    observe::AuditLineWriter& operator*() const { return *own_; }

 private:
    static std::unique_ptr<observe::AuditLineWriter>& spare() {
        thread_local std::unique_ptr<observe::AuditLineWriter> writer;
        return writer;
    }

    std::unique_ptr<observe::AuditLineWriter> own_;
};

LogSink to_stderr() {
    const auto output = std::make_shared<io::Output>(2);
    return [output](const LogRecord& record) { output->write(log_line(record, LogFormat::text) + "\n"); };
}

std::string lost_line(std::uint64_t lost) { return R"({"lost":)" + std::to_string(lost) + "}\n"; }

}  // namespace

/// The queue, and the thread that writes it to the file.
class AuditLog::Impl {
 public:
    explicit Impl(AuditOptions options) : options_(std::move(options)) {
        if (!options_.log) options_.log = to_stderr();
        if (options_.path.empty()) return;
        file_.emplace(io::RotatingFile::Options{options_.path, options_.max_file_bytes, options_.kept_files});
        writer_ = std::thread([this] { run(); });
    }
    ~Impl() {
        if (!writer_.joinable()) return;
        flush(options_.close_time);
        {
            const std::lock_guard lock(mutex_);
            stop_ = true;
        }
        changed_.notify_all();
        writer_.join();
    }

    void add(const Operation& operation) {
        const BorrowedWriter writer;
        const std::string_view line = write(*writer, operation);
        if (options_.callback) call_back(line);
        if (file_) queue(line, operation.end == OperationEnd::refused);
    }
    void charge_to(base::MemoryAccountPtr account) {
        const std::lock_guard lock(mutex_);
        if (!charge_.account()) charge_ = base::MemoryCharge(std::move(account));
    }
    void lose() { lost_.fetch_add(1, std::memory_order_relaxed); }
    /// The same, for a record that the file does not get.
    void lose_line() {
        lose();
        missing_.fetch_add(1, std::memory_order_relaxed);
    }
    std::uint64_t lost() const { return lost_.load(std::memory_order_relaxed); }
    bool refuses() const {
        return options_.on_failure == AuditFailure::refuse &&
               (file_fails_.load(std::memory_order_relaxed) || full_.load(std::memory_order_relaxed) ||
                callback_fails_.load(std::memory_order_relaxed));
    }
    bool flush(Duration time) {
        if (!file_) return true;
        std::unique_lock lock(mutex_);
        ++flushing_;
        changed_.notify_all();
        const bool done =
            written_.wait_until(lock, later(Clock::now(), time), [this] { return !has_work() && !busy_; });
        --flushing_;
        return done;
    }

 private:
    std::string_view write(observe::AuditLineWriter& writer, const Operation& operation) const {
        if (options_.arguments != AuditArguments::redacted || !operation.params)
            return writer.write(operation, options_.arguments);
        AuditArguments how = AuditArguments::redacted;
        json::object arguments = observe::without_secrets(operation);
        try {
            if (options_.redact) options_.redact(operation, arguments);
        } catch (...) {
            how = AuditArguments::omitted;
        }
        return writer.write(operation, how, &arguments);
    }

    void call_back(std::string_view line) {
        const bool ok = io::survives([&] { options_.callback(line); },
                                     [&](const char* what) {
                                         if (!callback_fails_.exchange(true))
                                             report(LogLevel::error, std::string("the callback threw: ") + what);
                                     });
        if (ok)
            callback_fails_.store(false, std::memory_order_relaxed);
        else
            lose();
    }

    // While requests are refused, the records of calls that still run have room of their own. Those of refusals do not:
    // a client could make any number of them.
    void queue(std::string_view line, bool refusal) {
        bool wake = false, fills = false;
        {
            const std::lock_guard lock(mutex_);
            const bool more = options_.on_failure == AuditFailure::refuse && !refusal;
            const std::size_t after = queue_.size() + line.size() + 1;
            const bool fits = after <= options_.max_queued_bytes * (more ? 2 : 1) &&
                              charge_.cover(after + writing_) == base::MemoryDecision::granted;
            if (!fits || after > options_.max_queued_bytes) fills = !full_.exchange(true);
            wake = !has_work() || (queue_.size() < many_bytes && after >= many_bytes);
            fits ? static_cast<void>((queue_ += line) += '\n') : lose_line();
        }
        if (wake) changed_.notify_all();
        if (fills)
            report(LogLevel::error,
                   "too many records wait for the file (AuditOptions::max_queued_bytes, Limits::memory_budget)");
    }

    // Returns whether the file lacks something: a record, or how many are missing. Call it under the lock.
    bool has_work() const { return !queue_.empty() || told_ != missing_.load(std::memory_order_relaxed); }

    void run() {
        std::unique_lock lock(mutex_);
        while (true) {
            changed_.wait(lock, [this] { return has_work() || stop_; });
            if (stop_) return;
            changed_.wait_for(lock, gather_time,
                              [this] { return queue_.size() >= many_bytes || flushing_ > 0 || stop_; });
            busy_ = true;
            std::string batch;
            batch.swap(queue_);
            writing_ = batch.capacity();
            queue_.swap(spare_);
            full_.store(false);
            const std::uint64_t missing = missing_.load(std::memory_order_relaxed) - told_;
            told_ += missing;
            lock.unlock();
            if (missing > 0) batch += lost_line(missing);
            write_all(batch);
            batch.clear();
            if (batch.capacity() > kept_queue_bytes) std::string().swap(batch);
            lock.lock();
            spare_ = std::move(batch);
            writing_ = 0;
            charge_.keep_at_most(queue_.capacity() + spare_.capacity());
            busy_ = false;
            written_.notify_all();
        }
    }

    // Tries until all is written, or the log is closed.
    void write_all(std::string_view batch) {
        while (!batch.empty()) {
            const bool ok = io::survives([&] { batch.remove_prefix(file_->append(batch)); },
                                         [this](const char* what) {
                                             if (!file_fails_.exchange(true)) report(LogLevel::error, what);
                                         });
            if (ok) {
                if (file_fails_.exchange(false)) report(LogLevel::notice, "records can be written again");
                continue;
            }
            std::unique_lock lock(mutex_);
            if (changed_.wait_for(lock, retry_time, [this] { return stop_; })) return;
        }
    }

    void report(LogLevel level, const std::string& what) const {
        io::survives(
            [&] {
                const std::string text = "the audit log: " + what;
                options_.log({.time = std::chrono::system_clock::now(), .level = level, .message = text});
            },
            [](const char*) {});
    }

    AuditOptions options_;
    std::optional<io::RotatingFile> file_;  // used only by the writer, after the constructor
    std::atomic<std::uint64_t> lost_{0};
    std::atomic<std::uint64_t> missing_{0};  // records that are lost for the file
    std::atomic<bool> file_fails_{false}, full_{false}, callback_fails_{false};
    std::mutex mutex_;  // guards the members below
    std::condition_variable changed_, written_;
    std::string queue_, spare_;  // `spare_` is the memory of the last batch
    std::uint64_t told_ = 0;     // missing records that the file tells of
    base::MemoryCharge charge_;
    std::size_t writing_ = 0;  // bytes of the batch that is being written
    bool busy_ = false;        // the writer writes
    bool stop_ = false;
    int flushing_ = 0;
    std::thread writer_;
};

AuditLog::AuditLog(AuditOptions options) {
    try {
        impl_ = std::make_unique<Impl>(std::move(options));
    } catch (const std::system_error& e) {
        throw Exception({code::invalid_params, std::string("AuditOptions::path: ") + e.what()});
    }
}
AuditLog::~AuditLog() = default;

void AuditLog::add(const Operation& operation) noexcept {
    if (!io::survives([&] { impl_->add(operation); }, [](const char*) {})) impl_->lose_line();
}
void AuditLog::charge_to(std::shared_ptr<base::MemoryAccount> account) { impl_->charge_to(std::move(account)); }
bool AuditLog::refuses() const noexcept { return impl_->refuses(); }
std::uint64_t AuditLog::lost() const noexcept { return impl_->lost(); }
bool AuditLog::flush(Duration time) const { return impl_->flush(time); }

}  // namespace tenon
