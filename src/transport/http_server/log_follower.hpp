// A response that shows the events of a log: a GET stream of a session that several nodes serve.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
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
    LogFollower(Options options, std::shared_ptr<web::ResponseWriter> writer)
        : options_(std::move(options)), writer_(std::move(writer)) {}

    /// Begins after this event; nullopt: after the newest one. Call it once.
    void start(std::optional<store::EventId> after);
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
    void write(const store::EventBatch& batch);
    void watch();
    void end();
    void fail_requests(const Result<store::EventBatch>& first);

    const Options options_;
    mutable std::mutex mutex_;                     // guards the members below
    std::shared_ptr<web::ResponseWriter> writer_;  // null: over
    store::EventId after_ = 0;
    bool from_end_ = false, begun_ = false, reading_ = false, again_ = false;
    store::Subscription subscription_;
};

}  // namespace tenon
