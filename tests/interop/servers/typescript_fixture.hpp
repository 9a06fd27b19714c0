// Small servers built with both versions of the official TypeScript SDK: typescript_v1.mjs and typescript_v2.mjs. They
// have the same features, over each of their transports.
#pragma once

#include <tenon/transport/http_client.hpp>

#include "foreign_server.hpp"
#include "gather.hpp"

namespace tenon::test {

struct TypeScriptWay {
    const char* name;
    const char* script;
    const char* mode;
    Era era;
};

namespace typescript {

inline constexpr TypeScriptWay v1_stdio = {"v1_stdio", "typescript_v1.mjs", "stdio", Era::legacy};
inline constexpr TypeScriptWay v1_http = {"v1_http", "typescript_v1.mjs", "http", Era::legacy};
inline constexpr TypeScriptWay v1_http_json = {"v1_http_json", "typescript_v1.mjs", "json", Era::legacy};
inline constexpr TypeScriptWay v2_stdio = {"v2_stdio", "typescript_v2.mjs", "stdio", Era::modern};
inline constexpr TypeScriptWay v2_stdio_legacy = {"v2_stdio_legacy", "typescript_v2.mjs", "stdio", Era::legacy};
inline constexpr TypeScriptWay v2_http = {"v2_http", "typescript_v2.mjs", "http", Era::modern};
inline constexpr TypeScriptWay v2_http_legacy = {"v2_http_legacy", "typescript_v2.mjs", "http", Era::legacy};

}  // namespace typescript

inline std::ostream& operator<<(std::ostream& out, const TypeScriptWay& way) { return out << way.name; }

class TypeScript : public ForeignServer, public ::testing::WithParamInterface<TypeScriptWay> {
 protected:
    bool is_modern() const { return GetParam().era == Era::modern; }
    bool is_v2() const { return std::string_view(GetParam().script) == "typescript_v2.mjs"; }

    /// Connects another client. Over HTTP all clients share one server; over stdio each client starts its own.
    Client connected(ClientOptions options = {}) {
        // The client detects the era by itself. To use the handshake with a modern server, it must be told so.
        if (is_v2() && !is_modern()) options.era = Era::legacy;
        return Client(transport(), std::move(options));
    }

 private:
    std::shared_ptr<ClientTransport> transport() {
        const auto [name, script, mode, era] = GetParam();
        if (std::string_view(mode) == "stdio") return by_stdio({own_script(script), mode});
        return http({.url = http_server({own_script(script), mode}).url("/mcp"), .proxy = ""});
    }
};

}  // namespace tenon::test
