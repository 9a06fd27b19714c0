// MetricsListener: serves /metrics, /healthz and /readyz on an address of its own.
//
//     tenon::MetricsListener listener(server);          // http://127.0.0.1:9464/metrics
//     return tenon::serve_stdio(server);
//
// HttpOptions::metrics, and `--metrics ADDRESS:PORT` of serve(), do the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <tenon/metrics.hpp>
#include <tenon/server.hpp>

#pragma GCC visibility push(default)

namespace tenon {

/// Where metrics are served, and for how many readers.
struct MetricsAddress {
    /// The IP address to bind. There is no authentication: everyone who can reach the address reads the names of tools
    /// and how often they are called. On a loopback address, only loopback names are accepted in the Host header.
    std::string address = "127.0.0.1";
    std::uint16_t port = 9464;                         ///< 0: any free port
    std::size_t max_connections = 16;                  ///< readers at once; more are closed
    Duration request_time = std::chrono::seconds(10);  ///< to receive a request and to send the response

    /// Reads "ADDRESS:PORT", with an IPv6 address in brackets. Throws Exception if it is malformed.
    static MetricsAddress parse(std::string_view text);
};

/// Serves from the constructor to the destructor, on a thread of its own. Each connection may send one GET request:
///
/// | path     | response                                                                                            |
/// |----------|-----------------------------------------------------------------------------------------------------|
/// | /metrics | all metrics: OpenMetrics 1.0 if Accept asks for it, else the text format 0.0.4 of Prometheus          |
/// | /healthz | 200: the process runs                                                                               |
/// | /readyz  | 200; or 503 with the reason, while the server shuts down or its memory budget is used up            |
class MetricsListener {
 public:
    /// Serves the metrics of this server. Makes them if ServerOptions::metrics is empty: then construct the listener
    /// before the server serves. Throws Exception when the address is malformed or cannot be bound.
    explicit MetricsListener(Server& server, MetricsAddress at = {});
    /// Serves these metrics, for example those of a client.
    explicit MetricsListener(std::shared_ptr<Metrics> metrics, MetricsAddress at = {});
    ~MetricsListener();
    MetricsListener(const MetricsListener&) = delete;
    MetricsListener& operator=(const MetricsListener&) = delete;

    std::uint16_t port() const;
    std::string url() const;  ///< of /metrics

 private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace tenon

#pragma GCC visibility pop
