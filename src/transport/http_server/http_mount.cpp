#include <tenon/transport/http_mount.hpp>

#include <boost/asio/ip/address.hpp>
#include <map>
#include <set>

#include "runtime/server_impl.hpp"
#include "transport/http_server/client_network.hpp"
#include "transport/http_server/endpoint_setup.hpp"
#include "transport/http_server/mounted_exchange.hpp"

namespace tenon {
namespace {

namespace asio = boost::asio;
constexpr Duration longest_without_tick = std::chrono::seconds(10);

void check_unused(const HttpOptions& options) {
    if (options.tls)
        throw Exception({code::invalid_params,
                         "HttpMount has no sockets, so it cannot use HttpOptions::tls: set up TLS "
                         "in your own server"});
    if (options.threads > 0)
        throw Exception({code::invalid_params, "HttpMount has no I/O threads, so it cannot use HttpOptions::threads"});
}

asio::ip::address read_address(std::string_view text) {
    boost::system::error_code error;
    const auto address = asio::ip::make_address(std::string(text), error);
    if (error)
        throw Exception(
            {code::invalid_params,
             "HttpMount::connect() needs the IP address of the client, without a port: " + std::string(text)});
    return address;
}

}  // namespace

/// The shared part of a mount and its connections.
class HttpMount::Core : public std::enable_shared_from_this<Core> {
 public:
    Core(Server& server, const HttpOptions& options, HttpMountOptions mount_options)
        : server_(server.impl()),
          limits_(server.limits()),
          max_per_address_(options.max_connections_per_address),
          mount_(std::move(mount_options)),
          pool_(handler_threads(limits_, note_to(server_))),
          decoders_(decoder_threads(limits_, note_to(server_))),
          last_tick_(mount_.clock()) {
        check_unused(options);
        only_this_machine_ = check_options(options).is_loopback() && !options.authenticate &&
                             std::holds_alternative<std::monostate>(options.auth);
        EndpointOptions base;
        base.clock = mount_.clock;
        base.post = mount_.post ? [post = mount_.post](const HttpPeerPtr&,
                                                       std::function<void()> work) { post(std::move(work)); }
                                : post_to(pool_);
        setup_ = make_endpoint(server, options, std::move(base));
        paths_.insert(options.path);
        if (options.old_http_sse) paths_.insert({"/sse", "/messages"});
        if (setup_.access)
            for (const auto& [path, document] : setup_.access->documents()) paths_.insert(path);
    }
    bool serves(std::string_view target) const { return paths_.contains(target.substr(0, target.find('?'))); }

    // Not in the constructor, because it needs a weak_ptr to this object.
    void share() {
        auto shared = std::make_shared<ExchangeState::Shared>();
        shared->endpoint = setup_.endpoint;
        shared->limits = limits_;
        shared->clock = mount_.clock;
        shared->admission_time = setup_.wait_time;
        shared->tap = server_->tap();
        if (server_->metrics()) shared->output = report_to(*server_->metrics());
        shared->post_large = [weak = weak_from_this()](const HttpPeerPtr& peer, std::function<void()> work) {
            const auto core = weak.lock();
            if (!core) return work();  // the endpoint refuses it
            core->mount_.post ? core->mount_.post(std::move(work))
                              : post_large_to(core->decoders_)(peer, std::move(work));
        };
        shared_ = std::move(shared);
    }
    const std::shared_ptr<const ExchangeState::Shared>& shared() const { return shared_; }

    struct Refusal {
        int status;
        Error why;
    };
    /// Counts a connection. Returns why its requests are refused; then it does not count.
    std::optional<Refusal> count(const asio::ip::address& client, const std::string& network) {
        if (only_this_machine_ && !client.is_loopback())
            return Refusal{403,
                           {code::server_error,
                            "this server is only for clients on its own machine; its operator must set "
                            "HttpOptions::address to the address it listens on, and authentication"}};
        const std::size_t max = max_connections_of(client, max_per_address_, limits_);
        if (!counts_->by_network.add(network, max))
            return Refusal{503, {code::server_error, too_many_of_address(max), LimitName::max_connections_per_address}};
        if (counts_->all.fetch_add(1) < limits_.max_connections) return std::nullopt;
        counts_->remove(network);
        return Refusal{503, {code::server_error, too_many_connections(limits_), LimitName::max_connections}};
    }
    /// The connections of a mount. They may outlive it.
    struct Counts {
        NetworkCounts by_network;
        std::atomic<std::size_t> all{0};
        void remove(const std::string& network) {
            by_network.remove(network);
            all.fetch_sub(1);
        }
    };
    const std::shared_ptr<Counts>& counts() const { return counts_; }

    void watch(const std::shared_ptr<ExchangeState>& exchange) {
        {
            const std::lock_guard lock(mutex_);
            open_.insert_or_assign(exchange.get(), exchange);
            if (warned_ || mount_.clock() - last_tick_ < longest_without_tick) return;
            warned_ = true;
        }
        server_->note(LogLevel::warning,
                      "HttpMount::tick() was not called for 10 seconds: call it about twice per second, or nothing "
                      "times out and silent streams break");
    }
    void forget(const ExchangeState* exchange) {
        const std::lock_guard lock(mutex_);
        open_.erase(exchange);
    }

    void tick() {
        setup_.endpoint->tick();
        const TimePoint now = mount_.clock();
        for (const auto& exchange : open_exchanges(now))
            if (!exchange->tick(now)) forget(exchange.get());
    }
    bool idle() const { return setup_.endpoint->idle(); }

    bool stop() {
        std::call_once(stop_once_, [this] {
            in_metrics_.reset();
            const TimePoint end = later(Clock::now(), limits_.drain_time / 4);
            setup_.endpoint->shut_down("the server is shutting down");
            for (const auto& exchange : open_exchanges(std::nullopt))
                exchange->refuse(503, {code::server_error, "the server is shutting down"});
            if (setup_.access) setup_.access->stop();
            const bool decoded = decoders_.stop(end - Clock::now());
            all_ended_ = pool_.stop(end - Clock::now()) && decoded;
            setup_.endpoint->close_cluster();
        });
        return all_ended_;
    }

 private:
    OutputCountsPtr report_to(Metrics& metrics) {
        auto output = std::make_shared<OutputCounts>();
        in_metrics_ = metrics.watch([this, output](ServerState& state) {
            state.connections += counts_->all.load();
            report(*setup_.endpoint, pool_, *output, state);
        });
        return output;
    }

    // Returns the exchanges that are not over. `tick` is the time of a tick.
    std::vector<std::shared_ptr<ExchangeState>> open_exchanges(std::optional<TimePoint> tick) {
        std::vector<std::shared_ptr<ExchangeState>> out;
        const std::lock_guard lock(mutex_);
        if (tick) last_tick_ = *tick, warned_ = false;
        for (const auto& [key, weak] : open_)
            if (auto exchange = weak.lock()) out.push_back(std::move(exchange));
        return out;
    }

    const std::shared_ptr<Server::Impl> server_;
    const Limits limits_;
    const std::size_t max_per_address_;
    const HttpMountOptions mount_;
    io::WorkerPool pool_, decoders_;
    EndpointSetup setup_;
    std::set<std::string, std::less<>> paths_;  // that the endpoint serves
    bool only_this_machine_ = false;
    std::shared_ptr<const ExchangeState::Shared> shared_;
    const std::shared_ptr<Counts> counts_ = std::make_shared<Counts>();
    std::shared_ptr<void> in_metrics_;
    std::once_flag stop_once_;
    bool all_ended_ = true;
    std::mutex mutex_;  // guards the members below
    std::map<const ExchangeState*, std::weak_ptr<ExchangeState>> open_;
    TimePoint last_tick_;
    bool warned_ = false;
};

struct HttpMount::ConnectionState {
    std::weak_ptr<Core> core;  // weak, because the threads of the core must not destroy it
    std::shared_ptr<const ExchangeState::Shared> shared;
    std::shared_ptr<Core::Counts> counts;
    std::string network;
    std::optional<Core::Refusal> refusal;  // of all requests
    std::shared_ptr<LastPeer> last = std::make_shared<LastPeer>();

    ~ConnectionState() {
        if (!refusal) counts->remove(network);
    }
};

HttpMount::HttpMount(Server& server, HttpOptions options, HttpMountOptions mount_options)
    : core_(std::make_shared<Core>(server, options, std::move(mount_options))) {
    core_->share();
}
HttpMount::~HttpMount() { core_->stop(); }

HttpMount::Connection HttpMount::connect(std::string_view address) {
    const asio::ip::address client = read_address(address);
    const std::string network = network_of(client);
    auto refusal = core_->count(client, network);
    return Connection(std::shared_ptr<ConnectionState>(
        new ConnectionState{core_, core_->shared(), core_->counts(), network, std::move(refusal)}));
}

bool HttpMount::serves(std::string_view target) const { return core_->serves(target); }
void HttpMount::tick() { core_->tick(); }
bool HttpMount::idle() const { return core_->idle(); }
bool HttpMount::stop() { return core_->stop(); }

HttpMount::Connection::Connection(std::shared_ptr<ConnectionState> state) : state_(std::move(state)) {}
HttpMount::Connection::Connection(Connection&&) noexcept = default;
HttpMount::Connection& HttpMount::Connection::operator=(Connection&&) noexcept = default;
HttpMount::Connection::~Connection() = default;

HttpMount::Exchange HttpMount::Connection::request(const HttpRequestHead& head, std::function<void()> wake) {
    std::shared_ptr<ExchangeState> exchange(
        new ExchangeState(state_->shared, state_->last, state_->network, std::move(wake)),
        [core = state_->core](ExchangeState* gone) {
            const std::unique_ptr<ExchangeState> owner(gone);
            if (const auto alive = core.lock()) alive->forget(gone);
        });
    if (state_->refusal) {
        exchange->refuse(state_->refusal->status, state_->refusal->why);
        return Exchange(std::move(exchange));
    }
    exchange->open(head);
    if (const auto core = state_->core.lock()) core->watch(exchange);
    return Exchange(std::move(exchange));
}

HttpMount::Exchange::Exchange(std::shared_ptr<ExchangeState> state) : state_(std::move(state)) {}
HttpMount::Exchange::Exchange(Exchange&&) noexcept = default;
HttpMount::Exchange& HttpMount::Exchange::operator=(Exchange&& other) noexcept {
    std::swap(state_, other.state_);  // the other one now ends the exchange that this one had
    return *this;
}
HttpMount::Exchange::~Exchange() {
    if (state_) state_->client_gone();
}
bool HttpMount::Exchange::wants_body() const { return state_->wants_body(); }
void HttpMount::Exchange::body(std::string_view bytes) { state_->body(bytes); }
void HttpMount::Exchange::end_of_body() { state_->end_of_body(); }
HttpOutput HttpMount::Exchange::take() { return state_->take(); }
HttpOutput HttpMount::Exchange::wait_and_take(Duration time) { return state_->wait_and_take(time); }
void HttpMount::Exchange::client_gone() { state_->client_gone(); }

}  // namespace tenon
