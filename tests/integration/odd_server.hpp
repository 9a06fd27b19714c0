// Shared helpers of the test servers that misbehave on purpose. They treat messages as lines of text.
#pragma once

#include <iostream>
#include <string>

inline std::string id_of(const std::string& line) {
    const auto at = line.find("\"id\":");
    return at == std::string::npos ? "" : line.substr(at + 5, line.find_first_of(",}", at + 5) - at - 5);
}

inline void say(const std::string& text) { std::cout << text << std::endl; }

inline void answer(const std::string& line, const std::string& result) {
    say(R"({"jsonrpc":"2.0","id":)" + id_of(line) + R"(,"result":)" + result + "}");
}

inline bool is(const std::string& line, const std::string& method) {
    return line.find("\"method\":\"" + method + "\"") != std::string::npos;
}
