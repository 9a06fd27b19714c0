#include "jose/key_ring.hpp"

#include <algorithm>
#include <charconv>

#include "jose/digest.hpp"

namespace tenon::jose {
namespace {

// Layout: magic, keys (id, times, secret), the first bytes of the digest of all that.
constexpr std::string_view magic = "tenon key ring 1\n";
constexpr std::size_t id_size = 4, time_size = 8, checksum_size = 8;
constexpr std::size_t key_size = id_size + 2 * time_size + std::tuple_size_v<SealKey>;
constexpr std::size_t id_digits = 8;

void append(std::string& out, std::uint64_t n, std::size_t size) {
    for (std::size_t i = size; i-- > 0;) out += static_cast<char>((n >> (8 * i)) & 0xff);
}

std::uint64_t take(std::string_view& in, std::size_t size) {
    std::uint64_t n = 0;
    for (const char c : in.substr(0, size)) n = n << 8 | static_cast<unsigned char>(c);
    in.remove_prefix(size);
    return n;
}

std::string checksum(std::string_view bytes) { return sha256(bytes).substr(0, checksum_size); }

RingKey take_key(std::string_view& in) {
    RingKey key;
    key.id = static_cast<std::uint32_t>(take(in, id_size));
    key.made = RingTime(static_cast<std::int64_t>(take(in, time_size)));
    key.seals_from = RingTime(static_cast<std::int64_t>(take(in, time_size)));
    std::copy_n(in.begin(), key.secret.size(), key.secret.begin());
    in.remove_prefix(key.secret.size());
    return key;
}

// The secret has a fixed length and is as long as the digest's block allows in one piece, and the digest is never
// extended: no other text has the same beginning and end.
template <class Key>
Key derive(const SealKey& secret, std::string_view purpose) {
    const std::string bytes = sha256(std::string(secret.begin(), secret.end()).append(purpose));
    Key out;
    std::copy_n(bytes.begin(), out.size(), out.begin());
    return out;
}

}  // namespace

RingTime RingTimes::lead() const { return std::min<RingTime>(rotation / 4, std::chrono::minutes(10)); }

// ---- bytes

std::string KeyRing::encode() const {
    std::string out(magic);
    for (const RingKey& key : keys_) {
        append(out, key.id, id_size);
        append(out, static_cast<std::uint64_t>(key.made.count()), time_size);
        append(out, static_cast<std::uint64_t>(key.seals_from.count()), time_size);
        out.append(key.secret.begin(), key.secret.end());
    }
    return out + checksum(out);
}

std::optional<KeyRing> KeyRing::decode(std::string_view bytes) {
    if (!bytes.starts_with(magic) || bytes.size() < magic.size() + key_size + checksum_size) return std::nullopt;
    const std::string_view signed_part = bytes.substr(0, bytes.size() - checksum_size);
    if (checksum(signed_part) != bytes.substr(signed_part.size())) return std::nullopt;
    std::string_view keys = signed_part.substr(magic.size());
    if (keys.size() % key_size != 0 || keys.size() / key_size > max_keys) return std::nullopt;
    KeyRing out;
    while (!keys.empty()) out.keys_.push_back(take_key(keys));
    return out;
}

// ---- keys

const RingKey* KeyRing::find(std::uint32_t id) const {
    for (const auto* list : {&keys_, &others_})
        for (const RingKey& key : *list)
            if (key.id == id) return &key;
    return nullptr;
}

std::vector<RingKey> KeyRing::all() const {
    std::vector<RingKey> out = keys_;
    out.insert(out.end(), others_.begin(), others_.end());
    return out;
}

// The clock may be slow, and then even the first key seems to be one of the future.
const RingKey& KeyRing::sealing(RingTime now) const {
    for (auto key = keys_.rbegin(); key != keys_.rend(); ++key)
        if (key->seals_from <= now) return *key;
    return keys_.front();
}

bool KeyRing::rotation_due(RingTime now, const RingTimes& times) const {
    if (keys_.empty()) return true;
    if (keys_.size() >= max_keys && !has_had_its_time(0, now, times)) return false;
    return now - keys_.back().made >= times.rotation;
}

// A key seals until its successor does. A node that cannot read the ring seals with it for longer: one more rotation is
// allowed for that.
bool KeyRing::has_had_its_time(std::size_t index, RingTime now, const RingTimes& times) const {
    if (index + 1 >= keys_.size()) return false;
    return now - keys_[index + 1].seals_from > times.lifetime + times.rotation;
}

KeyRing KeyRing::rotated(RingTime now, const RingTimes& times, std::uint32_t id, const SealKey& secret) const {
    KeyRing out;
    for (std::size_t i = 0; i < keys_.size(); ++i)
        if (!has_had_its_time(i, now, times)) out.keys_.push_back(keys_[i]);
    out.keys_.push_back({id, now, keys_.empty() ? now : now + times.lead(), secret});
    out.others_ = others_;
    return out;
}

KeyRing KeyRing::replacing(const KeyRing& older) const {
    KeyRing out = *this;
    out.others_ = older.others_;
    if (std::ranges::any_of(keys_, [&](const RingKey& key) { return older.find(key.id) != nullptr; })) return out;
    out.others_.insert(out.others_.end(), older.keys_.begin(), older.keys_.end());
    if (out.others_.size() > max_keys)
        out.others_.erase(out.others_.begin(), out.others_.end() - static_cast<std::ptrdiff_t>(max_keys));
    return out;
}

// ---- derived keys

SealKey state_key_of(const SealKey& secret) { return derive<SealKey>(secret, "tenon request states"); }
base::SipKey cursor_key_of(const SealKey& secret) { return derive<base::SipKey>(secret, "tenon cursors"); }
SealKey nonce_key_of(const SealKey& secret) { return derive<SealKey>(secret, "tenon DPoP nonces"); }

// ---- states with the id of their key

std::string with_key_id(std::uint32_t id, std::string_view sealed) {
    std::string out = "k";
    for (int shift = 28; shift >= 0; shift -= 4) out += "0123456789abcdef"[(id >> shift) & 15];
    return out.append(".").append(sealed);
}

std::optional<KeyedState> split_key_id(std::string_view text) {
    if (text.size() < id_digits + 2 || text.front() != 'k' || text[id_digits + 1] != '.') return std::nullopt;
    KeyedState out{0, text.substr(id_digits + 2)};
    const std::string_view digits = text.substr(1, id_digits);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), out.id, 16);
    if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
    return out;
}

}  // namespace tenon::jose
