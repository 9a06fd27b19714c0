#include "golden/fixture_server.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

namespace golden {
namespace {

using namespace tenon;

struct Forecast {
    std::string city;
    double celsius;
};
BOOST_DESCRIBE_STRUCT(Forecast, (), (city, celsius))

enum class Tone { formal, friendly };
BOOST_DESCRIBE_ENUM(Tone, formal, friendly)

const std::vector<Icon> icons = {{"https://example.com/i.png", "image/png", {"48x48"}, "dark"}};
const json::object meta = {{"example.com/k", 1}};
const Annotations annotations = {{Role::user, Role::assistant}, 0.5, "2025-01-12T15:00:58Z"};

std::vector<Content> all_contents() {
    return {TextContent{"words", annotations, meta},
            ImageContent{std::string("\x00\xff", 2), "image/png", annotations, meta},
            AudioContent{"RIFF", "audio/wav", annotations, meta},
            ResourceLink{"note://welcome", "welcome", "Welcome", "A note", "text/plain", 7, annotations, icons, meta},
            EmbeddedResource{{"note://welcome", "text/plain", "hello", {}, meta}, annotations, meta},
            EmbeddedResource{{"data://bytes", "application/octet-stream", {}, std::string("\x00\xff", 2), {}}}};
}

Tool raw_tool(std::string name, std::string description) { return {std::move(name), std::move(description)}; }

Tool with_output(std::string name) {
    Tool tool = raw_tool(std::move(name), "Has an output schema");
    tool.outputSchema =
        json::object{{"type", "object"}, {"properties", {{"n", {{"type", "integer"}}}}}, {"required", {"n"}}};
    return tool;
}

}  // namespace

FixtureServer::FixtureServer(const std::vector<std::string>& offers, ServerOptions options)
    : server_("fixture", "1.2.3", std::move(options)) {
    for (const std::string& what : offers) {
        if (what == "show") {
            add_show();
        } else if (what == "pages") {
            add_pages();
        } else if (what == "tools") {
            add_plain_tools();
            add_failing_tools();
            add_busy_tools();
            add_asking_tools();
        } else if (what == "resources") {
            add_resources();
        } else if (what == "prompts") {
            add_prompts();
        } else if (what == "tasks") {
            add_tasks();
        } else if (what == "methods") {
            add_methods();
        } else if (what == "skills") {
            add_skills();
        } else if (what != "nothing") {
            throw std::runtime_error("the fixture server cannot offer " + what);
        }
    }
}

FixtureServer::Parked& FixtureServer::parked(const std::string& name) {
    const auto it = parked_.find(name);
    if (it == parked_.end()) throw std::runtime_error("nothing is parked as " + name);
    return it->second;
}

int FixtureServer::calls(const std::string& name) const {
    const auto it = calls_.find(name);
    return it == calls_.end() ? 0 : it->second;
}

void FixtureServer::add_tool(const std::string& name) {
    server_.tool(name, "A tool", [] { return "ok"; });
}
void FixtureServer::add_resource(const std::string& uri) {
    server_.resource(uri, "a resource", [] { return "ok"; });
}
void FixtureServer::add_template(const std::string& uri_template) {
    server_.resource_template(uri_template, "a template", [] { return "ok"; });
}
void FixtureServer::add_prompt(const std::string& name) {
    server_.prompt(name, "A prompt", [] { return "ok"; });
}

// Registers one of each kind, with every field of any revision.
void FixtureServer::add_show() {
    Tool tool = with_output("show");
    server_.tool(tool,
                 [] {
                     return json::object{{"n", 1}};
                 },
                 {.title = "Show",
                  .annotations = {.title = "Shows",
                                  .readOnlyHint = true,
                                  .destructiveHint = false,
                                  .idempotentHint = true,
                                  .openWorldHint = false},
                  .icons = icons,
                  .meta = meta});
    const ResourceOptions fields{.title = "Show",
                                 .description = "Shows",
                                 .mimeType = "text/plain",
                                 .size = 5,
                                 .annotations = annotations,
                                 .icons = icons,
                                 .meta = meta};
    server_.resource(
        "note://show", "show", [] { return "hello"; }, fields);
    server_.resource_template(
        "note://show/{day}", "show days", [] { return "hello"; }, fields);
    server_.prompt("show", "Shows",
                   args(arg<std::string>("who", "A name"), arg<std::optional<std::string>>("how", "A manner")),
                   [](std::string, std::optional<std::string>) { return "hello"; },
                   {.title = "Show", .icons = icons, .meta = meta});
}

void FixtureServer::add_pages() {
    for (const char* n : {"1", "2", "3", "4", "5"}) {
        const std::string name = std::string("n") + n;
        add_tool(name);
        add_resource("note://" + name);
        add_template("note://" + name + "/{x}");
        add_prompt(name);
    }
}

void FixtureServer::add_plain_tools() {
    server_.tool("echo", "Gives back what it gets", args(arg<std::string>("message")), [this](std::string message) {
        ++calls_["echo"];
        return message;
    });
    server_.tool("forecast", "A structured answer",
                 args(arg<std::string>("city").min_length(1), arg<int>("days").min(1).max(7).def(1)),
                 [this](std::string city, int days) {
                     ++calls_["forecast"];
                     return Forecast{std::move(city), 21.5 - days};
                 });
    server_.tool("contents", "All kinds of content", [] { return all_contents(); });
    server_.tool("silent", "Returns nothing", [] {});
    server_.tool("untyped", "Returns JSON without an output schema", [] { return json::object{{"n", 1}}; });
    server_.tool("big", "Returns that many letters", args(arg<int>("bytes")),
                 [](int bytes) { return std::string(static_cast<std::size_t>(bytes), 'x'); });
    server_.tool("me", "Tells what it knows of the call", [](Context& ctx) {
        return json::object{{"client", ctx.client().name}, {"meta", ctx.meta()}, {"id", ctx.request_id()}};
    });
}

void FixtureServer::add_failing_tools() {
    server_.tool("throw_std", "Throws", []() -> std::string { throw std::runtime_error("the disk is on fire"); });
    server_.tool("throw_int", "Throws an int", []() -> std::string { throw 42; });
    server_.tool("throw_tenon", "Throws", []() -> std::string {
        throw Exception({code::invalid_params, "no such city"});
    });
    server_.tool("throw_bytes", "Throws with bytes that are not UTF-8",
                 []() -> std::string { throw std::runtime_error("bad \xff\xfe name"); });
    server_.tool("throw_late", "Throws before it answers",
                 [](Reply<std::string>) { throw std::runtime_error("threw with the reply in hand"); });
    server_.tool("throw_url", "Wants the user to visit a page first", []() -> std::string {
        throw Exception({code::url_elicitation_required, "Log in first",
                         json::object{{"elicitations", json::array{json::object{{"mode", "url"},
                                                                                {"elicitationId", "e1"},
                                                                                {"url", "https://example.com/login"},
                                                                                {"message", "Log in"}}}}}});
    });
    server_.tool("drop", "Drops its reply", [](Reply<std::string> reply) { reply = {}; });
    server_.tool("bad_utf8", "Returns bytes that are not UTF-8", [] { return std::string("a\xff\xc3(\xed\xa0\x80z"); });
    server_.tool("controls", "Returns control characters", [] {
        return std::string(
            "a\x1b[31mred\x07\x7f\tb\nc\x00"
            "d\u009b5m",
            21);
    });
    server_.tool("secret", "Returns a secret", [] { return json::object{{"password", "hunter2"}}; });
    server_.tool(with_output("wrong_output"), [] { return json::object{{"n", "not a number"}}; });
    server_.tool(with_output("no_output"), [] { return std::string("only text"); });
    server_.tool(with_output("error_output"), [] { return tool_error("nothing to count"); });
    server_.tool(raw_tool("list_output", "Returns structured content that is an array"), [] {
        ToolResult result;
        result.structuredContent = json::array{1, 2};
        return result;
    });
    server_.tool(raw_tool("list_error", "Fails with structured content that is an array"), [] {
        ToolResult result = tool_error("half of it failed");
        result.structuredContent = json::array{1, 2};
        return result;
    });
    server_.tool(raw_tool("loud", "Returns a priority out of range"), [] {
        return Content(TextContent{"hear me", {.audience = {}, .priority = 7.0, .lastModified = {}}});
    });
}

void FixtureServer::add_tasks() {
    server_.tool("job", "Parks, as a task", args(arg<std::string>("as")),
                 [this](Context ctx, std::string as, Reply<std::string> reply) {
                     parked_.insert_or_assign(as, Parked{std::move(ctx), std::move(reply)});
                 },
                 {.time_limit = std::chrono::seconds(10), .task = TaskSupport::optional});
    server_.tool("bad_job", "Fails, as a task", []() -> std::string { throw std::runtime_error("no disk"); },
                 {.task = TaskSupport::optional});
    server_.tool("wrong_job", "Fails with a JSON-RPC error, as a task",
                 []() -> std::string {
                     throw ProtocolError({code::internal_error, "no database"});
                 },
                 {.task = TaskSupport::optional});
}

void FixtureServer::add_busy_tools() {
    server_.tool("park", "Answers when the dialogue says so", args(arg<std::string>("as")),
                 [this](Context ctx, std::string as, Reply<std::string> reply) {
                     ++calls_["park"];
                     parked_.insert_or_assign(as, Parked{std::move(ctx), std::move(reply)});
                 });
    server_.tool("hurry", "Parks, with a time limit of its own", args(arg<std::string>("as")),
                 [this](Context ctx, std::string as, Reply<std::string> reply) {
                     parked_.insert_or_assign(as, Parked{std::move(ctx), std::move(reply)});
                 },
                 {.time_limit = std::chrono::seconds(2)});
    server_.tool("steps", "Reports progress, not always forwards", [](Context& ctx) {
        ctx.progress(1, 4, "one");
        ctx.progress(1, 4, "one again");
        ctx.progress(0.5, 4, "back");
        ctx.progress(2.5);
        ctx.progress(4, 4, "all");
        return "done";
    });
    server_.tool("odd_steps", "Reports progress that is not a number", [](Context& ctx) {
        const double nan = std::nan(""), infinite = std::numeric_limits<double>::infinity();
        ctx.progress(nan);
        ctx.progress(infinite);
        ctx.progress(1, nan);
        ctx.progress(2, infinite);
        return "done";
    });
    server_.tool("chat", "Logs at every level", [](Context& ctx) {
        for (int level = 0; level <= static_cast<int>(LogLevel::emergency); ++level)
            ctx.log(static_cast<LogLevel>(level), json::object{{"n", level}}, "chat");
        return "done";
    });
}

// Each tool returns the client's answer, or fails with the client's error.
void FixtureServer::add_asking_tools() {
    const auto pass_on = [](Reply<std::string> reply, auto show) {
        return [reply = std::move(reply), show](auto answer) mutable {
            std::move(reply).send(answer ? Result<std::string>(show(*answer)) : Result<std::string>(answer.error()));
        };
    };
    const auto show_elicited = [](const ElicitResult& r) {
        const char* action = r.action == ElicitAction::accept    ? "accept "
                             : r.action == ElicitAction::decline ? "decline "
                                                                 : "cancel ";
        return action + json::write(r.content);
    };
    server_.tool("ask_roots", "Asks for roots", [pass_on](Context ctx, Reply<std::string> reply) {
        ctx.async_roots(make_reply<std::vector<Root>>(pass_on(std::move(reply), [](const std::vector<Root>& roots) {
            std::string all;
            for (const Root& root : roots) all += root.name + "=" + root.uri + ";";
            return all;
        })));
    });
    server_.tool("ask_user", "Asks for a name", [pass_on, show_elicited](Context ctx, Reply<std::string> reply) {
        json::object form{
            {"type", "object"},
            {"properties", {{"name", {{"type", "string"}, {"minLength", 1}}}, {"sure", {{"type", "boolean"}}}}},
            {"required", {"name"}}};
        ctx.async_elicit("Your name?", std::move(form),
                         make_reply<ElicitResult>(pass_on(std::move(reply), show_elicited)));
    });
    server_.tool("ask_page", "Sends the user to a page",
                 [pass_on, show_elicited](Context ctx, Reply<std::string> reply) {
                     auto show = [ctx, show_elicited](const ElicitResult& r) {
                         ctx.elicitation_complete("e1");
                         return show_elicited(r);
                     };
                     ctx.async_elicit_url("Log in", "https://example.com/login", "e1",
                                          make_reply<ElicitResult>(pass_on(std::move(reply), show)));
                 });
    const auto show_sample = [](const SampleResult& r) {
        return r.model + ": " + r.text() + " (" + r.stopReason + ")";
    };
    server_.tool("ask_model", "Asks the model", [pass_on, show_sample](Context ctx, Reply<std::string> reply) {
        SampleRequest request;
        request.messages = {{Role::user, {TextContent{"Hello?"}}},
                            {Role::assistant, {ImageContent{"i", "image/png"}, AudioContent{"a", "audio/wav"}}}};
        request.maxTokens = 50;
        request.systemPrompt = "Be brief";
        request.temperature = 0.5;
        request.stopSequences = {"END"};
        request.modelPreferences = ModelPreferences{{"small"}, 0.1, 0.2, 0.3};
        request.includeContext = "none";
        request.metadata = {{"k", "v"}};
        ctx.async_sample(std::move(request), make_reply<SampleResult>(pass_on(std::move(reply), show_sample)));
    });
    server_.tool("ask_model_with_tools", "Lets the model use a tool",
                 [pass_on, show_sample](Context ctx, Reply<std::string> reply) {
                     SampleRequest request;
                     request.messages = {{Role::user, {TextContent{"What is 1 + 1?"}}}};
                     request.tools = {raw_tool("add", "Adds")};
                     request.toolChoice = "auto";
                     ctx.async_sample(std::move(request),
                                      make_reply<SampleResult>(pass_on(std::move(reply), show_sample)));
                 });
    server_.tool("ask_model_about_tools", "Shows the model a tool's result",
                 [pass_on, show_sample](Context ctx, Reply<std::string> reply) {
                     SampleRequest request;
                     request.messages = {{Role::assistant, {ToolUse{"u1", "add", {{"a", 1}}}}},
                                         {Role::user, {ToolUseResult{"u1", {text("2")}}}}};
                     ctx.async_sample(std::move(request),
                                      make_reply<SampleResult>(pass_on(std::move(reply), show_sample)));
                 });
    server_.tool("ask_inline", "Waits where it must not",
                 [](Context& ctx) { return ctx.roots().empty() ? "none" : "some"; }, {.placement = Placement::inline_});
}

void FixtureServer::add_resources() {
    server_.resource("note://welcome", "welcome", [this] {
        ++calls_["note://welcome"];
        return "hello";
    });
    server_.resource("data://bytes", "bytes", [] { return Blob{std::string("\x00\x01\xfe\xff", 4)}; });
    server_.resource("note://many", "many", [] {
        return std::vector<ResourceContents>{{"note://many/1", "text/plain", "one"},
                                             {"note://many/2", "image/png", {}, std::string("two")}};
    });
    server_.resource("note://gone", "gone", [] { return std::optional<std::string>(); });
    server_.resource("note://throws", "throws",
                     []() -> std::string { throw std::runtime_error("the disk is on fire"); });
    server_.resource("note://bad-utf8", "bad", [] { return std::string("a\xffz"); });
    server_.resource("note://dropped", "dropped", [](Reply<std::string> reply) { reply = {}; });
    server_.resource("note://parked", "parked", [this](Context ctx, Reply<std::string> reply) {
        parked_.insert_or_assign("note", Parked{std::move(ctx), std::move(reply)});
    });
    server_.resource_template("note://day/{day}", "day",
                              [this](const ResourceRequest& request) {
                                  ++calls_["note://day/{day}"];
                                  return "on " + request.var("day");
                              },
                              {.complete = {{"day", [](const CompletionRequest& request) {
                                                 Completion all;
                                                 for (const char* day : {"monday", "tuesday", "thursday"})
                                                     if (std::string_view(day).starts_with(request.value))
                                                         all.values.emplace_back(day);
                                                 return all;
                                             }}}});
    server_.resource_template(
        "map://{city}/{street}", "streets", [] { return "a map"; },
        {.complete = {{"street", [](const CompletionRequest& request) {
                           const auto city = request.context.find("city");
                           return Completion{
                               {city == request.context.end() ? "a street" : "a street of " + city->second}};
                       }}}});
    server_.resource("note://refused", "refused", []() -> std::string {
        throw Exception({-32099, "not on Sundays", json::object{{"day", "Sunday"}}});
    });
    server_.resource_template("file:///{+path}", "files", [this](const ResourceRequest& request) {
        ++calls_["file:///{+path}"];
        return "file " + request.var("path");
    });
}

void FixtureServer::add_skills() {
    server_.skill("pdf", {{.path = "SKILL.md", .content = "---\nname: pdf\ndescription: Joins files\n---\nJoin.\n"},
                          {.path = "references/FORMS.md", .content = "Forms.\n"}});
    server_.skill("daily",
                  {{.path = "SKILL.md", .content = "---\nname: daily\ndescription: News\n---\n"},
                   {.path = "now.txt", .generate = [] { return std::string("now"); }}},
                  {.prefix = "reports"});
}

void FixtureServer::add_prompts() {
    const auto many = [](std::string_view) {
        std::vector<std::string> all;
        for (int i = 0; i < 150; ++i) all.push_back("w" + std::to_string(i));
        return all;
    };
    const auto names = [](std::string_view) { return std::vector<std::string>{"Ada", "Adam", "Grace"}; };
    const auto broken = [](std::string_view) -> std::vector<std::string> {
        throw std::runtime_error("the index is on fire");
    };
    server_.prompt("greet", "Greets",
                   args(arg<std::string>("name", "Who").complete(names), arg<Tone>("tone", "How").def(Tone::friendly)),
                   [this](std::string name, Tone tone) {
                       ++calls_["greet"];
                       return (tone == Tone::formal ? "Good day, " : "Hi, ") + name;
                   });
    server_.prompt("words", "Completes a lot",
                   args(arg<std::string>("word").complete(many), arg<std::string>("broken").complete(broken),
                        arg<std::string>("plain")),
                   [](std::string word, std::string, std::string) { return word; });
    server_.prompt("rich", "All kinds of content", [] {
        PromptResult result{.description = "Rich", .messages = {assistant("Yes?")}, .meta = {}};
        for (Content& content : all_contents()) result.messages.push_back({Role::user, std::move(content)});
        return result;
    });
    server_.prompt("throws", "Throws", []() -> std::string { throw std::runtime_error("the disk is on fire"); });
    server_.prompt("bad_utf8", "Returns bytes that are not UTF-8", [] { return std::string("a\xffz"); });
}

// Methods of the extension that the option `extension` declares.
void FixtureServer::add_methods() {
    server_.method("com.example/sums/add", args(arg<int>("a"), arg<int>("b").def(1).max(100)),
                   [](int a, int b) { return a + b; });
    server_.method("com.example/sums/forecast", [](Context& ctx) {
        return json::object{{"client", ctx.client().name}, {"_meta", meta}, {"resultType", "mine"}};
    });
    server_.method("com.example/sums/echo", [](json::object params) { return params; });
    server_.method("com.example/sums/nothing", [] {});
    server_.method("com.example/sums/fail", []() -> int {
        throw Exception({code::server_error, "no sums today", json::object{{"day", "Sunday"}}});
    });
    server_.method("com.example/sums/ask", [](Context& ctx) { return ctx.roots().at(0).uri; });
    server_.method("com.example/sums/park", args(arg<std::string>("as")),
                   [this](Context ctx, std::string as, Reply<std::string> reply) {
                       parked_.insert_or_assign(as, Parked{std::move(ctx), std::move(reply)});
                   });
}

}  // namespace golden
