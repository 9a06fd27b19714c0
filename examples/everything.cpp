// A server with every feature of Tenon. The tests use it, and you can use it to try a feature.
#include <condition_variable>
#include <mutex>

#include <tenon/tenon.hpp>

namespace {

using tenon::arg;
using tenon::args;

enum class Unit { celsius, fahrenheit };
BOOST_DESCRIBE_ENUM(Unit, celsius, fahrenheit)

struct Weather {
    std::string city;
    double temperature;
    Unit unit;
    std::vector<std::string> conditions;
};
BOOST_DESCRIBE_STRUCT(Weather, (), (city, temperature, unit, conditions))

struct Account {
    std::string name;
    int age;
    bool subscribe;
    Unit unit;
};
BOOST_DESCRIBE_STRUCT(Account, (), (name, age, subscribe, unit))
auto tenon_fields(Account*) {
    return tenon::fields(tenon::field<&Account::name>("Your name").min_length(1),
                         tenon::field<&Account::age>("Your age").min(0).max(150),
                         tenon::field<&Account::subscribe>("Send news").def(false),
                         tenon::field<&Account::unit>("Unit").def(Unit::celsius));
}

// The smallest valid files: an image of one red pixel, and a sound of no length.
const std::string tiny_png(
    "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\x08\2\0\0\0\x90wS\xde\0\0\0\x0cIDATx\x9c"
    "c\xf8\xcf\xc0\0\0\3\1\1\0\xc9\xfe\x92\xef\0\0\0\0IEND\xae"
    "B`\x82",
    69);
const std::string tiny_wav("RIFF$\0\0\0WAVEfmt \x10\0\0\0\1\0\1\0@\x1f\0\0@\x1f\0\0\1\0\x08\0data\0\0\0\0", 44);

bool pause(std::stop_token stop, std::chrono::milliseconds time) {
    std::mutex mutex;
    std::condition_variable_any wakes;
    std::unique_lock lock(mutex);
    wakes.wait_for(lock, stop, time, [] { return false; });
    return stop.stop_requested();
}

void add_tools(tenon::Server& server) {
    server.tool("echo", "Gives back what it gets", args(arg<std::string>("message", "Anything")),
                [](std::string message) { return message; },
                {.annotations = {.readOnlyHint = true}, .placement = tenon::Placement::inline_});
    server.tool("add", "Adds two numbers", args(arg<double>("a", "First"), arg<double>("b", "Second")),
                [](double a, double b) { return a + b; },
                {.title = "Sum", .annotations = {.readOnlyHint = true, .idempotentHint = true}});
    server.tool("weather", "The weather of a city, as structured content",
                args(arg<std::string>("city", "City name").min_length(1),
                     arg<int>("days", "Days ahead").min(1).max(7).def(1), arg<Unit>("unit", "Unit").def(Unit::celsius)),
                [](std::string city, int days, Unit unit) {
                    return Weather{std::move(city), 21.5 - days, unit, {"sunny", "windy"}};
                });
    server.tool("picture", "A small image", [] { return tenon::image(tiny_png, "image/png"); });
    server.tool("sound", "A small piece of audio", [] { return tenon::audio(tiny_wav, "audio/wav"); });
    server.tool("mixed", "All kinds of content at once", [] {
        return std::vector<tenon::Content>{
            tenon::TextContent{
                "text", {.audience = {tenon::Role::user}, .priority = 0.9, .lastModified = "2026-07-28T00:00:00Z"}},
            tenon::image(tiny_png, "image/png"), tenon::ResourceLink{"note://welcome", "welcome", "Welcome"},
            tenon::EmbeddedResource{{"note://inside", "text/plain", "embedded"}}};
    });
    server.tool("fail", "Fails, always",
                []() -> std::string { throw std::runtime_error("this tool fails on purpose"); });
    server.tool("count", "Counts slowly, with progress; can be cancelled",
                args(arg<int>("to", "How far").min(1).max(100'000),
                     arg<int>("delay_ms", "Between two numbers").min(0).max(60'000).def(10)),
                [](tenon::Context& ctx, int to, int delay_ms) -> std::string {
                    for (int i = 1; i <= to; ++i) {
                        if (pause(ctx.stop_token(), std::chrono::milliseconds(delay_ms))) return "stopped";
                        ctx.progress(i, to, "at " + std::to_string(i));
                    }
                    return "counted to " + std::to_string(to);
                });
    server.tool("chat", "Logs at every level", [](tenon::Context& ctx) {
        for (int level = 0; level <= static_cast<int>(tenon::LogLevel::emergency); ++level)
            ctx.log(static_cast<tenon::LogLevel>(level), tenon::json::object{{"level", level}}, "everything");
    });
    server.tool(
        "later", "Answers through a Reply", args(arg<std::string>("message", "Anything")),
        [](std::string message, tenon::Reply<std::string> reply) { std::move(reply).send("later: " + message); });
}

void add_questions(tenon::Server& server) {
    server.tool("ask_user", "Asks the user with a form", [](tenon::Context& ctx) -> std::string {
        const auto account = ctx.elicit<Account>("Who are you?");
        return account ? account->name + " is " + std::to_string(account->age) : "no answer";
    });
    server.tool("ask_page", "Sends the user to a page", [](tenon::Context& ctx) -> std::string {
        const auto answer = ctx.elicit_url("Please sign in", "https://example.com/sign-in", "sign-in-1");
        if (answer.action != tenon::ElicitAction::accept) return "not signed in";
        ctx.elicitation_complete("sign-in-1");
        return "signed in";
    });
    server.tool("ask_model", "Asks the client's model", args(arg<std::string>("prompt", "What to ask")),
                [](tenon::Context& ctx, std::string prompt) { return ctx.sample(std::move(prompt), 100).text(); });
    server.tool("ask_roots", "Lists the client's roots", [](tenon::Context& ctx) {
        std::vector<std::string> uris;
        for (const auto& root : ctx.roots()) uris.push_back(root.uri);
        return uris;
    });
}

void add_resources(tenon::Server& server) {
    server.resource("note://welcome", "welcome", [] { return "Welcome to Tenon."; },
                    {.title = "Welcome",
                     .description = "A text",
                     .annotations = {.audience = {tenon::Role::assistant}, .priority = 0.5}});
    server.resource("note://dot", "dot", [] { return tenon::Blob{tiny_png}; },
                    {.description = "Bytes", .mimeType = "image/png", .size = 69});
    server.resource_template("note://{folder}/{name}", "note",
                             [](const tenon::ResourceRequest& r) -> std::optional<std::string> {
                                 if (r.var("name") == "missing") return std::nullopt;
                                 return r.var("folder") + " holds " + r.var("name");
                             },
                             {.description = "Notes by folder and name",
                              .complete = {{"folder", [](const tenon::CompletionRequest& r) {
                                                tenon::Completion out;
                                                for (const std::string folder : {"attic", "archive", "basement"})
                                                    if (folder.starts_with(r.value)) out.values.push_back(folder);
                                                return out;
                                            }}}});
    server.tool("touch", "Tells the subscribers of a resource that it changed", args(arg<std::string>("uri", "Which")),
                [&server](std::string uri) { server.resource_updated(uri); });
    server.tool("grow", "Adds a tool while serving", args(arg<std::string>("name", "Of the new tool")),
                [&server](std::string name) {
                    server.tool(name, "Was added while serving", [] { return "new"; });
                    return "added";
                });
    server.tool("shrink", "Removes a tool while serving", args(arg<std::string>("name", "Of the tool")),
                [&server](std::string name) { return server.remove_tool(name) ? "removed" : "there was none"; });
}

void add_prompts(tenon::Server& server) {
    server.prompt("simple", "A prompt without arguments", [] { return "This is a simple prompt."; });
    server.prompt("letter", "A letter to somebody",
                  args(arg<std::string>("to", "Whom").complete([](std::string_view) {
                      return std::vector<std::string>{"ada", "alan", "grace"};
                  }),
                       arg<std::optional<std::string>>("tone", "How it sounds").complete([](std::string_view) {
                           return std::vector<std::string>{"formal", "friendly"};
                       })),
                  [](std::string to, std::optional<std::string> tone) {
                      return std::vector{tenon::user("Write a " + tone.value_or("plain") + " letter to " + to + "."),
                                         tenon::assistant("Dear " + to + ",")};
                  },
                  {.title = "Letter"});
}

}  // namespace

int main(int argc, char** argv) {
    tenon::Server server{"everything",
                         "1.0.0",
                         {.title = "Everything",
                          .description = "Every feature of a Tenon server",
                          .instructions = "A server for tests: it has one of everything and does no harm.",
                          .limits = {.max_calls_per_second = 0},     // so that `tenon bench` can measure it
                          .neutralise_control_characters = false}};  // the tests compare texts byte by byte
    add_tools(server);
    add_questions(server);
    add_resources(server);
    add_prompts(server);
    return tenon::serve(server, argc, argv);
}
