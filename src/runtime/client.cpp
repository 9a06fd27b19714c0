// The public functions of Client: encode parameters, and read typed results.
#include <tenon/client.hpp>

#include "protocol/read_server.hpp"
#include "protocol/write_task.hpp"
#include "runtime/client_async.hpp"

namespace tenon {
namespace {

using TaskMode = core::ClientCall::Tasks;
using Kind = core::ClientCall::Kind;

core::ClientCall request_of(std::string method, json::object params = {}) {
    core::ClientCall call;
    call.method = std::move(method);
    call.params = std::move(params);
    return call;
}

core::ClientCall call_of(Kind kind, json::object params = {}) {
    core::ClientCall call;
    call.kind = kind;
    call.params = std::move(params);
    return call;
}

template <class T>
using Read = Result<T> (*)(const json::value&);

template <class T>
T blocking(Client::Impl& impl, core::ClientCall call, const CallOptions& options, Read<T> read) {
    auto answer = impl.wait(std::move(call), options);
    if (!answer) throw Exception(answer.error());
    auto value = read(*answer);
    if (!value) throw Exception(value.error());
    return *std::move(value);
}

void blocking(Client::Impl& impl, core::ClientCall call, const CallOptions& options) {
    if (auto answer = impl.wait(std::move(call), options); !answer) throw Exception(answer.error());
}

core::ClientCall level_call(LogLevel level) { return call_of(Kind::set_level, {{"level", to_string(level)}}); }
core::ClientCall uri_call(Kind kind, std::string uri) { return call_of(kind, {{"uri", std::move(uri)}}); }

json::object cursor_params(const std::optional<std::string>& cursor) {
    return cursor ? json::object{{"cursor", *cursor}} : json::object();
}

json::object tool_params(std::string name, json::object arguments) {
    return {{"name", std::move(name)}, {"arguments", std::move(arguments)}};
}

core::ClientCall tool_call(std::string name, json::object arguments, TaskMode tasks) {
    core::ClientCall call = request_of("tools/call", tool_params(std::move(name), std::move(arguments)));
    call.tasks = tasks;
    return call;
}

// See Client::request(): the user may handle tasks by hand.
core::ClientCall raw_call(std::string method, json::object params, const ClientOptions& options) {
    const bool by_hand = params.contains("task") || options.extensions.contains(protocol::tasks_extension);
    core::ClientCall call = request_of(std::move(method), std::move(params));
    if (!by_hand && options.tasks) call.tasks = TaskMode::follow;
    return call;
}

json::object prompt_params(std::string name, const PromptArguments& arguments) {
    json::object values;
    for (const auto& [key, value] : arguments) values.emplace(key, value);
    json::object params{{"name", std::move(name)}};
    if (!values.empty()) params.emplace("arguments", std::move(values));
    return params;
}

json::object completion_params(const CompletionTarget& target, const CompletionRequest& request) {
    json::object ref{{"type", target.type}};
    ref.emplace(target.type == "ref/prompt" ? "name" : "uri", target.name);
    json::object params{{"ref", std::move(ref)},
                        {"argument", json::object{{"name", request.argument}, {"value", request.value}}}};
    json::object chosen;
    for (const auto& [key, value] : request.context) chosen.emplace(key, value);
    if (!chosen.empty()) params.emplace("context", json::object{{"arguments", std::move(chosen)}});
    return params;
}

Result<json::value> as_it_is(const json::value& v) { return v; }

}  // namespace

Client::Client(std::shared_ptr<ClientTransport> transport, ClientOptions options)
    : impl_(std::make_shared<Impl>(std::move(transport), std::move(options))) {
    impl_->start();
}
Client::~Client() {
    if (impl_) close();
}
Client::Client(Client&&) noexcept = default;
Client& Client::operator=(Client&& other) noexcept {
    if (this != &other) {
        if (impl_) close();
        impl_ = std::move(other.impl_);
    }
    return *this;
}

void Client::close() { close(impl_->limits().close_time); }
void Client::close(Duration time) {
    const auto impl = impl_;
    impl->close(later(Clock::now(), time));
}

Era Client::era() const {
    return impl_->look([](const core::ClientEngine& engine) { return engine.era(); });
}

ServerInfo Client::connect(const CallOptions& options) {
    blocking(*impl_, call_of(Kind::connect), options);
    return impl_->look([](const core::ClientEngine& engine) { return *engine.server(); });
}

void Client::async_connect(Reply<ServerInfo> reply, CallOptions options) {
    const auto read = [weak = std::weak_ptr<Impl>(impl_)](const json::value&) -> Result<ServerInfo> {
        const auto impl = weak.lock();
        if (!impl) return Error{code::connection_closed, "the client was closed"};
        return impl->look([](const core::ClientEngine& engine) { return *engine.server(); });
    };
    send_async(
        *impl_, [] { return call_of(Kind::connect); }, std::move(options), read, std::move(reply));
}

ToolResult Client::call_tool(std::string name, json::object arguments, const CallOptions& options) {
    return blocking<ToolResult>(*impl_, tool_call(std::move(name), std::move(arguments), impl_->call_tasks()), options,
                                protocol::read_tool_result);
}
ReadResult Client::read_resource(std::string uri, const CallOptions& options) {
    return blocking<ReadResult>(*impl_, request_of("resources/read", {{"uri", std::move(uri)}}), options,
                                protocol::read_read_result);
}
PromptResult Client::get_prompt(std::string name, PromptArguments arguments, const CallOptions& options) {
    return blocking<PromptResult>(*impl_, request_of("prompts/get", prompt_params(std::move(name), arguments)), options,
                                  protocol::read_prompt_result);
}
Completion Client::complete(CompletionTarget target, CompletionRequest request, const CallOptions& options) {
    return blocking<Completion>(*impl_, request_of("completion/complete", completion_params(target, request)), options,
                                protocol::read_completion);
}
void Client::set_log_level(LogLevel level, const CallOptions& options) { blocking(*impl_, level_call(level), options); }
void Client::subscribe(std::string uri, const CallOptions& options) {
    blocking(*impl_, uri_call(Kind::subscribe, std::move(uri)), options);
}
void Client::unsubscribe(std::string uri, const CallOptions& options) {
    blocking(*impl_, uri_call(Kind::unsubscribe, std::move(uri)), options);
}
void Client::ping(const CallOptions& options) { blocking(*impl_, call_of(Kind::ping), options); }
json::value Client::request(std::string method, json::object params, const CallOptions& options) {
    return blocking<json::value>(*impl_, raw_call(std::move(method), std::move(params), impl_->options()), options,
                                 as_it_is);
}
void Client::roots_changed() { impl_->roots_changed(); }
void Client::notify(const std::string& method, const json::object& params) { impl_->notify(method, params).value(); }

void Client::async_list_tools(std::optional<std::string> cursor, Reply<Page<Tool>> reply, CallOptions options) {
    send_async(
        *impl_, [&] { return request_of("tools/list", cursor_params(cursor)); }, std::move(options),
        protocol::read_tools, std::move(reply));
}
void Client::async_list_resources(std::optional<std::string> cursor, Reply<Page<Resource>> reply, CallOptions options) {
    send_async(
        *impl_, [&] { return request_of("resources/list", cursor_params(cursor)); }, std::move(options),
        protocol::read_resources, std::move(reply));
}
void Client::async_list_resource_templates(std::optional<std::string> cursor, Reply<Page<ResourceTemplate>> reply,
                                           CallOptions options) {
    send_async(
        *impl_, [&] { return request_of("resources/templates/list", cursor_params(cursor)); }, std::move(options),
        protocol::read_resource_templates, std::move(reply));
}
void Client::async_list_prompts(std::optional<std::string> cursor, Reply<Page<Prompt>> reply, CallOptions options) {
    send_async(
        *impl_, [&] { return request_of("prompts/list", cursor_params(cursor)); }, std::move(options),
        protocol::read_prompts, std::move(reply));
}
void Client::async_call_tool(std::string name, json::object arguments, Reply<ToolResult> reply, CallOptions options) {
    send_async(
        *impl_, [&] { return tool_call(std::move(name), std::move(arguments), impl_->call_tasks()); },
        std::move(options), protocol::read_tool_result, std::move(reply));
}
void Client::async_read_resource(std::string uri, Reply<ReadResult> reply, CallOptions options) {
    send_async(
        *impl_,
        [&] {
            return request_of("resources/read", {{"uri", std::move(uri)}});
        },
        std::move(options), protocol::read_read_result, std::move(reply));
}
void Client::async_get_prompt(std::string name, PromptArguments arguments, Reply<PromptResult> reply,
                              CallOptions options) {
    send_async(
        *impl_, [&] { return request_of("prompts/get", prompt_params(std::move(name), arguments)); },
        std::move(options), protocol::read_prompt_result, std::move(reply));
}
void Client::async_complete(CompletionTarget target, CompletionRequest request, Reply<Completion> reply,
                            CallOptions options) {
    send_async(
        *impl_, [&] { return request_of("completion/complete", completion_params(target, request)); },
        std::move(options), protocol::read_completion, std::move(reply));
}
void Client::async_set_log_level(LogLevel level, Reply<void> reply, CallOptions options) {
    send_async(
        *impl_, [&] { return level_call(level); }, std::move(options), nullptr, std::move(reply));
}
void Client::async_subscribe(std::string uri, Reply<void> reply, CallOptions options) {
    send_async(
        *impl_, [&] { return uri_call(Kind::subscribe, std::move(uri)); }, std::move(options), nullptr,
        std::move(reply));
}
void Client::async_unsubscribe(std::string uri, Reply<void> reply, CallOptions options) {
    send_async(
        *impl_, [&] { return uri_call(Kind::unsubscribe, std::move(uri)); }, std::move(options), nullptr,
        std::move(reply));
}
void Client::async_ping(Reply<void> reply, CallOptions options) {
    send_async(
        *impl_, [&] { return call_of(Kind::ping); }, std::move(options), nullptr, std::move(reply));
}
void Client::async_request(std::string method, json::object params, Reply<json::value> reply, CallOptions options) {
    send_async(
        *impl_, [&] { return raw_call(std::move(method), std::move(params), impl_->options()); }, std::move(options),
        as_it_is, std::move(reply));
}

Result<json::value> detail::structured_content(const ToolResult& result) {
    if (!result.isError && result.structuredContent) return *result.structuredContent;
    std::string text;
    for (const Content& content : result.content)
        if (const auto* t = std::get_if<TextContent>(&content)) text += t->text;
    return Error{result.isError ? code::internal_error : code::invalid_answer,
                 result.isError ? "the tool failed: " + text : "the tool's result has no structured content"};
}

}  // namespace tenon
