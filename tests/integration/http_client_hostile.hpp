// A client, and servers that break the protocol or the connection. Each call must end soon with one error.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <future>
#include <map>

#include <tenon/client.hpp>
#include <tenon/transport/http_client.hpp>

#include "support/scripted_server.hpp"

namespace tenon::test {

/// What a scripted server needs to behave correctly, apart from the fault under test.
namespace scripted {

using namespace std::chrono_literals;
using Conn = ScriptedConnection;
using Request = ScriptedRequest;

inline std::string result(const Request& request, const std::string& json) {
    return R"({"jsonrpc":"2.0","id":)" + request.id() + R"(,"result":)" + json + "}";
}
inline const std::string discovered =
    R"({"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}})";
inline const std::string introduced =
    R"({"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}})";
inline std::string said(const Request& request, const std::string& text = "well") {
    return result(request, R"({"content":[{"type":"text","text":")" + text + R"("}]})");
}

/// Decides the answer to a tool call. Returns false to close the connection. Everything else is answered correctly.
using OnCall = std::function<bool(Conn&, const Request&)>;
inline ScriptedServer::Script with_manners(OnCall on_call, std::string session = "", OnCall on_get = {}) {
    return [=](Conn& c, int) {
        const std::string field = session.empty() ? "" : "Mcp-Session-Id: " + session + "\r\n";
        for (Request r; c.read(r);) {
            if (r.method == "GET") {
                if (!on_get) c.empty("405 No");
                if (on_get && !on_get(c, r)) return;
            } else if (r.method == "DELETE") {
                c.empty("200 OK");
            } else if (r.says("server/discover")) {
                c.json(result(r, discovered));
            } else if (r.says("\"initialize\"")) {
                c.json(result(r, introduced), field);
            } else if (r.says("\"notifications/")) {
                c.empty("202 Accepted");
            } else if (!on_call(c, r)) {
                return;
            }
        }
    };
}

}  // namespace scripted

/// Makes clients of scripted servers and calls their tool `t`.
class HttpClientHostile : public testing::Test {
 protected:
    Client client(const ScriptedServer& server, Era era = Era::modern, HttpClientOptions options = {},
                  ClientLimits limits = {}) {
        if (options.url.empty()) options.url = server.url();
        if (!options.proxy) options.proxy = "";
        options.reconnect_time = options.max_reconnect_time = std::chrono::milliseconds(1);
        return Client(tenon::http(std::move(options)), {.era = era, .limits = limits, .learn_tools = false});
    }
    static Error error_of(Client& c, const CallOptions& options = {}) {
        try {
            c.call_tool("t", {}, options);
        } catch (const Exception& e) {
            return e.error();
        }
        return {0, "no error"};
    }
    static std::string text_of(Client& c) { return std::get<TextContent>(c.call_tool("t").content.at(0)).text; }
    /// Returns the error of a call that is answered with these bytes before the connection is closed.
    static Error answered_with(const std::string& bytes, HttpClientHostile& self) {
        const ScriptedServer server(scripted::with_manners([&](ScriptedConnection& c, const ScriptedRequest&) {
            c.send(bytes);
            return false;
        }));
        Client c = self.client(server, Era::modern, {}, {.max_message_bytes = 64 * 1024});
        return error_of(c);
    }
};

}  // namespace tenon::test
