#include "sqlite/sqlite_backend.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

namespace tenon::sqlite {
namespace {

constexpr std::size_t max_batch_jobs = 2000, max_batch_bytes = 8 * 1024 * 1024;
// Messages are kept for processes that are slow to read them.
constexpr std::int64_t message_time = 60'000, max_messages = 10'000;
constexpr std::int64_t sweep_interval = 1000;
// The log is written before other processes can see the commit, so a change of the log is too early for them to look.
// This file is written afterwards.
constexpr const char* bell_suffix = "-bell";


void put_text(std::string& out, std::string_view text) {
    const auto size = static_cast<std::uint32_t>(text.size());
    for (int i = 0; i < 4; ++i) out += static_cast<char>(size >> (8 * i) & 0xff);
    out += text;
}

// Returns false when the rest is not a text.
bool take_text(std::string_view& rest, std::string_view& out) {
    if (rest.size() < 4) return false;
    std::size_t size = 0;
    for (std::size_t i = 4; i > 0; --i) size = size << 8 | static_cast<unsigned char>(rest[i - 1]);
    if (size > rest.size() - 4) return false;
    out = rest.substr(4, size);
    rest.remove_prefix(4 + size);
    return true;
}

}  // namespace

SqliteBackend::SqliteBackend(Token, Place place, const StoreOptions& options)
    : place_(place),
      limits_(options.limits),
      clock_(options.clock),
      log_(options.log),
      subscribers_(std::make_shared<store::Subscribers>(options.limits, nullptr)),
      delayed_(options.limits.max_subscriptions),
      db_(std::move(place)) {}

std::shared_ptr<SqliteBackend> SqliteBackend::open(Place place, const StoreOptions& options) {
    auto out = std::make_shared<SqliteBackend>(Token{}, std::move(place), options);
    out->notify_ = io::Fd(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
    out->worker_ = std::thread([out] { out->work(); });
    out->watcher_ = std::thread([out] { out->watch(); });
    return out;
}

void SqliteBackend::close() {
    {
        const std::lock_guard lock(mutex_);
        if (std::exchange(closed_, true)) return;
        changed_.notify_all();
    }
    subscribers_->close();
    wake_.wake();
    const auto end = [&](std::thread& thread, bool ended) {
        if (!ended || thread.get_id() == std::this_thread::get_id())
            thread.detach();  // it owns this object until it ends
        else
            thread.join();
    };
    bool ended = false;
    if (worker_.get_id() != std::this_thread::get_id()) {
        std::unique_lock lock(mutex_);
        ended = changed_.wait_for(lock, limits_.operation_time, [&] { return worker_ended_; });
    }
    end(worker_, ended);
    end(watcher_, true);
    std::vector<JobPtr> open;
    {
        const std::lock_guard lock(mutex_);
        open.assign(queue_.begin(), queue_.end());
        queue_.clear();
        if (!ended) open.insert(open.end(), running_.begin(), running_.end());
    }
    const auto why = op::store_closed();
    for (const auto& job : open) answer(*job, &why);
}

std::optional<Error> SqliteBackend::admit(std::size_t size) {
    if (operations_.fetch_add(1) >= limits_.max_operations) {
        --operations_;
        return store::unavailable("too many operations wait for the database (StoreLimits::max_operations)");
    }
    if (bytes_.fetch_add(size) + size > limits_.max_queued_bytes) {
        --operations_;
        bytes_ -= size;
        return store::unavailable("too many bytes wait for the database (StoreLimits::max_queued_bytes)");
    }
    return std::nullopt;
}

void SqliteBackend::enqueue(JobPtr job) {
    {
        const std::lock_guard lock(mutex_);
        if (!closed_) {
            queue_.push_back(std::move(job));
            if (queue_.size() == 1) changed_.notify_all();
            return;
        }
    }
    const auto why = op::store_closed();
    answer(*job, &why);
}

// `why` is null after success.
void SqliteBackend::answer(Job& job, const Error* why) {
    if (job.answered.exchange(true)) return;
    --operations_;
    bytes_ -= job.size;
    if (why)
        job.send(*why);
    else
        job.send();
}

store::Subscription SqliteBackend::subscribe(std::string topic, store::Listener listener) {
    auto out = subscribers_->add(topic, std::move(listener), false);
    const std::lock_guard lock(mutex_);
    begun_.push_back(std::move(topic));
    changed_.notify_all();
    return out;
}

// The watching thread does the work at its next tick after that time.
void SqliteBackend::after(std::chrono::milliseconds wait, std::function<void()> work) {
    const std::lock_guard lock(mutex_);
    if (!closed_) delayed_.add(later(Clock::now(), wait), std::move(work));
}

std::int64_t SqliteBackend::now() const {
    const auto time = clock_ ? clock_() : std::chrono::system_clock::now();
    return std::chrono::duration_cast<op::Millis>(time.time_since_epoch()).count();
}

// The thread of the database.

void SqliteBackend::work() {
    for (;;) {
        std::vector<std::string> begun;
        bool look = false;
        {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, [&] { return closed_ || look_ || !queue_.empty() || !begun_.empty(); });
            if (closed_ && queue_.empty()) break;
            begun.swap(begun_);
            look = std::exchange(look_, false);
        }
        const auto batch = take_batch();
        run_batch(batch);
        deliver_messages(begun, look);
    }
    db_.close();
    const std::lock_guard lock(mutex_);
    worker_ended_ = true;
    changed_.notify_all();
}

std::vector<SqliteBackend::JobPtr> SqliteBackend::take_batch() {
    const std::lock_guard lock(mutex_);
    running_.clear();
    std::size_t bytes = 0;
    while (!queue_.empty() && running_.size() < max_batch_jobs && bytes < max_batch_bytes) {
        bytes += queue_.front()->size;
        running_.push_back(std::move(queue_.front()));
        queue_.pop_front();
    }
    return running_;
}

void SqliteBackend::run_batch(const std::vector<JobPtr>& batch) {
    if (batch.empty() && db_.is_open()) return;
    const auto failed = commit(batch);
    if (failed) {
        messages_.clear();
        db_.close();  // the next batch opens it again
        if (!failing_ && log_) log_(LogLevel::warning, failed->message);
    }
    for (const auto& job : batch) answer(*job, failed ? &*failed : nullptr);
    // Readers that failed meanwhile read again.
    if (std::exchange(failing_, failed.has_value()) && !failed) subscribers_->gap_all();
}

std::optional<Error> SqliteBackend::commit(const std::vector<JobPtr>& batch) {
    if (!db_.is_open()) {
        db_.open(limits_.operation_time);
        if (db_.is_open()) watch_files();
    }
    bool reads = true;
    for (const auto& job : batch) reads = reads && job->reads;
    if (db_.ok() && !batch.empty()) {
        db_.run(reads ? "BEGIN" : "BEGIN IMMEDIATE");
        apply_all(batch);
        if (!reads) write_messages(now());
        db_.run("COMMIT");
        if (!db_.ok()) db_.roll_back();
    }
    return db_.take_error();
}

void SqliteBackend::watch_files() {
    const auto slash = place_.path.rfind('/');
    const std::string folder = slash == std::string::npos ? "." : place_.path.substr(0, slash + 1);
    ::inotify_add_watch(notify_.get(), folder.c_str(), IN_MODIFY | IN_CREATE);
    bell_ = io::Fd(::open((place_.path + bell_suffix).c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
}

void SqliteBackend::apply_all(const std::vector<JobPtr>& batch) {
    for (const auto& job : batch) {
        if (!db_.ok()) return;
        if (!job->answered) job->apply(tables_, now());
    }
}

// All messages of a batch are one row, so they cost one insertion.
void SqliteBackend::write_messages(std::int64_t at) {
    if (!messages_.empty()) {
        std::string row;
        for (const auto& [topic, bytes] : messages_) put_text(row, topic), put_text(row, bytes);
        auto q = db_.query("INSERT INTO bus(at, messages) VALUES(?, ?) RETURNING id", at, row);
        if (q.row()) own_message_ = q.integer(0);
        q.row();
    }
    if (at < next_sweep_) return;
    next_sweep_ = at + sweep_interval;
    db_.run("DELETE FROM bus WHERE at < ? OR id <= ?", at - message_time, own_message_ - max_messages);
    tables_.sweep(at);
}

void SqliteBackend::deliver_messages(const std::vector<std::string>& begun, bool look) {
    const auto own = std::exchange(messages_, {});
    if (!own.empty() && ::pwrite(bell_.get(), "!", 1, 0) < 0 && log_)
        log_(LogLevel::warning, "other processes cannot be woken: " + place_.path + bell_suffix + " cannot be written");
    if (subscribers_->empty() || !db_.is_open()) {
        last_message_ = -1;
        return;
    }
    if (last_message_ < 0) {  // the first subscription begins here
        if (auto q = db_.query("SELECT coalesce(max(id), 0) FROM bus"); q.row()) last_message_ = q.integer(0);
        subscribers_->gap_all();
    } else if (!own.empty() && own_message_ == last_message_ + 1 && !look) {
        last_message_ = own_message_;
        for (const auto& [topic, bytes] : own) subscribers_->publish(topic, bytes);
    } else if (!own.empty() || look || !begun.empty()) {
        while (read_messages()) {
        }
    }
    for (const auto& topic : begun) subscribers_->gap(topic);
    if (const auto failed = db_.take_error()) {
        failing_ = true;
        db_.close();
    }
}

// Returns whether there may be more.
bool SqliteBackend::read_messages() {
    constexpr int most = 100;
    std::vector<std::string> rows;
    bool missed = false;
    {
        auto q = db_.query("SELECT id, messages FROM bus WHERE id > ? ORDER BY id LIMIT ?", last_message_, most);
        while (q.row()) {
            missed = missed || q.integer(0) != last_message_ + 1;
            last_message_ = q.integer(0);
            rows.push_back(q.bytes(1));
        }
    }
    if (missed) subscribers_->gap_all();
    for (const auto& row : rows) {
        std::string_view rest = row, topic, bytes;
        while (take_text(rest, topic) && take_text(rest, bytes)) subscribers_->publish(topic, bytes);
    }
    return rows.size() == most;
}

// The watching thread.

void SqliteBackend::watch() {
    // Late operations are found at the next tick.
    const int tick = static_cast<int>(std::clamp<std::int64_t>(limits_.operation_time.count() / 4, 5, 500));
    bool look_later = false;
    for (;;) {
        pollfd fds[] = {{notify_.get(), POLLIN, 0}, {wake_.fd(), POLLIN, 0}};
        ::poll(fds, 2, tick);
        {
            const std::lock_guard lock(mutex_);
            if (closed_) return;
        }
        if (fds[0].revents != 0) {
            if (files_changed()) look_later = true, look();
        } else if (std::exchange(look_later, false)) {
            look();  // a process may have died between its commit and the bell
        }
        end_late_jobs();
        do_delayed();
    }
}

bool SqliteBackend::files_changed() {
    alignas(inotify_event) char buffer[16 * 1024];
    const auto slash = place_.path.rfind('/');
    const std::string name = place_.path.substr(slash == std::string::npos ? 0 : slash + 1);
    bool ours = false;
    for (;;) {
        const auto size = ::read(notify_.get(), buffer, sizeof buffer);
        if (size <= 0) return ours;
        for (char* at = buffer; at < buffer + size;) {
            const auto* event = reinterpret_cast<const inotify_event*>(at);
            const std::string_view file = event->len > 0 ? event->name : "";
            ours = ours || (event->mask & IN_Q_OVERFLOW) != 0 || file == name + "-wal" || file == name + bell_suffix;
            at += sizeof(inotify_event) + event->len;
        }
    }
}

void SqliteBackend::do_delayed() {
    std::vector<store::DelayedWork::Work> due;
    {
        const std::lock_guard lock(mutex_);
        due = delayed_.take_due(Clock::now());
    }
    for (const auto& work : due) work();
}

void SqliteBackend::look() {
    if (subscribers_->empty()) return;
    const std::lock_guard lock(mutex_);
    look_ = true;
    changed_.notify_all();
}

void SqliteBackend::end_late_jobs() {
    std::vector<JobPtr> late;
    const auto time = Clock::now();
    {
        const std::lock_guard lock(mutex_);
        for (const auto& job : running_)
            if (job->deadline <= time && !job->answered) late.push_back(job);
        for (const auto& job : queue_) {
            if (job->deadline > time) break;  // all have the same time, so they are sorted
            late.push_back(job);
        }
    }
    const auto why =
        store::unavailable("the database " + place_.path + " did not answer within StoreLimits::operation_time");
    for (const auto& job : late) answer(*job, &why);
}

}  // namespace tenon::sqlite
