// Where a Redis server is, and how to log in.
#pragma once

#include <cstdint>
#include <string>

namespace tenon::redis {

struct Address {
    std::string host = "127.0.0.1";  ///< an IPv6 address without its brackets
    std::uint16_t port = 6379;
    std::string unix_path = {};            ///< not empty: a socket of this machine, instead of host and port
    std::string user = {}, password = {};  ///< both empty: no login
    unsigned database = 0;
    std::string prefix = "tenon";  ///< of all keys and channels
    bool tls = false;
    std::string ca_file = {};  ///< certificate authorities for TLS; empty: those of the system

    /// Returns the address for people, without user and password.
    std::string text() const {
        if (!unix_path.empty()) return unix_path;
        return (host.find(':') == std::string::npos ? host : "[" + host + "]") + ":" + std::to_string(port);
    }
};

}  // namespace tenon::redis
