// The inspector: a web page, on this machine only, that shows everything a server offers and says, and calls it with
// the consent of the user.
//
//     tenon::inspect::Inspector inspector({.target = tenon::inspect::Target{.command = {"node", "server.js"}}});
//     std::cout << inspector.url() << std::endl;      // open it in a browser; it works once
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <tenon/auth/token_store.hpp>
#include <tenon/check.hpp>
#include <tenon/client_options.hpp>
#include <tenon/consent.hpp>

namespace tenon::inspect {

/// A server: a URL, or a command.
struct Target {
    std::string name = {};  ///< its name in an mcpServers file; may be empty
    std::string url = {};
    std::vector<std::pair<std::string, std::string>> headers = {};  ///< sent with every HTTP request
    std::vector<std::string> command = {};
    std::map<std::string, std::string> environment = {};  ///< added to HOME, PATH and similar variables
    std::string directory = {};                           ///< working directory of the command; empty: this one
};

/// An entry that the user can choose on the page.
struct KnownTarget {
    std::string name;
    std::string source;  ///< the file
    bool is_url = false;
    std::string text = {};  ///< the URL, or the command
};
/// The entries of the mcpServers files that were found.
struct KnownTargets {
    std::vector<KnownTarget> targets = {};
    std::vector<std::string> files = {};
    std::vector<std::string> problems = {};  ///< files that cannot be read, and why
};

/// Thrown by Options::find_target when the user must first allow the entry.
struct NeedsTrust {
    json::object entry;  ///< as in the file
};

/// The report of a check in two formats.
struct ReportTexts {
    json::object json;
    std::string html;
};

/// Options of an Inspector. All functions may be called from any thread, and may be empty.
struct Options {
    std::optional<Target> target = {};  ///< connected at once; empty: the user chooses on the page
    Era era = Era::automatic;
    std::uint16_t port = 0;                ///< of the page, on 127.0.0.1; 0: any free port
    std::string version = "0.1.0";         ///< of this program
    std::vector<Root> roots = {};          ///< folders that may be shared with the server, after consent
    std::optional<Duration> timeout = {};  ///< for each answer; empty: ClientLimits::request_time
    /// Where the decisions `always` and `never` are kept. Null: for this run only.
    std::shared_ptr<ConsentStore> decisions = {};
    /// Where tokens of servers are kept. Null: for this run only.
    std::shared_ptr<auth::TokenStore> tokens = {};

    /// Does not connect to the target: messages of another client are passed to it, see Inspector::tap().
    bool tap = false;

    std::function<KnownTargets()> known_targets = {};
    /// Returns the entry with this name. `trusted`: the user has allowed it on the page. Throws NeedsTrust, or a
    /// std::exception with a sentence.
    std::function<Target(const std::string& name, bool trusted)> find_target = {};
    /// Returns the text that identifies a server in decisions. Empty function: its URL, or its folder and command.
    std::function<std::string(const Target&)> identity = {};
    /// Returns the words of a command as one line for a shell. Empty function: joined by spaces.
    std::function<std::string(const std::vector<std::string>&)> shell_line = {};
    std::function<ReportTexts(const check::Report&)> write_report = {};
    /// Answers a sampling request in place of a model. Throws a std::exception when it cannot.
    std::function<SampleResult(const SampleRequest&, const std::stop_token&)> sampler = {};
};

/// Serves the page from the constructor to the destructor, on threads of its own. Only requests with the secrets of
/// this run are answered, and only from this machine.
class Inspector {
 public:
    /// Throws tenon::Exception when the port cannot be used.
    explicit Inspector(Options options);
    ~Inspector();
    Inspector(const Inspector&) = delete;
    Inspector& operator=(const Inspector&) = delete;

    /// Returns the link that opens the page. It works once.
    std::string url() const;
    std::uint16_t port() const;
    std::uint16_t apps_port() const;  ///< another origin, for the pages of servers (MCP Apps)

    /// With Options::tap and a command: starts it, and passes messages between it and the standard streams of this
    /// process, until the server or the client ends, or `stop`. With a URL: passes HTTP requests to tap_address() on,
    /// from the constructor on, and waits for `stop`. The page shows the messages, and may hold, change and drop them.
    /// Returns the exit status for main(). Throws tenon::Exception, or std::system_error when the command cannot be
    /// started. Call it once.
    int tap(const std::stop_token& stop);
    /// With Options::tap and a URL: returns the address for clients, on 127.0.0.1, with a part that cannot be guessed.
    /// Otherwise an empty string.
    std::string tap_address() const;

    class Impl;

 private:
    std::unique_ptr<Impl> impl_;
};

}  // namespace tenon::inspect
