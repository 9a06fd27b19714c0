#include "transport/http_server/endpoint_setup.hpp"

#include <algorithm>
#include <future>

#include <tenon/store.hpp>

#include "io/cpus.hpp"
#include "io/random.hpp"
#include "runtime/server_impl.hpp"
#include "transport/last_resort.hpp"

namespace tenon {
namespace {

namespace asio = boost::asio;
constexpr auto store_start_time = std::chrono::seconds(15);
constexpr Duration store_wait_time = std::chrono::seconds(10);  // longer than an operation of a store takes

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

namespace {

// Waits for an operation of the store at start-up. Throws Exception when it fails.
template <class T, class Start>
T wait_for_store(Start start) {
    const auto done = std::make_shared<std::promise<Result<T>>>();
    auto result = done->get_future();
    start(make_reply<T>([done](Result<T> outcome) { done->set_value(std::move(outcome)); }));
    if (result.wait_for(store_start_time) != std::future_status::ready)
        throw Exception({code::store_unavailable, "HttpOptions::store does not answer"});
    Result<T> outcome = result.get();
    if (!outcome) throw Exception({outcome.error().code, "HttpOptions::store: " + outcome.error().message});
    return *std::move(outcome);
}

// Returns a secret that all nodes have. The first node makes it.
std::string shared_secret(Store& store, const std::string& name) {
    constexpr auto for_ever = std::chrono::milliseconds::max();
    const auto random = io::random_bytes<48>();
    const std::string mine(random.begin(), random.end());
    wait_for_store<bool>(
        [&](Reply<bool> reply) { store.values().set_if_absent(name, mine, for_ever, std::move(reply)); });
    auto secret = wait_for_store<std::optional<std::string>>(
        [&](Reply<std::optional<std::string>> reply) { store.values().get(name, std::move(reply)); });
    if (!secret || secret->size() != mine.size())
        throw Exception({code::store_corrupt, "HttpOptions::store: the value `" + name + "` is not a key of tenon"});
    return *std::move(secret);
}

void add_store(EndpointOptions& options, const HttpOptions& from, Server::Impl& server) {
    if (from.old_http_sse)
        throw Exception(
            {code::invalid_params,
             "HttpOptions::old_http_sse cannot be used with a store: its sessions belong to one connection"});
    const auto status =
        wait_for_store<StoreStatus>([&](Reply<StoreStatus> reply) { from.store->check(std::move(reply)); });
    const std::string secret = shared_secret(*from.store, "keys");
    base::SipKey cursor_key;
    options.state_key.emplace();
    std::copy_n(secret.begin(), options.state_key->size(), options.state_key->begin());
    std::copy_n(secret.end() - static_cast<std::ptrdiff_t>(cursor_key.size()), cursor_key.size(), cursor_key.begin());
    server.default_cursor_key(cursor_key);
    options.cluster = std::make_shared<ClusterNode>(from.store, ClusterNode::new_name());
    server.note(LogLevel::notice, "node " + options.cluster->name() + " shares " + status.description);
}

}  // namespace

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
    if (out.access) out.wait_time = out.access->wait_time();
    if (from.store) {
        add_store(options, from, *server.impl());
        out.wait_time = std::max(out.wait_time, store_wait_time);
    }
    const bool shared = options.cluster != nullptr;
    out.endpoint = std::make_shared<HttpEndpoint>(server, std::move(options));
    if (shared) out.endpoint->join_cluster();
    if (!loopback && !shared && server.impl()->has_own_seal())
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
