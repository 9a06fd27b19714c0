#include "roots.hpp"

#include <filesystem>

#include "status.hpp"

namespace tenon::program {
namespace {

std::string percent_encoded(const std::string& path) {
    constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string out;
    for (const char c : path) {
        const auto byte = static_cast<unsigned char>(c);
        if (plain.find(c) != std::string_view::npos) {
            out += c;
        } else {
            out += '%';
            out += digits[byte >> 4];
            out += digits[byte & 15];
        }
    }
    return out;
}

}  // namespace

Root root_of(const std::string& folder) {
    std::error_code error;
    const auto path = std::filesystem::canonical(folder, error);
    if (error || !std::filesystem::is_directory(path, error))
        throw usage_failure("--root " + folder + " is not a folder", "name a folder that exists");
    return {"file://" + percent_encoded(path.string()), path.filename().string()};
}

}  // namespace tenon::program
