#include "runtime/live_call.hpp"

#include <tenon/schema.hpp>

namespace tenon {
namespace {

// Turns the client's raw answer into the typed one.
template <class T, class Read>
Reply<json::value> reading(Reply<T> reply, Read read) {
    return make_reply<json::value>([reply = std::move(reply), read](Result<json::value> answer) mutable {
        std::move(reply).send(answer ? read(*answer) : Result<T>(answer.error()));
    });
}

Result<ElicitResult> read_form(const json::value& answer, const json::object& form) {
    auto result = protocol::read_elicit_result(answer);
    if (!result || result->action != ElicitAction::accept) return result;
    const auto schema = schema::Schema::compile(form);
    if (!schema) return Error{code::internal_error, "the form of the question is not a valid JSON Schema: " + schema.error().message};
    const auto violations = schema->check(result->content, 1, "content");
    if (!violations.empty()) return Error{code::internal_error, "The client's answer does not fit the form: " + violations.front().message};
    return result;
}

}  // namespace

void LiveCall::progress(double done, std::optional<double> total, std::string_view message) {
    session_->with_engine([&](core::ServerEngine& engine) { engine.progress(call_, done, total, message); });
    session_->wait_for_room(stop_token());
}

void LiveCall::log(LogLevel level, const json::value& data, std::string_view logger) {
    session_->with_engine([&](core::ServerEngine& engine) { engine.log(call_, level, data, logger); });
    session_->wait_for_room(stop_token());
}

void LiveCall::elicit(std::string message, json::object form, Reply<ElicitResult> reply) {
    auto read = reading(std::move(reply), [form](const json::value& answer) { return read_form(answer, form); });
    session_->with_engine([&](core::ServerEngine& engine) { engine.elicit(call_, message, form, session_->now(), std::move(read)); });
}

void LiveCall::elicit_url(std::string message, std::string url, std::string elicitation_id, Reply<ElicitResult> reply) {
    auto read = reading(std::move(reply), protocol::read_elicit_result);
    session_->with_engine([&](core::ServerEngine& engine) {
        engine.elicit_url(call_, message, url, elicitation_id, session_->now(), std::move(read));
    });
}

void LiveCall::elicitation_complete(std::string_view elicitation_id) {
    session_->with_engine([&](core::ServerEngine& engine) { engine.elicitation_complete(call_, elicitation_id); });
}

void LiveCall::sample(SampleRequest request, Reply<SampleResult> reply) {
    auto read = reading(std::move(reply), protocol::read_sample_result);
    session_->with_engine([&](core::ServerEngine& engine) { engine.sample(call_, request, session_->now(), std::move(read)); });
}

void LiveCall::roots(Reply<std::vector<Root>> reply) {
    auto read = reading(std::move(reply), protocol::read_roots);
    session_->with_engine([&](core::ServerEngine& engine) { engine.roots(call_, session_->now(), std::move(read)); });
}

std::optional<json::value> LiveCall::recall(std::string_view key) {
    const std::lock_guard lock(mutex_);
    const auto it = memory_.find(key);
    if (it == memory_.end()) return std::nullopt;
    return it->second;
}

void LiveCall::remember(std::string_view key, json::value v) {
    const std::lock_guard lock(mutex_);
    memory_.emplace(key, std::move(v));
}

}  // namespace tenon
