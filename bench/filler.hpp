// The tools of all benchmark servers: echo, report, and any number of filler tools.
#pragma once

#include <cstddef>
#include <string>

namespace bench {

/// The number of progress notifications of one call that asks for them.
inline constexpr int steps = 3;

inline std::string filler_name(std::size_t i) { return "tool_" + std::to_string(i); }
inline std::string filler_description(std::size_t i) {
    return "Tool number " + std::to_string(i) + ", here to make the list as long as lists of real servers are";
}
inline constexpr const char* filler_schema =
    R"({"type":"object","properties":{"query":{"type":"string","description":"What to look for"},)"
    R"("limit":{"type":"integer","description":"How many results at most"}},"required":["query"]})";

/// Returns the result of tools/list as JSON, for a server that does not build JSON itself.
inline std::string tool_list(std::size_t tools) {
    constexpr const char* text_schema =
        R"("inputSchema":{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}})";
    std::string out = std::string(R"({"tools":[{"name":"echo","description":"Gives back the text",)") + text_schema +
                      R"(,{"name":"report","description":"Gives back the text, after some reports of progress",)" +
                      text_schema;
    for (std::size_t i = 2; i < tools; ++i)
        out += R"(,{"name":")" + filler_name(i) + R"(","description":")" + filler_description(i) +
               R"(","inputSchema":)" + filler_schema + "}";
    return out + "]}";
}

}  // namespace bench
