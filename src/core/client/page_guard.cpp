#include "core/client/page_guard.hpp"

#include <string>

namespace tenon::core {
namespace {

Error too_large(std::string_view what, std::size_t limit, std::string_view name) {
    return {code::invalid_answer, "the server's list has more than " + std::to_string(limit) + " " + std::string(what) +
                                      ", which is the limit ClientLimits::" + std::string(name) +
                                      "; raise it if the server can be trusted"};
}

}  // namespace

Result<void> PageGuard::page(std::size_t entries, std::size_t bytes, Duration waited) {
    entries_ += entries;
    bytes_ += bytes;
    waited_ += waited;
    if (entries_ > limits_.max_list_entries) return too_large("entries", limits_.max_list_entries, "max_list_entries");
    if (bytes_ > limits_.max_list_bytes) return too_large("bytes", limits_.max_list_bytes, "max_list_bytes");
    return {};
}

Result<void> PageGuard::next(std::string_view cursor) {
    if (cursors_.size() + 1 >= limits_.max_pages) return too_large("pages", limits_.max_pages, "max_pages");
    if (!cursors_.insert(base::siphash(key_, cursor)).second)
        return Error{code::invalid_answer, "the server's list repeats: the same cursor came twice"};
    if (time_left() <= Duration::zero()) return too_slow();
    return {};
}

Error PageGuard::too_slow() const {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(limits_.list_time).count();
    return {code::request_timeout, "the server's list takes longer than " + std::to_string(seconds) +
                                       " seconds, which is the limit ClientLimits::list_time"};
}

}  // namespace tenon::core
