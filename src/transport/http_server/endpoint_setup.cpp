#include "transport/http_server/endpoint_setup.hpp"

#include <algorithm>

#include "io/cpus.hpp"
#include "runtime/server_impl.hpp"
#include "transport/last_resort.hpp"

namespace tenon {
namespace {

namespace asio = boost::asio;

std::string lower_case(std::string name) {
    for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
    return name;
}

void add_access_control(EndpointOptions& options, const AccessControl& access, const Server::Impl& server) {
    options.admission = access.admission();
    options.entry.documents = access.documents();
    if (const auto& metadata = access.admission()->gate().metadata())
        options.entry.origins.allowed_hosts.push_back(metadata->host);
    for (const std::string& rule : access.admission()->gate().scopes().idle_rules(*server.settings()->features()))
        server.note(LogLevel::warning, "HttpOptions::auth has scopes for the " + rule + ", but it is not registered");
}

}  // namespace

asio::ip::address check_options(const HttpOptions& options) {
    boost::system::error_code error;
    const auto address = asio::ip::make_address(options.address, error);
    if (error)
        throw Exception({code::invalid_params, "HttpOptions::address must be an IP address: " + options.address});
    if (!options.path.starts_with('/'))
        throw Exception({code::invalid_params, "HttpOptions::path must begin with '/': " + options.path});
    const bool by_tokens = !std::holds_alternative<std::monostate>(options.auth);
    if (by_tokens && options.authenticate)
        throw Exception({code::invalid_params, "set HttpOptions::auth or HttpOptions::authenticate, not both"});
    if (!address.is_loopback() && !by_tokens && !options.authenticate && !options.public_without_authentication)
        throw Exception(
            {code::invalid_params, "refusing to serve on " + options.address +
                                       " without authentication: anyone who can reach it could call everything. Set "
                                       "HttpOptions::auth, or public_without_authentication if that is what you want"});
    return address;
}

EndpointSetup make_endpoint(Server& server, const HttpOptions& from, EndpointOptions options) {
    EndpointSetup out;
    const bool loopback = check_options(from).is_loopback();
    options.entry.path = from.path;
    options.entry.origins.allowed_hosts = from.allowed_hosts;
    options.entry.origins.allowed_origins = from.allowed_origins;
    options.entry.origins.loopback = loopback;
    options.entry.origins.own_port_only = from.loopback_origins == LoopbackOrigins::own_port;
    options.entry.origins.any_host = !loopback && from.allowed_hosts.empty();
    if (from.old_http_sse) options.entry.old_stream_path = "/sse", options.entry.old_message_path = "/messages";
    options.authenticate = from.authenticate;
    for (const std::string& name : from.caller_headers) options.caller_headers.push_back(lower_case(name));
    out.access = AccessControl::make(from, note_to(server.impl()));
    if (out.access) add_access_control(options, *out.access, *server.impl());
    out.endpoint = std::make_shared<HttpEndpoint>(server, std::move(options));
    if (!loopback && server.impl()->has_own_seal())
        server.impl()->note(LogLevel::warning,
                            "serving a public address with a state key that only this process has: set "
                            "ServerOptions::state_seal, or a call that waits for input fails on another machine");
    return out;
}

io::WorkerPool::Options handler_threads(const Limits& limits, const LogNote& note) {
    io::WorkerPool::Options options;
    options.max_threads = limits.max_workers;
    options.max_per_peer = limits.max_workers_per_peer;
    options.max_waiting = limits.max_waiting_calls;
    options.on_error = [note] { log_current_exception(note, "a worker caught an exception"); };
    return options;
}

// One thread for each peer: decoding large requests in parallel would take the processors from other peers.
io::WorkerPool::Options decoder_threads(const Limits& limits, const LogNote& note) {
    io::WorkerPool::Options options = handler_threads(limits, note);
    options.max_threads = std::max(2U, io::usable_cpus());
    options.max_per_peer = 1;
    return options;
}

std::function<void(const HttpPeerPtr&, std::function<void()>)> post_large_to(io::WorkerPool& decoders) {
    return [&decoders](const HttpPeerPtr& peer, std::function<void()> work) {
        decoders.post(std::move(work), io::WorkerPool::PeerPtr(peer, &peer->large_requests));
    };
}

void report(const HttpEndpoint& endpoint, const io::WorkerPool& pool, const OutputCounts& output, ServerState& state) {
    const auto workers = pool.usage();
    state.sessions += endpoint.sessions();
    state.streams += output.streams.load();
    state.queued_bytes += output.queued_bytes.load();
    state.busy_workers += workers.busy;
    state.waiting_calls += workers.waiting;
}

LogNote note_to(std::shared_ptr<Server::Impl> server) {
    return [server = std::move(server)](LogLevel level, std::string_view text) { server->note(level, text); };
}

}  // namespace tenon
