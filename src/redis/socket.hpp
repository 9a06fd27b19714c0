// A connection to Redis: TCP, a Unix socket, or TLS over TCP.
#pragma once

#include <boost/asio/io_context.hpp>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "redis/address.hpp"

namespace tenon::redis {

using boost::system::error_code;

/// One connection. Use it only on the thread of its io_context. Callbacks run in that loop. close() ends all pending
/// operations with an error.
class Socket {
 public:
    virtual ~Socket() = default;
    /// Connects, with TLS if the address says so. Passes an error text; empty: success.
    virtual void connect(std::function<void(std::string)> done) = 0;
    /// Reads some bytes. They are valid only during the callback. An empty text: the connection is closed.
    virtual void read(std::function<void(std::string_view)> done) = 0;
    /// Writes all bytes. They must stay valid until the callback.
    virtual void write(std::string_view bytes, std::function<void(error_code)> done) = 0;
    virtual void close() = 0;
};

std::shared_ptr<Socket> make_socket(std::shared_ptr<boost::asio::io_context> loop, const Address& address);

}  // namespace tenon::redis
