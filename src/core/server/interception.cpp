// Requests that pass through middleware and access rules before they are served. Both are user code, so they run
// outside the engine: it emits an Intercept action, and proceed() continues.
#include "core/server/engine.hpp"
#include "core/server/named.hpp"

namespace tenon::core {
namespace {

template <class Entry>
Placement placement_in(const Table<Entry>& table, std::string_view key) {
    const auto entry = table.find(key);
    return entry ? entry->placement : Placement::worker;
}

// Middleware runs where the handler will run. Lists and completions have a worker, because access rules run for each
// entry. The other methods change the session, so they are served in order, on the thread that reads.
Placement placement_of(const Call& call, const Features& features) {
    if (call.extension_method) return call.extension_method->placement;
    if (!call.row) return Placement::inline_;
    switch (call.row->uses) {
        case protocol::Uses::tool: return placement_in(features.tools, call.name);
        case protocol::Uses::prompt: return placement_in(features.prompts, call.name);
        case protocol::Uses::reference: return Placement::worker;
        case protocol::Uses::resource:
            return call.row->asks ? placement_in(features.resources, call.name) : Placement::inline_;
        default: return call.row->cacheable ? Placement::worker : Placement::inline_;
    }
}

}  // namespace

void set_name(Call& call, std::string_view name) {
    if (call.name != name) call.name = name;  // middleware may hold a view of the same name
}

void ServerEngine::intercept(const NewCall& call, std::optional<Error> refusal) {
    if (auto ok = may_run(*call); !ok) return answer(call, ok.error());
    set_name(*call, named(*call));
    call->access.rules = settings_->access_rules();
    keep_running(call, limits_.handler_time);
    actions_.push_back(Intercept{call, placement_of(*call, features()), std::move(refusal)});
}

void ServerEngine::proceed(const NewCall& call, Reply<HandlerResult> reply, std::set<std::string> hidden,
                           TimePoint now) {
    if (!call->state_.open) {
        actions_.push_back(Conclude{std::move(reply), Error{code::server_error, "the request is over"}});
        return;
    }
    now_ = now;
    call->state_.reply = std::move(reply);
    if (!hidden.empty()) call->state_.rare().hidden = std::move(hidden);
    dispatch(call);
    features_.reset();
}

// Tells the middleware that its request was accepted. For a request that stays open without a result.
void ServerEngine::accepted(const NewCall& call) {
    if (!call->state_.reply) return;
    call->state_.ignore_answer = true;
    actions_.push_back(Conclude{std::move(call->state_.reply), HandlerResult{Encoded{"{}"}}});
}

}  // namespace tenon::core
