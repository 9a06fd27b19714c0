// Client: calls one server, of any protocol revision, over any transport.
//
//     tenon::Client client(tenon::process({.command = {"weather-server"}}));
//     for (const tenon::Tool& tool : client.list_tools()) show(tool.name);
//     tenon::ToolResult result = client.call_tool("forecast", {{"city", "Oslo"}});
#pragma once

#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <tenon/client_options.hpp>
#include <tenon/client_task.hpp>
#include <tenon/client_transport.hpp>
#include <tenon/deprecated.hpp>
#include <tenon/protocol/completion.hpp>
#include <tenon/protocol/prompts.hpp>
#include <tenon/protocol/resources.hpp>
#include <tenon/protocol/server_info.hpp>
#include <tenon/protocol/tools.hpp>
#include <tenon/reply.hpp>
#include <tenon/typed.hpp>

#pragma GCC visibility push(default)

namespace tenon {

/// A server's list, fetched page by page while you iterate. Iterating throws tenon::Exception when a page cannot be
/// fetched, when the pages form a loop, or when the list exceeds ClientLimits::max_pages, max_list_entries,
/// max_list_bytes or list_time. Entries that came before the error stay valid. Not thread-safe; iterate only once.
template <class T>
class List {
 public:
    /// Returns the next page, or nullopt after the last.
    using Fetch = std::function<std::optional<std::vector<T>>()>;
    explicit List(Fetch fetch) : fetch_(std::move(fetch)) {}

    class Iterator {
     public:
        using value_type = T;
        using difference_type = std::ptrdiff_t;

        Iterator() = default;
        explicit Iterator(List* list) : list_(list) { skip_empty_pages(); }
        T& operator*() const { return list_->page_[at_]; }
        T* operator->() const { return &list_->page_[at_]; }
        Iterator& operator++() {
            ++at_;
            skip_empty_pages();
            return *this;
        }
        void operator++(int) { ++*this; }
        friend bool operator==(const Iterator& it, std::default_sentinel_t) { return it.list_ == nullptr; }

     private:
        void skip_empty_pages() {
            while (list_ && at_ == list_->page_.size()) {
                auto page = list_->fetch_();
                at_ = 0;
                if (page) {
                    list_->page_ = *std::move(page);
                } else {
                    list_ = nullptr;
                }
            }
        }
        List* list_ = nullptr;
        std::size_t at_ = 0;
    };

    Iterator begin() { return Iterator(this); }
    std::default_sentinel_t end() const { return {}; }

    /// Returns all remaining entries. On an exception the entries are lost: iterate to keep those before the error.
    std::vector<T> all() {
        std::vector<T> out;
        for (T& entry : *this) out.push_back(std::move(entry));
        return out;
    }

 private:
    Fetch fetch_;
    std::vector<T> page_;
};

/// The prompt or resource template whose argument is to be completed.
struct CompletionTarget {
    static CompletionTarget prompt(std::string name) { return {"ref/prompt", std::move(name)}; }
    static CompletionTarget resource(std::string uri_template) { return {"ref/resource", std::move(uri_template)}; }
    std::string type, name;
};

/// A client of one server. Thread-safe: every function may be called from any thread, also from callbacks. A blocking
/// call does not delay other calls. The constructor starts connecting and returns at once; calls wait for the
/// connection.
///
/// Blocking calls throw tenon::Exception with the server's error, or with a local error: code::request_timeout,
/// connection_closed, call_cancelled, invalid_answer, limit_reached or http_refused. code::is_local() tells them apart
/// from the server's errors. Every call ends, at the latest with a timeout. A failed tool does not throw: it
/// returns a result with isError.
///
/// The async_ functions return at once. They answer the Reply exactly once, on the thread that also runs the
/// notification callbacks of ClientOptions. For coroutines, see client_asio.hpp.
class Client {
 public:
    explicit Client(std::shared_ptr<ClientTransport> transport, ClientOptions options = {});
    ~Client();  ///< calls close(ClientLimits::close_time)
    Client(Client&&) noexcept;
    Client& operator=(Client&&) noexcept;

    /// Waits for the connection and returns the server's description of itself.
    ServerInfo connect(const CallOptions& options = {});
    void async_connect(Reply<ServerInfo> reply, CallOptions options = {});
    /// Returns the era of the server, or `automatic` before the connection is open. Pass it to the next client of the
    /// same server to save one round trip.
    Era era() const;

    List<Tool> list_tools(CallOptions options = {});
    List<Resource> list_resources(CallOptions options = {});
    List<ResourceTemplate> list_resource_templates(CallOptions options = {});
    List<Prompt> list_prompts(CallOptions options = {});
    /// Lists with any method and returns the raw entries of one member, for example "tools" of "tools/list".
    List<json::value> list_any(std::string method, std::string member, CallOptions options = {});

    /// Calls a tool and waits for its result. A call that becomes a task is followed to its end, see
    /// ClientOptions::tasks.
    ToolResult call_tool(std::string name, json::object arguments = {}, const CallOptions& options = {});
    /// Calls a tool and returns the structured content of its result as a C++ value. Throws when the result has
    /// isError.
    template <class T>
    T call_tool_as(std::string name, json::object arguments = {}, const CallOptions& options = {});
    /// Calls a tool and returns when the server has made a task of it. A tool without tasks runs to its end first, and
    /// the handle then has its result.
    ClientTask start_tool(std::string name, json::object arguments = {}, const CallOptions& options = {});
    /// Returns a handle of a task that was started before, for example by another process. Sends nothing.
    ClientTask task(std::string id);
    /// Lists the tasks of this client (2025-11-25). 2026-07-28 has no such list: iterating throws
    /// code::method_not_found.
    List<TaskInfo> list_tasks(CallOptions options = {});
    ReadResult read_resource(std::string uri, const CallOptions& options = {});
    PromptResult get_prompt(std::string name, PromptArguments arguments = {}, const CallOptions& options = {});
    Completion complete(CompletionTarget target, CompletionRequest request, const CallOptions& options = {});
    /// Sets the lowest level of log messages that the server sends. A server of 2026-07-28 sends none before this call.
    /// The protocol deprecates logging: see deprecated.hpp.
    TENON_DEPRECATED_LOGGING
    void set_log_level(LogLevel level, const CallOptions& options = {});
    /// Asks the server to report changes of this resource, to ClientOptions::on_resource_updated.
    void subscribe(std::string uri, const CallOptions& options = {});
    void unsubscribe(std::string uri, const CallOptions& options = {});
    /// Returns when the server has answered a ping. Throws when it does not answer.
    void ping(const CallOptions& options = {});
    /// Sends a request of any method and returns its raw result. A `tools/call` that becomes a task is followed to its
    /// end, unless you handle tasks yourself: set `task` in `params` (2025-11-25), or name the tasks extension in
    /// ClientOptions::extensions (2026-07-28).
    json::value request(std::string method, json::object params = {}, const CallOptions& options = {});
    /// Sends a request, for example of an extension, and returns its result as a C++ value: `client.request<Route>(
    /// "com.example/route", {{"to", "Oslo"}})`. `_meta` and `resultType` of the result are left out. When T is not an
    /// object, the result is {"result": T}, as Server::method() writes it. T may be void.
    template <class T>
    T request(std::string method, json::object params = {}, const CallOptions& options = {});
    /// Sends a notification of any method, for example of an extension. Returns when it is queued. Throws when the
    /// server is not connected.
    void notify(const std::string& method, const json::object& params = {});
    /// Tells the server that ClientOptions::on_roots would now return a different list. The protocol deprecates roots.
    TENON_DEPRECATED_ROOTS
    void roots_changed();

    void async_list_tools(std::optional<std::string> cursor, Reply<Page<Tool>> reply, CallOptions options = {});
    void async_list_resources(std::optional<std::string> cursor, Reply<Page<Resource>> reply, CallOptions options = {});
    void async_list_resource_templates(std::optional<std::string> cursor, Reply<Page<ResourceTemplate>> reply,
                                       CallOptions options = {});
    void async_list_prompts(std::optional<std::string> cursor, Reply<Page<Prompt>> reply, CallOptions options = {});
    void async_call_tool(std::string name, json::object arguments, Reply<ToolResult> reply, CallOptions options = {});
    void async_read_resource(std::string uri, Reply<ReadResult> reply, CallOptions options = {});
    void async_get_prompt(std::string name, PromptArguments arguments, Reply<PromptResult> reply,
                          CallOptions options = {});
    void async_complete(CompletionTarget target, CompletionRequest request, Reply<Completion> reply,
                        CallOptions options = {});
    void async_set_log_level(LogLevel level, Reply<void> reply, CallOptions options = {});
    void async_subscribe(std::string uri, Reply<void> reply, CallOptions options = {});
    void async_unsubscribe(std::string uri, Reply<void> reply, CallOptions options = {});
    void async_ping(Reply<void> reply, CallOptions options = {});
    void async_request(std::string method, json::object params, Reply<json::value> reply, CallOptions options = {});
    template <class T>
    void async_request(std::string method, json::object params, Reply<T> reply, CallOptions options = {});

    /// Fails every open call with code::connection_closed, closes the transport cleanly, and waits for running
    /// callbacks. Takes at most `time`. When called from a callback, it does not wait for callbacks.
    void close(Duration time);
    void close();  ///< close(ClientLimits::close_time)

    class Impl;

 private:
    std::shared_ptr<Impl> impl_;
};

namespace detail {

/// Returns the structured content, or an error that says why it is missing.
Result<json::value> structured_content(const ToolResult& result);

/// Reads a value that a Tenon server wraps as {"result": ...} when it is not an object, because the protocol wants
/// objects.
template <class T>
Result<T> read_wrapped(const json::value& v, const std::string& path) {
    auto direct = from_json<T>(v, path);
    if constexpr (Describable<T>) {
        const json::object* o = v.if_object();
        const json::value* inner = o && o->size() == 1 ? o->if_contains("result") : nullptr;
        if (!direct && inner) return from_json<T>(*inner, path + ".result");
    }
    return direct;
}

/// Reads the result of a method of an extension.
template <class T>
Result<T> read_result(json::value v) {
    if constexpr (std::is_void_v<T>) {
        return {};
    } else {
        if (json::object* o = v.if_object()) o->erase("_meta"), o->erase("resultType");
        auto read = read_wrapped<T>(v, "result");
        if (!read) return Error{code::invalid_answer, "The server's answer is invalid: " + read.error().message};
        return read;
    }
}

}  // namespace detail

template <class T>
T Client::call_tool_as(std::string name, json::object arguments, const CallOptions& options) {
    const json::value v = detail::structured_content(call_tool(std::move(name), std::move(arguments), options)).value();
    return detail::read_wrapped<T>(v, "structuredContent").value();
}

template <class T>
T Client::request(std::string method, json::object params, const CallOptions& options) {
    auto read = detail::read_result<T>(request(std::move(method), std::move(params), options));
    if (!read) throw Exception(read.error());
    if constexpr (!std::is_void_v<T>) return *std::move(read);
}

template <class T>
void Client::async_request(std::string method, json::object params, Reply<T> reply, CallOptions options) {
    auto shared = std::make_shared<Reply<T>>(std::move(reply));
    async_request(std::move(method), std::move(params), make_reply<json::value>([shared](Result<json::value> answer) {
                      if (!answer) return std::move(*shared).send(answer.error());
                      std::move(*shared).send(detail::read_result<T>(*std::move(answer)));
                  }),
                  std::move(options));
}

}  // namespace tenon

#pragma GCC visibility pop
