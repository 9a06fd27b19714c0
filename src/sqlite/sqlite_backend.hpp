// The backend of a SQLite store: one thread owns the database, and commits many operations at once. A second thread
// watches the files for changes by other processes, and ends operations that take too long.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "io/fd.hpp"
#include "io/wake_pipe.hpp"
#include "sqlite/sqlite_tables.hpp"
#include "store/delayed_work.hpp"
#include "store/subscribers.hpp"

namespace tenon::sqlite {

template <class Op>
inline constexpr bool only_reads =
    std::is_same_v<Op, op::SessionLoad> || std::is_same_v<Op, op::EventRead> || std::is_same_v<Op, op::TaskLoad> ||
    std::is_same_v<Op, op::TaskList> || std::is_same_v<Op, op::TaskCount> || std::is_same_v<Op, op::TaskSize> ||
    std::is_same_v<Op, op::TaskOrphans> || std::is_same_v<Op, op::ValueGet> || std::is_same_v<Op, op::LeaseLookUp> ||
    std::is_same_v<Op, op::Check>;

/// See store/front.hpp. Thread-safe.
class SqliteBackend : public std::enable_shared_from_this<SqliteBackend> {
 public:
    static std::shared_ptr<SqliteBackend> open(Place place, const StoreOptions& options);

    template <class Op>
    void run(Op op, Reply<typename Op::Answer> reply) {
        const auto size = op.size() + op::bytes_of_operation;
        if (auto refused = admit(size)) return std::move(reply).send(std::move(*refused));
        auto job = std::make_shared<JobOf<Op>>(std::move(op), std::move(reply));
        job->size = size;
        job->deadline = later(Clock::now(), limits_.operation_time);
        job->reads = only_reads<Op>;
        enqueue(std::move(job));
    }
    store::Subscription subscribe(std::string topic, store::Listener listener);
    void after(std::chrono::milliseconds wait, std::function<void()> work);
    bool is_shared() const { return true; }
    void close();

 private:
    /// One operation. The thread of the database applies it, and the first of both threads answers it.
    struct Job {
        virtual ~Job() = default;
        virtual void apply(SqliteTables& tables, std::int64_t now) = 0;
        virtual void send() = 0;
        virtual void send(const Error& why) = 0;

        std::size_t size = 0;
        TimePoint deadline;
        bool reads = false;
        std::atomic<bool> answered = false;
    };
    template <class Op>
    struct JobOf final : Job {
        JobOf(Op operation, Reply<typename Op::Answer> to) : op(std::move(operation)), reply(std::move(to)) {}
        void apply(SqliteTables& tables, std::int64_t now) override { result.emplace(tables.apply(op, now)); }
        void send() override { std::move(reply).send(std::move(*result)); }
        void send(const Error& why) override { std::move(reply).send(why); }

        Op op;
        Reply<typename Op::Answer> reply;
        std::optional<Result<typename Op::Answer>> result;
    };
    using JobPtr = std::shared_ptr<Job>;
    struct Token {};

 public:
    SqliteBackend(Token, Place place, const StoreOptions& options);

 private:
    std::optional<Error> admit(std::size_t size);
    void enqueue(JobPtr job);
    void answer(Job& job, const Error* why);

    // On the thread of the database.
    void work();
    std::vector<JobPtr> take_batch();
    void run_batch(const std::vector<JobPtr>& batch);
    std::optional<Error> commit(const std::vector<JobPtr>& batch);
    void watch_files();
    void apply_all(const std::vector<JobPtr>& batch);
    void write_messages(std::int64_t now);
    /// Passes the messages of this batch on, and those of other processes if `look`.
    void deliver_messages(const std::vector<std::string>& begun, bool look);
    bool read_messages();
    std::int64_t now() const;

    // On the watching thread.
    void watch();
    bool files_changed();
    void look();
    void end_late_jobs();
    void do_delayed();

    const Place place_;
    const StoreLimits limits_;
    const std::function<WallTime()> clock_;
    const LogNote log_;
    std::shared_ptr<store::Subscribers> subscribers_;
    std::atomic<std::size_t> operations_ = 0, bytes_ = 0;

    std::mutex mutex_;  // guards what follows, up to running_
    std::condition_variable changed_;
    std::deque<JobPtr> queue_;
    std::vector<std::string> begun_;  // topics with a new subscription
    store::DelayedWork delayed_;
    bool look_ = false, closed_ = false, worker_ended_ = false;
    std::vector<JobPtr> running_;  // the batch of the database's thread

    // Only on the thread of the database.
    Database db_;
    std::vector<Message> messages_;  // of the current batch
    SqliteTables tables_{db_, messages_};
    std::int64_t last_message_ = -1, own_message_ = 0;
    std::int64_t next_sweep_ = 0;
    bool failing_ = false;

    io::Fd notify_, bell_;  // bell_: a file that is written after each commit with messages
    io::WakePipe wake_;
    std::thread worker_, watcher_;
};

}  // namespace tenon::sqlite
