// Identifies the caller of a request, and decides whether the caller may use the features that the request names.
#include <algorithm>

#include "runtime/server_impl.hpp"
#include "transport/http_server/endpoint.hpp"
#include "web/response.hpp"

namespace tenon {

using framing::HttpRequest;
using web::refusal;
using web::RequestPurpose;
using web::Response;

namespace {

std::string field(const HttpRequest& head, std::string_view name) {
    return std::string(head.fields.only(name).value_or(""));
}

SharedTrace trace_of(const HttpRequest& head) {
    if (head.fields.count("traceparent") == 0) return {};
    return TraceContext{field(head, "traceparent"), field(head, "tracestate"), field(head, "baggage")}.valid();
}

}  // namespace

std::optional<HttpEndpoint::Admission> HttpEndpoint::admit(const HttpRequest& head, const std::function<void()>& retry,
                                                           const HttpPeerPtr& last, const std::string& network) {
    const auto entry = web::enter(head, options_.entry);
    if (const auto* answer = std::get_if<Response>(&entry)) return *answer;
    if (shut_down_.load()) return refusal(503, why_refused_at_the_end);
    Admitted entered{std::get<RequestPurpose>(entry)};
    auto admission = options_.cluster && needs_loading(head)
                         ? load_and_identify(head, std::move(entered), retry, network)
                         : identify(head, std::move(entered), retry, network);
    if (!admission) return std::nullopt;
    if (auto* admitted = std::get_if<Admitted>(&*admission)) {
        admitted->peer = peers_.of(admitted->principal, last);
        admitted->who = who(*admitted, head, network);
        admitted->trace = trace_of(head);
    }
    return admission;
}

// A caller without a valid token must not cause reads of the store. But a proof of possession can be used only once,
// and a request that waits for its session is admitted again: so the proof is checked last.
std::optional<HttpEndpoint::Admission> HttpEndpoint::load_and_identify(const HttpRequest& head, Admitted admitted,
                                                                       const std::function<void()>& retry,
                                                                       const std::string& network) {
    if (options_.admission) {
        auto verdict = options_.admission->verify(head, retry, network);
        if (!verdict) return std::nullopt;
        if (auto* refused = std::get_if<Response>(&*verdict)) return std::move(*refused);
    } else if (options_.authenticate) {
        auto identified = identify_by_callback(head, std::move(admitted));
        if (std::holds_alternative<Response>(identified)) return identified;
        admitted = std::get<Admitted>(std::move(identified));
    }
    auto loaded = load_session(head, retry, network);
    if (!loaded) return std::nullopt;
    admitted.loaded = *std::move(loaded);
    return options_.admission ? identify(head, std::move(admitted), retry, network)
                              : std::optional<Admission>(admitted);
}

// Requests of a peer with the same token share one Caller, so its scopes and claims are not copied for each request.
std::shared_ptr<const Caller> HttpEndpoint::who(const Admitted& admitted, const HttpRequest& head,
                                                const std::string& network) const {
    static const auth::ScopeSet no_scopes;
    const auth::ScopeSet& scopes = admitted.caller ? admitted.caller->scopes : no_scopes;
    const auto claims = admitted.caller ? admitted.caller->claims : nullptr;
    const std::string session(head.fields.only("mcp-session-id").value_or(""));
    std::map<std::string, std::string, std::less<>> headers;
    for (const std::string& name : options_.caller_headers)
        if (const auto value = head.fields.only(std::string_view(name))) headers.emplace(name, *value);

    const auto last = admitted.peer->last_caller.find(claims, [&](const Caller& c) {
        return c.principal == admitted.principal && c.address == network && c.session_id == session &&
               c.headers == headers && std::ranges::equal(c.scopes, scopes);
    });
    if (last) return last;
    Caller made{.principal = admitted.principal,
                .scopes = {scopes.begin(), scopes.end()},
                .headers = std::move(headers),
                .session_id = session,
                .address = network};
    if (claims) made.claims = *claims;
    const auto out = std::make_shared<const Caller>(std::move(made));
    admitted.peer->last_caller.keep(out, claims);
    return out;
}

std::optional<HttpEndpoint::Admission> HttpEndpoint::identify(const HttpRequest& head, Admitted admitted,
                                                              const std::function<void()>& retry,
                                                              const std::string& network) const {
    if (options_.authenticate) return identify_by_callback(head, std::move(admitted));
    if (!options_.admission) return admitted;
    auto outcome = options_.admission->admit(head, retry, network);
    if (!outcome) return std::nullopt;
    if (auto* refused = std::get_if<Response>(&*outcome)) return std::move(*refused);
    admitted.caller = std::get<auth::CallerPtr>(std::move(*outcome));
    admitted.principal = admitted.caller->principal;
    if (!admitted.caller->nonce.empty()) admitted.fields.emplace_back("DPoP-Nonce", admitted.caller->nonce);
    return admitted;
}

HttpEndpoint::Admission HttpEndpoint::identify_by_callback(const HttpRequest& head, Admitted admitted) const {
    web::Fields fields = web::cors_fields(head);
    try {
        auto principal = options_.authenticate(head.fields.only("authorization").value_or(""));
        if (principal) {
            admitted.principal = *std::move(principal);
            return admitted;
        }
    } catch (...) {
        server_->note(LogLevel::error, "HttpOptions::authenticate threw: " + detail::current_error().message);
        return refusal(500, "this server cannot authenticate you at the moment", std::move(fields));
    }
    fields.emplace_back("WWW-Authenticate", "Bearer");
    return refusal(401, "authentication is required: send an Authorization header", std::move(fields));
}

core::MayUse HttpEndpoint::may_use(const Admitted& admitted) const {
    return admitted.caller ? options_.admission->gate().may_use(admitted.caller) : core::MayUse();
}

std::optional<Response> HttpEndpoint::refuse_uses(const Admitted& admitted, const jsonrpc::Incoming& in) const {
    if (!admitted.caller) return std::nullopt;
    const auto features = server_->settings()->features();
    std::vector<core::Use> uses;
    for (const jsonrpc::Message& message : in.messages)
        if (const auto* request = std::get_if<jsonrpc::Request>(&message))
            std::ranges::copy(core::uses_of(request->method, request->params, *features), std::back_inserter(uses));
    return options_.admission->gate().refuse_uses(*admitted.caller, uses);
}

}  // namespace tenon
