#include "inspect/apps.hpp"

#include <algorithm>

#include "base/base64.hpp"
#include "inspect/members.hpp"
#include "io/random.hpp"
#include "jsonrpc/codec.hpp"

namespace tenon::inspect {
namespace {

constexpr std::string_view apps_protocol = "2026-01-26";  // the revision of the extension
constexpr std::size_t path_bytes = 24;                    // of random, in the address of a page

json::value parsed(const jsonrpc::Encoded& message) { return json::parse(message.json).value(); }

jsonrpc::Encoded encoded(const json::value& v) { return {json::write(v)}; }

std::optional<jsonrpc::Id> id_of(const json::value& id) { return jsonrpc::Id::from(id); }

json::value reply_to(const json::value& id, const json::value& result) {
    const auto known = id_of(id);
    return known ? parsed(jsonrpc::encode_result(*known, encoded(result))) : json::value(nullptr);
}

json::value error_to(const json::value& id, int number, std::string text) {
    return parsed(jsonrpc::encode_error(id_of(id), Error{number, std::move(text)}));
}

json::object initialized(const AppPage& page) {
    return {{"protocolVersion", apps_protocol},
            {"hostInfo", json::object{{"name", "tenon inspect"}, {"version", "1"}}},
            {"hostCapabilities",
             json::object{
                 {"serverTools", json::object()}, {"serverResources", json::object()}, {"openLinks", json::object()}}},
            {"hostContext", json::object{{"displayMode", "inline"}, {"permissions", page.permissions}}}};
}

// A tool that is only for the model must not be called by a page.
bool is_for_apps(const json::object& tool) {
    const json::object* meta = json::find_object(tool, "_meta");
    const json::object* ui = meta ? json::find_object(*meta, "ui") : nullptr;
    const json::value* visible = ui ? ui->if_contains("visibility") : nullptr;
    if (!visible || !visible->is_array()) return true;
    return std::ranges::find(visible->get_array(), json::value("app")) != visible->get_array().end();
}

web::Response plain_answer(int status, std::string text) {
    return {status,
            {{"X-Content-Type-Options", "nosniff"}, {"Content-Security-Policy", "default-src 'none'; sandbox"}},
            "text/plain; charset=utf-8",
            std::move(text) + "\n"};
}

}  // namespace

Apps::Apps(std::string host, std::uint16_t port, Session& session, Calls& calls, ConsentDesk& desk, Recorder& recorder)
    : host_(std::move(host)), port_(port), session_(session), calls_(calls), desk_(desk), recorder_(recorder) {}

json::object Apps::open(const std::string& uri, const std::string& call) {
    if (!uri.starts_with("ui://")) throw Refusal{400, "An app is a resource whose URI begins with ui://."};
    CallPlan plan;
    plan.kind = "app";
    plan.name = uri;
    plan.method = "resources/read";
    plan.params = {{"uri", uri}};
    plan.then = [this, uri, call](const json::value* result, json::object& data) {
        if (!result) return;
        auto page = read_app(*result, host_);
        if (!page) {
            data["error"] = json::object{{"code", page.error().code},
                                         {"message", page.error().message},
                                         {"local", true},
                                         {"remedy", "Read it as a resource."}};
            return;
        }
        data["app"] = add(*std::move(page), uri, call);
    };
    return calls_.start(std::move(plan));
}

json::object Apps::add(AppPage page, const std::string& uri, const std::string& call) {
    const auto random = io::random_bytes<path_bytes>();
    App app;
    app.uri = uri;
    app.path = "/" + base::base64url_encode({reinterpret_cast<const char*>(random.data()), random.size()}) + "/";
    app.page = std::move(page);
    if (!call.empty()) {
        try {
            const json::object outcome = calls_.outcome(call);
            if (outcome.at("result").is_object()) app.result = outcome.at("result").get_object();
            app.input = calls_.arguments_of(call);
        } catch (const Refusal&) {  // the call is forgotten: the app starts without it
        }
    }
    const std::lock_guard lock(mutex_);
    while (apps_.size() >= max_apps) apps_.erase(apps_.begin());
    const std::string id = "a" + std::to_string(next_++);
    json::object out = {
        {"app", id}, {"url", origin() + app.path}, {"permissions", app.page.permissions}, {"csp", app.page.csp}};
    if (app.page.prefers_border) out["prefers_border"] = *app.page.prefers_border;
    apps_.insert_or_assign(id, std::move(app));
    return out;
}

void Apps::close(const std::string& app) {
    const std::lock_guard lock(mutex_);
    apps_.erase(app);
}

void Apps::post(const std::string& app, const std::string& message, json::object more) {
    more["app"] = app;
    more["message"] = message.empty() ? json::value(nullptr) : json::parse(message).value();
    recorder_.tell("app_message", std::move(more));
}

void Apps::send_input(const std::string& app) {
    std::optional<json::object> input, result;
    {
        const std::lock_guard lock(mutex_);
        const auto found = apps_.find(app);
        if (found == apps_.end()) return;
        input = found->second.input;
        result = found->second.result;
    }
    if (!input && !result) return;
    const json::object arguments = {{"arguments", input.value_or(json::object())}};
    post(app, jsonrpc::encode_notification("ui/notifications/tool-input", encoded(arguments)).json);
    if (result) post(app, jsonrpc::encode_notification("ui/notifications/tool-result", encoded(*result)).json);
}

// Sends a request of the app to the server. The response comes as an event.
json::object Apps::call_for(const std::string& app, const json::value& id, std::string method, json::object params) {
    CallPlan plan;
    plan.kind = "app";
    plan.name = method == "tools/call" ? text_of_member(params, "name") : method;
    plan.method = std::move(method);
    plan.params = std::move(params);
    plan.by = "app";
    plan.then = [this, app, id](const json::value* result, json::object& data) {
        const json::object* error = json::find_object(data, "error");
        post(app, json::write(result ? reply_to(id, *result)
                                     : error_to(id, code::internal_error,
                                                error ? text_of_member(*error, "message") : "The call failed.")));
    };
    json::object out = calls_.start(std::move(plan));
    out["reply"] = nullptr;
    return out;
}

// Asks the user whether the app may show a link, or say something.
json::object Apps::ask_for(const std::string& app, const json::value& id, const std::string& method,
                           const json::object& params) {
    const auto link = session_.ready();
    const std::string url = method == "ui/open-link" ? text_of_member(params, "url") : std::string();
    if (!url.empty() && !url.starts_with("https://") && !url.starts_with("http://"))
        return {{"reply", error_to(id, code::invalid_params, "only http and https links are allowed")}};
    ConsentDesk::Request request;
    request.subject = plain_subject(Subject::Kind::app, link->identity, url.empty() ? method : "link " + url);
    request.server = link->label;
    request.sends = params;
    request.by = "app";
    const std::string consent = desk_.ask(std::move(request), [this, app, id, url](bool allowed) {
        if (!allowed) return post(app, json::write(error_to(id, code::invalid_request, "the user did not allow it")));
        post(app, json::write(reply_to(id, json::object())),
             url.empty() ? json::object() : json::object{{"open", url}});
    });
    return {{"reply", nullptr}, {"consent", consent.empty() ? json::value() : json::value(consent)}};
}

json::object Apps::message(const std::string& app, const json::object& message) {
    AppPage page;
    {
        const std::lock_guard lock(mutex_);
        const auto found = apps_.find(app);
        if (found == apps_.end()) throw Refusal{404, "This app is closed.", "Open it again."};
        page.permissions = found->second.page.permissions;
    }
    const std::string method = text_of_member(message, "method");
    const json::value* found = message.if_contains("id");
    const json::value id = found ? *found : json::value(nullptr);
    const json::object* params = json::find_object(message, "params");
    const json::object own = params ? *params : json::object();
    if (method == "ui/notifications/initialized") send_input(app);
    if (id.is_null()) return {{"reply", nullptr}};  // a notification
    if (method == "ui/initialize") return {{"reply", reply_to(id, initialized(page))}};
    if (method == "ping") return {{"reply", reply_to(id, json::object())}};
    if (method == "tools/call" && !is_for_apps(session_.ready()->tool(text_of_member(own, "name"))))
        return {{"reply", error_to(id, code::invalid_params, "this tool is not for apps")}};
    if (method == "tools/call" || method == "resources/read" || method == "resources/list" || method == "tools/list")
        return call_for(app, id, method, own);
    if (method == "ui/open-link" || method == "ui/message") return ask_for(app, id, method, own);
    return {{"reply", error_to(id, code::method_not_found, "this host does not have " + method)}};
}

std::optional<web::Response> Apps::refuse(const framing::HttpRequest& head) {
    const std::string port = ":" + std::to_string(port_);
    if (head.host != "127.0.0.1" + port && head.host != "localhost" + port)
        return plain_answer(403, "The Host of this request is not this inspector.");
    if (head.method != "GET") return plain_answer(405, "Only GET is allowed here.");
    const auto place = head.fields.only("sec-fetch-dest");
    if (place && *place != "iframe") return plain_answer(403, "Apps are shown inside of the inspector only.");
    return std::nullopt;
}

void Apps::answer(const framing::HttpRequest& head, std::string, std::shared_ptr<SiteReply> reply) {
    const std::lock_guard lock(mutex_);
    const auto found = std::ranges::find_if(apps_, [&](const auto& entry) { return entry.second.path == head.path; });
    if (found == apps_.end()) return reply->respond(plain_answer(404, "There is no such app."));
    const AppPage& page = found->second.page;
    reply->respond({200,
                    {{"Content-Security-Policy", page.csp},
                     {"X-Content-Type-Options", "nosniff"},
                     {"Referrer-Policy", "no-referrer"},
                     {"Cache-Control", "no-store"},
                     {"Permissions-Policy", "camera=(), microphone=(), geolocation=(), clipboard-write=()"}},
                    "text/html; charset=utf-8",
                    page.html});
}

}  // namespace tenon::inspect
