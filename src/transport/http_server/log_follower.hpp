// A response that shows the events of a log: a GET stream of a session that several nodes serve.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include <tenon/store/event_log.hpp>

#include "transport/http_server/cluster_node.hpp"
#include "web/response.hpp"
#include "web/response_writer.hpp"

namespace tenon {

/// Writes the events of a log to one client, and then each new event when the store announces it. Ends when the log is
/// finished. Thread-safe.
class LogFollower final : public web::Responder, public std::enable_shared_from_this<LogFollower> {
 public:
    struct Options {
        std::shared_ptr<ClusterNode> node;
        store::StreamName log;
        web::Fields fields = {};  ///< of the response
        /// The log has no end, and may be empty: it is the one for messages without a request.
        bool endless = false;
        bool priming = false;  ///< begin with an empty event, whose id is the place where the client may resume
    };
    static constexpr std::size_t max_keys = 4096;  ///< that are remembered; a slower node would repeat a message
    LogFollower(Options options, std::shared_ptr<web::ResponseWriter> writer)
        : options_(std::move(options)), writer_(std::move(writer)) {}

    /// Where a stream begins.
    struct Start {
        store::EventId after = 0;  ///< the client has seen the events up to this one
        bool resumed = false;      ///< the client named this event; refuse it if it is not known
        /// The event that announced this stream. At the next one of its kind another stream takes over.
        store::EventId mark = 0;
    };
    /// Begins to show events. Call it once.
    void start(Start start);
    /// Answers with this response, if start() was not called.
    void refuse(web::Response response);
    /// Ends the response. `retry_ms`: tells the client first when to connect again.
    void close(std::optional<long long> retry_ms = {});
    void keep_alive();
    /// Ends the log with an error if the node that should do so is gone. Call it now and then.
    void check_node();

    bool over() const;
    bool endless() const { return options_.endless; }
    const store::StreamName& log() const { return options_.log; }

    void client_gone(const web::ResponseWriter& writer) override;
    void probe(const web::ResponseWriter&) override { keep_alive(); }

 private:
    void pump();
    void on_batch(const Result<store::EventBatch>& batch);
    bool begin(const Result<store::EventBatch>& batch);
    bool write(const store::EventBatch& batch);
    bool is_new(std::optional<std::uint64_t> key);
    void watch();
    void end();
    void fail_requests(const Result<store::EventBatch>& first);

    const Options options_;
    mutable std::mutex mutex_;                     // guards the members below
    std::shared_ptr<web::ResponseWriter> writer_;  // null: over
    Start start_;
    store::EventId read_ = 0;  // the last event that was read
    bool begun_ = false, reading_ = false, again_ = false;
    // The keys of messages that several nodes may have added, the newest ones. An endless log is read from its first
    // event on, so that the keys from before `start_.after` are known.
    std::set<std::uint64_t> keys_;
    std::deque<std::uint64_t> key_order_;
    store::Subscription subscription_;
};

}  // namespace tenon
