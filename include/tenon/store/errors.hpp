// The errors of stores. Every operation of a store ends with a value or with one of them.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include <tenon/error.hpp>

#pragma GCC visibility push(default)

namespace tenon {

// Local errors of stores. They are never sent to clients as they are.
namespace code {
/// The store cannot be reached, is too slow, is full, or one of its limits was reached. A write may have been done or
/// not. `data.retryAfterMs` says when to try again. Over HTTP: 503 with Retry-After.
inline constexpr int store_unavailable = 71101;
inline constexpr int store_conflict = 71102;   ///< it exists already, has another version, is finished, or is leased
inline constexpr int store_not_found = 71103;  ///< it never existed, was removed, or expired
inline constexpr int store_fenced = 71104;     ///< the lease was taken over: stop working on this
inline constexpr int store_corrupt = 71105;    ///< this record cannot be read. Other records are not affected
inline constexpr int store_misconfigured = 71106;  ///< wrong URL, refused login, too old server, foreign database
inline constexpr int store_invalid = 71107;        ///< a wrong argument, for example a key that is too long
}  // namespace code

namespace store {

/// Returns a store_unavailable error.
inline Error unavailable(std::string message, std::chrono::milliseconds retry_after = std::chrono::seconds(1)) {
    return {code::store_unavailable, std::move(message), boost::json::object{{"retryAfterMs", retry_after.count()}}};
}
inline bool is_unavailable(const Error& error) { return error.code == code::store_unavailable; }
inline bool is_conflict(const Error& error) { return error.code == code::store_conflict; }
inline bool is_not_found(const Error& error) { return error.code == code::store_not_found; }
inline bool is_fenced(const Error& error) { return error.code == code::store_fenced; }
inline bool is_corrupt(const Error& error) { return error.code == code::store_corrupt; }

/// Returns after which time an operation that ended with this error may be tried again; nullopt: a repetition does not
/// help.
inline std::optional<std::chrono::milliseconds> retry_after(const Error& error) {
    if (!is_unavailable(error)) return std::nullopt;
    if (const auto* data = error.data.if_object())
        if (const auto* wait = data->if_contains("retryAfterMs"); wait && wait->is_int64())
            return std::chrono::milliseconds(wait->get_int64());
    return std::chrono::seconds(1);
}

}  // namespace store
}  // namespace tenon

#pragma GCC visibility pop
