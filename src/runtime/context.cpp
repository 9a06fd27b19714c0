#include <tenon/context.hpp>

#include <algorithm>
#include <condition_variable>
#include <mutex>

#include "core/server/question.hpp"
#include "io/type_name.hpp"
#include "runtime/port.hpp"

namespace tenon {

namespace detail {

struct Countdown::State {
    std::mutex mutex;
    std::condition_variable all_arrived;
    std::size_t expected;
};

Countdown::Countdown(std::size_t expected) : state_(std::make_shared<State>()) { state_->expected = expected; }

void Countdown::arrive() const {
    const std::lock_guard lock(state_->mutex);
    if (--state_->expected == 0) state_->all_arrived.notify_all();
}

void Countdown::wait() const {
    std::unique_lock lock(state_->mutex);
    state_->all_arrived.wait(lock, [this] { return state_->expected == 0; });
}

void throw_any(const std::vector<Error>& errors) {
    for (const Error& error : errors)
        if (is_replayed(error)) throw Unwind{};
    if (!errors.empty()) throw Exception(errors.front());
}

}  // namespace detail

void Context::DeleteQuestions::operator()(Questions* q) const { delete q; }
Context::QuestionsPtr Context::new_questions() { return QuestionsPtr(new Questions); }

void Context::add(Questions& batch, ask::Elicit question, Reply<ElicitResult> reply) const {
    batch.list.push_back({std::move(question), std::move(reply)});
}
void Context::add(Questions& batch, ask::Sample question, Reply<SampleResult> reply) const {
    batch.list.push_back({std::move(question), std::move(reply)});
}
void Context::add(Questions& batch, ask::Roots question, Reply<std::vector<Root>> reply) const {
    batch.list.push_back({std::move(question), std::move(reply)});
}
void Context::ask(Questions& batch) const { port_->ask(std::move(batch.list)); }

void Context::refuse_to_wait_inline() const {
    if (port_->must_not_wait())
        throw Exception({code::internal_error,
                         "this handler runs inline and must not wait for the client: give it "
                         "Placement::worker, or the session a `post`"});
}

void Context::progress(double done, std::optional<double> total, std::string_view message) const {
    port_->progress(done, total, message);
}
void Context::log(LogLevel level, json::value data, std::string_view logger) const { port_->log(level, data, logger); }

ElicitResult Context::elicit(std::string message, json::object form, std::string key) const {
    return std::get<0>(ask_all(ask::form(std::move(message), std::move(form), std::move(key))));
}

ElicitResult Context::elicit_url(std::string message, std::string url, std::string elicitation_id) const {
    refuse_to_wait_inline();
    const detail::Countdown answered(1);
    const auto slot = std::make_shared<std::optional<Result<ElicitResult>>>();
    async_elicit_url(std::move(message), std::move(url), std::move(elicitation_id),
                     make_reply<ElicitResult>([slot, answered](Result<ElicitResult> r) {
                         *slot = std::move(r);
                         answered.arrive();
                     }));
    answered.wait();
    if (!**slot) detail::throw_any({(*slot)->error()});
    return ***slot;
}

void Context::elicitation_complete(std::string_view elicitation_id) const {
    port_->elicitation_complete(elicitation_id);
}

SampleResult Context::sample(SampleRequest request, std::string key) const {
    return std::get<0>(ask_all(ask::sample(std::move(request), std::move(key))));
}

SampleResult Context::sample(std::string prompt, std::int64_t max_tokens) const {
    SampleRequest request;
    request.messages.push_back({Role::user, {TextContent{std::move(prompt)}}});
    request.maxTokens = max_tokens;
    return sample(std::move(request));
}

std::vector<Root> Context::roots(std::string key) const { return std::get<0>(ask_all(ask::roots(std::move(key)))); }

namespace {

std::vector<PortQuestion> just(PortQuestion question) {
    std::vector<PortQuestion> one;
    one.push_back(std::move(question));
    return one;
}

}  // namespace

void Context::async_elicit(std::string message, json::object form, Reply<ElicitResult> reply, std::string key) const {
    port_->ask(just({ask::Elicit{std::move(message), std::move(form), std::move(key)}, std::move(reply)}));
}
void Context::async_elicit_url(std::string message, std::string url, std::string elicitation_id,
                               Reply<ElicitResult> reply) const {
    port_->ask(just({ElicitUrl{std::move(message), std::move(url), std::move(elicitation_id)}, std::move(reply)}));
}
void Context::async_sample(SampleRequest request, Reply<SampleResult> reply, std::string key) const {
    port_->ask(just({ask::Sample{std::move(request), std::move(key)}, std::move(reply)}));
}
void Context::async_roots(Reply<std::vector<Root>> reply, std::string key) const {
    port_->ask(just({ask::Roots{std::move(key)}, std::move(reply)}));
}

bool Context::can_elicit() const { return port_->abilities().elicit; }
bool Context::can_elicit_url() const { return port_->abilities().elicit_url; }
bool Context::can_sample() const { return port_->abilities().sample; }
bool Context::can_list_roots() const { return port_->abilities().roots; }

bool Context::become_task() const { return port_->become_task(); }
std::string Context::task_id() const { return port_->task_id(); }
bool Context::client_has_extension(std::string_view name) const { return port_->has_extension(name); }

std::stop_token Context::stop_token() const { return port_->stop_token(); }
const json::object& Context::meta() const { return port_->meta(); }
const TraceContext& Context::trace() const { return port_->trace(); }
const Implementation& Context::client() const { return port_->client(); }
const Caller& Context::caller() const { return port_->caller(); }
bool Context::has_scope(std::string_view scope) const { return std::ranges::binary_search(caller().scopes, scope); }
void Context::let_poll(std::chrono::milliseconds retry) const { port_->let_poll(retry); }
std::string Context::request_id() const { return port_->request_id(); }
std::optional<json::value> Context::recall(std::string_view key) const { return port_->recall(key); }
void Context::remember(std::string_view key, json::value v) const { port_->remember(key, std::move(v)); }

Error detail::thrown_by_handler(const Context& context) {
    const Error error = current_error();
    try {
        throw;
    } catch (const Exception&) {  // the handler reports a failure on purpose
    } catch (const Unwind&) {
    } catch (const std::exception& e) {
        context.port_->threw(io::type_name(typeid(e)), e.what());
    } catch (...) {
        context.port_->threw("", error.message);
    }
    return error;
}

}  // namespace tenon
