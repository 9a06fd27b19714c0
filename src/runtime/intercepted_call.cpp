// Runs the access rules and the middleware of a request, outside the lock of the session, and then lets the engine
// serve it.
#include "core/server/access.hpp"
#include "core/server/uses.hpp"
#include "runtime/live_call.hpp"
#include "runtime/middleware_chain.hpp"
#include "runtime/session_impl.hpp"

namespace tenon {
namespace {

// Sends the refusal instead of any answer: middleware sees a refused request, but cannot let it through.
Reply<core::HandlerResult> only_refusing(Reply<core::HandlerResult> reply, const Error& refusal) {
    return make_reply<core::HandlerResult>(
        [refusal, reply = std::move(reply)](auto) mutable { std::move(reply).send(refusal); });
}

}  // namespace

void Session::Impl::intercept(core::Intercept intercepted) {
    const core::NewCall call = std::move(intercepted.call);
    const auto live = std::make_shared<LiveCall>(shared_from_this(), call);
    core::Job job = [live, call, refusal = std::move(intercepted.refusal)](Context& context,
                                                                           Reply<core::HandlerResult> reply) {
        Session::Impl& session = live->session();
        const auto features = session.server_->settings()->features();
        const auto refused =
            refusal ? refusal : core::access_error(call->access, call->method, call->params, *features);
        auto hidden = core::hidden_uris(call->access, call->method, call->params, *features);
        if (refused) reply = only_refusing(std::move(reply), *refused);
        core::Job last = [live, call, refused, hidden = std::move(hidden)](Context&, Reply<core::HandlerResult> to) {
            if (refused) return std::move(to).send(*refused);
            live->session().proceed(live, call, std::move(to), hidden);
        };
        const Middlewares middlewares = session.server_->middlewares();
        if (!middlewares) return last(context, std::move(reply));
        const auto failed = [live, is_refused = refused.has_value()] {
            if (is_refused) return;  // the refusal is the answer
            live->session().with_engine(
                [&](core::ServerEngine&) { core::ServerEngine::middleware_threw(live->call()); });
        };
        pass(middlewares, context, call, std::move(last), std::move(reply), failed);
    };
    start(live, core::Run{call, intercepted.placement, std::move(job)});
}

void Session::Impl::proceed(const std::shared_ptr<LiveCall>& live, const core::NewCall& call,
                            Reply<core::HandlerResult> reply, std::set<std::string> hidden) {
    ActionList rest;
    const TimePoint when = now();
    bool output = false;
    try {
        output = locked(
            [&](core::ServerEngine& engine) { engine.proceed(call, std::move(reply), std::move(hidden), when); }, rest);
    } catch (...) {
        return answer_lost(call);  // the call has the reply now
    }
    perform(rest, live);
    if (output) wake();
}

void Session::Impl::check_update(const core::CheckUpdate& update) {
    const auto features = server_->settings()->features();
    const auto use = core::use_of_resource(*features, update.uri);
    if (!update.access.allows(use ? *use : core::Use{core::UseKind::resource, update.uri})) return;
    with_engine([&](core::ServerEngine& engine) { engine.tell_updated(update.uri, update.listener); });
}

void Session::Impl::check_list_change(const core::CheckListChange& check) {
    if (!check.access.allows(check.change.use())) return;
    with_engine([&](core::ServerEngine& engine) { engine.tell_list_changed(check.change.kind, check.listener); });
}

}  // namespace tenon
