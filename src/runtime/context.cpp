#include <tenon/context.hpp>

#include <condition_variable>
#include <mutex>

#include "runtime/port.hpp"

namespace tenon {
namespace {

// Starts a question and waits for its answer. It always comes: the engine ends every question, by time if not otherwise.
template <class T, class Start>
T wait_for(const Context::Port& port, Start start) {
    if (port.must_not_wait())
        throw Exception({code::internal_error, "this handler runs inline and must not wait for the client: give it "
                                               "Placement::worker, or the session a `post`"});
    struct Slot {
        std::mutex mutex;
        std::condition_variable filled;
        std::optional<Result<T>> answer;
    };
    const auto slot = std::make_shared<Slot>();
    start(make_reply<T>([slot](Result<T> answer) {
        const std::lock_guard lock(slot->mutex);
        slot->answer = std::move(answer);
        slot->filled.notify_one();
    }));
    std::unique_lock lock(slot->mutex);
    slot->filled.wait(lock, [&] { return slot->answer.has_value(); });
    if (!*slot->answer) throw Exception(slot->answer->error());
    return **std::move(slot->answer);
}

}  // namespace

void Context::progress(double done, std::optional<double> total, std::string_view message) const { port_->progress(done, total, message); }
void Context::log(LogLevel level, json::value data, std::string_view logger) const { port_->log(level, data, logger); }

ElicitResult Context::elicit(std::string message, json::object form) const {
    return wait_for<ElicitResult>(*port_, [&](Reply<ElicitResult> reply) { port_->elicit(std::move(message), std::move(form), std::move(reply)); });
}

ElicitResult Context::elicit_url(std::string message, std::string url, std::string elicitation_id) const {
    return wait_for<ElicitResult>(*port_, [&](Reply<ElicitResult> reply) {
        port_->elicit_url(std::move(message), std::move(url), std::move(elicitation_id), std::move(reply));
    });
}

void Context::elicitation_complete(std::string_view elicitation_id) const { port_->elicitation_complete(elicitation_id); }

SampleResult Context::sample(SampleRequest request) const {
    return wait_for<SampleResult>(*port_, [&](Reply<SampleResult> reply) { port_->sample(std::move(request), std::move(reply)); });
}

SampleResult Context::sample(std::string prompt, std::int64_t max_tokens) const {
    SampleRequest request;
    request.messages.push_back({Role::user, {TextContent{std::move(prompt)}}});
    request.maxTokens = max_tokens;
    return sample(std::move(request));
}

std::vector<Root> Context::roots() const {
    return wait_for<std::vector<Root>>(*port_, [&](Reply<std::vector<Root>> reply) { port_->roots(std::move(reply)); });
}

void Context::async_elicit(std::string message, json::object form, Reply<ElicitResult> reply) const {
    port_->elicit(std::move(message), std::move(form), std::move(reply));
}
void Context::async_elicit_url(std::string message, std::string url, std::string elicitation_id, Reply<ElicitResult> reply) const {
    port_->elicit_url(std::move(message), std::move(url), std::move(elicitation_id), std::move(reply));
}
void Context::async_sample(SampleRequest request, Reply<SampleResult> reply) const { port_->sample(std::move(request), std::move(reply)); }
void Context::async_roots(Reply<std::vector<Root>> reply) const { port_->roots(std::move(reply)); }

std::stop_token Context::stop_token() const { return port_->stop_token(); }
const json::object& Context::meta() const { return port_->meta(); }
const Implementation& Context::client() const { return port_->client(); }
std::string Context::request_id() const { return port_->request_id(); }
std::optional<json::value> Context::recall(std::string_view key) const { return port_->recall(key); }
void Context::remember(std::string_view key, json::value v) const { port_->remember(key, std::move(v)); }

}  // namespace tenon
