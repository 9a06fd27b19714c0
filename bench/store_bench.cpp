// The stores side by side: operations per second, the time of one operation, and CPU time per operation of this
// process. The CPU time of redis-server is not part of it. Usage: store_bench [SECONDS]
#include <stdlib.h>

#include <sys/resource.h>
#include <filesystem>
#include <stdexcept>

#include <algorithm>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include <tenon/store/open.hpp>

#include "../tests/support/redis_server.hpp"
#include "../tests/support/store_answer.hpp"

namespace {

/// A new folder, which is removed with its contents.
class Folder {
 public:
    Folder() {
        std::string pattern = std::filesystem::temp_directory_path() / "tenon_bench.XXXXXX";
        if (!::mkdtemp(pattern.data())) throw std::runtime_error("cannot make a folder for the benchmark");
        path_ = pattern;
    }
    ~Folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    const std::string& path() const { return path_; }

 private:
    std::string path_;
};

using namespace tenon;
constexpr auto an_hour = std::chrono::hours(1);
const std::string event(200, 'x');

double cpu_seconds() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& t) {
        return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// Starts operation number n. Calls the function when it is done.
using Operation = std::function<void(Store&, std::uint64_t n, std::function<void(bool)>)>;

template <class T>
Reply<T> tell(std::function<void(bool)> done) {
    return make_reply<T>([done = std::move(done)](Result<T>&& result) { done(result.has_value()); });
}

struct Case {
    const char* name;
    Operation run;
};

const std::vector<Case> cases = {
    {"events.append",
     [](Store& s, std::uint64_t n, auto done) {
         s.events().append({"bench", std::to_string(n % 64)}, event, false, {}, tell<store::EventId>(std::move(done)));
     }},
    {"events.read 1",
     [](Store& s, std::uint64_t n, auto done) {
         s.events().read({"bench", std::to_string(n % 64)}, 0, 1, 1, tell<store::EventBatch>(std::move(done)));
     }},
    {"sessions.touch",
     [](Store& s, std::uint64_t, auto done) { s.sessions().touch("bench", an_hour, tell<void>(std::move(done))); }},
    {"sessions.load", [](Store& s, std::uint64_t,
                         auto done) { s.sessions().load("bench", tell<store::StoredSession>(std::move(done))); }},
    {"values.add",
     [](Store& s, std::uint64_t n, auto done) {
         s.values().add(std::to_string(n % 64), 1, an_hour, tell<std::int64_t>(std::move(done)));
     }},
};

struct Measured {
    double per_second = 0, cpu_micros = 0, p50_micros = 0, p99_micros = 0;
    std::uint64_t failed = 0;
};

// Keeps `open` operations under way for some time.
Measured measure(Store& store, const Operation& operation, std::size_t open, double seconds) {
    std::mutex mutex;
    std::condition_variable changed;
    std::size_t running = 0;
    std::vector<double> times;
    std::uint64_t failed = 0, count = 0;
    const auto begin = Clock::now();
    const double cpu = cpu_seconds();
    const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
    while (elapsed() < seconds) {
        {
            std::unique_lock lock(mutex);
            changed.wait(lock, [&] { return running < open; });
            ++running;
        }
        operation(store, count++, [&, start = Clock::now()](bool ok) {
            const auto took = std::chrono::duration<double, std::micro>(Clock::now() - start).count();
            const std::lock_guard lock(mutex);
            if (!ok) ++failed;
            times.push_back(took);
            --running;
            changed.notify_one();
        });
    }
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return running == 0; });
    std::sort(times.begin(), times.end());
    const auto n = static_cast<double>(count);
    return {n / elapsed(), (cpu_seconds() - cpu) / n * 1e6, times[times.size() / 2], times[times.size() * 99 / 100],
            failed};
}

void run(const char* name, const std::string& url, double seconds) {
    const auto store = open_store(url).value();
    store::SessionRecord record;
    record.id = "bench";
    test::answer_of<std::uint64_t>([&](auto reply) { store->sessions().create(record, an_hour, std::move(reply)); });
    for (const auto& one : cases) {
        const auto single = measure(*store, one.run, 1, seconds), many = measure(*store, one.run, 256, seconds);
        std::printf("%-14s %-15s %10.0f %9.2f %9.1f %9.1f %10.0f %8s\n", name, one.name, many.per_second,
                    many.cpu_micros, single.p50_micros, single.p99_micros, single.per_second,
                    many.failed + single.failed == 0 ? "" : "FAILED");
        std::fflush(stdout);
    }
}

}  // namespace

int main(int argc, char** argv) {
    const double seconds = argc > 1 ? std::atof(argv[1]) : 2;
    std::printf("%-14s %-15s %10s %9s %9s %9s %10s\n", "store", "operation", "256 open/s", "CPU us/op", "p50 us",
                "p99 us", "1 open/s");
    run("memory", "memory:", seconds);
    {
        const Folder folder;
        run("sqlite", "sqlite:" + folder.path() + "/state.db", seconds);
    }
    {
        const Folder folder;
        run("sqlite, power", "sqlite:" + folder.path() + "/state.db?durable=power", seconds);
    }
    if (!test::RedisServer::is_installed()) return std::puts("redis-server is not installed"), 0;
    const test::RedisServer server;
    run("redis", server.url(), seconds);
}
