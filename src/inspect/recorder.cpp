#include "inspect/recorder.hpp"

#include <chrono>

namespace tenon::inspect {
namespace {

constexpr std::size_t event_text_bytes = 2048;  // of the text of a message in an event

json::object verdict_json(const check::LiveVerdict& verdict) {
    const check::Rule& rule = *verdict.rule;
    const check::Clause& clause = rule.clause();
    return {{"rule", rule.id},
            {"title", rule.title},
            {"detail", verdict.detail},
            {"remedy", rule.remedy},
            {"level", check::to_string(clause.level)},
            {"severity", check::to_string(rule.severity)},
            {"source", clause.source()}};
}

}  // namespace

double wall_clock() {
    using namespace std::chrono;
    return duration<double, std::milli>(system_clock::now().time_since_epoch()).count();
}

void Recorder::tell(std::string_view type, json::object data) {
    data["at"] = wall_clock();
    const std::string text = json::write(data);
    {
        const std::lock_guard lock(mutex_);
        ring_.add(type, text);
    }
    news_();
}

json::array Recorder::verdicts_of(const Message& message, const check::Reading& reading, bool stdio) {
    if (message.sent) return {};
    if (judges_.size() >= max_judges && !judges_.contains(message.connection)) judges_.erase(judges_.begin());
    check::LiveJudge& judge = judges_.try_emplace(message.connection, stdio).first->second;
    std::optional<check::LiveJudge::Request> request;
    if (const Message* sent = message.request != 0 ? history_.find(message.request) : nullptr) {
        request.emplace(check::LiveJudge::Request{sent->method, {}, sent->id, sent->answers});
        const auto value = json::parse(sent->text);
        const json::value* params = value && value->is_object() ? value->get_object().if_contains("params") : nullptr;
        if (params && params->is_object()) request->params = params->get_object();
    }
    const check::LiveVerdict* verdict = judge.judge(message.text, reading, request ? &*request : nullptr);
    return verdict ? json::array{verdict_json(*verdict)} : json::array();
}

std::string Recorder::message(std::uint64_t connection, bool sent, bool stdio, std::string_view text) {
    const check::Reading reading = check::read_patiently(text);
    Message message;
    message.at = wall_clock();
    message.connection = connection;
    message.sent = sent;
    message.text = text;
    std::string method;
    {
        const std::lock_guard lock(mutex_);
        Message& added = history_.add(std::move(message), reading.value ? &*reading.value : nullptr);
        added.verdicts = verdicts_of(added, reading, stdio);
        ring_.add("message", json::write(message_json(added, event_text_bytes)));
        method = added.method;
    }
    news_();
    return method;
}

std::uint64_t Recorder::last_event() const {
    const std::lock_guard lock(mutex_);
    return ring_.last();
}

std::string Recorder::events_after(std::uint64_t& cursor, std::size_t max_bytes) const {
    const std::lock_guard lock(mutex_);
    return ring_.after(cursor, max_bytes);
}

}  // namespace tenon::inspect
