// A server with tools that support tasks, a clock that the test sets, and any number of sessions.
#pragma once

#include <gtest/gtest.h>

#include <condition_variable>
#include <fstream>
#include <mutex>
#include <sstream>
#include <thread>

#include <tenon/schema.hpp>
#include <tenon/server.hpp>
#include <tenon/session.hpp>

#include "support/folders.hpp"
#include "support/handler_threads.hpp"

namespace tenon {

using namespace std::chrono_literals;

struct Name {
    std::string name;
};
BOOST_DESCRIBE_STRUCT(Name, (), (name))

/// One client. A wait that takes too long fails the test.
class Peer {
 public:
    Peer(Server& server, SessionOptions options) {
        options.wake = [this] {
            const std::lock_guard lock(mutex_);
            changed_.notify_all();
        };
        session_.emplace(server, std::move(options));
    }

    std::int64_t send(std::string_view method, json::object params) {
        session_->receive(json::write(
            json::object{{"jsonrpc", "2.0"}, {"id", ++last_id_}, {"method", method}, {"params", std::move(params)}}));
        return last_id_;
    }
    void receive(const json::object& message) { session_->receive(json::write(message)); }
    /// Returns the response to a request. Messages that came before it stay in `heard`.
    json::value answer(std::int64_t id) {
        return wait(
            [id](const json::object& m) { return m.contains("id") && m.at("id") == id && !m.contains("method"); });
    }
    json::value message(std::string_view method) {
        return wait(
            [method](const json::object& m) { return m.contains("method") && m.at("method").as_string() == method; });
    }
    json::value ask(std::string_view method, json::object params) { return answer(send(method, std::move(params))); }
    std::vector<json::object> heard() {
        read();
        return std::exchange(heard_, {});
    }
    Session& session() { return *session_; }
    void close() { session_.reset(); }

 private:
    void read() {
        std::istringstream lines(session_->take_output());
        for (std::string line; std::getline(lines, line);) heard_.push_back(json::parse(line).value().as_object());
    }
    template <class F>
    json::value wait(F wanted) {
        std::unique_lock lock(mutex_);
        for (;;) {
            read();
            for (auto it = heard_.begin(); it != heard_.end(); ++it) {
                if (!wanted(*it)) continue;
                json::value found = *it;
                heard_.erase(it);
                return found;
            }
            if (changed_.wait_for(lock, 20s) == std::cv_status::timeout) throw std::runtime_error("nothing came");
        }
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<json::object> heard_;
    std::optional<Session> session_;
    std::int64_t last_id_ = 0;
};

class TaskTest : public testing::Test {
 protected:
    // Handlers that wait for their stop token must be stopped before they are joined.
    ~TaskTest() override {
        for (const auto& peer : peers_) peer->session().shut_down("the end of the test");
        server_.reset();
        threads_.join();
    }

    Server& server(ServerOptions options = {}) {
        options.wall_clock = [this] {
            const std::lock_guard lock(time_mutex_);
            return now_;
        };
        server_.emplace("test", "1", std::move(options));
        return *server_;
    }
    Peer& peer(SessionOptions options = {}) {
        options.post = threads_.post();
        peers_.push_back(std::make_unique<Peer>(*server_, std::move(options)));
        return *peers_.back();
    }
    void pass(std::chrono::milliseconds time) {
        const std::lock_guard lock(time_mutex_);
        now_ += time;
    }
    /// Returns the first violation of a definition of the official schema, or an empty string. Returns an empty string
    /// when the schema is not installed.
    static std::string violation(const std::string& revision, std::string_view definition, const json::value& v) {
        std::ifstream file(test_folders::shared() + "/spec/" + revision + "/schema.json");
        if (!file) return "";
        std::stringstream text;
        text << file.rdbuf();
        json::object schema = json::parse(text.str(), {1000}).value().as_object();
        schema["$ref"] = "#/$defs/" + std::string(definition);
        const auto found = schema::Schema::compile(schema).value().check(v, 1);
        return found.empty() ? "" : found.front().message;
    }
    static int code_of(const json::value& answer) { return static_cast<int>(answer.at("error").at("code").as_int64()); }
    static json::object accept(const char* name) {
        return {{"action", "accept"}, {"content", json::object{{"name", name}}}};
    }
    /// Adds a tool that runs until it is stopped.
    void add_endless_tool(TaskSupport support = TaskSupport::optional) {
        server_->tool("endless", "Runs",
                      [](Context& ctx) {
                          std::mutex mutex;
                          std::condition_variable_any stopped;
                          std::unique_lock lock(mutex);
                          stopped.wait(lock, ctx.stop_token(), [] { return false; });
                          return "stopped";
                      },
                      {.task = support});
    }

    std::mutex time_mutex_;
    WallTime now_ = WallTime(std::chrono::seconds(1'800'000'000));
    std::optional<Server> server_;
    test::HandlerThreads threads_;
    std::vector<std::unique_ptr<Peer>> peers_;
};

}  // namespace tenon
