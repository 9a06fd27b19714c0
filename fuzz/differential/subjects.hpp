// The subjects that are compared with other implementations.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace tenon::differential {

/// Writes one case to standard output: each part as a length (four bytes, the lowest first) and its bytes.
void write_case(std::initializer_list<std::string_view> parts);

// One function for each subject. It writes `count` cases: the input, and the result of Tenon. A result that starts with
// "-" is a refusal and its reason.
void json_cases(std::uint64_t seed, std::size_t count);
void url_cases(std::uint64_t seed, std::size_t count);
void regex_cases(std::uint64_t seed, std::size_t count);
void http_cases(std::uint64_t seed, std::size_t count);
void schema_cases(std::uint64_t seed, std::size_t count);
void jws_cases(std::uint64_t seed, std::size_t count);

}  // namespace tenon::differential
