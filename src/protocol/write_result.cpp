// What all results have in common.
#include "protocol/meta_keys.hpp"
#include "protocol/write_parts.hpp"

namespace tenon::protocol {

void write_cache_hints(Writer& w, const CacheHints& hints, const Rules& rules) {
    if (!rules.has(Trait::cache_hints)) return;
    w.field("ttlMs", std::max<std::int64_t>(hints.ttl.count(), 0));
    w.field("cacheScope", hints.shared ? "public" : "private");
}

jsonrpc::Encoded complete_result(jsonrpc::Encoded body, std::string_view type, const json::object& meta,
                                 const Implementation& server, const Rules& rules) {
    if (meta.empty() && !rules.has(Trait::result_type)) return body;
    Writer w = Writer::reopen(body.json);
    if (rules.has(Trait::result_type)) w.field("resultType", type);
    w.key("_meta");
    w.begin_object();
    for (const auto& [key, value] : meta) w.field(key, value);
    if (rules.has(Trait::result_type) && !meta.contains(meta_key::server_info)) {
        w.key(meta_key::server_info);
        write(w, server, rules);
    }
    w.end_object();
    w.end_object();
    return body;
}

}  // namespace tenon::protocol
