#include "inspect/calls.hpp"

#include <algorithm>

#include "inspect/members.hpp"

namespace tenon::inspect {
namespace {

const json::value* member(const json::value& v, std::string_view name) {
    return v.is_object() ? v.get_object().if_contains(name) : nullptr;
}

json::object error_json(const Error& error) {
    json::object out = {{"code", error.code},
                        {"message", error.message},
                        {"local", code::is_local(error.code)},
                        {"remedy", remedy_of(error)}};
    if (!error.data.is_null()) out["data"] = error.data;
    return out;
}

Error current_failure() {
    try {
        throw;
    } catch (const Exception& e) {
        return e.error();
    } catch (const Refusal& refusal) {
        return {code::internal_error, refusal.message};
    } catch (const std::exception& e) {
        return {code::internal_error, e.what()};
    }
}

}  // namespace

struct Calls::Call {
    std::string id;
    CallPlan plan;
    std::shared_ptr<Link> link;
    json::object tool = {};  // raw definition, for calls of tools
    double begin = 0;        // when it was asked for, and later when it was sent
    std::stop_source stop = {};
    std::string consent = {};  // open request; guarded by Calls::mutex_
    bool sent = false;         // guarded by Calls::mutex_
};

Calls::Calls(Session& session, ConsentDesk& desk, Recorder& recorder, io::WorkerPool& pool)
    : session_(session), desk_(desk), recorder_(recorder), pool_(pool) {}
Calls::~Calls() = default;

Calls::CallPtr Calls::add(CallPlan plan, std::shared_ptr<Link> link) {
    auto call = std::make_shared<Call>();
    call->plan = std::move(plan);
    call->link = std::move(link);
    call->begin = wall_clock();
    const std::lock_guard lock(mutex_);
    if (open_.size() >= max_open)
        throw Refusal{429, "64 calls are open already.", "Wait for one of them, or cancel it."};
    call->id = "c" + std::to_string(next_++);
    open_.emplace(call->id, call);
    return call;
}

// A call of a tool, and the contents of a resource, need consent, however they are requested.
std::optional<ConsentDesk::Request> Calls::needed_consent(Call& call) {
    const CallPlan& plan = call.plan;
    ConsentDesk::Request request;
    request.server = call.link->label;
    request.call = call.id;
    request.by = plan.by;
    if (plan.method == "tools/call") {
        call.tool = call.link->tool(text_of_member(plan.params, "name"));
        request.subject = {Subject::Kind::tool, call.link->identity, definition_of(call.tool)};
        request.definition = call.tool;
        const json::value* arguments = plan.params.if_contains("arguments");
        request.sends = arguments ? *arguments : json::value(json::object());
        return request;
    }
    if (plan.method == "resources/read") {
        const std::string uri = text_of_member(plan.params, "uri");
        request.subject = plain_subject(Subject::Kind::resource, call.link->identity, uri);
        request.sends = json::object{{"uri", uri}};
        return request;
    }
    return std::nullopt;
}

json::object Calls::start(CallPlan plan) {
    const CallPtr call = add(std::move(plan), session_.ready());
    std::optional<ConsentDesk::Request> request;
    try {
        request = needed_consent(*call);
    } catch (...) {
        const std::lock_guard lock(mutex_);
        open_.erase(call->id);
        throw;
    }
    if (!request) {
        run(call);
        return {{"call", call->id}, {"consent", nullptr}};
    }
    const std::string consent = desk_.ask(*std::move(request), [this, call](bool allowed) {
        if (allowed) return run(call);
        finish(call, Error{code::call_cancelled, "You did not allow this, so nothing was sent."});
    });
    {
        const std::lock_guard lock(mutex_);
        if (!call->sent) call->consent = consent;
    }
    return {{"call", call->id}, {"consent", consent.empty() ? json::value() : json::value(consent)}};
}

CallOptions Calls::options_of(const CallPtr& call) {
    CallOptions options;
    options.timeout = call->plan.timeout;
    options.stop = call->stop.get_token();
    options.fresh = true;
    options.on_progress = [this, id = call->id](const Progress& progress) {
        json::object data = {{"call", id}, {"progress", progress.progress}};
        if (progress.total) data["total"] = *progress.total;
        if (!progress.message.empty()) data["message"] = progress.message;
        recorder_.tell("progress", std::move(data));
    };
    return options;
}

void Calls::post(const CallPtr& call, std::function<void()> work) {
    try {
        pool_.post(std::move(work));
    } catch (const std::exception& e) {
        finish(call, Error{code::limit_reached, e.what()});
    }
}

void Calls::run(const CallPtr& call) {
    {
        const std::lock_guard lock(mutex_);
        call->sent = true;
        call->consent.clear();
        call->begin = wall_clock();
    }
    recorder_.tell("call_started", {{"call", call->id}, {"kind", call->plan.kind}, {"name", call->plan.name}});
    if (call->plan.task) return post(call, [this, call] { run_task(call); });
    call->link->client->async_request(call->plan.method, call->plan.params,
                                      make_reply<json::value>([this, call](Result<json::value> result) {
                                          auto shared = std::make_shared<Result<json::value>>(std::move(result));
                                          post(call, [this, call, shared] { finish(call, std::move(*shared)); });
                                      }),
                                      options_of(call));
}

// Returns when the server has made a task of the call, or when the call has ended without becoming one.
void Calls::run_task(const CallPtr& call) {
    try {
        const json::value* arguments = call->plan.params.if_contains("arguments");
        const ClientTask task = call->link->client->start_tool(
            call->plan.name, arguments ? arguments->as_object() : json::object(), options_of(call));
        if (on_task && !task.id().empty()) on_task(*call->link, task, call->plan.name, call->id);
        finish(call, json::value(nullptr), {{"task", task.id()}});
    } catch (...) {
        finish(call, current_failure());
    }
}

json::object Calls::start_work(CallPlan plan,
                               std::function<json::value(Link&, const CallOptions&, json::object& data)> work) {
    const CallPtr call = add(std::move(plan), session_.ready());
    recorder_.tell("call_started", {{"call", call->id}, {"kind", call->plan.kind}, {"name", call->plan.name}});
    post(call, [this, call, work = std::move(work)] {
        json::object data;
        try {
            json::value result = work(*call->link, options_of(call), data);
            finish(call, std::move(result), std::move(data));
        } catch (...) {
            finish(call, current_failure(), std::move(data));
        }
    });
    return {{"call", call->id}, {"consent", nullptr}};
}

void Calls::finish(const CallPtr& call, Result<json::value> result, json::object data) {
    {
        const std::lock_guard lock(mutex_);
        if (open_.erase(call->id) == 0) return;
    }
    data["call"] = call->id;
    data["kind"] = call->plan.kind;
    data["name"] = call->plan.name;
    data["ms"] = wall_clock() - call->begin;
    if (!result) data["error"] = error_json(result.error());
    if (result) {
        const json::value* schema = call->tool.if_contains("outputSchema");
        const json::value* content = member(*result, "structuredContent");
        if (schema && content) data["violations"] = violations_json(*schema, *content, "structuredContent");
    }
    if (call->plan.then) call->plan.then(result ? &*result : nullptr, data);
    data["result"] = result ? *std::move(result) : json::value(nullptr);
    std::string text = json::write(data);
    recorder_.tell("call_done", std::move(data));
    const std::lock_guard lock(mutex_);
    const json::value* arguments = call->plan.params.if_contains("arguments");
    outcomes_.push_back({call->id, std::move(text), arguments ? json::write(*arguments) : "{}"});
    outcome_bytes_ += outcomes_.back().data.size();
    while (outcomes_.size() > max_outcomes || (outcome_bytes_ > max_outcome_bytes && outcomes_.size() > 1)) {
        outcome_bytes_ -= outcomes_.front().data.size();
        outcomes_.pop_front();
    }
}

bool Calls::cancel(const std::string& id) {
    CallPtr call;
    std::string consent;
    {
        const std::lock_guard lock(mutex_);
        const auto found = open_.find(id);
        if (found == open_.end()) return false;
        call = found->second;
        consent = call->consent;
    }
    if (!consent.empty()) desk_.drop(consent);
    call->stop.request_stop();
    return true;
}

void Calls::cancel_all() {
    std::vector<std::string> ids;
    {
        const std::lock_guard lock(mutex_);
        for (const auto& [id, call] : open_) ids.push_back(id);
    }
    for (const std::string& id : ids) cancel(id);
}

const Calls::Outcome& Calls::find_outcome(const std::string& id) const {
    const auto found = std::ranges::find(outcomes_, id, &Outcome::id);
    if (found == outcomes_.end()) throw Refusal{404, "The outcome of this call is not known."};
    return *found;
}

json::object Calls::outcome(const std::string& id) const {
    const std::lock_guard lock(mutex_);
    auto value = json::parse(find_outcome(id).data);
    return value && value->is_object() ? std::move(value->get_object()) : json::object();
}

json::object Calls::arguments_of(const std::string& id) const {
    const std::lock_guard lock(mutex_);
    auto value = json::parse(find_outcome(id).arguments);
    return value && value->is_object() ? std::move(value->get_object()) : json::object();
}

json::array Calls::open() const {
    const std::lock_guard lock(mutex_);
    json::array out;
    for (const auto& [id, call] : open_)
        out.push_back(
            json::object{{"call", id}, {"kind", call->plan.kind}, {"name", call->plan.name}, {"at", call->begin}});
    return out;
}

}  // namespace tenon::inspect
