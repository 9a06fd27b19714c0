// Page cursors that clients cannot read, and cannot change without being noticed. A readable position would tell how
// many entries there are that the client may not see.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/siphash.hpp"

namespace tenon::base {

/// Encrypts and signs a position. `kind` names the list: a cursor of one list is invalid for another list.
std::string seal_cursor(const SipKey& key, char kind, std::uint64_t position);

/// Returns the position, or nullopt when a byte, the kind or the key differs.
std::optional<std::uint64_t> open_cursor(const SipKey& key, char kind, std::string_view text);

/// Encrypt and sign a short text in the same way. Its length stays visible.
std::string seal_text(const SipKey& key, char kind, std::string_view text);
std::optional<std::string> open_text(const SipKey& key, char kind, std::string_view sealed);

/// The cursors of one server: sealed with its first key, opened with each of its keys. Thread-safe, if its source is.
class CursorSeal {
 public:
    using Keys = std::vector<SipKey>;  ///< the one that seals first; never empty
    explicit CursorSeal(const SipKey& key = {}) : fixed_(std::make_shared<const Keys>(Keys{key})) {}
    /// Asks `source` for the keys each time. So keys can be replaced.
    explicit CursorSeal(std::function<std::shared_ptr<const Keys>()> source) : source_(std::move(source)) {}

    std::string close(char kind, std::uint64_t position) const { return seal_cursor(keys()->front(), kind, position); }
    std::optional<std::uint64_t> open(char kind, std::string_view text) const;
    std::string close_text(char kind, std::string_view text) const { return seal_text(keys()->front(), kind, text); }
    std::optional<std::string> open_text(char kind, std::string_view sealed) const;

 private:
    std::shared_ptr<const Keys> keys() const { return source_ ? source_() : fixed_; }

    std::shared_ptr<const Keys> fixed_;
    std::function<std::shared_ptr<const Keys>()> source_;
};

}  // namespace tenon::base
