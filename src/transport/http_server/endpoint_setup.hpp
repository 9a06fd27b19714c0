// Makes the endpoint that HttpOptions describe, for HttpServer and HttpMount.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <memory>

#include <tenon/metrics.hpp>
#include <tenon/transport/http_server.hpp>

#include "io/worker_pool.hpp"
#include "transport/http_server/access_control.hpp"
#include "transport/http_server/endpoint.hpp"
#include "transport/http_server/output_counts.hpp"

namespace tenon {

/// An endpoint, and the control of access to it.
struct EndpointSetup {
    std::shared_ptr<HttpEndpoint> endpoint;
    std::unique_ptr<AccessControl> access;  ///< null: HttpOptions::auth is not set. Stop it before its server
    Duration wait_time = {};                ///< how long a request may wait for the check of its token or its session
};

/// Returns the address of the options. Throws Exception when it is malformed, or the options do not fit each other.
boost::asio::ip::address check_options(const HttpOptions& options);

/// Makes the endpoint. `base` has the members of EndpointOptions that HttpOptions does not decide. Throws Exception
/// when an option is invalid.
EndpointSetup make_endpoint(Server& server, const HttpOptions& options, EndpointOptions base);

/// Options of the threads that run handlers, and of those that decode large requests.
io::WorkerPool::Options handler_threads(const Limits& limits, const LogNote& note);
io::WorkerPool::Options decoder_threads(const Limits& limits, const LogNote& note);

/// Returns a function that handles a large request of a peer on another thread.
std::function<void(const HttpPeerPtr&, std::function<void()>)> post_large_to(io::WorkerPool& decoders);

/// Adds what an endpoint and its threads hold, for the metrics.
void report(const HttpEndpoint& endpoint, const io::WorkerPool& pool, const OutputCounts& output, ServerState& state);

/// Returns a function that writes to the log of the server.
LogNote note_to(std::shared_ptr<Server::Impl> server);

}  // namespace tenon
