// @modelcontextprotocol/server-everything over each of its transports. Each test starts its own server.
#pragma once

#include <tenon/transport/http_client.hpp>

#include "foreign_server.hpp"
#include "gather.hpp"

namespace tenon::test {

enum class Way { stdio, http, old_sse };

inline std::ostream& operator<<(std::ostream& out, Way way) {
    switch (way) {
        case Way::stdio: return out << "stdio";
        case Way::http: return out << "http";
        case Way::old_sse: return out << "old_sse";
    }
    return out;
}

class Everything : public ForeignServer, public ::testing::WithParamInterface<Way> {
 protected:
    Client connected(ClientOptions options = {}) { return Client(transport(), std::move(options)); }
    /// Connects a client. Over HTTP it waits for the stream of messages that belong to no request, because messages
    /// sent before that stream is open are lost.
    Client listening(ClientOptions options) {
        Client c = connected(std::move(options));
        c.connect();
        if (GetParam() == Way::http) server().wait_until_it_says("Establishing new SSE stream");
        return c;
    }

 private:
    bool is_old() const { return GetParam() == Way::old_sse; }
    HttpProcess& server() { return http_server({everything_script(), is_old() ? "sse" : "streamableHttp"}); }
    std::shared_ptr<ClientTransport> transport() {
        if (GetParam() == Way::stdio) return by_stdio({everything_script(), "stdio"});
        return http({.url = server().url(is_old() ? "/sse" : "/mcp"), .proxy = ""});
    }
};

/// Tests that take seconds and would test nothing new over the old SSE transport.
class SlowEverything : public Everything {};

}  // namespace tenon::test
