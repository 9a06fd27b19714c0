// A response that shows the events of a log: a GET stream of a session that several nodes serve.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <tenon/store/event_log.hpp>

#include "transport/http_server/cluster_node.hpp"
#include "web/listener_view.hpp"
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
        /// The name of a GET stream that shows its part of the log for messages without a request: see ListenerView.
        /// Such a log has no end. Empty: the log of a request.
        std::string stream = {};
        bool priming = false;  ///< begin with an empty event, whose id is the place where the client may resume
        /// Runs the requests of a log again, whose node is gone, or calls fail() with the reason why not. Empty: they
        /// fail.
        std::function<void(const std::shared_ptr<LogFollower>&, const std::string& log)> run_again = {};
    };
    LogFollower(Options options, std::shared_ptr<web::ResponseWriter> writer);

    /// Where a stream begins.
    struct Start {
        store::EventId after = 0;  ///< the client has seen the events up to this one
        bool resumed = false;      ///< the client named this event; refuse it if it is not known
        store::EventId mark = 0;   ///< with Options::stream: see ListenerView::Start
        bool first = false;        ///< with Options::stream: see ListenerView::Start
    };
    /// Begins the response of a new GET stream with an id, if its client understands that. Call it before the mark of
    /// the stream is stored: no message may belong to a stream that its client cannot resume.
    void open();
    /// Begins to show events. Call it once.
    void start(Start start);
    /// Answers with this response, or ends what open() has begun. Call it instead of start().
    void refuse(web::Response response);
    /// Ends the response. `retry_ms`: tells the client first when to connect again.
    void close(std::optional<long long> retry_ms = {});
    void keep_alive();
    /// Ends the log with an error, or lets its requests run again, if the node that should end it is gone. Call it now
    /// and then.
    void check_node();
    /// Ends a log with an error for its requests.
    void fail(const std::string& log_name, std::string why);

    bool over() const;
    /// Returns whether it shows this log, or has shown it before its requests ran again on another node.
    bool shows(const std::string& log_name) const;

    void client_gone(const web::ResponseWriter& writer) override;
    void probe(const web::ResponseWriter&) override { keep_alive(); }

 private:
    void pump();
    void on_batch(const Result<store::EventBatch>& batch);
    bool begin(const Result<store::EventBatch>& batch);
    bool begin_listener(const Result<store::EventBatch>& batch);
    void begin_response();
    void prime(store::EventId id, std::optional<long long> retry_ms = {});
    bool write(const store::EventBatch& batch);
    bool show(const store::Event& event);
    void move_to(std::string log_name);
    void watch();
    void end();
    void fail_requests(const store::StreamName& log, const Result<store::EventBatch>& first, const Error& why) const;
    store::StreamName log() const;

    const Options options_;
    mutable std::mutex mutex_;                     // guards the members below
    store::StreamName log_;                        // that is shown now
    std::string place_;                            // the first part of the ids of events
    std::vector<std::string> before_;              // the logs that were shown before it
    std::shared_ptr<web::ResponseWriter> writer_;  // null: over
    Start start_;
    std::optional<web::ListenerView> view_;  // with Options::stream, after start()
    store::EventId read_ = 0;                // the last event that was read
    bool checked_ = false;                   // the first read has decided that there is a stream to show
    bool begun_ = false, reading_ = false, again_ = false;
    bool moved_ = false;  // the last batch ended with a move to another log
    store::Subscription subscription_;
};

}  // namespace tenon
