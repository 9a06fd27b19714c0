#include "attack/messages.hpp"

namespace attack {

std::string message(std::string_view method, std::string_view params, std::string_view id) {
    std::string out = R"({"jsonrpc":"2.0",)";
    if (!id.empty()) ((out += R"("id":)") += id) += ',';
    ((out += R"("method":")") += method) += '"';
    if (!params.empty()) ((out += R"(,"params":{)") += params) += '}';
    return out += '}';
}

std::string initialize_message(std::string_view revision, std::string_view capabilities, std::string_view name) {
    return message("initialize", R"("protocolVersion":")" + std::string(revision) + R"(","capabilities":)" +
                                     std::string(capabilities) + R"(,"clientInfo":{"name":")" + std::string(name) +
                                     R"(","version":"1"})");
}

std::string call_message(std::string_view tool, std::string_view arguments, std::string_view more_params,
                         std::string_view id) {
    return message(
        "tools/call",
        R"("name":")" + std::string(tool) + R"(","arguments":)" + std::string(arguments) + std::string(more_params),
        id);
}

std::string modern_meta(std::string_view more_members, std::string_view capabilities) {
    return R"("io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":)" +
           std::string(capabilities) + std::string(more_members);
}

std::string post(std::string_view body, std::string_view fields) {
    std::string out =
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        "Accept: application/json, text/event-stream\r\nContent-Length: ";
    ((out += std::to_string(body.size())) += "\r\n") += fields;
    return (out += "\r\n") += body;
}

std::string modern_call(std::string_view tool, std::string_view arguments, std::string_view fields,
                        std::string_view more_meta, std::string_view capabilities) {
    return post(call_message(tool, arguments, ",\"_meta\":{" + modern_meta(more_meta, capabilities) + "}"),
                "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: " + std::string(tool) +
                    "\r\n" + std::string(fields));
}

std::string in_session(std::string_view id) { return "Mcp-Session-Id: " + std::string(id) + "\r\n"; }

std::string listen(std::string_view session, std::string_view fields) {
    return "GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n" + in_session(session) +
           std::string(fields) + "\r\n";
}

std::string list_of(std::string_view text, std::size_t times) {
    std::string out;
    out.reserve((text.size() + 1) * times);
    for (std::size_t i = 0; i < times; ++i) (out += i == 0 ? "" : ",") += text;
    return out;
}

}  // namespace attack
