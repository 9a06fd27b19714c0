#include "protocol/versions.hpp"

#include <algorithm>
#include <array>

#include "protocol/authorisation_rules.hpp"

namespace tenon::protocol {
namespace {

using enum Revision;
constexpr Revision newest = newest_revision;

constexpr std::array<std::string_view, 5> names = {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25",
                                                   "2026-07-28"};
constexpr std::array newest_first = {v2026_07_28, v2025_11_25, v2025_06_18, v2025_03_26, v2024_11_05};
constexpr auto legacy = std::span(newest_first).subspan<1>();

struct TraitRow {
    Trait trait;
    Revision first, last;
};

constexpr TraitRow traits[] = {
    {Trait::batches, v2024_11_05, v2025_03_26},
    {Trait::batches_required, v2025_03_26, v2025_03_26},
    {Trait::audio, v2025_03_26, newest},
    {Trait::resource_links, v2025_06_18, newest},
    {Trait::titles, v2025_06_18, newest},
    {Trait::tool_name_format, v2025_11_25, newest},
    {Trait::icons, v2025_11_25, newest},
    {Trait::tool_annotations, v2025_03_26, newest},
    {Trait::structured_content, v2025_06_18, newest},
    {Trait::last_modified, v2025_06_18, newest},
    {Trait::entity_meta, v2025_06_18, newest},
    {Trait::progress_message, v2025_03_26, newest},
    {Trait::completions_capability, v2025_03_26, newest},
    {Trait::completion_context, v2025_06_18, newest},
    {Trait::url_elicitation, v2025_11_25, newest},
    {Trait::sampling_tools, v2025_11_25, newest},
    {Trait::input_errors_in_result, v2025_11_25, newest},
    {Trait::no_null_id, v2025_11_25, newest},
    {Trait::resource_not_found_code, v2024_11_05, v2025_11_25},
    {Trait::structured_any_value, v2026_07_28, newest},
    {Trait::result_type, v2026_07_28, newest},
    {Trait::cache_hints, v2026_07_28, newest},
    {Trait::stream_polling, v2025_11_25, v2025_11_25},
    {Trait::task_requests, v2025_11_25, v2025_11_25},
    {Trait::tasks_extension, v2026_07_28, newest},
    {Trait::extensions, v2025_11_25, newest},
    {Trait::mirrored_parameters, v2026_07_28, newest},
};

constexpr bool within(Revision r, Revision first, Revision last) { return first <= r && r <= last; }

// The table as bit sets, with a bit for each trait, because has() is called several times for every message.
constexpr std::uint64_t bit(Trait t) { return std::uint64_t{1} << static_cast<unsigned>(t); }

constexpr std::uint64_t traits_of(Revision r) {
    std::uint64_t bits = 0;
    for (const TraitRow& row : traits)
        if (within(r, row.first, row.last)) bits |= bit(row.trait);
    return bits;
}

constexpr std::array<std::uint64_t, 5> trait_bits = {traits_of(v2024_11_05), traits_of(v2025_03_26),
                                                     traits_of(v2025_06_18), traits_of(v2025_11_25),
                                                     traits_of(v2026_07_28)};

}  // namespace

std::string_view Rules::name() const { return names[static_cast<std::size_t>(revision_)]; }

bool Rules::has(Trait t) const { return (trait_bits[static_cast<std::size_t>(revision_)] & bit(t)) != 0; }

const Method* Rules::method(std::string_view name, Sender sender) const {
    const Method* row = find_method(name);
    const bool has_it =
        row && (row->sender == sender || row->sender == Sender::either) && within(revision_, row->first, row->last);
    return has_it ? row : nullptr;
}

int Rules::error_code(int code) const {
    if (code == code::resource_not_found && !has(Trait::resource_not_found_code)) return code::invalid_params;
    if (code::is_local(code)) return code::internal_error;
    // From 2026-07-28 on, -32000 to -32019 should not be used, and -32020 to -32099 belong to the specification.
    const bool reserved = code <= code::server_error && code >= -32099;
    const bool defined =
        code == code::header_mismatch || code == code::missing_capability || code == code::unsupported_version;
    return is_modern() && reserved && !defined ? code::internal_error : code;
}

jsonrpc::UnreadableId Rules::unreadable_id() const {
    return has(Trait::no_null_id) ? jsonrpc::UnreadableId::absent : jsonrpc::UnreadableId::null;
}

std::span<const Revision> revisions() { return newest_first; }

std::span<const Revision> legacy_revisions() { return legacy; }

Revision modern_revision() { return newest; }

std::optional<Revision> revision(std::string_view name) {
    for (const Revision r : newest_first)  // the newest is the most frequent
        if (Rules(r).name() == name) return r;
    return std::nullopt;
}

bool requires_resource_metadata(std::string_view name) {
    const auto known = revision(name);
    return known && within(*known, v2025_06_18, newest);
}

Error unsupported_version(std::string_view asked) {
    json::array supported;
    for (const Revision r : newest_first) supported.emplace_back(Rules(r).name());
    return {code::unsupported_version, "Unsupported protocol version",
            json::object{{"supported", std::move(supported)}, {"requested", asked}}};
}

}  // namespace tenon::protocol
