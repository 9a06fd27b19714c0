// The implementation of Server: the registry behind a lock, and the sessions to notify of changes.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <variant>

#include <tenon/metrics.hpp>
#include <tenon/server.hpp>
#include <tenon/session.hpp>

#include "core/server/engine.hpp"
#include "runtime/call_rates.hpp"
#include "runtime/middleware_chain.hpp"
#include "runtime/observers.hpp"
#include "runtime/peer_lines.hpp"
#include "runtime/request_states.hpp"
#include "runtime/shared_rates.hpp"
#include "runtime/skill_shelf.hpp"
#include "runtime/tasks.hpp"
#include "runtime/wire.hpp"

namespace tenon {

/// An event that the clients of all nodes learn.
struct ResourceUpdated {
    std::string uri;
};
struct ServerLog {
    LogLevel level;
    json::value data;
    std::string logger;
};
using Announcement = std::variant<core::ListChange, ResourceUpdated, ServerLog>;

/// The end of a connection or session, for the log.
struct Lost {
    LogLevel level = LogLevel::info;
    std::string_view what;    ///< "a connection was closed"
    std::string_view reason;  ///< constant text
    LimitName limit = LimitName::none;
    std::string_view principal = {}, address = {};
};

class Server::Impl {
 public:
    Impl(std::string name, std::string version, ServerOptions options);

    template <class Entry>
    void add(Entry entry, core::ListKind kind) {
        std::string key(core::use_of(entry.definition).key);
        {
            const std::lock_guard lock(mutex_);
            if (auto ok = registry_.add(std::move(entry)); !ok) throw Exception(ok.error());
        }
        list_changed(kind, std::move(key), *features());
    }
    void add_method(core::MethodEntry entry);
    SkillShelf& skills() { return skills_; }
    /// See Registry::replace_skills(). Throws on an error.
    void replace_skills(const std::vector<std::string>& old, std::vector<core::SkillEntry> entries) {
        const std::lock_guard lock(mutex_);
        if (auto ok = registry_.replace_skills(old, std::move(entries)); !ok) throw Exception(ok.error());
    }
    /// Throws when a declared extension has no methods. Call it when serving begins.
    void check_extensions() const;
    bool remove(bool (core::Registry::*how)(std::string_view), std::string_view key, core::ListKind kind);

    /// Notifies the clients that may see the resource, which a template lists, that their list has changed.
    void resource_list_changed(std::string_view uri);

    /// Calls `what` with the engine of every session.
    void tell(const std::function<void(core::ServerEngine&)>& what);
    /// Tells the clients of this process and of the other nodes, if there are any.
    void announce(const Announcement& what);
    /// Tells only the clients of this process.
    void announce_here(const Announcement& what);
    /// Passes each announcement of this process to `tell_nodes`, which tells all nodes, this one included. Throws
    /// Exception when there is such a function already: a server is one node.
    void announce_with(std::function<void(const Announcement&)> tell_nodes);
    /// Adds a session for tell(), and returns its number for leave(). tell() visits sessions in the order of their
    /// numbers, so a simulation can be repeated.
    std::uint64_t join(const std::shared_ptr<Session::Impl>& session);
    void leave(std::uint64_t number);
    bool has_sessions() const {
        const std::lock_guard lock(mutex_);
        return !sessions_.empty();
    }

    /// Returns null when there are none.
    Middlewares middlewares() const {
        if (!has_middlewares_.load(std::memory_order_acquire)) return nullptr;
        const std::lock_guard lock(mutex_);
        return middlewares_;
    }
    void use(Middleware middleware);
    void use(AccessRule rule);
    /// Returns null when there are none.
    std::shared_ptr<const core::AccessRules> access_rules() const {
        const std::lock_guard lock(mutex_);
        return access_rules_;
    }

    Tasks& tasks() { return *tasks_; }
    const std::shared_ptr<base::MemoryBudget>& budget() const { return budget_; }
    /// Returns the bytes of the budget that tables of all peers hold, such as the counts of calls.
    std::size_t shared_memory() const { return own_account_->used(); }
    std::shared_ptr<const core::Settings> settings() const { return settings_; }
    bool replays_every_call() const { return settings_->replay_every_call; }
    /// Writes to the log. Texts of peers are escaped, and credentials in them are masked.
    void note(LogLevel level, std::string_view text, std::initializer_list<LogField> fields = {}) const;
    /// The same, for an event that a peer can cause at will: only some of its lines are written. `peer` is its
    /// principal or its address.
    void note_of_peer(std::string_view peer, LogLevel level, std::string_view text,
                      std::initializer_list<LogField> fields = {}) const;
    /// Logs the end of a connection or session, and counts the limit that ended it. Never throws.
    void lost(const Lost& what) const noexcept;
    /// Logs a request that failed, and tells the observers of every request. Call it without a lock.
    void ended(const core::Ended& how, TimePoint now, std::string_view transport) const;
    /// The same, for the work of a task, and for a question to the client. `took` is the time since it was asked in
    /// this round.
    void task_ended(const core::TaskEnded& task) const;
    void question_ended(const core::Call& call, const core::QuestionSpan& span, std::string_view method, Duration took,
                        const Result<json::value>& answer, std::string_view transport) const noexcept;
    bool observed() const { return observers_.any(); }
    WallTime wall_now() const { return wall_clock_(); }
    /// The same, for a request that the transport itself refused. `message` is null if it could not be read, and `peer`
    /// is the trace of the client.
    void refused(Operation& operation, const jsonrpc::Request* message, const TraceContext& peer) const;
    /// Waits for the file of the audit, for a second. Call it before the process exits without destructors.
    void flush_audit() const { observers_.flush(std::chrono::seconds(1)); }
    /// Returns the metrics of the server; null: it has none.
    const std::shared_ptr<Metrics>& metrics() const { return metrics_; }
    /// Makes metrics, unless the options have some. Call it before sessions exist.
    const std::shared_ptr<Metrics>& default_metrics();
    /// Counts a refusal because of a limit.
    void limit_hit(LimitName limit) const {
        if (metrics_) metrics_->limit_hit(limit);
    }
    /// Returns the taps of the server; null: nothing taps its messages.
    const WireTapPtr& tap() const { return tap_; }
    RequestStates& states() { return *states_; }
    /// Returns whether the server protects request states itself, because the options have no StateSeal.
    bool has_own_seal() const { return has_own_seal_; }
    /// Uses these keys for cursors, unless the options have one. Call it before sessions exist.
    void default_cursors(base::CursorSeal cursors) {
        if (!has_cursor_key_) settings_->cursors = std::move(cursors);
    }
    /// Lets a store have the tasks, until Tasks::end_all(). Call it before sessions exist.
    void share_tasks(TaskSharing sharing);
    /// Counts the calls of principals together with other nodes, until SharedRates::leave(). Call it before sessions
    /// exist.
    std::shared_ptr<SharedRates> share_rates(SharedRates::Options options) {
        options.max_counted = settings_->limits.max_counted_principals;
        return shared_rates_ = std::make_shared<SharedRates>(std::move(options), base::MemoryCharge(own_account_));
    }
    /// Adds an observer, or sets the audit. Call them before sessions exist.
    void observe_with(OperationObserver observer);
    void audit_with(std::shared_ptr<AuditLog> audit);
    /// Sets the log, unless the options have one. It gets no records below the level `least`, so their texts are not
    /// built. Call it before sessions exist.
    void default_log(LogSink sink, LogLevel least) {
        if (log_) return;
        log_ = std::move(sink);
        least_log_level_ = least;
    }

 private:
    std::shared_ptr<const core::Features> features();
    void observers_changed(core::Settings& settings);
    void report(Operation& operation) const;
    void log(const Operation& operation) const;
    void write(LogLevel level, std::string_view text, std::span<const LogField> fields) const;
    void report_memory();
    /// `features` has, or had, the entry.
    void list_changed(core::ListKind kind, std::string key, const core::Features& features);

    std::shared_ptr<core::Settings> settings_;  // constant while sessions exist
    json::object extensions_;                   // those that need methods
    LogSink log_;
    LogLevel least_log_level_ = LogLevel::debug;
    mutable PeerLines refusal_lines_, peer_lines_;  // of refused requests, and of everything else
    std::function<WallTime()> wall_clock_;
    Observers observers_;
    bool has_own_seal_ = false, has_cursor_key_ = false;
    std::shared_ptr<RequestStates> states_;
    std::shared_ptr<base::MemoryBudget> budget_;
    const base::MemoryAccountPtr own_account_;  // for tables that all peers share
    WireTapPtr tap_;
    std::shared_ptr<Metrics> metrics_;
    std::shared_ptr<void> in_metrics_;  // reports the memory of this server
    std::unique_ptr<Tasks> tasks_;
    SkillShelf skills_;
    std::atomic<bool> has_middlewares_{false}, intercepts_{false};
    std::unique_ptr<CallRates> call_rates_;
    std::shared_ptr<SharedRates> shared_rates_;  // null: this process counts alone
    mutable std::mutex mutex_;  // guards the members below; never held while user code runs or another lock is taken
    core::Registry registry_;
    Middlewares middlewares_;
    std::vector<AccessRule> rules_;
    std::shared_ptr<const core::AccessRules> access_rules_;
    std::map<std::uint64_t, std::weak_ptr<Session::Impl>> sessions_;
    std::uint64_t last_session_ = 0;
    std::function<void(const Announcement&)> tell_nodes_;
};

}  // namespace tenon
