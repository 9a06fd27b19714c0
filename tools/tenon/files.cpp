#include "files.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>

#include "fd.hpp"

namespace tenon::program {
namespace {

constexpr std::size_t most_bytes = 64 * 1024 * 1024;
constexpr std::size_t longest_name = 80;

Error last_error() { return {code::internal_error, std::strerror(errno)}; }

}  // namespace

Result<std::string> read_whole_input(int fd) {
    std::string out;
    std::array<char, 65536> buffer;
    for (;;) {
        const ssize_t n = ::read(fd, buffer.data(), buffer.size());
        if (n == 0) return out;
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return last_error();
        out.append(buffer.data(), static_cast<std::size_t>(n));
        if (out.size() > most_bytes) return Error{code::internal_error, "it is longer than 64 MiB"};
    }
}

Result<std::string> read_whole_file(const std::string& path) {
    const Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file) return last_error();
    return read_whole_input(file.get());
}

Result<void> make_file(const std::string& path, std::string_view bytes, Existing existing) {
    const int how = existing == Existing::refuse ? O_EXCL : O_TRUNC;
    const Fd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | how, 0666));
    if (!file) return last_error();
    while (!bytes.empty()) {
        const ssize_t n = ::write(file.get(), bytes.data(), bytes.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return last_error();
        bytes.remove_prefix(static_cast<std::size_t>(n));
    }
    return {};
}

std::string safe_file_name(std::string_view text) {
    std::string out;
    for (const char c : text) {
        const bool plain = std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' || c == '.';
        const char kept = plain ? c : '_';
        if (out.empty() && (kept == '.' || kept == '-' || kept == '_')) continue;  // hidden, or taken for an option
        if (!(kept == '_' && out.ends_with('_'))) out += kept;
        if (out.size() == longest_name) break;
    }
    while (out.ends_with('_') || out.ends_with('.')) out.pop_back();
    return out.empty() ? "content" : out;
}

std::string extension_of(std::string_view mime_type) {
    struct Known {
        std::string_view type, extension;
    };
    static constexpr std::array known = {
        Known{"image/png", ".png"},       Known{"image/jpeg", ".jpg"},      Known{"image/gif", ".gif"},
        Known{"image/webp", ".webp"},     Known{"image/svg+xml", ".svg"},   Known{"audio/wav", ".wav"},
        Known{"audio/x-wav", ".wav"},     Known{"audio/mpeg", ".mp3"},      Known{"audio/ogg", ".ogg"},
        Known{"audio/flac", ".flac"},     Known{"text/plain", ".txt"},      Known{"text/html", ".html"},
        Known{"text/markdown", ".md"},    Known{"text/csv", ".csv"},        Known{"application/json", ".json"},
        Known{"application/pdf", ".pdf"}, Known{"application/zip", ".zip"}, Known{"video/mp4", ".mp4"}};
    const std::string_view bare = mime_type.substr(0, mime_type.find(';'));
    for (const Known& row : known)
        if (row.type == bare) return std::string(row.extension);
    return mime_type.starts_with("text/") ? ".txt" : ".bin";
}

}  // namespace tenon::program
