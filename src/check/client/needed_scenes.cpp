#include "check/client/needed_scenes.hpp"

#include <algorithm>
#include <array>

#include "check/client/client_rules.hpp"

namespace tenon::check::client {
namespace {

// The rules that only some scenes can judge. A rule that is not here needs all scenes.
struct Row {
    std::string_view rule;  // its id, or the beginning of several ids
    std::vector<Scene> scenes = {};
};

const std::vector<Row>& rows() {
    using enum Scene;
    // Over HTTP, messages that come unasked are on a stream. event_streams tells whether the client reads streams.
    static const std::vector<Row> all = {
        {"STDIO-3.client-closes"},
        {"HTTP-10.client-delete"},
        {"HTTP-10.client-new-session", {lost_session}},
        {"HTTP-9.client-no-session", {other_version}},
        {"HTTP-7.client-405", {event_streams}},
        {"HTTP-5.client-polls", {polling, event_streams}},
        {"HTTP-5.client-retry", {polling, event_streams}},
        {"HTTP-4.client-same-version", {modern, modern_questions}},
        {"HTTP-3.client-stream", {event_streams}},
        {"HTTP-1.client-method-header", {modern, modern_questions}},
        {"HTTP-1.client-name-header", {modern, modern_questions}},
        {"HTTP-1.client-param-header", {modern, modern_questions}},
        {"HTTP-1.client-changed-headers", {modern, modern_questions, changed_headers}},
        {"INT-6.client-reading", {odd_spelling}},
        {"RPC-9.client-stray-response", {stray_response, event_streams}},
        {"RPC-7.client-unknown-method", {questions, event_streams}},
        {"RPC-14.client-code", {questions, event_streams}},
        {"RPC-5.client-unknown-notification", {unknown_notification, event_streams}},
        {"RPC-4.client-no-response", {modern, modern_questions}},
        {"LIFE-14.client-ping", {questions, event_streams}},
        {"LIFE-12.client-", {questions, event_streams, modern, modern_questions}},
        {"LIFE-10.client-capability", {bare}},
        {"LIFE-9.client-disconnects", {no_common_version}},
        {"LIFE-7.client-newest", {no_common_version, newest_version}},
        {"LIFE-1.client-meta-", {modern, modern_questions}},
    };
    return all;
}

const Row* row_of(std::string_view rule) {
    const auto it = std::ranges::find_if(rows(), [&](const Row& row) { return rule.starts_with(row.rule); });
    return it == rows().end() ? nullptr : &*it;
}

bool needs(std::string_view rule, Scene scene) {
    const Row* row = row_of(rule);
    return !row || std::ranges::find(row->scenes, scene) != row->scenes.end();
}

}  // namespace

bool needs_all_scenes(std::string_view rule) { return row_of(rule) == nullptr; }

bool is_needed(Scene scene, const std::vector<std::string>& only) {
    if (only.empty() || scene == Scene::plain) return true;
    return std::ranges::any_of(all_client_rules(), [&](const ClientRule& row) {
        return is_selected(row.rule.id, only) && needs(row.rule.id, scene);
    });
}

}  // namespace tenon::check::client
