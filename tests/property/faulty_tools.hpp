// Tools whose handlers do everything that a handler must not do.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>

#include <tenon/tenon.hpp>

namespace tenon::test {

inline constexpr char not_utf8_bytes[] = "\xff\xfe caf\xe9 \xed\xa0\x80 \xc0\x80 \0 \x1b[31m \n\r\t \xf0\x9f\x98";
inline const std::string not_utf8(not_utf8_bytes, sizeof not_utf8_bytes - 1);

/// Adds the tools. `later` receives the work of tools that answer later, and decides when and where it runs.
inline void add_faulty_tools(Server& server, std::function<void(std::function<void()>)> later) {
    const auto message = args(arg<std::string>("message", "Anything"));
    server.tool("echo", "Gives back what it gets", message, [](std::string m) { return m; },
                {.placement = Placement::inline_});
    server.tool("work", "The same, on a worker", message, [](std::string m) { return m; });
    server.tool("throw_exception", "Throws", message,
                [](const std::string& m) -> std::string { throw std::runtime_error(m); });
    server.tool("throw_int", "Throws an int", message, [](const std::string&) -> std::string { throw 42; });
    server.tool("throw_bytes", "Throws bytes that are not UTF-8", message,
                [](const std::string&) -> std::string { throw std::runtime_error(not_utf8); });
    server.tool("bytes", "Returns invalid UTF-8", message, [](const std::string& m) { return m + not_utf8; });
    server.tool("nothing", "Returns nothing", message, [](const std::string&) {});
    server.tool("drop", "Forgets to answer", message, [](const std::string&, Reply<std::string>) {});
    server.tool("throw_after_taking", "Takes the reply and throws", message,
                [](const std::string&, Reply<std::string> reply) -> void {
                    const Reply<std::string> taken = std::move(reply);
                    throw std::runtime_error("thrown with the reply in hand");
                });
    server.tool("later", "Answers later", message, [later](std::string m, Reply<std::string> reply) {
        later([m = std::move(m), kept = std::make_shared<Reply<std::string>>(std::move(reply))] {
            std::move(*kept).send(m);
        });
    });
    server.tool("fail_later", "Fails later", message, [later](std::string m, Reply<std::string> reply) {
        later([m = std::move(m), kept = std::make_shared<Reply<std::string>>(std::move(reply))] {
            std::move(*kept).fail(m);
        });
    });
    server.tool("drop_later", "Forgets to answer, later", message,
                [later](const std::string&, Reply<std::string> reply) {
                    later([kept = std::make_shared<Reply<std::string>>(std::move(reply))]() mutable { kept.reset(); });
                });
    server.tool("progress", "Tells its progress, also when it is over", message,
                [later](Context& ctx, const std::string& m) {
                    for (int i = -1; i < 3; ++i) ctx.progress(i, 3, m);
                    ctx.log(LogLevel::error, json::value(not_utf8), m);
                    later([ctx] { ctx.progress(99), ctx.info("the call is over"); });
                    return "done";
                });
    server.tool(
        "ask", "Asks the user, and answers with the answer", message,
        [](Context& ctx, std::string m, Reply<std::string> reply) {
            auto kept = std::make_shared<Reply<std::string>>(std::move(reply));
            ctx.async_elicit(
                m,
                json::object{{"type", "object"},
                             {"properties", json::object{{"name", json::object{{"type", "string"}}}}}},
                make_reply<ElicitResult>([kept](Result<ElicitResult> answer) {
                    if (!answer) return std::move(*kept).send(answer.error());
                    std::move(*kept).send(std::string(answer->action == ElicitAction::accept ? "accepted" : "refused"));
                }));
        });
    server.tool("lie", "Breaks its own output schema", message, [](const std::string&) {
        ToolResult out;
        out.structuredContent = json::object{{"wrong", not_utf8}};
        return out;
    });
    server.resource("note://welcome", "welcome", []() -> std::string { return not_utf8; });
    server.resource("note://dot", "dot", []() -> std::string { throw 42; });
    server.resource_template("note://{folder}/{name}", "note",
                             [](const ResourceRequest& r) -> std::optional<std::string> {
                                 if (r.var("name") == "missing") return std::nullopt;
                                 return r.var("name");
                             });
    server.prompt("letter", "A letter",
                  args(arg<std::string>("to", "Whom").complete([](std::string_view) -> std::vector<std::string> {
                      throw std::runtime_error(not_utf8);
                  })),
                  [](const std::string& to) -> std::string {
                      if (to.empty()) throw 42;
                      return to + not_utf8;
                  });
}

inline std::vector<std::string> faulty_tool_names() {
    return {"echo",      "work",        "throw_exception",
            "throw_int", "throw_bytes", "bytes",
            "nothing",   "drop",        "throw_after_taking",
            "later",     "fail_later",  "drop_later",
            "progress",  "ask",         "lie"};
}

}  // namespace tenon::test
