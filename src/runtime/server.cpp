#include <tenon/server.hpp>

#include <algorithm>

#include "core/server/redaction.hpp"
#include "io/memory.hpp"
#include "io/random.hpp"
#include "protocol/extension_id.hpp"
#include "runtime/server_impl.hpp"
#include "runtime/session_impl.hpp"

namespace tenon {
namespace {

std::shared_ptr<base::MemoryBudget> make_budget(const Limits& limits) {
    constexpr std::size_t least = 16 * 1024 * 1024;
    const std::size_t total =
        limits.memory_budget > 0 ? limits.memory_budget : std::max(io::usable_memory() / 4, least);
    return std::make_shared<base::MemoryBudget>(total,
                                                limits.peer_memory_share > 0 ? limits.peer_memory_share : total / 4);
}

void check_ids(const json::object& extensions) {
    if (auto ok = protocol::check_extension_ids(extensions); !ok) throw Exception(ok.error());
}

json::object all_extensions(const ServerOptions& options) {
    check_ids(options.extensions);
    check_ids(options.extensions_without_methods);
    json::object out = options.extensions;
    for (const auto& [name, settings] : options.extensions_without_methods)
        if (!out.emplace(name, settings).second)
            throw Exception({code::invalid_params, "The extension `" + std::string(name) +
                                                       "` is declared with and without methods: remove it from "
                                                       "ServerOptions::extensions_without_methods."});
    return out;
}

base::BucketPace shared_pace(base::BucketSize size) {
    const auto token = std::chrono::nanoseconds(std::chrono::seconds(1)) / static_cast<std::int64_t>(size.per_second);
    const auto burst = static_cast<std::int64_t>(size.burst);
    return base::BucketPace::of(burst, token * burst);
}

}  // namespace

Server::Impl::Impl(std::string name, std::string version, ServerOptions options)
    : log_(std::move(options.log)),
      wall_clock_(options.wall_clock ? options.wall_clock : std::chrono::system_clock::now),
      observers_(std::move(options.observers), nullptr),
      budget_(make_budget(options.limits)),
      own_account_(std::make_shared<base::MemoryAccount>(budget_)),
      tap_(taps(std::move(options.tap))),
      metrics_(std::move(options.metrics)) {
    observers_.set_audit(std::move(options.audit), budget_);
    if (metrics_) {
        report_memory();
        observers_.add_without_traces(metrics_->observer());
    }
    auto settings = std::make_shared<core::Settings>();
    settings->info = protocol::Spellings(Implementation{std::move(name), std::move(version), std::move(options.title),
                                                        std::move(options.description), std::move(options.websiteUrl),
                                                        std::move(options.icons)});
    settings->instructions = std::move(options.instructions);
    settings->limits = options.limits;
    has_cursor_key_ = options.cursor_key.has_value();
    settings->cursors = base::CursorSeal(options.cursor_key ? *options.cursor_key : io::random_bytes<16>());
    settings->logging = options.logging;
    settings->log_level = options.log_level;
    settings->neutralise_control_characters = options.neutralise_control_characters;
    settings->redact = std::move(options.redact);
    settings->on_roots_changed = std::move(options.on_roots_changed);
    settings->cache = options.cache;
    registry_.check_formats(options.check_formats);
    settings->check_replay = options.check_replay;
    settings->replay_every_call = options.replay_every_call;
    if (options.rate_limits.each.calls > 0 || !options.rate_limits.tools.empty())
        use(limit_rates(std::move(options.rate_limits), base::MemoryCharge(own_account_),
                        [this] { return shared_rates_.get(); }));
    settings->features = [this] { return features(); };
    settings->intercepts = [this] { return intercepts_.load(std::memory_order_acquire); };
    settings->access_rules = [this] { return access_rules(); };
    call_rates_ = std::make_unique<CallRates>(io::random_bytes<16>(), options.limits.max_counted_principals,
                                              base::MemoryCharge(own_account_));
    settings->count_call = [this, limits = options.limits](const std::string& principal, bool continued,
                                                           TimePoint now) {
        const base::BucketSize size = core::call_bucket(limits, continued);
        const Duration wait = call_rates_->count(principal, continued, size, now);
        if (wait > Duration::zero() || continued || !shared_rates_) return wait;
        return shared_rates_->count("", principal, shared_pace(size));
    };
    observers_changed(*settings);
    settings->extensions = all_extensions(options);
    extensions_ = std::move(options.extensions);
    has_own_seal_ = !options.state_seal;
    states_ = std::make_shared<RequestStates>(options.limits, std::move(options.state_seal), wall_clock_);
    settings->seal = [states = states_](std::string state, std::string_view binding,
                                        const base::MemoryAccountPtr& account) {
        return states->close(std::move(state), binding, account);
    };
    settings->unseal = [states = states_](std::string_view sealed, std::string_view binding) {
        return states->open(sealed, binding);
    };
    tasks_ = std::make_unique<Tasks>(
        core::TaskBoard(options.limits, settings->info), wall_clock_,
        [this](const TaskRecord& task) { tell([&](core::ServerEngine& engine) { engine.task_changed(task); }); },
        [this](const core::TaskEnded& task) { task_ended(task); },
        [this](LogLevel level, std::string_view text) { note(level, text); });
    settings->tasks = tasks_.get();
    settings_ = std::move(settings);
}

const std::shared_ptr<Metrics>& Server::Impl::default_metrics() {
    if (metrics_) return metrics_;
    metrics_ = std::make_shared<Metrics>();
    report_memory();
    observers_.add_without_traces(metrics_->observer());
    observers_changed(*settings_);
    return metrics_;
}

void Server::Impl::report_memory() {
    in_metrics_ = metrics_->watch([budget = budget_](ServerState& state) {
        state.memory_used += budget->used();
        state.memory_budget += budget->total();
    });
}

void Server::Impl::add_method(core::MethodEntry entry) {
    const std::lock_guard lock(mutex_);
    if (auto ok = registry_.add(std::move(entry), extensions_); !ok) throw Exception(ok.error());
}

void Server::Impl::check_extensions() const {
    const std::lock_guard lock(mutex_);
    if (auto ok = registry_.check_extensions(extensions_); !ok) throw Exception(ok.error());
}

std::shared_ptr<const core::Features> Server::Impl::features() {
    const std::lock_guard lock(mutex_);
    return registry_.snapshot();
}

void Server::Impl::use(Middleware middleware) {
    const std::lock_guard lock(mutex_);
    auto list = middlewares_ ? *middlewares_ : std::vector<Middleware>();
    list.push_back(std::move(middleware));
    middlewares_ = std::make_shared<const std::vector<Middleware>>(std::move(list));
    has_middlewares_.store(true, std::memory_order_release);
    intercepts_.store(true, std::memory_order_release);
}

namespace {

// Returns the question to an access rule. It has the same form whatever the client requested.
Request question_about(const core::Use& use, const json::object& params) {
    switch (use.kind) {
        case core::UseKind::tool: return {"tools/call", use.name(), params};
        case core::UseKind::resource: return {"resources/read", use.name(), params};
        case core::UseKind::prompt: return {"prompts/get", use.name(), params};
        default: return {use.name(), use.name(), params};
    }
}

}  // namespace

void Server::Impl::use(AccessRule rule) {
    const std::lock_guard lock(mutex_);
    rules_.push_back(std::move(rule));
    access_rules_ = std::make_shared<const core::AccessRules>(
        [this, rules = rules_](const Caller& caller, const core::Use& use, const json::object& params) {
            const Request question = question_about(use, params);
            try {
                return std::ranges::all_of(rules, [&](const AccessRule& r) { return r.may(caller, question); });
            } catch (...) {
                note(LogLevel::error, "an access rule threw an exception: " + detail::current_error().message);
                return false;
            }
        });
    intercepts_.store(true, std::memory_order_release);
}

bool Server::Impl::remove(bool (core::Registry::*how)(std::string_view), std::string_view key, core::ListKind kind) {
    const auto before = features();
    {
        const std::lock_guard lock(mutex_);
        if (!(registry_.*how)(key)) return false;
    }
    list_changed(kind, std::string(key), *before);
    return true;
}

void Server::Impl::list_changed(core::ListKind kind, std::string key, const core::Features& features) {
    const auto tool = kind == core::ListKind::tools ? features.tools.find(key) : nullptr;
    announce(core::ListChange{kind, std::move(key), {}, tool && tool->only_for_apps});
}

void Server::Impl::resource_list_changed(std::string_view uri) {
    const auto known = features();
    const auto use = core::use_of_resource(*known, uri);
    core::ListChange change{core::ListKind::resources, std::string(use ? use->key : uri)};
    if (use) change.uri = use->uri;
    announce(change);
}

void Server::Impl::tell(const std::function<void(core::ServerEngine&)>& what) {
    std::vector<std::shared_ptr<Session::Impl>> sessions;
    {
        const std::lock_guard lock(mutex_);
        for (const auto& [number, weak] : sessions_)
            if (auto session = weak.lock()) sessions.push_back(std::move(session));
    }
    for (const auto& session : sessions) session->with_engine(what);
}

std::uint64_t Server::Impl::join(const std::shared_ptr<Session::Impl>& session) {
    const std::lock_guard lock(mutex_);
    sessions_.emplace_hint(sessions_.end(), ++last_session_, session);
    return last_session_;
}

void Server::Impl::leave(std::uint64_t number) {
    const std::lock_guard lock(mutex_);
    sessions_.erase(number);
}

Server::Server(std::string name, std::string version, ServerOptions options)
    : impl_(std::make_shared<Impl>(std::move(name), std::move(version), std::move(options))) {}
Server::~Server() {
    if (impl_) impl_->tasks().visit([](core::TaskBoard& board, WallTime now) { board.end_all(now); });
}
Server::Server(Server&&) noexcept = default;
Server& Server::operator=(Server&&) noexcept = default;

void Server::add_tool(Tool definition, detail::ToolHandler handler, ToolOptions options) {
    if (!options.title.empty()) definition.title = std::move(options.title);
    if (!options.annotations.empty()) definition.annotations = std::move(options.annotations);
    if (!options.icons.empty()) definition.icons = std::move(options.icons);
    if (!options.meta.empty()) definition.meta = std::move(options.meta);
    if (options.task != TaskSupport::forbidden) definition.task = options.task;
    impl_->add(core::ToolEntry{.definition = std::move(definition),
                               .handler = std::move(handler),
                               .placement = options.placement,
                               .time = options.time_limit,
                               .task_start = options.task_start,
                               .restartable = options.restartable},
               core::ListKind::tools);
}

void Server::add_resource(std::string uri, std::string name, detail::ResourceHandler handler, ResourceOptions options) {
    if (!options.complete.empty())
        throw Exception({code::invalid_params,
                         "The resource `" + name + "` has no variables to complete: use resource_template()."});
    if (options.list)
        throw Exception({code::invalid_params,
                         "The resource `" + name + "` is one resource: use `list` with resource_template()."});
    if (options.raw_variables)
        throw Exception({code::invalid_params,
                         "The resource `" + name + "` has no variables: use raw_variables with resource_template()."});
    Resource definition{std::move(uri),
                        std::move(name),
                        std::move(options.title),
                        std::move(options.description),
                        std::move(options.mimeType),
                        options.size,
                        std::move(options.annotations),
                        std::move(options.icons),
                        std::move(options.meta)};
    impl_->add(core::ResourceEntry{std::move(definition), std::move(handler), options.placement},
               core::ListKind::resources);
}

void Server::add_resource_template(std::string uri_template, std::string name, detail::ResourceHandler handler,
                                   ResourceOptions options) {
    ResourceTemplate definition{std::move(uri_template),     std::move(name),
                                std::move(options.title),    std::move(options.description),
                                std::move(options.mimeType), std::move(options.annotations),
                                std::move(options.icons),    std::move(options.meta)};
    using Values = base::UriTemplate::Values;
    impl_->add(core::TemplateEntry{.definition = std::move(definition),
                                   .handler = std::move(handler),
                                   .completers = std::move(options.complete),
                                   .list = std::move(options.list),
                                   .placement = options.placement,
                                   .values = options.raw_variables ? Values::raw : Values::safe},
               core::ListKind::resources);
}

void Server::add_prompt(Prompt definition, std::map<std::string, CompletionHandler, std::less<>> completers,
                        detail::PromptHandler handler, PromptOptions options) {
    definition.title = std::move(options.title);
    definition.icons = std::move(options.icons);
    definition.meta = std::move(options.meta);
    impl_->add(core::PromptEntry{std::move(definition), std::move(handler), std::move(completers), options.placement},
               core::ListKind::prompts);
}

void Server::add_method(std::string name, json::object params_schema, detail::MethodHandler handler,
                        MethodOptions options) {
    impl_->add_method(core::MethodEntry{.name = std::move(name),
                                        .params_schema = std::move(params_schema),
                                        .handler = std::move(handler),
                                        .extension = std::move(options.extension),
                                        .placement = options.placement,
                                        .time = options.time_limit});
}

bool Server::remove_tool(std::string_view name) {
    return impl_->remove(&core::Registry::remove_tool, name, core::ListKind::tools);
}
bool Server::remove_resource(std::string_view uri) {
    return impl_->remove(&core::Registry::remove_resource, uri, core::ListKind::resources);
}
bool Server::remove_resource_template(std::string_view uri_template) {
    return impl_->remove(&core::Registry::remove_template, uri_template, core::ListKind::resources);
}
bool Server::remove_prompt(std::string_view name) {
    return impl_->remove(&core::Registry::remove_prompt, name, core::ListKind::prompts);
}

Server& Server::use(Middleware middleware) {
    impl_->use(std::move(middleware));
    return *this;
}

Server& Server::use(AccessRule rule) {
    impl_->use(std::move(rule));
    return *this;
}

void Server::resource_updated(std::string_view uri) { impl_->announce(ResourceUpdated{std::string(uri)}); }

void Server::resource_list_changed(std::string_view uri) { impl_->resource_list_changed(uri); }

void Server::log(LogLevel level, json::value data, std::string_view logger) {
    core::Redaction(*impl_->settings()).apply(data);
    impl_->announce(ServerLog{level, std::move(data), std::string(logger)});
}

const Limits& Server::limits() const { return impl_->settings()->limits; }

namespace detail {

json::object wrap_schema(json::object schema) {
    json::object wrapped{{"type", "object"}};
    if (const auto defs = schema.find("$defs"); defs != schema.end()) {
        wrapped["$defs"] = std::move(defs->value());
        schema.erase(defs);
    }
    wrapped["properties"] = json::object{{"result", std::move(schema)}};
    wrapped["required"] = json::array{"result"};
    return wrapped;
}

std::string described_as(const json::object& keywords) {
    const json::value* text = keywords.if_contains("description");
    return text && text->is_string() ? std::string(text->get_string()) : std::string();
}

CompletionHandler complete_with(std::function<std::vector<std::string>(std::string_view)> completer) {
    return [completer = std::move(completer)](const CompletionRequest& request) -> Completion {
        Completion out;
        for (std::string& value : completer(request.value))
            if (value.starts_with(request.value)) out.values.push_back(std::move(value));
        return out;
    };
}

}  // namespace detail
}  // namespace tenon
