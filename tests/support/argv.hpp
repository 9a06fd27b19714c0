#pragma once

#include <string>
#include <vector>

namespace tenon::test {

/// Returns the arguments of execv(). They point into `words`.
inline std::vector<char*> argv_of(std::vector<std::string>& words) {
    std::vector<char*> out;
    for (std::string& word : words) out.push_back(word.data());
    out.push_back(nullptr);
    return out;
}

}  // namespace tenon::test
