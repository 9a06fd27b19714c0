#include "transport/http_server/node_announcements.hpp"

#include <algorithm>
#include <cstring>

#include "base/siphash.hpp"
#include "framing/http_fields.hpp"
#include "io/random.hpp"

namespace tenon {
namespace {

constexpr std::string_view list_names[] = {"tools", "resources", "prompts"};

std::string text_of(const json::object& message, std::string_view name) {
    const json::value* v = message.if_contains(name);
    return v && v->is_string() ? std::string(v->get_string()) : std::string();
}

json::object encode_what(const Announcement& what) {
    if (const auto* updated = std::get_if<ResourceUpdated>(&what)) return {{"kind", "updated"}, {"uri", updated->uri}};
    if (const auto* log = std::get_if<ServerLog>(&what))
        return {{"kind", "log"}, {"level", to_string(log->level)}, {"data", log->data}, {"logger", log->logger}};
    const auto& change = std::get<core::ListChange>(what);
    return {{"kind", "list"},
            {"list", list_names[static_cast<std::size_t>(change.kind)]},
            {"key", change.key},
            {"uri", change.uri},
            {"apps", change.only_for_apps}};
}

std::optional<Announcement> decode_what(const json::object& message) {
    const std::string kind = text_of(message, "kind");
    if (kind == "updated") return ResourceUpdated{text_of(message, "uri")};
    if (kind == "log") {
        const auto level = log_level(text_of(message, "level"));
        const json::value* data = message.if_contains("data");
        if (!level || !data) return std::nullopt;
        return ServerLog{*level, *data, text_of(message, "logger")};
    }
    const auto* list = std::ranges::find(list_names, text_of(message, "list"));
    if (kind != "list" || list == std::end(list_names)) return std::nullopt;
    const json::value* apps = message.if_contains("apps");
    return core::ListChange{static_cast<core::ListKind>(list - list_names), text_of(message, "key"),
                            text_of(message, "uri"), apps && apps->is_bool() && apps->get_bool()};
}

}  // namespace

KeyedAnnouncement with_new_key(Announcement what) {
    const auto bytes = io::random_bytes<sizeof(std::uint64_t)>();
    KeyedAnnouncement out{0, std::move(what)};
    std::memcpy(&out.key, bytes.data(), bytes.size());
    return out;
}

std::uint64_t key_of(const TaskRecord& task) {
    std::string state = task.id;
    ((state += ' ') += std::to_string(task.updated.time_since_epoch().count())) += ' ';
    ((state += to_string(task.status)) += ' ') += task.status_message;
    return base::siphash({}, state);
}

json::object encode(const KeyedAnnouncement& announcement) {
    json::object out = encode_what(announcement.what);
    out["once"] = std::to_string(announcement.key);
    return out;
}

std::optional<KeyedAnnouncement> decode_announcement(const json::object& message) {
    const auto key = framing::parse_decimal(text_of(message, "once"));
    auto what = decode_what(message);
    if (!key || !what) return std::nullopt;
    return KeyedAnnouncement{*key, *std::move(what)};
}

std::optional<KeyedAnnouncement> SentAnnouncements::add(KeyedAnnouncement announcement) {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(announcement));
    if (waiting_.size() <= max_waiting) return std::nullopt;
    auto oldest = std::move(waiting_.front());
    waiting_.pop_front();
    return oldest;
}

std::optional<KeyedAnnouncement> SentAnnouncements::take(std::uint64_t key) {
    const std::lock_guard lock(mutex_);
    const auto it = std::ranges::find(waiting_, key, &KeyedAnnouncement::key);
    if (it == waiting_.end()) return std::nullopt;
    auto out = std::move(*it);
    waiting_.erase(it);
    return out;
}

std::vector<KeyedAnnouncement> SentAnnouncements::take_all() {
    const std::lock_guard lock(mutex_);
    std::vector<KeyedAnnouncement> out(std::move_iterator(waiting_.begin()), std::move_iterator(waiting_.end()));
    waiting_.clear();
    return out;
}

}  // namespace tenon
