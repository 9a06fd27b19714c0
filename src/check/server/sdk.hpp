// SdkSigns: recognises the SDK that a server is made with, by the messages that only this SDK writes. Pure.
//
// A server cannot change what its SDK does. So its author wants to see such findings apart from the server's own.
#pragma once

#include <string>
#include <string_view>

#include "check/wire/conversation.hpp"

namespace tenon::check {

/// An SDK that a server was recognised to use.
struct Sdk {
    std::string_view name = {};  ///< "@modelcontextprotocol/sdk 1.x"; empty: none was recognised for certain
    bool serves_lists = false;   ///< the SDK answers the requests for lists, not the server's own code
};

class SdkSigns {
 public:
    /// Looks at one message of the server.
    void see(const Received& received);
    Sdk sdk() const;

 private:
    bool result_first_ = false;      // a result is written as {"result":...,"jsonrpc":"2.0","id":1}
    bool bare_zod_issues_ = false;   // invalid parameters are -32603, with a list of issues as the message
    bool named_zod_issues_ = false;  // invalid parameters are -32602 "Invalid METHOD request: [...]"
    bool own_unknown_tool_ = false;  // the SDK's words for an unknown tool: it has the tools
};

/// Returns whether servers with this SDK are known to break the rule in this way, whatever their authors do.
bool is_known_of_sdk(const Sdk& sdk, std::string_view transport, const Finding& finding);

}  // namespace tenon::check
