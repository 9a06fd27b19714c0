// The commands for calls, tasks, subscriptions and the history.
#include "inspect/commands.hpp"
#include "inspect/copy_as.hpp"
#include "inspect/export.hpp"

namespace tenon::inspect {
namespace {

constexpr std::uint64_t default_page = 200, max_page = 1000;
constexpr std::size_t page_text_bytes = 16 * 1024;
constexpr std::size_t max_export_bytes = 64 * 1024 * 1024;

json::array subscribed(Link& link) {
    const std::lock_guard lock(link.mutex);
    return json::array(link.subscribed.begin(), link.subscribed.end());
}

// Returns a request, or a notification, of the client in the history. Throws Refusal.
json::object sent_message(Recorder& recorder, std::uint64_t number, bool notification_too) {
    const std::optional<Message> message = recorder.with_history([&](History& history) -> std::optional<Message> {
        const Message* found = history.find(number);
        return found ? std::optional(*found) : std::nullopt;
    });
    if (!message) throw Refusal{404, "This message is not in the history any more."};
    const auto value = json::parse(message->text);
    const bool usable =
        message->kind == MessageKind::request || (notification_too && message->kind == MessageKind::notification);
    if (!message->sent || !usable || !value || !value->is_object())
        throw Refusal{409, "Only requests that were sent to the server can be used."};
    return value->get_object();
}

MessageFilter filter_of(const Arguments& arguments) {
    auto filter = MessageFilter::read(arguments.object_or_empty("filter"));
    if (!filter) throw Refusal{400, filter.error().message + "."};
    return *std::move(filter);
}

}  // namespace

void Commands::add_calls() {
    add("call", true, [this](const Arguments& a) {
        CallPlan plan;
        plan.kind = "tool";
        plan.name = a.text("tool");
        plan.method = "tools/call";
        plan.params = {{"name", plan.name}, {"arguments", a.object_or_empty("arguments")}};
        plan.task = a.flag("task");
        if (a.has("timeout_ms")) plan.timeout = std::chrono::milliseconds(a.number("timeout_ms"));
        return parts_.calls.start(std::move(plan));
    });
    add("read", true, [this](const Arguments& a) {
        CallPlan plan;
        plan.kind = "resource";
        plan.name = a.text("uri");
        plan.method = "resources/read";
        plan.params = {{"uri", plan.name}};
        return parts_.calls.start(std::move(plan));
    });
    add("get_prompt", true, [this](const Arguments& a) {
        CallPlan plan;
        plan.kind = "prompt";
        plan.name = a.text("name");
        plan.method = "prompts/get";
        plan.params = {{"name", plan.name}, {"arguments", a.object_or_empty("arguments")}};
        return parts_.calls.start(std::move(plan));
    });
    add("cancel", false, [this](const Arguments& a) {
        return json::object{{"cancelled", parts_.calls.cancel(a.text("call"))}};
    });
    add("outcome", true, [this](const Arguments& a) { return parts_.calls.outcome(a.text("call")); });
    add("send_raw", true, [this](const Arguments& a) { return send_raw(a.object("message")); });
    add("replay", true,
        [this](const Arguments& a) { return send_raw(sent_message(parts_.recorder, a.number("number"), true)); });
}

json::value Commands::send_raw(const json::object& message) {
    const Arguments arguments(message);
    CallPlan plan;
    plan.kind = "raw";
    plan.name = plan.method = arguments.text("method");
    plan.params = arguments.object_or_empty("params");
    if (plan.method.starts_with("notifications/")) {
        parts_.session.ready()->client->notify(plan.method, plan.params);
        return json::object{{"call", nullptr}, {"consent", nullptr}};
    }
    if (plan.method == "initialize") throw Refusal{409, "The inspector sends initialize itself.", "Connect again."};
    // The client writes its own `_meta`: the revision and the capabilities, and the token for progress.
    if (json::value* meta = plan.params.if_contains("_meta"); meta && meta->is_object()) {
        json::object& members = meta->get_object();
        members.erase("progressToken");
        for (auto it = members.begin(); it != members.end();)
            it = it->key().starts_with("io.modelcontextprotocol/") ? members.erase(it) : std::next(it);
        if (members.empty()) plan.params.erase("_meta");
    }
    return parts_.calls.start(std::move(plan));
}

void Commands::add_live() {
    add("set_log_level", true, [this](const Arguments& a) {
        const auto level = log_level(a.text("level"));
        if (!level) throw Refusal{400, "`level` is not a level of log messages.", "Use debug, info, warning or error."};
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
        parts_.session.ready()->client->set_log_level(*level);
#pragma GCC diagnostic pop
        return json::object();
    });
    const auto change = [this](const Arguments& a, bool on) {
        const auto link = parts_.session.ready();
        const std::string uri = a.text("uri");
        on ? link->client->subscribe(uri) : link->client->unsubscribe(uri);
        {
            const std::lock_guard lock(link->mutex);
            if (on)
                link->subscribed.insert(uri);
            else
                link->subscribed.erase(uri);
        }
        json::object out = {{"subscribed", subscribed(*link)}};
        parts_.recorder.tell("subscriptions", out);
        return out;
    };
    add("subscribe", true, [change](const Arguments& a) { return change(a, true); });
    add("unsubscribe", true, [change](const Arguments& a) { return change(a, false); });
    add("subscriptions", false, [this](const Arguments&) {
        return json::object{{"subscribed", subscribed(*parts_.session.ready())}};
    });
    add("tasks", true, [this](const Arguments&) { return parts_.tasks.list(); });
    add("task_get", true, [this](const Arguments& a) { return parts_.tasks.get(a.text("task")); });
    add("task_cancel", true, [this](const Arguments& a) { return parts_.tasks.cancel(a.text("task")); });
    add("task_result", true, [this](const Arguments& a) { return parts_.tasks.result(a.text("task")); });
    add("task_input", true,
        [this](const Arguments& a) { return parts_.tasks.provide_input(a.text("task"), a.object("responses")); });
}

json::value Commands::history(const Arguments& arguments) const {
    const MessageFilter filter = filter_of(arguments);
    const std::uint64_t limit = std::min(arguments.number_or("limit", default_page), max_page);
    const History::Range range{arguments.number_or("after", 0), arguments.number_or("before", 0),
                               arguments.number_or("offset", 0), limit};
    const bool brief = arguments.flag("brief");
    return parts_.recorder.with_history([&](History& history) -> json::value {
        const History::Page page = history.page(filter, range);
        json::array messages;
        for (const Message* message : page.messages) {
            json::object one = message_json(*message, brief ? 0 : page_text_bytes);
            if (brief) one.erase("text");
            messages.push_back(std::move(one));
        }
        return json::object{{"messages", std::move(messages)},
                            {"total", page.total},
                            {"first", history.first()},
                            {"last", history.last()},
                            {"dropped", history.dropped()}};
    });
}

json::value Commands::export_history(const Arguments& arguments) const {
    const std::string format = arguments.text("format");
    if (format != "json" && format != "har") throw Refusal{400, "`format` must be json or har."};
    const MessageFilter filter = filter_of(arguments);
    ExportSource source;
    source.version = parts_.options.version;
    source.mask = arguments.flag("mask", true);
    if (const auto link = parts_.session.link()) source.target = text_of(link->target, parts_.options);
    std::string text = parts_.recorder.with_history([&](History& history) {
        const auto page = history.page(filter, {});
        return format == "har" ? export_har(page.messages, source) : export_json(page.messages, source);
    });
    if (text.size() > max_export_bytes)
        throw Refusal{413, "The export is larger than 64 MiB.", "Use a filter to export less."};
    std::string name = "tenon-inspect-" + iso_time(wall_clock()).substr(0, 19) + "." + format;
    std::ranges::replace(name, ':', '-');
    return json::object{{"name", name}, {"type", "application/json"}, {"text", std::move(text)}};
}

json::value Commands::copy_as(const Arguments& arguments) const {
    CopiedCall call;
    const auto link = parts_.session.link();
    call.target = parts_.session.last_target().first;
    call.shell_line = parts_.options.shell_line;
    if (link) {
        const std::lock_guard lock(link->mutex);
        if (link->info) call.revision = link->info->protocolVersion;
        call.modern = link->client->era() == Era::modern;
    }
    if (arguments.has("number")) {
        const json::object message = sent_message(parts_.recorder, arguments.number("number"), false);
        const Arguments request(message);
        call.method = request.text("method");
        call.params = request.object_or_empty("params");
    } else {
        call.method = "tools/call";
        call.params = {{"name", arguments.text("tool")}, {"arguments", arguments.object_or_empty("arguments")}};
    }
    const std::string kind = arguments.text("kind");
    std::string text;
    if (kind == "command") text = as_command(call);
    if (kind == "cpp") text = as_cpp(call);
    if (kind == "curl" && call.target.url.empty())
        throw Refusal{409, "curl needs a server with a URL.", "Copy it as a tenon command."};
    if (kind == "curl") text = as_curl(call);
    if (text.empty()) throw Refusal{400, "This request cannot be written in this form.", "Use cpp."};
    return json::object{{"text", std::move(text)}};
}

void Commands::add_history() {
    add("history", true, [this](const Arguments& a) { return history(a); });
    add("message", true, [this](const Arguments& a) {
        return parts_.recorder.with_history([&](History& history) -> json::value {
            const Message* message = history.find(a.number("number"));
            if (!message) throw Refusal{404, "This message is not in the history any more."};
            json::object out = message_json(*message, std::string::npos);
            json::array related;
            for (const std::uint64_t number : {message->request, message->response})
                if (number != 0) related.emplace_back(number);
            out["related"] = std::move(related);
            return out;
        });
    });
    add("pin", false, [this](const Arguments& a) {
        const bool done = parts_.recorder.with_history(
            [&](History& history) { return history.pin(a.number("number"), a.flag("pinned", true)); });
        if (!done) throw Refusal{404, "The message is gone, or 1000 messages are pinned already."};
        return json::object();
    });
    add("clear", false, [this](const Arguments&) {
        parts_.recorder.with_history([](History& history) { history.clear(); });
        return json::object();
    });
    add("export", true, [this](const Arguments& a) { return export_history(a); });
    add("copy_as", false, [this](const Arguments& a) { return copy_as(a); });
}

}  // namespace tenon::inspect
