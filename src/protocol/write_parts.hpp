// Helpers shared by several writers. Private to this module.
#pragma once

#include <cmath>

#include "protocol/write.hpp"

namespace tenon::protocol {

inline void write_optional(Writer& w, std::string_view name, const std::string& s) {
    if (!s.empty()) w.field(name, s);
}

// Omits infinities and NaN, which JSON does not have.
template <class T>
void write_optional(Writer& w, std::string_view name, const std::optional<T>& v) {
    if constexpr (std::is_floating_point_v<T>) {
        if (v && !std::isfinite(*v)) return;
    }
    if (v) w.field(name, *v);
}

inline void write_meta(Writer& w, const json::object& meta) {
    if (!meta.empty()) w.field("_meta", meta);
}

inline void write_entity_meta(Writer& w, const json::object& meta, const Rules& rules) {
    if (rules.has(Trait::entity_meta)) write_meta(w, meta);
}

inline void write_title(Writer& w, const std::string& title, const Rules& rules) {
    if (rules.has(Trait::titles)) write_optional(w, "title", title);
}

std::string_view to_string(Role role);
void write_annotations(Writer& w, const Annotations& a, const Rules& rules);
void write_block(Writer& w, const SamplingContent& block, const Rules& rules);
void write_icons(Writer& w, const std::vector<Icon>& icons, const Rules& rules);

template <class T>
void write_list(Writer& w, std::string_view name, const std::vector<T>& items, const Rules& rules) {
    w.key(name);
    w.begin_array();
    for (const T& item : items) write(w, item, rules);
    w.end_array();
}

}  // namespace tenon::protocol
