// WebWire: sends any bytes as HTTP requests to a server and receives the responses. Use it from one thread, which must
// call run_until().
#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/wire/transcript.hpp"
#include "framing/sse.hpp"
#include "transport/http_client/dial.hpp"
#include "transport/http_client/wire.hpp"

namespace tenon::check {

/// One request, and its response so far.
class Exchange final : public HttpWire::User, public std::enable_shared_from_this<Exchange> {
 public:
    explicit Exchange(Transcript& transcript) : transcript_(transcript) {}

    /// Returns the beginning of the request, without the user's headers.
    const std::string& request() const { return request_; }
    int status() const { return status_; }  ///< 0 before the head has come
    /// Returns the first field with this name, ignoring case.
    std::optional<std::string> field(std::string_view name) const;
    bool is_stream() const { return is_of_type("text/event-stream"); }
    bool is_json() const { return is_of_type("application/json"); }
    const std::string& body() const { return body_; }  ///< empty for a stream
    const std::vector<framing::SseReader::Event>& events() const { return events_; }
    const std::vector<std::string>& event_ids() const { return event_ids_; }  ///< ids of the stream's events
    const std::string& last_event_id() const { return reader_.last_event_id(); }
    Duration retry() const { return std::chrono::milliseconds(reader_.retry_ms().value_or(0)); }
    bool ended() const { return ended_; }
    /// Returns why the response failed; empty when it is complete.
    const std::string& broken() const { return broken_; }

    void on_sent() override {}
    void on_head(const framing::HttpResponse& head) override;
    void on_piece(std::string_view bytes) override;
    void on_end() override { ended_ = true; }
    void on_broken(const std::string& why, bool untouched) override;

 private:
    bool is_of_type(std::string_view type) const;

    friend class WebWire;
    Transcript& transcript_;
    std::string request_;
    int status_ = 0;
    std::vector<std::pair<std::string, std::string>> fields_;
    std::string body_;
    framing::SseReader reader_{64 * 1024 * 1024};
    std::vector<framing::SseReader::Event> events_;
    std::vector<std::string> event_ids_;
    bool ended_ = false;
    std::string broken_;
    std::function<bool()> again_;  // sends the request again; returns false after the second try
    std::weak_ptr<HttpWire> wire_;
};

class WebWire {
 public:
    /// Throws Exception when the URL or a header cannot be used.
    WebWire(const Target& target, Transcript& transcript);
    ~WebWire();

    const web::Url& url() const { return route_->origin; }
    std::shared_ptr<Exchange> send(std::string bytes);
    /// Runs until `done` returns true. Returns false at the deadline.
    bool run_until(TimePoint until, const std::function<bool()>& done);
    /// Closes the connection of an exchange and ignores the rest of its response.
    void abandon(const std::shared_ptr<Exchange>& exchange);
    /// Closes idle connections.
    void close_idle();

 private:
    void dial(const std::shared_ptr<Exchange>& exchange, std::string bytes);
    std::string without_secrets(std::string bytes) const;

    const Target& target_;
    Transcript& transcript_;
    std::shared_ptr<asio::io_context> context_ = std::make_shared<asio::io_context>(1);
    asio::executor_work_guard<asio::io_context::executor_type> work_{context_->get_executor()};
    std::shared_ptr<const HttpRoute> route_;
    std::vector<std::shared_ptr<HttpWire>> wires_, idle_;
    std::vector<std::weak_ptr<HttpDial>> dials_;
};

}  // namespace tenon::check
