// Server: what is offered. One server serves any number of peers; see serve() and Session.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <tenon/detail/bind.hpp>
#include <tenon/options.hpp>

namespace tenon {

/// Tools, resources and prompts, and the functions behind them. Capabilities follow from what is registered.
///
/// Registering and removing is allowed at any time and from any thread; connected clients are told. A registration
/// that is not right (no description, a name that is taken, a schema that is none, a bad URI) throws tenon::Exception
/// with a message that says what to do. Handlers may run at the same time on several threads.
///
/// A handler is a function whose parameters are, in this order: a Context (if it wants one), its arguments, and a
/// Reply<T> (if it wants to answer later; otherwise it returns its answer). It may throw: that is an answer too.
class Server {
 public:
    Server(std::string name, std::string version, ServerOptions options = {});
    ~Server();
    Server(Server&&) noexcept;
    Server& operator=(Server&&) noexcept;

    /// A tool with arguments: `server.tool("add", "Adds", args(arg<int>("a"), arg<int>("b")), [](int a, int b) { return
    /// a + b; })`. The handler's answer may be text (a string), Content, a ToolResult, or any type with a JSON form:
    /// that becomes structuredContent with an outputSchema.
    template <class... T, class F>
    Server& tool(std::string name, std::string description, Args<T...> args, F handler, ToolOptions options = {});

    /// A tool without arguments, or with one described struct for all of them.
    template <class F>
    Server& tool(std::string name, std::string description, F handler, ToolOptions options = {});

    /// A tool with schemas of your own; the handler takes (Context?, json::object arguments).
    template <class F>
    Server& tool(Tool definition, F handler, ToolOptions options = {});

    /// A resource: the handler takes (Context?, const ResourceRequest&?) and returns text, a Blob, ResourceContents, a
    /// ReadResult, any type with a JSON form, or a std::optional of these: nullopt is "not found".
    template <class F>
    Server& resource(std::string uri, std::string name, F handler, ResourceOptions options = {});

    /// Resources by URI template: `server.resource_template("log://{day}", "log", [](const ResourceRequest& r) { return
    /// read(r.var("day")); })`.
    ///
    /// A URI whose values could leave a folder does not match; the client gets "resource not found". The values are
    /// percent-decoded before they are checked, so "%2F" counts as "/", and "%252F" too:
    ///
    /// | expression                         | each value is      | it never has                                    |
    /// |------------------------------------|--------------------|-------------------------------------------------|
    /// | `{a}`, `{a*}`, `{.a}`, `{/a}`      | one name           | "/", "\", NUL; it is not "." or ".."            |
    /// | `{/a*}`                            | a list of names    | the same, and the first of several is not empty |
    /// | `{+a}`, `{#a}`                     | a relative path    | NUL, a ".." segment, or "/", "\" or "C:" first  |
    /// | `{?a}`, `{&a}`, `{;a}`, `{?a*}` .. | a relative path    | the same, in names and values                   |
    ///
    /// A value is still only text: a symbolic link can lead out of a folder. Open files with safe_path.hpp.
    /// ResourceOptions::raw_variables turns these rules off for one template.
    template <class F>
    Server& resource_template(std::string uri_template, std::string name, F handler, ResourceOptions options = {});

    /// A prompt: the handler takes its arguments and returns text, PromptMessages or a PromptResult.
    template <class... T, class F>
    Server& prompt(std::string name, std::string description, Args<T...> args, F handler, PromptOptions options = {});
    template <class F>
    Server& prompt(std::string name, std::string description, F handler, PromptOptions options = {});

    /// Puts a function in front of every handler; the first is the outermost. See middleware.hpp.
    Server& use(Middleware middleware);

    bool remove_tool(std::string_view name);
    bool remove_resource(std::string_view uri);
    bool remove_resource_template(std::string_view uri_template);
    bool remove_prompt(std::string_view name);

    /// Tells the clients that subscribed to this URI.
    void resource_updated(std::string_view uri);
    /// A log message to all clients that want its level.
    void log(LogLevel level, json::value data, std::string_view logger = {});

    const Limits& limits() const;

    class Impl;
    const std::shared_ptr<Impl>& impl() const { return impl_; }

 private:
    void add_tool(Tool definition, detail::ToolHandler handler, ToolOptions options);
    void add_resource(std::string uri, std::string name, detail::ResourceHandler handler, ResourceOptions options);
    void add_resource_template(std::string uri_template, std::string name, detail::ResourceHandler handler,
                               ResourceOptions options);
    void add_prompt(Prompt definition, std::map<std::string, CompletionHandler, std::less<>> completers,
                    detail::PromptHandler handler, PromptOptions options);

    std::shared_ptr<Impl> impl_;
};

namespace detail {

/// The description among the keywords of an argument.
std::string described_as(const json::object& keywords);

/// Offers the values of `completer` that begin with what was typed.
CompletionHandler complete_with(std::function<std::vector<std::string>(std::string_view)> completer);

}  // namespace detail

template <class... T, class F>
Server& Server::tool(std::string name, std::string description, Args<T...> args, F handler, ToolOptions options) {
    Tool definition{std::move(name), std::move(description), args.schema()};
    definition.outputSchema = detail::output_schema<typename detail::Signature<F>::Answer>();
    add_tool(std::move(definition), detail::bind_tool(std::move(args), std::move(handler)), std::move(options));
    return *this;
}

template <class F>
Server& Server::tool(std::string name, std::string description, F handler, ToolOptions options) {
    using S = detail::Signature<F>;
    if constexpr (S::arity == 0) {
        return tool(std::move(name), std::move(description), args(), std::move(handler), std::move(options));
    } else {
        static_assert(S::arity == 1,
                      "tenon: name the arguments with args(...), or let the handler take one described struct");
        using Whole = std::tuple_element_t<0, typename S::Arguments>;
        Tool definition{std::move(name), std::move(description), schema_of<Whole>()};
        definition.outputSchema = detail::output_schema<typename S::Answer>();
        add_tool(std::move(definition), detail::bind_whole_tool<Whole>(std::move(handler)), std::move(options));
        return *this;
    }
}

template <class F>
Server& Server::tool(Tool definition, F handler, ToolOptions options) {
    if constexpr (detail::Signature<F>::arity == 0) {
        add_tool(std::move(definition), detail::bind_tool(args(), std::move(handler)), std::move(options));
    } else {
        using Whole = std::tuple_element_t<0, typename detail::Signature<F>::Arguments>;
        static_assert(detail::Signature<F>::arity == 1 && std::is_same_v<Whole, json::object>,
                      "tenon: the handler of a tool with its own schema takes (Context?, json::object, Reply<...>?)");
        add_tool(std::move(definition), detail::bind_whole_tool<json::object>(std::move(handler)), std::move(options));
    }
    return *this;
}

template <class F>
Server& Server::resource(std::string uri, std::string name, F handler, ResourceOptions options) {
    auto bound = detail::bind_resource(std::move(handler), options.mimeType);
    add_resource(std::move(uri), std::move(name), std::move(bound), std::move(options));
    return *this;
}

template <class F>
Server& Server::resource_template(std::string uri_template, std::string name, F handler, ResourceOptions options) {
    auto bound = detail::bind_resource(std::move(handler), options.mimeType);
    add_resource_template(std::move(uri_template), std::move(name), std::move(bound), std::move(options));
    return *this;
}

template <class... T, class F>
Server& Server::prompt(std::string name, std::string description, Args<T...> args, F handler, PromptOptions options) {
    static_assert(
        ((std::is_same_v<T, std::string> || std::is_same_v<T, std::optional<std::string>> || std::is_enum_v<T>)&&...),
        "tenon: prompt arguments are strings: use arg<std::string>, arg<std::optional<std::string>> or a described "
        "enum");
    Prompt definition{std::move(name), std::move(description)};
    std::map<std::string, CompletionHandler, std::less<>> completers;
    args.each([&](const auto& a) {
        definition.arguments.push_back({a.name(), detail::described_as(a.keywords()), a.required()});
        if (a.completer()) completers.emplace(a.name(), detail::complete_with(a.completer()));
    });
    add_prompt(std::move(definition), std::move(completers), detail::bind_prompt(std::move(args), std::move(handler)),
               std::move(options));
    return *this;
}

template <class F>
Server& Server::prompt(std::string name, std::string description, F handler, PromptOptions options) {
    return prompt(std::move(name), std::move(description), args(), std::move(handler), std::move(options));
}

}  // namespace tenon
