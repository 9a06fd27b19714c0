#include "inspect/session.hpp"

#include <algorithm>

#include <tenon/apps.hpp>
#include <tenon/auth/client.hpp>
#include <tenon/transport/http_client.hpp>
#include <tenon/transport/watched.hpp>

#include "framing/http_fields.hpp"
#include "protocol/read_server.hpp"
#include "web/url.hpp"

namespace tenon::inspect {
namespace {

using namespace std::chrono_literals;

constexpr Duration close_time = 2s, exit_time = 500ms, term_time = 1s;
constexpr std::size_t max_reason_bytes = 4096;  // of the end of stderr, in the reason of a failure

std::string_view state_name(int state) {
    constexpr std::string_view names[] = {"idle", "connecting", "ready", "failed", "closed"};
    return names[state];
}

bool has_token(const Target& target) {
    return std::ranges::any_of(
        target.headers, [](const auto& header) { return framing::equal_ignoring_case(header.first, "authorization"); });
}

}  // namespace

std::string text_of(const Target& target, const Options& options) {
    if (!target.url.empty()) return target.url;
    if (options.shell_line) return options.shell_line(target.command);
    std::string out;
    for (const std::string& word : target.command) out += (out.empty() ? "" : " ") + word;
    return out;
}

std::string_view name_of(Era era) { return era == Era::legacy ? "legacy" : era == Era::modern ? "modern" : "auto"; }

Era era_named(std::string_view name) {
    if (name == "auto") return Era::automatic;
    if (name == "legacy") return Era::legacy;
    if (name == "modern") return Era::modern;
    throw Refusal{400, "`era` must be auto, legacy or modern."};
}

Tool definition_of(const json::object& raw) {
    auto page = protocol::read_tools(json::object{{"tools", json::array{raw}}});
    if (page && page->items.size() == 1) return std::move(page->items.front());
    Tool out;
    const json::value* name = raw.if_contains("name");
    out.name = name && name->is_string() ? std::string(name->get_string()) : std::string();
    out.meta = raw;
    return out;
}

json::array Link::all_tools(bool fresh) {
    {
        const std::lock_guard lock(mutex);
        if (tools && !fresh) return *tools;
    }
    CallOptions options;
    options.fresh = true;
    json::array all;
    for (json::value& tool : client->list_any("tools/list", "tools", options)) all.push_back(std::move(tool));
    const std::lock_guard lock(mutex);
    tools = all;
    return all;
}

json::object Link::tool(const std::string& name) {
    for (const json::value& tool : all_tools(false)) {
        const json::object* o = tool.if_object();
        const json::value* own = o ? o->if_contains("name") : nullptr;
        if (own && own->is_string() && std::string_view(own->get_string()) == name) return *o;
    }
    throw Refusal{404, "The server does not list the tool `" + name + "`.", "List the tools again."};
}

Session::Session(const Options& options, Recorder& recorder, Questions& questions)
    : options_(options),
      recorder_(recorder),
      questions_(questions),
      tokens_(options.tokens ? options.tokens : auth::memory_store()),
      log_(recorder) {}

Session::~Session() {
    if (const auto link = take_link()) link->client->close(close_time);
}

std::string Session::identity_of(const Target& target) const {
    if (options_.identity) return options_.identity(target);
    return target.url.empty() ? target.directory + '\n' + text_of(target, options_) : target.url;
}

std::shared_ptr<ClientTransport> Session::transport_to(const Target& target, std::uint64_t number,
                                                       std::shared_ptr<ProcessTransport>& child) const {
    Recorder& recorder = recorder_;
    if (target.url.empty()) {
        if (target.command.empty()) throw Refusal{400, "The command is empty."};
        ProcessOptions process_options;
        process_options.command = target.command;
        process_options.directory = target.directory;
        process_options.environment = target.environment;
        process_options.exit_time = exit_time;
        process_options.term_time = term_time;
        process_options.on_stderr = [&recorder, number](std::string_view line) {
            recorder.tell("stderr", {{"text", line}, {"connection", number}});
        };
        return child = process(std::move(process_options));
    }
    std::shared_ptr<auth::Authoriser> authoriser;
    if (!has_token(target)) {
        auth::SignInOptions sign_in;
        sign_in.client_name = "tenon inspect";
        sign_in.tokens.store = tokens_;
        sign_in.tokens.on_exchange = [this](const auth::Exchange& exchange) {
            log_.add(exchange);
            if (step_of(exchange) == "token") user_has_signed_in();
        };
        sign_in.open_page = [this](const auth::Page& page) { user_must_sign_in(page); };
        authoriser = auth::sign_in(std::move(sign_in));
    }
    return http({.url = target.url, .headers = target.headers, .auth = std::move(authoriser)});
}

// A page that is opened later must know it, too: so it is a part of the status.
void Session::user_must_sign_in(const auth::Page& page) const {
    const json::object shown = {{"url", page.url}, {"server", page.server}};
    {
        const std::lock_guard lock(mutex_);
        page_ = shown;
    }
    log_.add_page(page);
    recorder_.tell("sign_in", shown);
}

// Without the lock, a thread could tell an old state after another thread told a newer one.
void Session::tell_state() const {
    const std::lock_guard lock(telling_);
    recorder_.tell("state", status());
}

void Session::user_has_signed_in() const {
    {
        const std::lock_guard lock(mutex_);
        page_.reset();
    }
    tell_state();
}

ClientOptions Session::plain_options(Era era) const {
    ClientOptions o;
    o.info = {"tenon inspect", options_.version};
    o.era = era;
    o.restart = false;           // the user sees that the server died
    o.validate_results = false;  // the page shows the result, and what is wrong with it
    o.extensions[apps_extension] = json::object{{"mimeTypes", json::array{app_mime_type}}};
    if (options_.timeout) o.limits.request_time = o.limits.connect_time = *options_.timeout;
    return o;
}

void Session::answer_questions(ClientOptions& o, const std::shared_ptr<Link>& link) const {
    const Questions::Asker asker{link->label, link->identity};
    Questions& questions = questions_;
    o.on_elicit = [&questions, asker](const ElicitRequest& r, const std::stop_token& stop) {
        return questions.form(asker, r, stop);
    };
    o.on_elicit_url = [&questions, asker](const ElicitUrlRequest& r, const std::stop_token& stop) {
        return questions.page(asker, r, stop);
    };
    o.on_sample = [&questions, asker](const SampleRequest& r, const std::stop_token& stop) {
        return questions.sample(asker, r, stop);
    };
    o.sample_tools = true;
    o.on_roots = [&questions, asker](const std::stop_token& stop) { return questions.share_roots(asker, stop); };
}

void Session::tell_news(ClientOptions& o, const std::shared_ptr<Link>& link) const {
    Recorder& recorder = recorder_;
    const auto changed = [&recorder](std::string_view list) { recorder.tell("list_changed", {{"list", list}}); };
    o.on_tools_changed = [changed, weak = std::weak_ptr(link)] {
        if (const auto self = weak.lock()) {
            const std::lock_guard lock(self->mutex);
            self->tools.reset();
        }
        changed("tools");
    };
    o.on_resources_changed = [changed] { changed("resources"); };
    o.on_prompts_changed = [changed] { changed("prompts"); };
    o.on_resource_updated = [&recorder](const std::string& uri) { recorder.tell("resource_updated", {{"uri", uri}}); };
    o.on_log = [&recorder](const LogMessage& m) {
        recorder.tell("log", {{"level", to_string(m.level)}, {"logger", m.logger}, {"data", m.data}});
    };
    o.on_elicitation_complete = [&recorder](const std::string& id) {
        recorder.tell("elicitation_complete", {{"elicitation_id", id}});
    };
    o.tap = [&recorder, number = link->number, stdio = link->stdio()](const WireMessage& m) {
        recorder.message(number, m.direction == WireMessage::Direction::sent, stdio, m.text);
    };
}

std::shared_ptr<Link> Session::take_link() {
    const std::lock_guard lock(mutex_);
    return std::exchange(link_, nullptr);
}

void Session::connect(Target target, Era era) {
    const std::lock_guard connecting(connecting_);
    const auto link = std::make_shared<Link>();
    {
        const std::lock_guard lock(mutex_);
        link->number = next_;
    }
    link->label = target.name.empty() ? text_of(target, options_) : target.name;
    link->identity = identity_of(target);
    link->target = std::move(target);
    link->era = era;
    auto transport = transport_to(link->target, link->number, link->child);  // throws for a bad target
    if (const auto old = take_link()) old->client->close(close_time);
    {
        const std::lock_guard lock(mutex_);
        ++next_;
        last_.emplace(link->target, era);
    }
    ClientOptions options = plain_options(era);
    answer_questions(options, link);
    tell_news(options, link);
    transport = watched(std::move(transport),
                        [this, number = link->number](const Error& why) { enter(number, State::closed, why.message); });
    link->client = std::make_shared<Client>(std::move(transport), std::move(options));
    {
        const std::lock_guard lock(mutex_);
        link_ = link;
    }
    enter(link->number, State::connecting, {});
    link->client->async_connect(make_reply<ServerInfo>([this, weak = std::weak_ptr(link)](Result<ServerInfo> info) {
        if (const auto self = weak.lock()) connected(self, std::move(info));
    }));
}

void Session::connected(const std::shared_ptr<Link>& link, Result<ServerInfo> info) {
    if (info) {
        {
            const std::lock_guard lock(link->mutex);
            link->info = *std::move(info);
        }
        return enter(link->number, State::ready, {});
    }
    std::string reason = info.error().message;
    const std::string tail = link->child ? link->child->stderr_tail() : std::string();
    if (!tail.empty())
        reason += "\n" + tail.substr(tail.size() > max_reason_bytes ? tail.size() - max_reason_bytes : 0);
    enter(link->number, State::failed, std::move(reason));
}

void Session::sign_in_again(SignInStep from) {
    auto [target, era] = last_target();
    const auto url = web::parse_url(target.url);
    if (!url) throw Refusal{409, "Only servers with a URL have a sign-in."};
    const std::string key = url->text();
    const auto stored = tokens_->load(key);
    if (!stored && from != SignInStep::metadata && from != SignInStep::registration)
        throw Refusal{409, "You have not signed in at this server.", "Begin with the first step."};
    const std::string left = without_step(stored.value_or(""), from);
    left.empty() ? tokens_->erase(key) : tokens_->save(key, left);
    connect(std::move(target), era);
}

void Session::disconnect() {
    const std::lock_guard connecting(connecting_);
    const auto old = take_link();
    if (!old) return;
    old->client->close(close_time);
    {
        const std::lock_guard lock(mutex_);
        state_ = State::closed;
        reason_ = "You closed the connection.";
    }
    tell_state();
}

// A connection that failed to open also reports its end; the first reason is better.
void Session::enter(std::uint64_t number, State state, std::string reason) {
    {
        const std::lock_guard lock(mutex_);
        if (!link_ || link_->number != number) return;
        if (state == State::closed && state_ != State::ready) return;
        state_ = state;
        reason_ = std::move(reason);
        page_.reset();
    }
    tell_state();
}

std::shared_ptr<Link> Session::link() const {
    const std::lock_guard lock(mutex_);
    return link_;
}

std::shared_ptr<Link> Session::ready() const {
    const std::lock_guard lock(mutex_);
    if (link_ && state_ == State::ready) return link_;
    if (state_ == State::connecting) throw Refusal{409, "The server is not connected yet.", "Wait for it."};
    throw Refusal{409, "There is no connection to a server.", "Connect first."};
}

std::pair<Target, Era> Session::last_target() const {
    const std::lock_guard lock(mutex_);
    if (!last_) throw Refusal{409, "No server was chosen yet.", "Choose one."};
    return *last_;
}

json::object Session::status() const {
    const std::lock_guard lock(mutex_);
    json::object out = {{"state", state_name(static_cast<int>(state_))},
                        {"reason", reason_},
                        {"target", nullptr},
                        {"era", name_of(last_ ? last_->second : options_.era)},
                        {"connection", next_ - 1},
                        {"sign_in", page_ ? json::value(*page_) : json::value()}};
    if (!last_) return out;
    const Target& target = last_->first;
    json::object shown = {{"kind", target.url.empty() ? "command" : "url"}, {"text", text_of(target, options_)}};
    if (!target.name.empty()) shown["name"] = target.name;
    out["target"] = std::move(shown);
    return out;
}

json::object server_json(const Link& link) {
    const std::lock_guard lock(link.mutex);
    const ServerInfo info = link.info.value_or(ServerInfo());
    const json::value* extensions = info.capabilities.raw.if_contains("extensions");
    json::object raw_info = {{"name", info.info.name}, {"version", info.info.version}};
    if (!info.info.title.empty()) raw_info["title"] = info.info.title;
    if (!info.info.description.empty()) raw_info["description"] = info.info.description;
    if (!info.info.websiteUrl.empty()) raw_info["websiteUrl"] = info.info.websiteUrl;
    json::object out = {
        {"name", info.info.name},
        {"title", info.info.title},
        {"version", info.info.version},
        {"revision", info.protocolVersion},
        {"era", name_of(link.client->era())},
        {"supported", json::array(info.supportedVersions.begin(), info.supportedVersions.end())},
        {"capabilities", info.capabilities.raw},
        {"extensions", extensions && extensions->is_object() ? *extensions : json::value(json::object())},
        {"instructions", info.instructions},
        {"info", std::move(raw_info)},
        {"transport", link.stdio() ? "stdio" : "http"}};
    if (link.child) out["pid"] = link.child->pid();
    return out;
}

}  // namespace tenon::inspect
