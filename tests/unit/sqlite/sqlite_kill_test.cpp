// kill -9 under load: every acknowledged event, session and task survives, and the database stays sound. TENON_KILLS is
// the number of kills (20).
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>
#include <cstring>
#include <map>
#include <random>
#include <set>

#include <gtest/gtest.h>
#include <sqlite3.h>

#include "sqlite/sqlite_store.hpp"
#include "support/store_answer.hpp"
#include "support/temporary_folder.hpp"

namespace {

using namespace tenon;
using test::answer_of;

constexpr int streams = 4;
constexpr auto an_hour = std::chrono::hours(1);
const store::Keep everything{1'000'000, 1 << 30, an_hour};

// What a child has been told is done. Smaller than PIPE_BUF, so it is written as a whole.
struct Acknowledged {
    char kind;  // 'e', 's' or 't'
    int stream;
    std::uint64_t id, number;
};

std::string payload(std::uint64_t number) { return "event " + std::to_string(number) + std::string(number % 700, '.'); }
std::string name(int round, std::uint64_t number) { return std::to_string(round) + "-" + std::to_string(number); }

// Writes until it is killed.
[[noreturn]] void write_for_ever(const std::string& path, int round, int pipe) {
    const auto store = sqlite::sqlite_store(path, false, {}).value();
    std::mutex mutex;
    std::condition_variable changed;
    int open = 0;
    const auto done = [&](const Acknowledged& what, bool ok) {
        if (ok && ::write(pipe, &what, sizeof what) != sizeof what) ::_exit(1);
        const std::lock_guard lock(mutex);
        --open;
        changed.notify_one();
    };
    for (std::uint64_t number = 1;; ++number) {
        {
            std::unique_lock lock(mutex);
            changed.wait(lock, [&] { return open < 64; });
            ++open;
        }
        if (number % 10 == 3) {
            store::SessionRecord record;
            record.id = name(round, number);
            store->sessions().create(record, an_hour, make_reply<std::uint64_t>([&, number](auto&& version) {
                                         done({'s', 0, 0, number}, version.has_value());
                                     }));
        } else if (number % 10 == 7) {
            TaskRecord task;
            task.id = name(round, number);
            task.ttl = an_hour;
            store->tasks().create(task, "node", an_hour, make_reply<store::StoredTask>([&, number](auto&& stored) {
                                      done({'t', 0, 0, number}, stored.has_value());
                                  }));
        } else {
            const int stream = static_cast<int>(number % streams);
            store->events().append({"g", std::to_string(stream)}, payload(number), false, everything,
                                   make_reply<store::EventId>([&, stream, number](auto&& id) {
                                       done({'e', stream, id ? *id : 0, number}, id.has_value());
                                   }));
        }
    }
}

bool read_one(int pipe, Acknowledged& out) {
    std::size_t have = 0;
    while (have < sizeof out) {
        const auto n = ::read(pipe, reinterpret_cast<char*>(&out) + have, sizeof out - have);
        if (n <= 0) return false;
        have += static_cast<std::size_t>(n);
    }
    return true;
}

std::string integrity(const std::string& path) {
    sqlite3* db = nullptr;
    sqlite3_stmt* statement = nullptr;
    std::string out = "cannot be checked";
    if (sqlite3_open(path.c_str(), &db) == SQLITE_OK &&
        sqlite3_prepare_v2(db, "PRAGMA integrity_check", -1, &statement, nullptr) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW)
        out = reinterpret_cast<const char*>(sqlite3_column_text(statement, 0));
    sqlite3_finalize(statement);
    sqlite3_close(db);
    return out;
}

void expect_stored(Store& store, const std::map<std::pair<int, std::uint64_t>, std::uint64_t>& events) {
    for (const auto& [where, number] : events) {
        const auto batch = answer_of<store::EventBatch>([&, at = where](auto reply) {
            store.events().read({"g", std::to_string(at.first)}, at.second - 1, 1, 1, std::move(reply));
        });
        ASSERT_TRUE(batch && !batch->events.empty());
        ASSERT_EQ(batch->events.front().id, where.second);
        ASSERT_EQ(batch->events.front().bytes, payload(number));
    }
}

TEST(SqliteKill, acknowledged_writes_survive_kill_9) {
    const test::TemporaryFolder folder;
    const auto path = folder.path() + "/state.db";
    const char* wanted = std::getenv("TENON_KILLS");
    const int kills = wanted ? std::atoi(wanted) : 20;
    std::mt19937 random(static_cast<unsigned>(::getpid()));
    std::map<std::pair<int, std::uint64_t>, std::uint64_t> events;
    std::size_t total = 0;
    for (int round = 0; round < kills; ++round) {
        int ends[2];
        ASSERT_EQ(::pipe(ends), 0);
        const auto child = ::fork();
        if (child == 0) write_for_ever(path, round, ends[1]);
        ::close(ends[1]);
        // After a random number of acknowledgements. 64 writes are under way then, so a commit is, too.
        std::map<std::pair<int, std::uint64_t>, std::uint64_t> fresh;
        std::set<std::uint64_t> sessions, tasks;
        Acknowledged one{};
        auto left = 1 + random() % 400;
        bool killed = false;
        while (read_one(ends[0], one)) {
            ++total;
            if (one.kind == 'e') {
                ASSERT_TRUE(fresh.emplace(std::pair(one.stream, one.id), one.number).second);
                ASSERT_FALSE(events.contains({one.stream, one.id})) << "an id was used twice";
            } else {
                (one.kind == 's' ? sessions : tasks).insert(one.number);
            }
            if (!killed && --left == 0) {
                ::kill(child, SIGKILL);
                killed = true;
            }
        }
        ::close(ends[0]);
        int status = 0;
        ASSERT_EQ(::waitpid(child, &status, 0), child);
        ASSERT_TRUE(WIFSIGNALED(status)) << "the child ended by itself";
        ASSERT_EQ(integrity(path), "ok") << "after kill " << round;
        const auto store = sqlite::sqlite_store(path, false, {}).value();
        expect_stored(*store, fresh);
        for (const auto number : sessions)
            ASSERT_TRUE(answer_of<store::StoredSession>(
                [&](auto reply) { store->sessions().load(name(round, number), std::move(reply)); }));
        for (const auto number : tasks)
            ASSERT_TRUE(answer_of<store::StoredTask>(
                [&](auto reply) { store->tasks().load(name(round, number), std::move(reply)); }));
        events.merge(fresh);
    }
    const auto store = sqlite::sqlite_store(path, false, {}).value();
    expect_stored(*store, events);
    std::printf("%d kills, %zu acknowledged writes, none lost\n", kills, total);
}

}  // namespace
