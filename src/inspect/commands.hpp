// Commands: carries out what the page asks for. web/API.md describes every command.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "inspect/calls.hpp"
#include "inspect/check_run.hpp"
#include "inspect/task_book.hpp"

namespace tenon::inspect {

/// Everything that commands use. Owned by the Inspector.
struct Parts {
    const Options& options;
    Recorder& recorder;
    Permissions& permissions;
    ConsentDesk& desk;
    Questions& questions;
    Session& session;
    Calls& calls;
    TaskBook& tasks;
    CheckRun& check;
};

/// The response to a command.
struct CommandAnswer {
    int status = 200;
    json::object body = {};  ///< {"result": ...} or {"error": ...}
};

/// Thread-safe, like its parts.
class Commands {
 public:
    explicit Commands(Parts parts);

    /// One command. `waits`: it may wait for the server, so it must not run on the listener's thread.
    struct Command {
        bool waits = false;
        std::function<json::value(const Arguments&)> run;
    };
    /// Returns the command, or null.
    const Command* find(std::string_view name) const;
    /// Adds a command of another part, before the first request.
    void add(std::string name, bool waits, std::function<json::value(const Arguments&)> run);
    /// Runs a command. Never throws.
    static CommandAnswer run(const Command& command, const json::object& arguments) noexcept;

    /// Ends commands that wait on connections of their own.
    void stop() { stopping_.request_stop(); }
    /// Returns the whole status.
    json::object status() const;
    /// Members that other parts add to the status. Set them before the first request.
    json::object extra_status = {};
    std::function<void(json::object& status)> more_status = {};

 private:
    void add_connection();
    void add_lists();
    void add_calls();
    void add_live();
    void add_questions();
    void add_history();
    void add_check();

    Target read_target(const json::object& target) const;
    json::value list(std::string_view capability, std::string method, std::string member) const;
    json::value tools(bool fresh) const;
    json::value compare() const;
    json::object compare_side(const Target& target, Era era) const;
    json::value send_raw(const json::object& message);
    json::object roots() const;
    json::value history(const Arguments& arguments) const;
    json::value copy_as(const Arguments& arguments) const;
    json::value export_history(const Arguments& arguments) const;

    Parts parts_;
    std::stop_source stopping_;
    std::map<std::string, Command, std::less<>> commands_;
};

/// Makes the response that reports a refusal.
CommandAnswer refused(const Refusal& refusal);

}  // namespace tenon::inspect
