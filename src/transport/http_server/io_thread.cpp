#include "transport/http_server/io_thread.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>

#include "io/last_resort.hpp"
#include "runtime/session_impl.hpp"
#include "transport/http_server/client_network.hpp"
#include "transport/last_resort.hpp"

namespace tenon {
namespace {

constexpr Duration check_interval = std::chrono::milliseconds(500);
constexpr std::size_t max_found = 64;  // connections to close that one search remembers, so a flood needs few searches

}  // namespace

void HttpIoThread::start() {
    tick();
    thread_ = std::thread([this] { run(); });
}

void HttpIoThread::serve(asio::ip::tcp::socket socket) {
    asio::post(context_, [this, s = std::make_shared<asio::ip::tcp::socket>(std::move(socket))] {
        HttpConnection::enter_none();
        error_code gone;  // the client has left already: reading will fail
        const asio::ip::address client = s->remote_endpoint(gone).address();
        add(common_.tls ? tls_socket(std::move(*s), *common_.tls) : plain_socket(std::move(*s)), client);
    });
}

void HttpIoThread::add(std::unique_ptr<HttpSocket> socket, const asio::ip::address& client) {
    auto connection = std::make_shared<HttpConnection>(std::move(socket), network_of(client), context_, turns_,
                                                       common_.shared, [this](HttpConnection* c) { remove(c); });
    const auto refusal =
        take_place_for(connection, max_connections_of(client, common_.max_per_address, common_.shared->limits));
    if (refusal) return connection->refuse(503, *refusal);
    connection->start();
}

// Counts the connection before it checks the limits, so that all threads together never serve more than the limits.
// Returns why the connection is refused; a refused connection does not count. `max`: connections of one address.
std::optional<std::string> HttpIoThread::take_place_for(const std::shared_ptr<HttpConnection>& connection,
                                                        std::size_t max) {
    if (!common_.by_network.add(connection->network(), max)) {
        connections_.emplace(connection.get(), connection);
        common_.limit_hit(LimitName::max_connections_per_address);
        return too_many_of_address(max);
    }
    const bool too_many = common_.connections.fetch_add(1) >= common_.shared->limits.max_connections;
    try {
        const bool room = !too_many || close_expendable(connection_ends::too_many);
        connections_.emplace(connection.get(), connection);
        if (room) return std::nullopt;
    } catch (...) {
        count_out(*connection);
        throw;
    }
    count_out(*connection);
    common_.limit_hit(LimitName::max_connections);
    return too_many_connections(common_.shared->limits);
}

void HttpIoThread::count_out(const HttpConnection& connection) {
    common_.by_network.remove(connection.network());
    if (common_.connections.fetch_sub(1) == 1) common_.changed.set();
}

void HttpIoThread::make_room() {
    asio::post(context_, [this] {
        HttpConnection::enter_none();
        close_expendable(connection_ends::no_descriptor);
    });
}

bool HttpIoThread::close_expendable(const ConnectionEnd& why) {
    if (expendable_.empty() && !none_expendable_) find_expendable();
    while (!expendable_.empty()) {
        const auto connection = expendable_.back().lock();
        expendable_.pop_back();
        if (!connection || !connection->expendable()) continue;  // it was closed or got a request meanwhile
        connection->close(why);
        return true;
    }
    return false;
}

void HttpIoThread::find_expendable() {
    using Found = std::pair<HttpConnection::Expendable, const std::shared_ptr<HttpConnection>*>;
    std::vector<Found> found;
    for (const auto& [key, connection] : connections_)
        if (const auto how = connection->expendable()) found.emplace_back(*how, &connection);
    const auto first = [](const Found& a, const Found& b) { return a.first < b.first; };
    const std::size_t count = std::min(found.size(), max_found);
    std::ranges::partial_sort(found, found.begin() + static_cast<std::ptrdiff_t>(count), first);
    for (std::size_t i = count; i > 0; --i) expendable_.emplace_back(*found[i - 1].second);
    none_expendable_ = found.empty();
}

void HttpIoThread::finish_all(TimePoint deadline) {
    const auto finish = [this] {
        HttpConnection::enter_none();
        for (const auto& [key, connection] : copy()) connection->finish();
    };
    io::insist([&] { asio::post(context_, finish); }, deadline);
}

// Without memory, the connections are closed when they are destroyed.
void HttpIoThread::join() {
    const auto end = [this] {
        HttpConnection::enter_none();
        context_.stop();  // first: it takes effect after this function, also when that throws
        timer_.cancel();
        for (const auto& [key, connection] : copy()) connection->close(connection_ends::server_stops);
    };
    if (!io::insist([&] { asio::post(context_, end); }, Clock::now())) context_.stop();
    if (thread_.joinable()) thread_.join();
    connections_.clear();
}

// No exception should get here. If one does, only the connection that caused it is closed. What else it may have
// stopped, such as the timer, is started again.
void HttpIoThread::run() {
    // Collects the handlers of the requests that are read now, and hands them over after the events that are queued.
    io::WorkBatch batch(common_.pool, [&] { asio::post(context_, [&batch] { batch.hand_over(); }); });
    const Session::Impl::MustNotWait serves_connections;
    for (;;) {
        try {
            context_.run();
            return;
        } catch (...) {
            log_current_exception(common_.note, "closing a connection after an exception");
        }
        close_last_entered();
        while (!context_.stopped() && !io::insist([this] { restart(); }, later(Clock::now(), check_interval))) {
        }
    }
}

void HttpIoThread::restart() {
    if (!ticks_) tick();
    turns_.resume();
    if (restart_) restart_();
}

void HttpIoThread::close_last_entered() noexcept {
    const auto it = connections_.find(HttpConnection::last_entered());
    HttpConnection::enter_none();
    if (it == connections_.end()) return;
    const auto connection = it->second;
    try {
        connection->close(connection_ends::exception);
    } catch (...) {
        remove(connection.get());  // its destructor closes the socket
    }
}

void HttpIoThread::remove(HttpConnection* connection) {
    if (connections_.erase(connection) > 0 && !connection->refused()) count_out(*connection);
}

void HttpIoThread::tick() {
    timer_.expires_after(check_interval);
    timer_.async_wait([this](error_code error) {
        ticks_ = false;
        if (error) return;
        HttpConnection::enter_none();
        tick();  // first, so that an exception does not stop the timer
        none_expendable_ = false;
        const TimePoint now = Clock::now();
        for (const auto& [key, connection] : copy()) connection->check_time(now);
    });
    ticks_ = true;
}

}  // namespace tenon
