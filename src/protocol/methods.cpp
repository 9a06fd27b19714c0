#include "protocol/methods.hpp"

namespace tenon::protocol {
namespace {

using enum Revision;

constexpr Method rows[] = {
    // Sent by clients. The most frequent comes first, since find_method() searches in this order.
    {.name = "tools/call",
     .needs = Needs::tools,
     .target = "name",
     .uses = Uses::tool,
     .asks = true,
     .rate = RateClass::call},
    {.name = "initialize", .last = v2025_11_25},
    {.name = "notifications/initialized", .notification = true, .last = v2025_11_25},
    {.name = "tools/list", .needs = Needs::tools, .cacheable = true},
    {.name = "resources/list", .needs = Needs::resources, .cacheable = true},
    {.name = "resources/templates/list", .needs = Needs::resources, .cacheable = true},
    {.name = "resources/read",
     .needs = Needs::resources,
     .target = "uri",
     .uses = Uses::resource,
     .asks = true,
     .cacheable = true},
    {.name = "resources/subscribe",
     .needs = Needs::resource_subscribe,
     .last = v2025_11_25,
     .target = "uri",
     .uses = Uses::resource},
    {.name = "resources/unsubscribe", .needs = Needs::resource_subscribe, .last = v2025_11_25, .target = "uri"},
    {.name = "prompts/list", .needs = Needs::prompts, .cacheable = true},
    {.name = "prompts/get", .needs = Needs::prompts, .target = "name", .uses = Uses::prompt, .asks = true},
    {.name = "completion/complete",
     .needs = Needs::completions,
     .uses = Uses::reference,
     .rate = RateClass::completion},
    {.name = "logging/setLevel", .needs = Needs::logging, .last = v2025_11_25},
    {.name = "notifications/roots/list_changed", .notification = true, .last = v2025_11_25},
    {.name = "server/discover", .first = v2026_07_28},
    {.name = "subscriptions/listen", .first = v2026_07_28, .uses = Uses::resources},
    {.name = "tasks/get", .needs = Needs::tasks, .first = v2025_11_25, .target = "taskId"},
    {.name = "tasks/cancel", .needs = Needs::tasks, .first = v2025_11_25, .target = "taskId"},
    {.name = "tasks/result", .needs = Needs::tasks, .first = v2025_11_25, .last = v2025_11_25, .target = "taskId"},
    {.name = "tasks/list", .needs = Needs::tasks, .first = v2025_11_25, .last = v2025_11_25},
    {.name = "tasks/update", .needs = Needs::tasks, .first = v2026_07_28, .target = "taskId"},
    // The extension io.modelcontextprotocol/skills.
    {.name = "skills/list", .needs = Needs::skills, .first = v2025_11_25, .cacheable = true},
    {.name = "skills/get", .needs = Needs::skills, .first = v2025_11_25, .cacheable = true},
    {.name = "resources/directory/read", .needs = Needs::skills, .first = v2025_11_25},
    // Sent by both.
    {.name = "ping", .sender = Sender::either, .last = v2025_11_25},
    {.name = "notifications/cancelled", .sender = Sender::either, .notification = true},
    {.name = "notifications/progress", .sender = Sender::either, .notification = true},
    // Sent by servers.
    {.name = "notifications/message", .sender = Sender::server, .notification = true},
    {.name = "notifications/tools/list_changed", .sender = Sender::server, .notification = true},
    {.name = "notifications/resources/list_changed", .sender = Sender::server, .notification = true},
    {.name = "notifications/resources/updated", .sender = Sender::server, .notification = true},
    {.name = "notifications/prompts/list_changed", .sender = Sender::server, .notification = true},
    {.name = "notifications/subscriptions/acknowledged",
     .sender = Sender::server,
     .notification = true,
     .first = v2026_07_28},
    {.name = "notifications/tasks/status",
     .sender = Sender::server,
     .notification = true,
     .first = v2025_11_25,
     .last = v2025_11_25},
    {.name = "notifications/tasks", .sender = Sender::server, .notification = true, .first = v2026_07_28},
    {.name = "notifications/elicitation/complete",
     .sender = Sender::server,
     .notification = true,
     .needs = Needs::elicitation,
     .first = v2025_11_25,
     .last = v2025_11_25},
    {.name = "sampling/createMessage", .sender = Sender::server, .needs = Needs::sampling},
    {.name = "elicitation/create", .sender = Sender::server, .needs = Needs::elicitation, .first = v2025_06_18},
    {.name = "roots/list", .sender = Sender::server, .needs = Needs::roots},
};

}  // namespace

std::span<const Method> methods() { return rows; }

const Method* find_method(std::string_view name) {
    for (const Method& row : rows)
        if (row.name == name) return &row;
    return nullptr;
}

std::size_t position(const Method& row) { return static_cast<std::size_t>(&row - rows); }

bool may_ask(std::string_view method) {
    const Method* row = find_method(method);
    return !row || row->asks;
}

RateClass rate_class(std::string_view method) {
    const Method* row = find_method(method);
    return row ? row->rate : RateClass::call;
}

std::string_view name_parameter(std::string_view method) {
    const Method* row = find_method(method);
    return row && row->last == newest_revision ? row->target : std::string_view();
}

}  // namespace tenon::protocol
