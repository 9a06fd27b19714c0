// Server: holds the tools, resources and prompts that clients can use.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include <tenon/apps.hpp>
#include <tenon/detail/bind.hpp>
#include <tenon/detail/bind_template.hpp>
#include <tenon/middleware.hpp>
#include <tenon/options.hpp>
#include <tenon/skills.hpp>

#pragma GCC visibility push(default)

namespace tenon {

/// Holds tools, resources and prompts, and their handlers. One server serves any number of peers; see serve() and
/// Session. The server declares a capability to clients when something of that kind is registered.
///
/// Thread-safe: register and remove at any time and from any thread. Connected clients are notified, except those that
/// may not see the entry. An invalid registration (a missing description, a duplicate name, an invalid schema, a
/// malformed URI) throws tenon::Exception with a message that says what to do. Handlers may run at the same time on
/// several threads.
///
/// A handler is a function with these parameters, in this order: an optional Context, its arguments, and an optional
/// Reply<T>. With a Reply it may answer later; otherwise it returns its answer. An exception becomes an error.
class Server {
 public:
    Server(std::string name, std::string version, ServerOptions options = {});
    ~Server();
    Server(Server&&) noexcept;
    Server& operator=(Server&&) noexcept;

    /// Adds a tool with arguments: `server.tool("add", "Adds", args(arg<int>("a"), arg<int>("b")), [](int a, int b) {
    /// return a + b; })`. The handler may return text (a string), Content, a ToolResult, or any type with a JSON form.
    /// A type with a JSON form becomes structuredContent, and the tool gets its outputSchema.
    template <class... T, class F>
    Server& tool(std::string name, std::string description, Args<T...> args, F handler, ToolOptions options = {});

    /// Adds a tool without arguments, or with one described struct that holds all arguments. Other arguments are
    /// refused.
    template <class F>
    Server& tool(std::string name, std::string description, F handler, ToolOptions options = {});

    /// Adds a tool with your own schemas. The handler takes (Context?, json::object arguments).
    template <class F>
    Server& tool(Tool definition, F handler, ToolOptions options = {});

    /// Adds a resource. The handler takes (Context?, const ResourceRequest&?) and returns text, a Blob,
    /// ResourceContents, a ReadResult, any type with a JSON form, or a std::optional of these. nullopt means "not
    /// found".
    template <class F>
    Server& resource(std::string uri, std::string name, F handler, ResourceOptions options = {});

    /// Adds all resources that match a URI template: `server.resource_template("log://{day}", "log", [](std::string
    /// day) { return read(day); })`. The handler takes the variables, in the order of the template: strings, numbers,
    /// bool, described enums, std::vector<std::string> for a list, or std::optional of these. A URI whose values do not
    /// have these types is not found. Or the handler takes (Context?, const ResourceRequest&), which has all variables.
    ///
    /// A URI does not match when one of its values could lead out of a folder; the client gets "resource not found".
    /// The values are percent-decoded before they are checked, so "%2F" counts as "/", and so does "%252F":
    ///
    /// | expression                         | each value is      | it never contains                               |
    /// |------------------------------------|--------------------|-------------------------------------------------|
    /// | `{a}`, `{a*}`, `{.a}`, `{/a}`      | one name           | "/", "\", NUL; it is not "." or ".."            |
    /// | `{/a*}`                            | a list of names    | the same, and the first of several is not empty |
    /// | `{+a}`, `{#a}`                     | a relative path    | NUL, a ".." segment, or "/", "\" or "C:" first  |
    /// | `{?a}`, `{&a}`, `{;a}`, `{?a*}` .. | a relative path    | the same, in names and values                   |
    ///
    /// These rules check only the text: a symbolic link can still lead out of a folder. Open files with safe_path.hpp.
    /// ResourceOptions::raw_variables turns these rules off for one template.
    template <class F>
    Server& resource_template(std::string uri_template, std::string name, F handler, ResourceOptions options = {});

    /// Adds a prompt. The handler takes (Context?, arguments...) and returns text, a PromptMessage, a vector of them,
    /// or a PromptResult. Arguments of a described enum type are completed with the names of the enum.
    template <class... T, class F>
    Server& prompt(std::string name, std::string description, Args<T...> args, F handler, PromptOptions options = {});
    template <class F>
    Server& prompt(std::string name, std::string description, F handler, PromptOptions options = {});

    /// Adds a request method to a declared extension (ServerOptions::extensions): `server.method("com.example/add",
    /// args(arg<int>("a"), arg<int>("b")), [](int a, int b) { return a + b; })`. The name begins with a vendor and a
    /// slash, or with the extension and a slash. The vendor contains a dot: "com.example".
    ///
    /// The handler is like that of a tool: `params` of the request are its arguments, and middleware, limits and
    /// cancellation apply. Invalid parameters get -32602. An error or exception of the handler becomes an error
    /// response. A described struct or json::object is the `result`; any other value v becomes {"result": v}. A member
    /// `_meta` is sent as the `_meta` of the result; `resultType` is left out, because Tenon writes it.
    ///
    /// Clients of every revision may call it, whether or not they declared the extension: the handler can ask
    /// Context::client_has_extension().
    template <class... T, class F>
    Server& method(std::string name, Args<T...> args, F handler, MethodOptions options = {});
    /// Adds a method without parameters, or with one described struct or json::object that holds all parameters.
    template <class F>
    Server& method(std::string name, F handler, MethodOptions options = {});

    /// Adds an app (apps.hpp): a page that hosts show for the results of tools. `html` is a whole HTML page. Link tools
    /// to it with in_app().
    Server& app(std::string uri, std::string name, std::string html, AppOptions options = {});
    /// Adds an app whose page is made at each read.
    Server& app(std::string uri, std::string name, std::function<std::string()> html, AppOptions options = {});

    /// Publishes skills (skills.hpp): every folder beneath `folder`, or `folder` itself, that has a SKILL.md. Its path
    /// becomes its URI: "billing/refunds/SKILL.md" is skill://billing/refunds/SKILL.md. Each file is also a resource.
    ///
    /// Reads all files now and keeps them in memory, so reads always fit the digests. To publish changes, call it
    /// again with the same folder. Names that begin with "." are left out. Throws when a SKILL.md is not valid, when a
    /// link leads out of the folder or to a folder, when a file name has hidden characters, or above SkillLimits.
    Server& skills(const std::string& folder, const SkillOptions& options = {});
    /// Publishes one skill by hand: `server.skill("refunds", {{.path = "SKILL.md", .content = text}})`. The name must
    /// be the `name` in the frontmatter of its SKILL.md. Replaces the skill that was published by hand at the same URI.
    Server& skill(std::string_view name, std::vector<SkillFile> files, const SkillOptions& options = {});
    /// Stops publishing the skill whose SKILL.md has this URI. Its files stay when another skill contains them.
    bool remove_skill(std::string_view uri);

    /// Runs a middleware around every request. The first one that was added is the outermost. See middleware.hpp.
    Server& use(Middleware middleware);
    /// Adds an access rule: `server.use(authorise([](std::string_view principal, const Request& r) { ... }))`.
    Server& use(AccessRule rule);

    /// Remove an entry. Return false when there was no such entry.
    bool remove_tool(std::string_view name);
    bool remove_resource(std::string_view uri);
    bool remove_resource_template(std::string_view uri_template);
    bool remove_prompt(std::string_view name);

    /// Notifies the clients that subscribed to this URI.
    void resource_updated(std::string_view uri);
    /// Tells clients that their list of resources has changed: this resource, which a template lists
    /// (ResourceOptions::list), was added or removed. Only clients that may read it are notified.
    void resource_list_changed(std::string_view uri);
    /// Sends a log message to all clients that asked for its level. The protocol deprecates logging: see
    /// deprecated.hpp.
    TENON_DEPRECATED_LOGGING
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
    void add_method(std::string name, json::object params_schema, detail::MethodHandler handler, MethodOptions options);

    std::shared_ptr<Impl> impl_;
};

namespace detail {

/// Returns the keyword "description" of an argument.
std::string described_as(const json::object& keywords);

template <class T>
inline constexpr bool is_prompt_argument = shape_of<PresentT<T>>() == Shape::enumeration
                                           || std::is_same_v<PresentT<T>, std::string>;

/// Returns the completer of an argument. An enum completes itself.
template <class T>
Completer completer_of(const Arg<T>& arg) {
    if constexpr (shape_of<PresentT<T>>() == Shape::enumeration) {
        if (!arg.completer()) return [](std::string_view) { return names_of_enum<PresentT<T>>(); };
    }
    return arg.completer();
}

/// Makes a completion handler from a Completer. It offers the values that begin with the text that the user typed.
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
        Tool definition{std::move(name), std::move(description), detail::whole_schema<Whole>()};
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
    auto bound = detail::bind_template(uri_template, std::move(handler), options.mimeType);
    add_resource_template(std::move(uri_template), std::move(name), std::move(bound), std::move(options));
    return *this;
}

template <class... T, class F>
Server& Server::prompt(std::string name, std::string description, Args<T...> args, F handler, PromptOptions options) {
    static_assert((detail::is_prompt_argument<T> && ...),
                  "tenon: prompt arguments are strings: use arg<std::string>, a described enum, or an optional of "
                  "these");
    Prompt definition{std::move(name), std::move(description)};
    std::map<std::string, CompletionHandler, std::less<>> completers;
    args.each([&](const auto& a) {
        definition.arguments.push_back({a.name(), detail::described_as(a.keywords()), a.required()});
        if (auto completer = detail::completer_of(a)) completers.emplace(a.name(), detail::complete_with(completer));
    });
    for (auto& [argument, completer] : options.complete) completers.insert_or_assign(argument, std::move(completer));
    add_prompt(std::move(definition), std::move(completers), detail::bind_prompt(std::move(args), std::move(handler)),
               std::move(options));
    return *this;
}

template <class F>
Server& Server::prompt(std::string name, std::string description, F handler, PromptOptions options) {
    return prompt(std::move(name), std::move(description), args(), std::move(handler), std::move(options));
}

template <class... T, class F>
Server& Server::method(std::string name, Args<T...> args, F handler, MethodOptions options) {
    json::object schema = args.schema();
    add_method(std::move(name), std::move(schema), detail::bind_method(std::move(args), std::move(handler)),
               std::move(options));
    return *this;
}

template <class F>
Server& Server::method(std::string name, F handler, MethodOptions options) {
    using S = detail::Signature<F>;
    if constexpr (S::arity == 0) {
        return method(std::move(name), args(), std::move(handler), std::move(options));
    } else {
        static_assert(S::arity == 1,
                      "tenon: name the parameters with args(...), or let the handler take one described struct");
        using Whole = std::tuple_element_t<0, typename S::Arguments>;
        json::object schema{{"type", "object"}};
        if constexpr (!std::is_same_v<Whole, json::object>) schema = schema_of<Whole>();
        add_method(std::move(name), std::move(schema), detail::bind_whole_method<Whole>(std::move(handler)),
                   std::move(options));
        return *this;
    }
}

}  // namespace tenon

#pragma GCC visibility pop
