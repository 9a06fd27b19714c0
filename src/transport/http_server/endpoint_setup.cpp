#include "transport/http_server/endpoint_setup.hpp"

#include <algorithm>
#include <future>

#include <tenon/store.hpp>

#include "io/cpus.hpp"
#include "io/random.hpp"
#include "runtime/server_impl.hpp"
#include "transport/http_server/shared_keys.hpp"
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

// Uses the keys that the user has configured.
void add_keys(const HttpOptions& from, Server::Impl& server) {
    std::vector<StateKey> state_keys;
    const auto cursor_keys = std::make_shared<base::CursorSeal::Keys>();
    for (const StateKey& key : from.keys) {
        state_keys.push_back(jose::state_key_of(key));
        cursor_keys->push_back(jose::cursor_key_of(key));
    }
    server.states().default_seal([&] { return encrypt_states(state_keys); });
    server.default_cursors(base::CursorSeal([cursor_keys] { return cursor_keys; }));
}

// Uses the keys of the store. Throws Exception when they cannot be read. The server keeps the keys, so they must not
// keep the server.
std::shared_ptr<SharedKeys> join_key_ring(const HttpOptions& from, const std::shared_ptr<Server::Impl>& server) {
    auto note = [weak = std::weak_ptr(server)](LogLevel level, std::string_view text) {
        if (const auto alive = weak.lock()) alive->note(level, text);
    };
    const jose::RingTimes times{from.key_rotation, server->settings()->limits.request_state_time};
    const auto keys =
        std::make_shared<SharedKeys>(SharedKeys::Options{.store = from.store, .times = times, .note = std::move(note)});
    wait_for_store<bool>([&](Reply<bool> reply) {
        const auto kept = std::make_shared<Reply<bool>>(std::move(reply));
        keys->read([kept](const std::optional<Error>& error) {
            std::move(*kept).send(error ? Result<bool>(*error) : Result<bool>(true));
        });
    });
    server->states().default_seal([&] { return keys->seal(); });
    server->default_cursors(base::CursorSeal([keys] { return keys->cursor_keys(); }));
    return keys;
}

void add_store(EndpointOptions& options, const HttpOptions& from, const std::shared_ptr<Server::Impl>& server) {
    if (from.old_http_sse)
        throw Exception(
            {code::invalid_params,
             "HttpOptions::old_http_sse cannot be used with a store: its sessions belong to one connection"});
    if (from.key_rotation < std::chrono::minutes(1))
        throw Exception({code::invalid_params, "HttpOptions::key_rotation must be at least a minute"});
    const auto status =
        wait_for_store<StoreStatus>([&](Reply<StoreStatus> reply) { from.store->check(std::move(reply)); });
    if (from.keys.empty()) options.keys = join_key_ring(from, server);
    if (from.shared_counts.rate_limits) {
        options.rates =
            server->share_rates({.store = from.store, .key = io::random_bytes<16>(), .clock = options.clock});
        options.rates->tick();
    }
    options.cluster = std::make_shared<ClusterNode>(from.store, ClusterNode::new_name());
    server->note(LogLevel::notice, "node " + options.cluster->name() + " shares " + status.description);
}

SharedAccess shared_access(const EndpointOptions& options, const HttpOptions& from) {
    SharedAccess out;
    if (from.shared_counts.dpop_proofs) out.node = options.cluster;
    if (options.keys) out.nonce_secrets = [keys = options.keys] { return keys->nonce_keys(); };
    if (from.keys.empty()) return out;
    std::vector<jose::SealKey> secrets;
    for (const StateKey& key : from.keys) secrets.push_back(jose::nonce_key_of(key));
    out.nonce_secrets = [secrets] { return secrets; };
    return out;
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
    if (!from.keys.empty()) add_keys(from, *server.impl());
    if (from.store) {
        add_store(options, from, server.impl());
        out.wait_time = store_wait_time;
    }
    out.access = AccessControl::make(from, note_to(server.impl()), shared_access(options, from));
    if (out.access) add_access_control(options, *out.access, *server.impl());
    if (out.access) out.wait_time = std::max(out.wait_time, out.access->wait_time());
    const bool shared = options.cluster != nullptr;
    out.endpoint = std::make_shared<HttpEndpoint>(server, std::move(options));
    if (shared) out.endpoint->join_cluster();
    if (!loopback && !shared && from.keys.empty() && server.impl()->has_own_seal())
        server.impl()->note(LogLevel::warning,
                            "serving a public address with a state key that only this process has: set "
                            "HttpOptions::keys, or a call that waits for input fails on another machine");
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
