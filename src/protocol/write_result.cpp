// Writes the members that all results have in common, and `_meta` of requests.
#include "json/find.hpp"
#include "protocol/meta_keys.hpp"
#include "protocol/spellings.hpp"
#include "protocol/write_parts.hpp"

namespace tenon::protocol {

void write_cache_hints(Writer& w, const CacheHints& hints, const Rules& rules) {
    if (!rules.has(Trait::cache_hints)) return;
    w.field("ttlMs", std::max<std::int64_t>(hints.ttl.count(), 0));
    w.field("cacheScope", hints.shared ? "public" : "private");
}

jsonrpc::Encoded complete_result(jsonrpc::Encoded body, std::string_view type, const json::object& meta,
                                 const Spellings& server, const Rules& rules) {
    const bool typed = rules.has(Trait::result_type);
    if (meta.empty() && !typed) return body;
    Writer w = Writer::reopen(body.json);
    if (typed) w.field("resultType", type);
    w.key("_meta");
    w.begin_object();
    for (const auto& [key, value] : meta) w.field(key, value);
    if (typed && !json::find(meta, meta_key::server_info)) {
        w.key(meta_key::server_info);
        w.raw(server.of(rules));
    }
    w.end_object();
    w.end_object();
    return body;
}

jsonrpc::Encoded with_meta(const jsonrpc::Encoded& params, const json::object& meta) {
    jsonrpc::Encoded out;
    Writer w(out.json);
    w.begin_object();
    if (!params.json.empty()) w.members(params.json);
    w.field("_meta", meta);
    w.end_object();
    return out;
}

}  // namespace tenon::protocol
