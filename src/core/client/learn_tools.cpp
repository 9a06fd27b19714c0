// Lists the tools when a call needs their definitions and the host has not listed them. A call needs them for its
// headers, to check its result, or to learn whether it must be a task. All calls that wait share one list. A call never
// fails because the list fails.
#include "core/client/engine.hpp"
#include "json/find.hpp"
#include "protocol/read_task.hpp"

namespace tenon::core {

using protocol::Trait;

namespace {

std::optional<std::string> next_cursor(const Result<json::value>& answer) {
    const json::object* o = answer ? answer->if_object() : nullptr;
    const json::value* next = o ? o->if_contains("nextCursor") : nullptr;
    return next && next->is_string() ? std::optional<std::string>(next->get_string()) : std::nullopt;
}

}  // namespace

bool ClientEngine::needs_tools_to_send(const Pending& p) const {
    const ClientCall& call = p.call;
    if (!settings_->learn_tools || p.knows_tools || listing_ == Listing::done) return false;
    if (call.method != "tools/call" || tools_.knows(call.tool)) return false;
    const bool mirrors = rules_->has(Trait::mirrored_parameters) && settings_->sends_mirrored;
    const bool tasks = call.tasks != ClientCall::Tasks::raw && rules_->has(Trait::task_requests) && may_be_task();
    return mirrors || tasks;
}

// A result with `isError` has no structured content, so it is not checked.
bool ClientEngine::needs_tools_to_check(const Pending& p, const json::object& result) const {
    if (!settings_->learn_tools || p.knows_tools || listing_ == Listing::done) return false;
    if (p.call.tool.empty() || tools_.knows(p.call.tool)) return false;
    const json::value* failed = result.if_contains("isError");
    return settings_->validate_results && rules_->has(Trait::structured_content) &&
           !(failed && *failed == json::value(true));
}

void ClientEngine::wait_for_tools(CallId id, Pending& p, Step step) {
    p.step = step;
    p.knows_tools = true;
    if (p.request) on_wire_.erase(*p.request);
    p.request.reset();
    rearm(id, p, later(now_, p.time));
    if (listing_ == Listing::running) return;
    listing_ = Listing::running;
    listed_pages_ = 0;
    list_until_ = later(now_, limits_.learn_time);
    list_tools({});
}

void ClientEngine::list_tools(json::object params) {
    ClientCall page;
    page.kind = Kind::learn;
    page.params = std::move(params);
    page.fresh = true;
    page.timeout = page.longest = std::max<Duration>(list_until_ - now_, Duration(1));
    admit(std::move(page));
}

void ClientEngine::on_tools_page(const Result<json::value>& answer) {
    if (phase_ != Phase::ready) {
        listing_ = Listing::never;
        return;
    }
    const auto cursor = next_cursor(answer);
    if (cursor && ++listed_pages_ < limits_.max_pages && now_ < list_until_) return list_tools({{"cursor", *cursor}});
    if (!answer)
        note(LogLevel::warning,
             "the tools cannot be listed, so calls go on without their definitions: " + quote(answer.error().message));
    listing_ = Listing::done;
    std::vector<CallId> waiting;
    for (const auto& [id, p] : calls_)
        if (is_listing(p.step)) waiting.push_back(id);
    for (const CallId id : waiting)
        if (calls_.contains(id)) go_on(id, answer.has_value());
}

void ClientEngine::go_on(CallId id, bool listed) {
    const auto it = calls_.find(id);
    Pending& p = it->second;
    const Step step = std::exchange(p.step, Step::response);
    const auto held = std::exchange(p.held, std::nullopt);
    if (step == Step::list_to_check) return conclude(it, **held);
    if (step == Step::list_to_retry && !listed) return finish(it, held->error());
    dispatch(id, p);
}

// The host has listed the tools itself, to the last page.
void ClientEngine::saw_tools(const ClientCall& call, const json::value& result) {
    if (call.kind != Kind::learn && listing_ == Listing::never && !next_cursor(result)) listing_ = Listing::done;
}

// The definitions may have changed. The next call that needs them lists the tools again.
void ClientEngine::forget_tools() {
    if (!settings_->learn_tools || listing_ == Listing::running) return;
    tools_.clear();
    listing_ = Listing::never;
}

}  // namespace tenon::core
