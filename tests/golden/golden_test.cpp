// Plays the golden dialogues of this folder. README.md describes the format.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <functional>
#include <set>

#include <tenon/audit.hpp>

#include "golden/dialogue.hpp"
#include "golden/fixture_server.hpp"
#include "golden/match.hpp"
#include "golden/oracle.hpp"
#include "support/folders.hpp"

namespace golden {
namespace {

namespace json = tenon::json;
using std::chrono::milliseconds;

tenon::Limits read_limits(const std::string& text) {
    tenon::Limits limits;
    static const std::map<std::string, std::size_t tenon::Limits::*> numbers = {
        {"max_message_bytes", &tenon::Limits::max_message_bytes},
        {"max_depth", &tenon::Limits::max_depth},
        {"max_batch", &tenon::Limits::max_batch},
        {"max_concurrent_requests", &tenon::Limits::max_concurrent_requests},
        {"max_subscriptions", &tenon::Limits::max_subscriptions},
        {"max_pending_questions", &tenon::Limits::max_pending_questions},
        {"max_error_text_bytes", &tenon::Limits::max_error_text_bytes},
        {"max_violations", &tenon::Limits::max_violations},
        {"page_size", &tenon::Limits::page_size},
    };
    for (const std::string& word : words(text)) {
        const std::size_t equals = word.find('=');
        const auto it = numbers.find(word.substr(0, equals));
        if (it == numbers.end()) throw std::runtime_error("there is no limit " + word);
        limits.*(it->second) = std::stoul(word.substr(equals + 1));
    }
    return limits;
}

tenon::ServerOptions read_options(const Dialogue& dialogue, tenon::LogSink log) {
    tenon::ServerOptions options;
    options.limits = read_limits(dialogue.field("limits"));
    options.log = std::move(log);
    options.cursor_key = {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}};
    for (const std::string& word : words(dialogue.field("options"))) {
        if (word == "no_logging") {
            options.logging = false;
        } else if (word == "keep_controls") {
            options.neutralise_control_characters = false;
        } else if (word == "redact") {
            options.redact = [](std::string& s) {
                if (const auto at = s.find("hunter2"); at != std::string::npos) s.replace(at, 7, "[redacted]");
            };
        } else if (word == "redact_throws") {
            options.redact = [](std::string&) { throw std::runtime_error("no pattern"); };
        } else if (word == "roots_changed_throws") {
            options.on_roots_changed = [] { throw std::runtime_error("no roots"); };
        } else if (word == "one_call_an_hour") {
            options.rate_limits.each = {.calls = 1, .per = std::chrono::hours(1)};
        } else if (word == "audit") {
            options.wall_clock = std::chrono::system_clock::now;  // replaced: see Player
        } else if (word == "extension") {
            options.extensions = {{"com.example/sums", json::object{{"digits", 9}}}};
        } else if (word == "full_info") {
            options.title = "Fixture";
            options.description = "For tests";
            options.websiteUrl = "https://example.com";
            options.icons = {{"https://example.com/i.png"}};
            options.instructions = "Ask nicely";
        } else {
            throw std::runtime_error("there is no option " + word);
        }
    }
    return options;
}

milliseconds read_time(const std::string& text) {
    std::size_t used = 0;
    const long number = std::stol(text, &used);
    const std::string unit = text.substr(used);
    if (unit != "s" && unit != "ms") throw std::runtime_error("a time is a number and s or ms, not " + text);
    return milliseconds(unit == "s" ? number * 1000 : number);
}

/// Plays one dialogue in one revision.
class Player {
 public:
    Player(const Dialogue& dialogue, const std::string& revision)
        : dialogue_(dialogue), names_{{"revision", revision}} {
        auto options = read_options(dialogue, [this](const tenon::LogRecord& r) { log_.emplace_back(r.message); });
        if (options.wall_clock) {
            options.wall_clock = [this] {
                return std::chrono::system_clock::from_time_t(1'785'240'000) + now_.time_since_epoch();
            };
            options.audit = std::make_shared<tenon::AuditLog>(
                tenon::AuditOptions{.callback = [this](std::string_view line) { audit_.emplace_back(line); }});
        }
        if (!options.on_roots_changed) options.on_roots_changed = [this] { log_.emplace_back("on_roots_changed"); };
        fixture_.emplace(words(dialogue.field("offers", "tools resources prompts")), std::move(options));
        session_.emplace(fixture_->server(), tenon::SessionOptions{.clock = [this] { return now_; }});
    }

    void play() {
        if (const std::string& revision = names_["revision"]; !revision.empty()) shake_hands(revision);
        for (const Line& line : dialogue_.lines) {
            if (!line.is_for(names_["revision"])) continue;
            if (line.mark != "<<" && !check_group()) return;
            SCOPED_TRACE("line " + std::to_string(line.number));
            play(line);
            if (testing::Test::HasFailure()) return;
        }
        if (check_group()) expect_nothing("at the end");
        EXPECT_TRUE(audit_.empty()) << "unexpected audit record: " << audit_.front();
    }

 private:
    void shake_hands(const std::string& revision) {
        send(R"({"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":")" + revision +
             R"(","capabilities":)" + dialogue_.field("client", "{}") +
             R"(,"clientInfo":{"name":"client","version":"1"}}})");
        EXPECT_EQ(revision_, revision);
        output_.clear();
        send(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    }

    void play(const Line& line) {
        const std::string text = expand(line.text, names_);
        if (line.mark == "<") {
            expect(line.text);
        } else if (line.mark == "<<") {
            group_.push_back(line.text);
        } else if (line.mark == "<raw") {
            EXPECT_EQ(next(), text);
        } else if (line.mark == "%") {
            expect_log(text);
        } else if (line.mark == "audit") {
            expect_audit(line.text);
        } else if (line.mark == "=") {
            EXPECT_EQ(text, "nothing");
            expect_nothing("here");
        } else {
            expect_nothing("before this line");
            if (line.mark == ">") send(text);
            if (line.mark == ">bytes") feed(unescape(text));
            if (line.mark == "~") pass_time(read_time(text));
            if (line.mark == "!") happen(text);
        }
    }

    // ---- the client

    void send(const std::string& text) { feed(text + "\n"); }

    void feed(const std::string& bytes) {
        sent_ += bytes;
        for (std::size_t end = sent_.find('\n'); end != std::string::npos; end = sent_.find('\n')) {
            remember(sent_.substr(0, end));
            sent_.erase(0, end + 1);
        }
        session_->feed(bytes);
        collect();
    }

    // Remembers the methods of requests, to find the method that a later response answers.
    void remember(const std::string& text) {
        const auto sent = json::parse(text, {100});
        if (!sent) return;
        json::array messages = sent->is_array() ? sent->get_array() : json::array{*sent};
        for (const json::value& message : messages) {
            const auto* object = message.if_object();
            if (!object || !object->contains("id") || !object->contains("method") || !object->at("method").is_string())
                continue;
            const std::string id = json::write(object->at("id"));
            requests_[id] = std::string(object->at("method").get_string());
            const json::value* params = object->if_contains("params");
            const bool has_task = params && params->is_object() && params->get_object().contains("task");
            if (has_task && dialogue_.field("offers") == "tasks") requests_[id] += " as a task";
            if (text.find("io.modelcontextprotocol/protocolVersion") != std::string::npos) modern_.insert(id);
        }
    }

    void pass_time(milliseconds time) {
        now_ += time;
        session_->tick();
        collect();
    }

    // ---- the server

    void happen(const std::string& text) {
        const auto all = words(text);
        const std::string verb = all.front(), first = all.size() > 1 ? all[1] : "",
                          second = all.size() > 2 ? all[2] : "";
        auto& server = fixture_->server();
        const std::map<std::string, std::function<void()>> verbs = {
            {"add_tool", [&] { fixture_->add_tool(first); }},
            {"add_resource", [&] { fixture_->add_resource(first); }},
            {"add_template", [&] { fixture_->add_template(first); }},
            {"add_prompt", [&] { fixture_->add_prompt(first); }},
            {"remove_tool", [&] { EXPECT_TRUE(server.remove_tool(first)); }},
            {"remove_resource", [&] { EXPECT_TRUE(server.remove_resource(first)); }},
            {"remove_template", [&] { EXPECT_TRUE(server.remove_resource_template(first)); }},
            {"remove_prompt", [&] { EXPECT_TRUE(server.remove_prompt(first)); }},
            {"resource_updated", [&] { server.resource_updated(first); }},
            {"log", [&] { server.log(tenon::log_level(first).value(), json::value(second)); }},
            {"answer", [&] { std::move(fixture_->parked(first).reply).send(second); }},
            {"fail", [&] { std::move(fixture_->parked(first).reply).fail(second); }},
            {"drop", [&] { fixture_->parked(first).reply = {}; }},
            {"progress", [&] { fixture_->parked(first).context.progress(std::stod(second)); }},
            {"log_from", [&] { fixture_->parked(first).context.error(second); }},
            {"complete_from", [&] { fixture_->parked(first).context.elicitation_complete(second); }},
            {"ask_from", [&] { ask_from(first); }},
            {"stopped",
             [&] { EXPECT_TRUE(fixture_->parked(first).context.cancelled()) << first << " was not stopped"; }},
            {"running", [&] { EXPECT_FALSE(fixture_->parked(first).context.cancelled()) << first << " was stopped"; }},
            {"calls", [&] { EXPECT_EQ(fixture_->calls(first), std::stoi(second)) << "number of calls of " << first; }},
            {"idle", [&] { EXPECT_TRUE(session_->idle()); }},
            {"end_of_input", [&] { session_->end_of_input(); }},
            {"shut_down", [&] { session_->shut_down(text.substr(verb.size() + 1)); }},
        };
        const auto it = verbs.find(verb);
        ASSERT_NE(it, verbs.end()) << "unknown verb " << verb;
        it->second();
        collect();
    }

    void ask_from(const std::string& name) {
        fixture_->parked(name).context.async_roots(
            tenon::make_reply<std::vector<tenon::Root>>([this](tenon::Result<std::vector<tenon::Root>> roots) {
                log_.push_back(roots ? "asked" : "not asked: " + roots.error().message);
            }));
    }

    // ---- output of the server

    void collect() {
        const std::string bytes = session_->take_output();
        for (std::size_t start = 0; start < bytes.size();) {
            const std::size_t end = bytes.find('\n', start);
            ASSERT_NE(end, std::string::npos) << "the output does not end with a newline";
            output_.push_back(bytes.substr(start, end - start));
            inspect(output_.back());
            start = end + 1;
        }
    }

    // Checks that hold for every message, independent of the dialogue.
    void inspect(const std::string& line) {
        const auto message = json::parse(line, {1000});
        ASSERT_TRUE(message) << message.error().message << " in " << line;
        if (const auto* batch = message->if_array()) {
            ASSERT_FALSE(batch->empty());
            for (const json::value& one : *batch) judge(one.get_object());
        } else {
            ASSERT_TRUE(message->is_object()) << line;
            judge(message->get_object());
        }
    }

    void judge(const json::object& message) {
        const json::value* const of = message.if_contains("method");
        // Its definition joins two objects, and the oracle would refuse the members of each in the other.
        if (of && *of == "notifications/tasks/status") return;
        if (of && *of == "notifications/subscriptions/acknowledged") return;  // only in 2026-07-28, as below
        const json::value* id = message.if_contains("id");
        if (id && modern_.contains(json::write(*id))) return;  // this oracle knows only revisions with a handshake
        const auto request = id ? requests_.find(json::write(*id)) : requests_.end();
        const std::string method = request == requests_.end() ? "" : request->second;
        if (method.starts_with("tasks/")) return;  // its definition, too
        if (method == "initialize" && message.contains("result"))
            revision_ = std::string(message.at("result").at("protocolVersion").get_string());
        // Before the handshake only the envelope can be checked. It is the same in all revisions that have a handshake.
        const std::string rules = revision_.empty() ? "2025-06-18" : revision_;
        static std::map<std::string, std::optional<Oracle>> oracles;
        const auto oracle = oracles.try_emplace(rules, Oracle::load(rules)).first;
        if (!oracle->second) return;
        EXPECT_EQ(oracle->second->verdict(message, method), "") << json::write(message);
    }

    std::string next() {
        if (output_.empty()) {
            ADD_FAILURE() << "the server sent no further message";
            return "null";
        }
        std::string line = std::move(output_.front());
        output_.pop_front();
        return line;
    }

    void expect(const std::string& text) {
        const auto expected = json::parse(text);
        ASSERT_TRUE(expected) << "the expectation is not JSON: " << expected.error().message;
        const std::string line = next();
        EXPECT_EQ(difference(*expected, json::parse(line, {1000}).value(), names_), "")
            << "expected " << text << "\n     got " << line;
    }

    // Checks neighbouring "<<" lines, which may arrive in any order.
    bool check_group() {
        for (auto group = std::exchange(group_, {}); !group.empty();) {
            const std::string line = next();
            const json::value actual = json::parse(line).value();
            const auto it = std::ranges::find_if(group, [&](const std::string& text) {
                auto names = names_;
                return difference(json::parse(text).value(), actual, names).empty();
            });
            if (it == group.end()) {
                ADD_FAILURE() << "matches no line of the group: " << line;
                return false;
            }
            difference(json::parse(*it).value(), actual, names_);
            group.erase(it);
        }
        return !testing::Test::HasFailure();
    }

    void expect_audit(const std::string& text) {
        ASSERT_FALSE(audit_.empty()) << "no audit record like " << text;
        const auto expected = json::parse(text);
        ASSERT_TRUE(expected) << "the expectation is not JSON: " << expected.error().message;
        const std::string line = audit_.front();
        audit_.pop_front();
        EXPECT_EQ(difference(*expected, json::parse(line).value(), names_), "")
            << "expected " << text << "\n     got " << line;
    }

    void expect_log(const std::string& pattern) {
        const auto it = std::ranges::find_if(log_, [&](const std::string& line) { return glob(pattern, line); });
        if (it == log_.end()) {
            std::string all;
            for (const std::string& line : log_) all += "\n  " + line;
            ADD_FAILURE() << "no line of the log is like: " << pattern << "; it has:" << all;
            return;
        }
        log_.erase(log_.begin(), it + 1);
    }

    void expect_nothing(const char* when) {
        EXPECT_TRUE(output_.empty()) << "unexpected " << when << ": " << output_.front();
    }

    const Dialogue& dialogue_;
    std::map<std::string, std::string> names_;
    tenon::TimePoint now_ = {};
    std::vector<std::string> log_;
    std::deque<std::string> audit_;
    std::optional<FixtureServer> fixture_;
    std::optional<tenon::Session> session_;
    std::string revision_;
    std::string sent_;                             // the beginning of an unfinished line
    std::map<std::string, std::string> requests_;  // id -> method
    std::set<std::string> modern_;                 // ids of requests that name their revision themselves
    std::deque<std::string> output_;
    std::vector<std::string> group_;
};

class GoldenFile : public testing::TestWithParam<std::string> {};

TEST_P(GoldenFile, matches_the_recorded_dialogue) {
    const Dialogue dialogue = read_dialogue(test_folders::tests() + "/golden/" + GetParam() + ".txt");
    SCOPED_TRACE(dialogue.behaviour);
    auto revisions = dialogue.revisions();
    if (revisions.empty()) revisions = {""};
    for (const std::string& revision : revisions) {
        SCOPED_TRACE(revision.empty() ? "its own handshake" : "revision " + revision);
        Player(dialogue, revision).play();
    }
}

std::vector<std::string> files() {
    std::vector<std::string> all;
    for (const auto& entry : std::filesystem::directory_iterator(test_folders::tests() + "/golden"))
        if (entry.path().extension() == ".txt") all.push_back(entry.path().stem().string());
    std::ranges::sort(all);
    return all;
}

INSTANTIATE_TEST_SUITE_P(Golden, GoldenFile, testing::ValuesIn(files()), [](const auto& file) { return file.param; });

}  // namespace
}  // namespace golden
