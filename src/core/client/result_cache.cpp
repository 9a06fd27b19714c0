#include "core/client/result_cache.hpp"

#include <algorithm>

#include "json/members.hpp"
#include "json/weight.hpp"
#include "protocol/methods.hpp"
#include "protocol/read_server.hpp"

namespace tenon::core {
namespace {

// The method and its parameters without `_meta`, which does not change the result.
std::string key_of(std::string_view method, const json::object& params) {
    json::object relevant;
    for (const auto& [name, value] : params)
        if (name != "_meta") relevant.emplace(name, value);
    return std::string(method) + json::write(relevant);
}

std::string uri_of(const json::object& params) { return std::string(json::text_member(params, "uri")); }

}  // namespace

const json::value* ResultCache::find(std::string_view method, const json::object& params, TimePoint now) {
    if (entries_.empty()) return nullptr;
    const auto found = by_key_.find(key_of(method, params));
    if (found == by_key_.end()) return nullptr;
    if (now < found->second->until) return &found->second->result;
    drop(found->second);
    return nullptr;
}

void ResultCache::keep(std::string_view method, const json::object& params, const json::value& result, TimePoint now) {
    const json::object* o = result.if_object();
    const protocol::Method* row = protocol::find_method(method);
    if (!o || !row || !row->cacheable) return;
    const CacheHints hints = protocol::read_cache_hints(*o);
    const Duration ttl = std::min<Duration>(hints.ttl, limits_.max_cache_time);
    std::string key = key_of(method, params);
    if (const auto old = by_key_.find(key); old != by_key_.end()) drop(old->second);
    if (ttl <= Duration::zero()) return;

    const std::size_t size = key.size() + json::weight(result);
    if (size > limits_.max_cache_bytes || limits_.max_cache_entries == 0) return;
    while (bytes_ + size > limits_.max_cache_bytes || entries_.size() >= limits_.max_cache_entries)
        drop(entries_.begin());
    entries_.push_back({key, std::string(method), uri_of(params), result, later(now, ttl), size, hints.shared});
    by_key_.emplace(std::move(key), std::prev(entries_.end()));
    bytes_ += size;
}

void ResultCache::drop(Entries::iterator entry) {
    bytes_ -= entry->bytes;
    by_key_.erase(entry->key);
    entries_.erase(entry);
}

template <class Predicate>
void ResultCache::drop_if(Predicate predicate) {
    for (auto entry = entries_.begin(); entry != entries_.end();) {
        const auto next = std::next(entry);
        if (predicate(*entry)) drop(entry);
        entry = next;
    }
}

void ResultCache::drop_private() {
    drop_if([](const Entry& entry) { return !entry.shared; });
}

void ResultCache::forget(std::string_view method) {
    drop_if([&](const Entry& entry) { return entry.method == method; });
}

void ResultCache::forget_resource(std::string_view uri) {
    drop_if([&](const Entry& entry) { return entry.method == "resources/read" && entry.uri == uri; });
}

void ResultCache::clear() {
    drop_if([](const Entry&) { return true; });
}

}  // namespace tenon::core
