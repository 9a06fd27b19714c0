#include "core/server/known_peer.hpp"

#include <algorithm>

#include "json/find.hpp"
#include "protocol/meta_keys.hpp"

namespace tenon::core {
namespace {

constexpr std::array keys = {protocol::meta_key::version, protocol::meta_key::client_capabilities,
                             protocol::meta_key::client_info, protocol::meta_key::log_level};
constexpr std::size_t max_kept_bytes = 2048;  // of a client's description; most have less than 300

bool same(const json::value& a, const json::value& b);

// Compares members in order: a client repeats its description in the same order.
bool same(const json::object& a, const json::object& b) {
    return std::ranges::equal(a, b, [](const auto& x, const auto& y) {
        return std::string_view(x.key()) == std::string_view(y.key()) && same(x.value(), y.value());
    });
}

bool same(const json::value& a, const json::value& b) {
    if (a.is_object() && b.is_object()) return same(a.get_object(), b.get_object());
    if (a.is_string() && b.is_string()) return std::string_view(a.get_string()) == std::string_view(b.get_string());
    return a == b;
}

bool same(const json::value* now, const std::optional<json::value>& before) {
    return now && before ? same(*now, *before) : !now && !before;
}

}  // namespace

std::shared_ptr<const Peer> KnownPeer::find(const json::object& params, const Declared& declared) const {
    const json::object* meta = json::find_object(params, "_meta");
    if (!peer_ || !meta || peer_->declared != declared) return nullptr;
    static_assert(keys.size() == members);
    for (std::size_t i = 0; i < keys.size(); ++i)
        if (!same(json::find(*meta, keys[i]), said_[i])) return nullptr;
    return peer_;
}

void KnownPeer::keep(const json::object& params, std::shared_ptr<const Peer> peer) {
    peer_.reset();
    said_ = {};
    const json::object* meta = json::find_object(params, "_meta");
    if (!meta) return;
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const json::value* said = json::find(*meta, keys[i]);
        if (!said) continue;
        bytes += json::write(*said).size();
        if (bytes > max_kept_bytes) return;
        said_[i].emplace(*said, json::storage_ptr());  // a copy on the heap: it outlives the memory of the message
    }
    peer_ = std::move(peer);
}

}  // namespace tenon::core
