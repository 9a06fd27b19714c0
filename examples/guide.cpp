// The code of docs/guide.md: a server with every feature, and a client that uses each of them, in one process. A test
// runs it. The guide quotes the parts between "[name]" and "[/name]"; tests/rules/guide.sh compares them.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <future>

#include <tenon/tenon.hpp>

namespace {

const std::string png = "\x89PNG\r\n\x1a\n";
const std::string wav = "RIFF....WAVE";

// Ends the program when the guide is wrong.
void expect(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "the guide is wrong: %s\n", what);
    std::exit(1);
}

std::string text_of(const tenon::ToolResult& result) { return std::get<tenon::TextContent>(result.content.at(0)).text; }

// --- the server
// -------------------------------------------------------------------------------------------------------

// [form]
enum class Size { small, large };
BOOST_DESCRIBE_ENUM(Size, small, large)

struct Order {
    std::string name;
    int count;
    Size size;
};
BOOST_DESCRIBE_STRUCT(Order, (), (name, count, size))
auto tenon_fields(Order*) {
    return tenon::fields(tenon::field<&Order::name>("Your name").min_length(1),
                         tenon::field<&Order::count>("How many").min(1).max(9).def(1),
                         tenon::field<&Order::size>("Which size").def(Size::small));
}
// [/form]

void add_tools(tenon::Server& server) {
    // [tool]
    server.tool("add", "Adds two numbers", tenon::args(tenon::arg<double>("a"), tenon::arg<double>("b")),
                [](double a, double b) { return a + b; });
    // [/tool]
    // [content]
    server.tool("text", "Returns text", [] { return "Hello"; });
    server.tool("picture", "Returns an image", [] { return tenon::image(png, "image/png"); });
    server.tool("sound", "Returns audio", [] { return tenon::audio(wav, "audio/wav"); });
    server.tool("note", "Returns a resource inside the result", [] {
        return tenon::Content(tenon::EmbeddedResource{{"note://inside", "text/plain", "The text of the note"}});
    });
    server.tool("link", "Returns a link that the client may read", [] {
        return tenon::Content(tenon::ResourceLink{"note://welcome", "welcome"});
    });
    // [/content]
    // [tool-error]
    server.tool("divide", "Divides two numbers", tenon::args(tenon::arg<double>("a"), tenon::arg<double>("b")),
                [](double a, double b) {
                    if (b == 0) throw std::invalid_argument("`b` must not be 0");
                    return a / b;
                });
    // [/tool-error]
    // [changes]
    server.tool("grow", "Adds a tool while serving", [&server] {
        server.tool("new", "Was added later", [] { return "new"; });  // clients get notifications/tools/list_changed
    });
    // [/changes]
    // [progress]
    server.tool("work", "Works in steps", [](tenon::Context& ctx) -> std::string {
        for (int step = 1; step <= 3; ++step) {
            if (ctx.stop_token().stop_requested()) return "cancelled";
            ctx.progress(step, 3, "step " + std::to_string(step));
        }
        return "done";
    });
    // [/progress]
    // [log]
    server.tool("talk", "Logs", [](tenon::Context& ctx) {
        ctx.info("a short message");
        ctx.log(tenon::LogLevel::warning, tenon::json::object{{"disk", "full"}}, "storage");
    });
    // [/log]
}

void add_questions(tenon::Server& server) {
    // [elicit]
    server.tool("order", "Asks the user for an order", [](tenon::Context& ctx) -> std::string {
        const auto order = ctx.elicit<Order>("What may it be?");
        if (!order) return order.action == tenon::ElicitAction::decline ? "declined" : "cancelled";
        return order->name + " gets " + std::to_string(order->count);
    });
    // [/elicit]
    // [elicit-url]
    server.tool("sign_in", "Sends the user to a page", [](tenon::Context& ctx) -> std::string {
        const auto answer = ctx.elicit_url("Please sign in", "https://example.com/sign-in", "sign-in-1");
        if (answer.action != tenon::ElicitAction::accept) return "not signed in";
        ctx.elicitation_complete("sign-in-1");  // notifies the client that the user has finished there
        return "signed in";
    });
    // [/elicit-url]
    // [sample]
    server.tool("summarise", "Asks the client's model", tenon::args(tenon::arg<std::string>("text")),
                [](tenon::Context& ctx, std::string text) {
                    return ctx.sample("Summarise in one sentence:\n" + text, 200).text();
                });
    // [/sample]
    // [roots]
    server.tool("folders", "Lists the folders that the client shares", [](tenon::Context& ctx) {
        std::vector<std::string> uris;
        for (const tenon::Root& root : ctx.roots()) uris.push_back(root.uri);
        return uris;
    });
    // [/roots]
}

void add_resources(tenon::Server& server) {
    // [resource]
    server.resource("note://welcome", "welcome", [] { return "Welcome."; });
    server.resource("note://dot", "dot", [] { return tenon::Blob{png}; }, {.mimeType = "image/png"});
    // [/resource]
    // [template]
    server.resource_template("note://{folder}/{name}", "note",
                             [](const tenon::ResourceRequest& r) -> std::optional<std::string> {
                                 if (r.var("name") == "missing") return std::nullopt;  // not found
                                 return r.var("folder") + " holds " + r.var("name");
                             },
                             {.complete = {{"folder", [](const tenon::CompletionRequest&) {
                                                return tenon::Completion{{"attic", "basement"}};
                                            }}}});
    // [/template]
    // [updated]
    server.tool("touch", "Changes the note", [&server] { server.resource_updated("note://welcome"); });
    // [/updated]
}

void add_prompts(tenon::Server& server) {
    // [prompt]
    server.prompt("letter", "A letter to somebody",
                  tenon::args(tenon::arg<std::string>("to", "The reader").complete([](std::string_view) {
                      return std::vector<std::string>{"ada", "alan", "grace"};
                  }),
                              tenon::arg<std::optional<std::string>>("tone")),
                  [](std::string to, std::optional<std::string> tone) {
                      return std::vector{tenon::user("Write a " + tone.value_or("plain") + " letter to " + to + "."),
                                         tenon::assistant("Dear " + to + ",")};
                  });
    // [/prompt]
    // [prompt-content]
    server.prompt("describe", "Describes a picture and a note", [] {
        return std::vector<tenon::PromptMessage>{
            {tenon::Role::user, tenon::image(png, "image/png")},
            {tenon::Role::user, tenon::EmbeddedResource{{"note://inside", "text/plain", "The text of the note"}}}};
    });
    // [/prompt-content]
}

// --- the client
// -------------------------------------------------------------------------------------------------------

// The notifications that the client got.
struct Seen {
    std::atomic<bool> tools_changed = false;
    std::promise<std::string> updated, logged;
};

tenon::ClientOptions answers() {
    tenon::ClientOptions options;
    // [answers]
    options.on_elicit = [](const tenon::ElicitRequest& request, std::stop_token) {
        // Show request.message and a form for request.requestedSchema. Members that are left out get their default.
        return tenon::ElicitResult{tenon::ElicitAction::accept, {{"name", request.message.empty() ? "?" : "Ada"}}};
    };
    options.on_elicit_url = [](const tenon::ElicitUrlRequest& request, std::stop_token) {
        // Show the whole request.url, and ask before you open it.
        return tenon::ElicitResult{request.url.empty() ? tenon::ElicitAction::decline : tenon::ElicitAction::accept};
    };
    options.on_sample = [](const tenon::SampleRequest& request, std::stop_token) {
        // Ask the user, then your model.
        tenon::SampleResult result;
        result.model = "my-model";
        result.content = {tenon::TextContent{std::to_string(request.messages.size()) + " message"}};
        return result;
    };
    options.on_roots = [](std::stop_token) { return std::vector<tenon::Root>{{"file:///home/ada/project"}}; };
    // [/answers]
    return options;
}

void listen(tenon::ClientOptions& options, Seen& seen) {
    // [notifications]
    options.on_tools_changed = [&seen] {
        seen.tools_changed = true;
        seen.tools_changed.notify_one();
    };
    options.on_resource_updated = [&seen](const std::string& uri) { seen.updated.set_value(uri); };
    options.on_log = [&seen](const tenon::LogMessage& message) {
        if (message.logger == "storage") seen.logged.set_value(tenon::json::write(message.data));
    };
    // [/notifications]
}

void use_tools(tenon::Client& client) {
    // [use-tools]
    for (const tenon::Tool& tool : client.list_tools())  // fetches one page after the other
        std::printf("%s: %s\n", tool.name.c_str(), tool.description.c_str());
    const double sum = client.call_tool_as<double>("add", {{"a", 1}, {"b", 2}});
    const tenon::ToolResult failed = client.call_tool("divide", {{"a", 1}, {"b", 0}});  // failed.isError is true
    // [/use-tools]
    expect(sum == 3 && failed.isError, "tools");
    expect(std::holds_alternative<tenon::ImageContent>(client.call_tool("picture").content.at(0)), "an image");
    expect(std::holds_alternative<tenon::AudioContent>(client.call_tool("sound").content.at(0)), "audio");
    expect(std::holds_alternative<tenon::EmbeddedResource>(client.call_tool("note").content.at(0)), "a resource");
    expect(std::holds_alternative<tenon::ResourceLink>(client.call_tool("link").content.at(0)), "a link");
    // [use-progress]
    std::stop_source cancel;  // cancel.request_stop() cancels the call, from any thread
    const tenon::ToolResult worked = client.call_tool(
        "work", {},
        {.timeout = std::chrono::seconds(30), .stop = cancel.get_token(), .on_progress = [](const tenon::Progress& p) {
             std::printf("%g of %g: %s\n", p.progress, p.total.value_or(0), p.message.c_str());
         }});
    // [/use-progress]
    expect(text_of(worked) == "done", "progress");
}

void ask(tenon::Client& client) {
    expect(text_of(client.call_tool("order")) == "Ada gets 1", "a form");
    expect(text_of(client.call_tool("sign_in")) == "signed in", "a page");
    expect(text_of(client.call_tool("summarise", {{"text", "long"}})) == "1 message", "sampling");
    expect(client.call_tool_as<std::vector<std::string>>("folders").size() == 1, "roots");
    // [roots-changed]
    client.roots_changed();  // on_roots would now return a different list
    // [/roots-changed]
}

void use_resources(tenon::Client& client) {
    // [use-resources]
    for (const tenon::Resource& resource : client.list_resources()) std::printf("%s\n", resource.uri.c_str());
    for (const tenon::ResourceTemplate& t : client.list_resource_templates())
        std::printf("%s\n", t.uriTemplate.c_str());
    const tenon::ReadResult text = client.read_resource("note://welcome");
    const tenon::ReadResult bytes = client.read_resource("note://dot");  // contents.at(0).blob has the bytes
    const tenon::Completion folders =
        client.complete(tenon::CompletionTarget::resource("note://{folder}/{name}"), {"folder", "at"});
    // [/use-resources]
    expect(text.contents.at(0).text == "Welcome." && bytes.contents.at(0).blob == png, "reading resources");
    expect(folders.values.size() == 2, "completing a variable");
    expect(client.read_resource("note://attic/box").contents.at(0).text == "attic holds box", "a template");
}

void use_prompts(tenon::Client& client) {
    // [use-prompts]
    for (const tenon::Prompt& prompt : client.list_prompts()) std::printf("%s\n", prompt.name.c_str());
    const tenon::PromptResult letter = client.get_prompt("letter", {{"to", "ada"}});
    const tenon::Completion names = client.complete(tenon::CompletionTarget::prompt("letter"), {"to", "a"});
    // [/use-prompts]
    expect(letter.messages.size() == 2 && names.values == std::vector<std::string>{"ada", "alan"}, "prompts");
    expect(client.get_prompt("describe").messages.size() == 2, "content of prompts");
}

void follow(tenon::Client& client, Seen& seen) {
    // [subscribe]
    client.subscribe("note://welcome");  // changes go to on_resource_updated
    client.call_tool("touch");
    // [/subscribe]
    expect(seen.updated.get_future().get() == "note://welcome", "subscriptions");
    // [unsubscribe]
    client.unsubscribe("note://welcome");
    // [/unsubscribe]
    // [log-level]
    client.set_log_level(tenon::LogLevel::warning);
    // [/log-level]
    client.call_tool("talk");
    expect(seen.logged.get_future().get() == R"({"disk":"full"})", "log messages");
    client.call_tool("grow");
    seen.tools_changed.wait(false);
    expect(text_of(client.call_tool("new")) == "new", "a new tool");
}

void use_everything(tenon::Era era) {
    tenon::Server server{"guide", "1.0.0"};
    add_tools(server);
    add_questions(server);
    add_resources(server);
    add_prompts(server);
    Seen seen;
    tenon::ClientOptions options = answers();
    options.era = era;
    listen(options, seen);
    // [connect]
    tenon::Client client(tenon::memory_transport(server), options);  // or tenon::process(...), tenon::http(...)
    const tenon::ServerInfo info = client.connect();
    std::printf("%s %s, revision %s\n", info.info.name.c_str(), info.info.version.c_str(),
                info.protocolVersion.c_str());
    // [/connect]
    use_tools(client);
    ask(client);
    use_resources(client);
    use_prompts(client);
    follow(client, seen);
    // [ping]
    client.ping();  // 2026-07-28 has no ping: there it sends server/discover
    // [/ping]
}

}  // namespace

static void mount_it() {
    tenon::Server server{"guide", "1.0.0"};
    const std::vector<std::pair<std::string, std::string>> headers{
        {"Host", "localhost"}, {"Content-Type", "application/json"}, {"Accept", "application/json, text/event-stream"}};
    const std::string bytes =
        R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
        R"("capabilities":{},"clientInfo":{"name":"guide","version":"1"}}})";
    const auto wake = [] {};
    // [mount]
    tenon::HttpMount mount(server);                // call mount.tick() twice per second
    auto connection = mount.connect("127.0.0.1");  // for each connection: the address of the client
    auto exchange = connection.request({"POST", "/mcp", headers}, wake);
    exchange.body(bytes);
    exchange.end_of_body();
    const tenon::HttpOutput out = exchange.take();  // now, and each time `wake` was called, until out.state is complete
    // [/mount]
    if (!out.head || out.head->status != 200) throw std::runtime_error("the mounted server does not answer");
}

int main() {
    try {
        mount_it();
        use_everything(tenon::Era::legacy);
        use_everything(tenon::Era::modern);
    } catch (const std::exception& e) {
        std::fprintf(stderr, "the guide is wrong: %s\n", e.what());
        return 1;
    }
}
