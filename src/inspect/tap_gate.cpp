#include "inspect/tap_gate.hpp"

#include <algorithm>

#include "inspect/refusal.hpp"

namespace tenon::inspect {

void TapGate::on_decision(std::function<void()> notify) {
    const std::lock_guard lock(mutex_);
    notify_ = std::move(notify);
}

bool TapGate::must_wait(bool sent, std::string_view text) {
    const std::string method = recorder_.message(connection, sent, true, text);
    json::object data;
    {
        const std::lock_guard lock(mutex_);
        const bool wanted = std::ranges::any_of(rules_, [&](const Rule& rule) {
            return (!rule.sent || *rule.sent == sent) && (rule.method == "*" || rule.method == method);
        });
        if (!wanted) return false;
        data = {{"held", "h" + std::to_string(next_++)},
                {"direction", sent ? "sent" : "received"},
                {"method", method},
                {"text", text}};
        held_[sent] = Held{data};
    }
    recorder_.tell("held", std::move(data));
    return true;
}

std::optional<TapGate::Decision> TapGate::take_decision(bool sent) {
    const std::lock_guard lock(mutex_);
    if (!held_[sent] || !held_[sent]->decision) return std::nullopt;
    Decision out = *std::move(held_[sent]->decision);
    held_[sent].reset();
    return out;
}

void TapGate::decide(const std::string& id, Decision decision) {
    const std::string_view outcome = decision.drop ? "dropped" : decision.text ? "changed" : "released";
    const std::optional<std::string> changed = decision.text;
    bool sent = false;
    {
        const std::lock_guard lock(mutex_);
        const auto found = std::ranges::find_if(held_, [&](const std::optional<Held>& held) {
            return held && !held->decision && held->data.at("held") == json::value(id);
        });
        if (found == held_.end()) throw Refusal{404, "This message is not held any more."};
        sent = found != held_.begin();
        (*found)->decision = std::move(decision);
    }
    if (changed) recorder_.message(connection, sent, true, *changed);  // the history shows both
    recorder_.tell("held_done", {{"held", id}, {"outcome", outcome}});
    const std::lock_guard lock(mutex_);
    if (notify_) notify_();
}

void TapGate::release(const std::string& id, std::optional<std::string> text) {
    if (text && text->find('\n') != std::string::npos)
        throw Refusal{400, "A message must be on one line.", "Write line breaks inside of strings as \\n."};
    decide(id, {false, std::move(text)});
}

void TapGate::drop(const std::string& id) { decide(id, {true, {}}); }

void TapGate::end() {
    for (const bool sent : {false, true}) {
        std::string id;
        {
            const std::lock_guard lock(mutex_);
            if (!held_[sent]) continue;
            id = std::string(held_[sent]->data.at("held").as_string());
            held_[sent].reset();
        }
        recorder_.tell("held_done", {{"held", id}, {"outcome", "gone"}});
    }
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
    for (const auto& held : held_)
        if (held && !held->decision) out.push_back(held->data);
    return out;
}

}  // namespace tenon::inspect
