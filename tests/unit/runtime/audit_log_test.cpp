// AuditLog: the file, its rotation, and what happens when it cannot be written.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <future>

#include <tenon/audit.hpp>
#include <tenon/metrics.hpp>
#include <tenon/testing.hpp>

namespace tenon {
namespace {

namespace fs = std::filesystem;
constexpr std::chrono::seconds patience{60};

struct AuditFile : testing::Test {
    AuditFile() {
        std::string name = (fs::temp_directory_path() / "audit-XXXXXX").string();
        folder = ::mkdtemp(name.data());
        path = folder / "audit.jsonl";
    }
    ~AuditFile() override { fs::remove_all(folder); }

    static std::vector<std::string> lines_of(const fs::path& file) {
        std::ifstream in(file);
        std::vector<std::string> out;
        for (std::string line; std::getline(in, line);) out.push_back(line);
        return out;
    }
    static Operation ping() {
        Operation o;
        o.method = "ping";
        return o;
    }

    fs::path folder, path;
};

// rules: SEC-6
TEST_F(AuditFile, each_operation_is_one_line_of_a_private_file) {
    {
        AuditLog log({.path = path.string()});
        for (int i = 0; i < 10; ++i) log.add(ping());
        ASSERT_TRUE(log.flush(patience));
        EXPECT_EQ(lines_of(path).size(), 10U);
    }
    {
        AuditLog again({.path = path.string()});
        again.add(ping());
    }
    const auto lines = lines_of(path);
    ASSERT_EQ(lines.size(), 11U) << "the file is continued, and the destructor writes the rest";
    for (const std::string& line : lines) EXPECT_TRUE(json::parse(line)) << line;
    struct stat about {};
    ASSERT_EQ(::stat(path.c_str(), &about), 0);
    EXPECT_EQ(about.st_mode & 0777, 0600U);
}

TEST_F(AuditFile, a_long_file_is_renamed_and_old_ones_are_deleted) {
    {
        AuditLog log({.path = path.string(), .max_file_bytes = 1000, .kept_files = 2});
        for (int i = 0; i < 100; ++i) log.add(ping());
        ASSERT_TRUE(log.flush(patience));
    }
    std::size_t files = 0;
    for (const auto& entry : fs::directory_iterator(folder)) {
        ++files;
        EXPECT_LE(entry.file_size(), 1000U) << entry.path();
        for (const std::string& line : lines_of(entry.path())) EXPECT_TRUE(json::parse(line)) << line;
    }
    EXPECT_EQ(files, 3U);
    EXPECT_FALSE(lines_of(path).empty());
}

// A callback that makes calls itself adds their records on the same thread.
TEST_F(AuditFile, a_callback_may_add_a_record_to_another_log) {
    AuditLog inner({.path = (folder / "inner").string()});
    std::string after;
    AuditLog outer({.path = path.string(), .callback = [&](std::string_view line) {
                        Operation o;
                        o.method = "tools/list";
                        inner.add(o);
                        after = line;
                    }});
    outer.add(ping());
    ASSERT_TRUE(inner.flush(patience) && outer.flush(patience));
    ASSERT_EQ(lines_of(path).size(), 1U);
    EXPECT_EQ(lines_of(path)[0], after);
    EXPECT_NE(after.find("\"ping\""), std::string::npos) << after;
    ASSERT_EQ(lines_of(folder / "inner").size(), 1U);
    EXPECT_NE(lines_of(folder / "inner")[0].find("tools/list"), std::string::npos);
}

TEST_F(AuditFile, what_is_not_a_regular_file_is_refused) {
    EXPECT_THROW(AuditLog({.path = "/dev/null"}), Exception);
    EXPECT_THROW(AuditLog({.path = (folder / "no" / "such").string()}), Exception);
    fs::create_symlink(folder / "elsewhere", path);
    EXPECT_THROW(AuditLog({.path = path.string()}), Exception);
}

// The limit max_queued_bytes: a record that is longer than the queue cannot wait.
TEST_F(AuditFile, a_full_queue_loses_records_and_says_so) {
    std::string told;
    AuditLog log(
        {.path = path.string(), .max_queued_bytes = 10, .log = [&](const LogRecord& r) { told += r.message; }});
    log.add(ping());
    EXPECT_EQ(log.lost(), 1U);
    EXPECT_NE(told.find("max_queued_bytes"), std::string::npos) << told;
    EXPECT_FALSE(log.refuses());
    ASSERT_TRUE(log.flush(patience));
    EXPECT_EQ(lines_of(path), std::vector<std::string>{R"({"lost":1})"}) << "the file says it, too";
}

// rules: SEC-6
TEST_F(AuditFile, the_file_says_how_many_records_are_missing_when_it_can_be_written_again) {
    constexpr std::size_t records = 200;
    std::promise<void> failed;
    AuditLog log({.path = path.string(),
                  .max_file_bytes = 1,  // so that each record needs a new file
                  .kept_files = records,
                  .max_queued_bytes = 1000,
                  .log = [&, told = false](const LogRecord&) mutable {
                      if (!std::exchange(told, true)) failed.set_value();
                  }});
    fs::remove_all(folder);
    log.add(ping());
    log.add(ping());
    ASSERT_EQ(failed.get_future().wait_for(patience), std::future_status::ready);
    for (std::size_t i = 2; i < records; ++i) log.add(ping());
    const std::uint64_t lost = log.lost();
    ASSERT_GT(lost, 0U);
    fs::create_directory(folder);
    ASSERT_TRUE(log.flush(patience));
    std::size_t written = 0, said = 0;
    for (const auto& entry : fs::directory_iterator(folder))
        for (const std::string& line : lines_of(entry.path())) {
            const json::value value = json::parse(line).value();
            const json::value* missing = value.as_object().if_contains("lost");
            missing ? said += missing->to_number<std::size_t>() : ++written;
        }
    EXPECT_EQ(said, lost);
    EXPECT_GE(written + said, records - 1) << "the first record may be in the file that was deleted";
}

TEST_F(AuditFile, a_file_that_cannot_be_written_makes_the_log_refuse_until_it_can) {
    std::promise<void> failed, works;
    AuditLog log({.path = path.string(),
                  .max_file_bytes = 1,  // so that each record needs a new file
                  .kept_files = 0,
                  .on_failure = AuditFailure::refuse,
                  .log = [&](const LogRecord& r) { (r.level == LogLevel::error ? failed : works).set_value(); }});
    log.add(ping());
    ASSERT_TRUE(log.flush(patience));
    fs::remove_all(folder);
    log.add(ping());
    ASSERT_EQ(failed.get_future().wait_for(patience), std::future_status::ready);
    EXPECT_TRUE(log.refuses());
    fs::create_directory(folder);
    ASSERT_EQ(works.get_future().wait_for(patience), std::future_status::ready);
    EXPECT_TRUE(log.flush(patience));
    EXPECT_FALSE(log.refuses());
    EXPECT_EQ(log.lost(), 0U);
    EXPECT_EQ(lines_of(path).size(), 1U);
}

TEST_F(AuditFile, records_that_wait_are_charged_to_the_budget_of_the_server) {
    std::promise<void> failed;
    const auto log = std::make_shared<AuditLog>(AuditOptions{.path = path.string(),
                                                             .max_file_bytes = 1,
                                                             .kept_files = 0,
                                                             .close_time = std::chrono::seconds(0),
                                                             .log = [&, told = false](const LogRecord&) mutable {
                                                                 if (!std::exchange(told, true)) failed.set_value();
                                                             }});
    const auto metrics = std::make_shared<Metrics>();
    const Server server("test", "1", {.limits = {.memory_budget = 400'000}, .metrics = metrics, .audit = log});
    log->add(ping());
    ASSERT_TRUE(log->flush(patience));
    fs::remove_all(folder);  // from now on the file cannot be written
    log->add(ping());
    ASSERT_EQ(failed.get_future().wait_for(patience), std::future_status::ready);
    for (int i = 0; i < 3000; ++i) log->add(ping());
    EXPECT_GT(metrics->state().memory_used, 50'000U);
    EXPECT_LE(metrics->state().memory_used, 100'000U) << "the share of one peer";
    EXPECT_GT(log->lost(), 0U);
}

struct AuditGate : testing::Test {
    Server make(AuditFailure on_failure) {
        Server out("test", "1",
                   {.audit = std::make_shared<AuditLog>(AuditOptions{.callback =
                                                                         [this](std::string_view) {
                                                                             if (broken) throw std::runtime_error("no");
                                                                             ++records;
                                                                         },
                                                                     .on_failure = on_failure,
                                                                     .log = [](const LogRecord&) {}})});
        out.tool("t", "T", [this] { ++calls; });
        return out;
    }
    static std::string refusal_of(test_kit::Dialogue& dialogue) {
        try {
            dialogue.call("t");
            return "";
        } catch (const Exception& e) {
            return e.what();
        }
    }
    bool broken = false;
    int calls = 0, records = 0;
};

// rules: SEC-6
TEST_F(AuditGate, a_call_is_refused_before_its_handler_runs_while_the_audit_is_broken) {
    Server server = make(AuditFailure::refuse);
    test_kit::Dialogue dialogue(server);
    dialogue.call("t");
    broken = true;
    dialogue.call("t");  // the failure is noticed at its end
    EXPECT_NE(refusal_of(dialogue).find("audit log"), std::string::npos);
    EXPECT_EQ(calls, 2);
    broken = false;
    EXPECT_NE(refusal_of(dialogue), "");  // its record is written, so the gate opens
    dialogue.call("t");
    EXPECT_EQ(calls, 3);
}

TEST_F(AuditGate, calls_continue_by_default) {
    Server server = make(AuditFailure::go_on);
    test_kit::Dialogue dialogue(server);
    broken = true;
    dialogue.call("t");
    dialogue.call("t");
    EXPECT_EQ(calls, 2);
}

}  // namespace
}  // namespace tenon
