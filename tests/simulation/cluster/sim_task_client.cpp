#include "simulation/cluster/sim_task_client.hpp"

#include "support/http_world.hpp"

namespace tenon::test {

using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

json::object meta() {
    return modern_meta({{"extensions", json::object{{"io.modelcontextprotocol/tasks", json::object()}}},
                        {"elicitation", json::object()}});
}

// Returns the member `result` of a response, or null.
const json::object* result_of(const Result<json::value>& message) {
    const json::object* o = message ? message->if_object() : nullptr;
    const json::value* result = o ? o->if_contains("result") : nullptr;
    return result ? result->if_object() : nullptr;
}

}  // namespace

SimTaskClient::SimTaskClient(ClientWorld& world, std::size_t number)
    : world_(world),
      store_(world.store()),
      name_("t" + std::to_string(number)),
      principal_("owner" + std::to_string(number)) {}

void SimTaskClient::later(Duration most, std::function<void()> work) {
    const auto wait = std::chrono::duration_cast<milliseconds>(most).count();
    store_.agenda.after(milliseconds(1 + store_.dice.below(static_cast<std::size_t>(wait))), std::move(work));
}

void SimTaskClient::post(const json::object& message, const std::string& who, Taken taken, std::function<void()> lost) {
    const json::object& params = message.at("params").as_object();
    const json::value* name = params.if_contains("name");
    if (!name) name = params.if_contains("taskId");
    std::string fields = "MCP-Protocol-Version: 2026-07-28\r\nAuthorization: " + who +
                         "\r\nMcp-Method: " + std::string(message.at("method").as_string()) + "\r\n";
    if (name) fields += "Mcp-Name: " + std::string(name->as_string()) + "\r\n";
    SimNode* const node = world_.next_node();
    if (!node) return later(milliseconds(20), std::move(lost));
    // After a long wait, the response is the only event of a stream with comments before it.
    const auto reader = std::make_shared<framing::SseReader>(1024 * 1024);
    auto read = [taken, reader](std::string_view bytes) {
        reader->feed(bytes, [&](const framing::SseReader::Event& event) {
            web::Response response{200};
            response.body = event.data;
            taken(response);
        });
    };
    Exchange::Client to{.on_response = taken, .on_bytes = std::move(read), .on_lost = std::move(lost)};
    std::make_shared<Exchange>(store_, "POST", fields, json::write(message), std::move(to))->send(*node);
}

json::object SimTaskClient::about(const Task& task, std::string_view method, json::object params) {
    params["taskId"] = task.id;
    params["_meta"] = meta();
    return request(++requests_, method, std::move(params));
}

SimTaskClient::TaskPtr SimTaskClient::pick(std::size_t choice) const {
    std::vector<TaskPtr> known;
    for (const TaskPtr& task : tasks_)
        if (!task->id.empty()) known.push_back(task);
    return known.empty() ? nullptr : known[choice % known.size()];
}

// ---- a call

void SimTaskClient::call(std::size_t) {
    const std::string token = name_ + "-" + std::to_string(++requests_);
    ++open_calls_;
    auto taken = [this, token](const web::Response& response) {
        --open_calls_;
        const auto message = json::parse(response.body);
        const json::object* result = result_of(message);
        const std::string* node = store_.oracle.node_of(token);
        store_.oracle.require(result && node && text_of_result(*result) == token + "@" + *node,
                              "the call " + token + " needs no store, but got " + response.body);
    };
    post(tool_request(requests_, "quick", {{"token", token}, {"count", 0}}, meta()), principal_, std::move(taken),
         [this] { --open_calls_; });
}

// ---- tasks

void SimTaskClient::start(std::size_t choice) {
    const auto task = std::make_shared<Task>();
    task->token = name_ + "-" + std::to_string(++requests_);
    task->asks = choice % 3 == 0;
    tasks_.push_back(task);
    note("starts the task " + task->token);
    const auto count = static_cast<int>(choice / 3 % 6);
    post(
        tool_request(requests_, task->asks ? "asks" : "work", {{"token", task->token}, {"count", count}}, meta()),
        principal_, [this, task](const web::Response& response) { created(task, response); },
        [task] { task->creating = false; });  // its id is lost: it will expire
}

void SimTaskClient::created(const TaskPtr& task, const web::Response& response) {
    task->creating = false;
    if (response.status == 503) return;
    const auto message = json::parse(response.body);
    const json::object* result = result_of(message);
    const json::value* id = result ? result->if_contains("taskId") : nullptr;
    if (!store_.oracle.require(id && id->is_string(), "the task " + task->token + " got " + response.body)) return;
    task->id = std::string(id->get_string());
    const auto stored = store_.oracle.tasks().find(task->id);
    if (store_.oracle.require(stored != store_.oracle.tasks().end(), "a client got a task that the store has not"))
        store_.oracle.require(stored->second.owner == principal_, "a task has another owner");
    poll_later(task);
}

void SimTaskClient::poll_later(const TaskPtr& task) {
    later(seconds(3), [this, task] { poll(task); });
}

void SimTaskClient::poll(const TaskPtr& task) {
    const auto known = task->end;
    auto taken = [this, task, known](const web::Response& response) {
        if (response.status == 503) return poll_later(task);
        const auto message = json::parse(response.body);
        const json::object* state = result_of(message);
        if (!store_.oracle.require(state != nullptr, "the task " + task->token + " is not shown: " + response.body))
            return;
        saw(task, *state, known);
        // Sometimes it is polled after its end: nothing may change any more.
        if (!task->end || store_.dice.one_in(2)) poll_later(task);
    };
    post(about(*task, "tasks/get"), principal_, std::move(taken), [this, task] { poll_later(task); });
}

// `known`: the last state that the client knew when it sent the request.
void SimTaskClient::saw(const TaskPtr& task, const json::object& state, const std::optional<std::string>& known) {
    ClusterOracle& oracle = store_.oracle;
    const std::string status(state.at("status").as_string());
    const std::string what = "the task " + task->token;
    oracle.require(!known || *known == status, what + " was " + known.value_or("") + ", and is now " + status);
    if (status == "input_required") return answer(task, state.at("inputRequests").as_object());
    if (status == "working") return;
    if (!task->end) note(task->token + " is " + status);
    const json::value* result = state.if_contains("result");
    const std::string text = result ? text_of_result(*result) : "";
    if (known) oracle.require(task->result == text, "the result of " + task->token + " changed");
    task->end = status;
    task->result = text;
    if (status == "cancelled") return static_cast<void>(oracle.require(task->cancelled, what + " was not cancelled"));
    if (status == "failed") return static_cast<void>(oracle.require(oracle.faulty(), what + " failed without a fault"));
    const std::string* node = oracle.node_of(task->token);
    if (!oracle.require(status == "completed" && node, what + " is " + status)) return;
    const std::string expected = task->token + "@" + *node;
    oracle.require(task->asks
                       ? text.starts_with(expected + "+") && task->answers.contains(text.substr(expected.size() + 1))
                       : text == expected,
                   "the result of " + task->token + " is " + text);
}

void SimTaskClient::answer(const TaskPtr& task, const json::object& questions) {
    json::object answers;
    for (const auto& [key, question] : questions) {
        const std::string name = task->token + "=" + std::to_string(task->answers.size());
        task->answers.insert(name);
        answers[key] = json::object{{"action", "accept"}, {"content", json::object{{"name", name}}}};
    }
    auto taken = [this, task](const web::Response& response) {
        store_.oracle.require(response.status == 200 || response.status == 503,
                              "an answer for " + task->token + " got " + response.body);
    };
    post(about(*task, "tasks/update", {{"inputResponses", std::move(answers)}}), principal_, std::move(taken), [] {});
}

void SimTaskClient::cancel(std::size_t choice) {
    const TaskPtr task = pick(choice);
    if (!task) return;
    task->cancelled = true;
    note("cancels the task " + task->token);
    auto taken = [this, task](const web::Response& response) {
        if (response.status == 503) return;
        const auto stored = store_.oracle.tasks().find(task->id);
        store_.oracle.require(stored == store_.oracle.tasks().end() || is_terminal(stored->second.status),
                              "the task " + task->token + " was cancelled, but goes on");
    };
    post(about(*task, "tasks/cancel"), principal_, std::move(taken), [] {});
}

void SimTaskClient::list() {
    auto taken = [this](const web::Response& response) {
        const auto message = json::parse(response.body);
        const json::object* result = result_of(message);
        const json::value* tasks = result ? result->if_contains("tasks") : nullptr;
        if (!tasks) return;
        for (const json::value& task : tasks->as_array()) {
            const auto stored = store_.oracle.tasks().find(std::string(task.at("taskId").as_string()));
            store_.oracle.require(stored == store_.oracle.tasks().end() || stored->second.owner == principal_,
                                  "a list shows the task of another owner");
        }
    };
    post(request(++requests_, "tasks/list", {{"_meta", meta()}}), principal_, std::move(taken), [] {});
}

void SimTaskClient::be_attacked(std::size_t choice) {
    const TaskPtr task = pick(choice / 3);
    if (!task) return;
    static constexpr std::string_view methods[] = {"tasks/get", "tasks/cancel", "tasks/update"};
    const std::string method(methods[choice % 3]);
    json::object more;
    if (method == "tasks/update") more["inputResponses"] = json::object{{"who", json::object{{"action", "decline"}}}};
    auto taken = [this, method](const web::Response& response) {
        const auto message = json::parse(response.body);
        store_.oracle.require(response.status == 503 || (message && !result_of(message)),
                              "a stranger used " + method + ": " + response.body);
    };
    post(about(*task, method, std::move(more)), "mallory", std::move(taken), [] {});
}

bool SimTaskClient::settled(std::string& why) const {
    for (const TaskPtr& task : tasks_)
        if (!task->over()) return why = "the task " + task->token + " does not end", false;
    if (open_calls_ > 0) why = "a call of " + name_ + " has no answer";
    return open_calls_ == 0;
}

}  // namespace tenon::test
