#include "inspect/tap_gate.hpp"

#include <algorithm>

#include "inspect/refusal.hpp"
#include "runtime/wire.hpp"

namespace tenon::inspect {
namespace {

// Shows a message to TENON_TRACE. All connections of a tap count as one.
void show_in_trace(const TapPlace& place, std::string_view text) {
    static const Wire wire(trace_of_environment(), WireMessage::Side::client);
    place.sent ? wire.sent(text) : wire.received(text);
}

}  // namespace

void TapGate::on_decision(std::function<void()> notify) {
    const std::lock_guard lock(mutex_);
    notify_ = std::move(notify);
}

std::string TapGate::hold(const TapPlace& place, std::string_view text) {
    show_in_trace(place, text);
    const std::string method = recorder_.message(place.connection, place.sent, place.stdio, text);
    std::string id;
    json::object data;
    {
        const std::lock_guard lock(mutex_);
        const bool wanted = std::ranges::any_of(rules_, [&](const Rule& rule) {
            return (!rule.sent || *rule.sent == place.sent) && (rule.method == "*" || rule.method == method);
        });
        if (!wanted || held_.size() >= max_held) return {};
        id = "h" + std::to_string(next_++);
        data = {{"held", id}, {"direction", place.sent ? "sent" : "received"}, {"method", method}, {"text", text}};
        held_.emplace(id, Held{place, data});
    }
    recorder_.tell("held", std::move(data));
    return id;
}

std::optional<TapGate::Decision> TapGate::take_decision(const std::string& id) {
    const std::lock_guard lock(mutex_);
    const auto found = held_.find(id);
    if (found == held_.end() || !found->second.decision) return std::nullopt;
    Decision out = *std::move(found->second.decision);
    held_.erase(found);
    return out;
}

void TapGate::decide(const std::string& id, Decision decision) {
    const std::string_view outcome = decision.drop ? "dropped" : decision.text ? "changed" : "released";
    const std::optional<std::string> changed = decision.text;
    TapPlace place;
    {
        const std::lock_guard lock(mutex_);
        const auto found = held_.find(id);
        if (found == held_.end() || found->second.decision) throw Refusal{404, "This message is not held any more."};
        place = found->second.place;
        found->second.decision = std::move(decision);
    }
    if (changed) {  // the trace and the history show both
        show_in_trace(place, *changed);
        recorder_.message(place.connection, place.sent, place.stdio, *changed);
    }
    recorder_.tell("held_done", {{"held", id}, {"outcome", outcome}});
    const std::lock_guard lock(mutex_);
    if (notify_) notify_();
}

// A message of stdio, and the data of an event, must be on one line.
void TapGate::release(const std::string& id, std::optional<std::string> text) {
    if (text && text->find_first_of("\r\n") != std::string::npos) {
        const auto value = json::parse(*text);
        if (!value)
            throw Refusal{400, "A message must be on one line, unless it is JSON.",
                          "Write line breaks inside of strings as \\n."};
        text = json::write(*value);
    }
    decide(id, {false, std::move(text)});
}

void TapGate::drop(const std::string& id) { decide(id, {true, {}}); }

void TapGate::forget(const std::string& id) {
    {
        const std::lock_guard lock(mutex_);
        const auto found = held_.find(id);
        if (found == held_.end()) return;
        const bool decided = found->second.decision.has_value();
        held_.erase(found);
        if (decided) return;
    }
    recorder_.tell("held_done", {{"held", id}, {"outcome", "gone"}});
}

void TapGate::end() {
    std::vector<std::string> ids;
    {
        const std::lock_guard lock(mutex_);
        for (const auto& [id, held] : held_) ids.push_back(id);
    }
    for (const std::string& id : ids) forget(id);
}

json::object TapGate::rules() const {
    const std::lock_guard lock(mutex_);
    json::array out;
    for (const Rule& rule : rules_)
        out.push_back(json::object{{"direction", !rule.sent   ? "any"
                                                 : *rule.sent ? "sent"
                                                              : "received"},
                                   {"method", rule.method}});
    return {{"rules", std::move(out)}};
}

void TapGate::set_rules(const json::array& rules) {
    if (rules.size() > max_rules) throw Refusal{413, "At most 100 breakpoints are allowed."};
    std::vector<Rule> read;
    for (const json::value& v : rules) {
        if (!v.is_object()) throw Refusal{400, "Each breakpoint must be an object."};
        const Arguments rule(v.get_object());
        const std::string direction = rule.text_or("direction", "any");
        if (direction != "any" && direction != "sent" && direction != "received")
            throw Refusal{400, "`direction` must be sent, received or any."};
        read.push_back(
            {direction == "any" ? std::nullopt : std::optional(direction == "sent"), rule.text_or("method", "*")});
    }
    const std::lock_guard lock(mutex_);
    rules_ = std::move(read);
}

json::array TapGate::held() const {
    const std::lock_guard lock(mutex_);
    json::array out;
    for (const auto& [id, held] : held_)
        if (!held.decision) out.push_back(held.data);
    return out;
}

}  // namespace tenon::inspect
