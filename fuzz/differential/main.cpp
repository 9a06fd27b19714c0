// Writes cases and the results of Tenon. compare.mjs compares them with the results of another implementation.
//
// usage: differential json|url|regex|http|schema|jws SEED COUNT
#include <array>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "differential/subjects.hpp"

namespace tenon::differential {

void write_case(std::initializer_list<std::string_view> parts) {
    for (const auto part : parts) {
        std::array<char, 4> length{};
        for (std::size_t i = 0; i < length.size(); ++i) length[i] = static_cast<char>(part.size() >> (8 * i) & 0xFFU);
        std::fwrite(length.data(), 1, length.size(), stdout);
        std::fwrite(part.data(), 1, part.size(), stdout);
    }
}

}  // namespace tenon::differential

int main(int count, char** words) {
    using namespace tenon::differential;
    using Subject = std::pair<std::string_view, void (*)(std::uint64_t, std::size_t)>;
    constexpr std::array<Subject, 6> subjects{{{"json", json_cases},
                                               {"url", url_cases},
                                               {"regex", regex_cases},
                                               {"http", http_cases},
                                               {"schema", schema_cases},
                                               {"jws", jws_cases}}};
    for (const auto& [name, write] : subjects)
        if (count == 4 && name == words[1])
            return write(std::strtoull(words[2], nullptr, 10), std::strtoull(words[3], nullptr, 10)), 0;
    std::fprintf(stderr, "usage: differential json|url|regex|http|schema|jws SEED COUNT\n");
    return 2;
}
