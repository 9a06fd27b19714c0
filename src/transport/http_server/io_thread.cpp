#include "transport/http_server/io_thread.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>

#include "transport/last_resort.hpp"

namespace tenon {
namespace {

constexpr Duration check_interval = std::chrono::milliseconds(500);
constexpr std::size_t max_found = 64;  // connections to close that one search remembers, so a flood needs few searches

}  // namespace

thread_local HttpIoThread* HttpIoThread::here_ = nullptr;

void HttpIoThread::post(std::function<void()> work, const io::WorkerPool::PeerPtr& peer) {
    if (batch_.empty()) asio::post(context_, [this] { batch_.hand_over(); });
    batch_.add(std::move(work), peer);
}

void HttpIoThread::start() {
    tick();
    thread_ = std::thread([this] { run(); });
}

void HttpIoThread::serve(asio::ip::tcp::socket socket) {
    asio::post(context_, [this, s = std::make_shared<asio::ip::tcp::socket>(std::move(socket))] {
        add(common_.tls ? tls_socket(std::move(*s), *common_.tls) : plain_socket(std::move(*s)));
    });
}

void HttpIoThread::add(std::unique_ptr<HttpSocket> socket) {
    auto connection = std::make_shared<HttpConnection>(std::move(socket), context_, common_.shared,
                                                       [this](HttpConnection* c) { remove(c); });
    const bool refused = !take_place_for(connection);
    if (!refused) return connection->start();
    connection->refuse(503, "too many connections: the limit (Limits::max_connections) is " +
                                std::to_string(common_.shared->limits.max_connections) + "; try again later");
}

// Counts the connection before it checks the limit, so that all threads together never serve more than the limit.
// Returns false when there is no room.
bool HttpIoThread::take_place_for(const std::shared_ptr<HttpConnection>& connection) {
    const bool too_many = common_.connections.fetch_add(1) >= common_.shared->limits.max_connections;
    try {
        const bool room = !too_many || close_expendable();
        connections_.emplace(connection.get(), connection);
        if (!room) common_.connections.fetch_sub(1);  // a refused connection does not count
        return room;
    } catch (...) {
        common_.connections.fetch_sub(1);
        throw;
    }
}

void HttpIoThread::make_room() {
    asio::post(context_, [this] { close_expendable(); });
}

bool HttpIoThread::close_expendable() {
    if (expendable_.empty() && !none_expendable_) find_expendable();
    while (!expendable_.empty()) {
        const auto connection = expendable_.back().lock();
        expendable_.pop_back();
        if (!connection || !connection->expendable()) continue;  // it was closed or got a request meanwhile
        connection->close();
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

void HttpIoThread::finish_all() {
    asio::post(context_, [this] {
        for (const auto& [key, connection] : copy()) connection->finish();
    });
}

void HttpIoThread::join() {
    asio::post(context_, [this] {
        timer_.cancel();
        for (const auto& [key, connection] : copy()) connection->close();
        context_.stop();
    });
    if (thread_.joinable()) thread_.join();
    connections_.clear();
}

// No exception should get here. If one does, only the connection that caused it is closed.
void HttpIoThread::run() {
    here_ = this;
    for (;;) {
        try {
            context_.run();
            return;
        } catch (...) {
            log_current_exception(common_.note, "closing a connection after an exception");
        }
        close_last_entered();
    }
}

void HttpIoThread::close_last_entered() noexcept {
    const auto it = connections_.find(HttpConnection::last_entered());
    if (it == connections_.end()) return;
    const auto connection = it->second;
    try {
        connection->close();
    } catch (...) {
        remove(connection.get());  // its destructor closes the socket
    }
}

void HttpIoThread::remove(HttpConnection* connection) {
    if (connections_.erase(connection) == 0 || connection->refused()) return;
    if (common_.connections.fetch_sub(1) == 1) common_.changed.set();
}

void HttpIoThread::tick() {
    timer_.expires_after(check_interval);
    timer_.async_wait([this](error_code error) {
        if (error) return;
        tick();  // first, so that an exception does not stop the timer
        none_expendable_ = false;
        const TimePoint now = Clock::now();
        for (const auto& [key, connection] : copy()) connection->check_time(now);
    });
}

}  // namespace tenon
