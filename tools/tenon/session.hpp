// Session: a client of one server, for the duration of one command.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include <tenon/client.hpp>
#include <tenon/trace_exporter.hpp>

#include "connect.hpp"
#include "console.hpp"
#include "interrupt.hpp"
#include "settings.hpp"

namespace tenon::program {

/// Answers the server's questions on the terminal, if there is one. With --verbose, shows the server's log and standard
/// error. The destructor closes the connection quickly.
class Session {
 public:
    /// `adjust` may set callbacks. `gone` is called when the connection ends.
    Session(const Target& target, const Settings& settings, Console& console,
            const std::function<void(ClientOptions&)>& adjust = {}, std::function<void(const Error&)> gone = {});
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    /// Runs `f(Client&)`. Turns exceptions into a Failure with an exit status.
    template <class F>
    auto with_client(F&& f) {
        try {
            return f(*client_);
        } catch (const Exception& e) {
            throw failure_of(e.error());
        }
    }
    /// Returns call options with the timeout and the stop token.
    CallOptions call_options() const;
    const ServerInfo& server();
    /// Throws when a form of the server could not be filled in with --answer. Call it after a call that failed.
    void fail_if_unanswered() const;

    const Settings& settings() const { return settings_; }
    const Interrupt& interrupt() const { return interrupt_; }

 private:
    Failure failure_of(const Error& error) const;
    ClientOptions client_options();
    void answer_questions(ClientOptions& o);
    void tell_more(ClientOptions& o);
    void warn(ClientOptions& o);
    ElicitResult scripted(const ElicitRequest& request);
    std::optional<Failure> unanswered() const;

    const std::string label_;  // of the server
    const Settings settings_;
    Console& console_;
    Interrupt interrupt_;  // created before all threads
    Connection connection_;
    std::atomic<std::size_t> warnings_{0};   // shown so far
    mutable std::mutex mutex_;               // guards the next member
    std::optional<Failure> unanswered_;      // why a form could not be filled in with --answer
    std::shared_ptr<TraceExporter> traces_;  // null: OTEL_EXPORTER_OTLP_ENDPOINT is not set
    std::optional<Client> client_;
    std::optional<ServerInfo> server_;
};

/// Returns the exit status of an error.
Status status_of(const Error& error);

}  // namespace tenon::program
