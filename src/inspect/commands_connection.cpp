// The commands for the connection, and for what the server offers.
#include "inspect/commands.hpp"

namespace tenon::inspect {
namespace {

Refusal no_source() { return {409, "This program knows no mcpServers files.", "Give a URL or a command."}; }

std::vector<std::pair<std::string, std::string>> string_members(const json::object& o, std::string_view what) {
    std::vector<std::pair<std::string, std::string>> out;
    for (const auto& member : o) {
        if (!member.value().is_string())
            throw Refusal{400, "`" + std::string(what) + "` must have strings as its values."};
        out.emplace_back(std::string(member.key()), std::string(member.value().get_string()));
    }
    return out;
}

// A name of a header must not contain anything that could begin another header.
void check_headers(const std::vector<std::pair<std::string, std::string>>& headers) {
    for (const auto& [name, value] : headers)
        if ((name + value).find_first_of("\r\n") != std::string::npos)
            throw Refusal{400, "A header must be on one line."};
}

// Returns the entries of both sides that differ, by a member that names them.
void compare_lists(json::array& out, std::string_view list, std::string_view key, const json::object& legacy,
                   const json::object& modern) {
    std::map<std::string, std::pair<json::value, json::value>> entries;
    const auto collect = [&](const json::object& side, bool first) {
        const json::value* items = side.if_contains(list);
        if (!items || !items->is_array()) return;
        for (const json::value& item : items->get_array()) {
            const json::value* name = item.is_object() ? item.get_object().if_contains(key) : nullptr;
            auto& entry = entries[name && name->is_string() ? std::string(name->get_string()) : json::write(item)];
            (first ? entry.first : entry.second) = item;
        }
    };
    collect(legacy, true);
    collect(modern, false);
    for (const auto& [name, sides] : entries)
        if (sides.first != sides.second)
            out.push_back(json::object{
                {"what", std::string(list) + "/" + name}, {"legacy", sides.first}, {"modern", sides.second}});
}

}  // namespace

Target Commands::read_target(const json::object& target) const {
    const Arguments arguments(target);
    if (arguments.has("name")) {
        if (!parts_.options.find_target) throw no_source();
        try {
            return parts_.options.find_target(arguments.text("name"), arguments.flag("trust"));
        } catch (const NeedsTrust& needs) {
            throw Refusal{409, "You have not allowed this entry yet. It can start any command.",
                          "Look at the entry, and allow it.", 0, json::object{{"needs_trust", needs.entry}}};
        } catch (const std::exception& e) {
            throw Refusal{404, e.what()};
        }
    }
    Target out;
    if (arguments.has("url")) {
        out.url = arguments.text("url");
        if (!out.url.starts_with("http://") && !out.url.starts_with("https://"))
            throw Refusal{400, "The URL must begin with http:// or https://."};
        out.headers = string_members(arguments.object_or_empty("headers"), "headers");
        check_headers(out.headers);
        return out;
    }
    out.command = arguments.texts("command");
    if (out.command.empty()) throw Refusal{400, "`target` must have a name, a url or a command."};
    out.directory = arguments.text_or("directory", "");
    for (auto& [name, value] : string_members(arguments.object_or_empty("environment"), "environment"))
        out.environment[name] = value;
    return out;
}

void Commands::add_connection() {
    add("status", false, [this](const Arguments&) { return status(); });
    add("targets", true, [this](const Arguments&) {
        const KnownTargets known = parts_.options.known_targets ? parts_.options.known_targets() : KnownTargets();
        json::array targets;
        for (const KnownTarget& t : known.targets)
            targets.push_back(json::object{
                {"name", t.name}, {"source", t.source}, {"kind", t.is_url ? "url" : "command"}, {"text", t.text}});
        return json::object{{"targets", std::move(targets)},
                            {"files", json::array(known.files.begin(), known.files.end())},
                            {"problems", json::array(known.problems.begin(), known.problems.end())}};
    });
    add("connect", true, [this](const Arguments& a) {
        parts_.calls.cancel_all();
        parts_.tasks.forget_all();
        parts_.session.connect(read_target(a.object("target")), era_named(a.text_or("era", "auto")));
        return status();
    });
    add("reconnect", true, [this](const Arguments& a) {
        auto [target, era] = parts_.session.last_target();
        parts_.calls.cancel_all();
        parts_.session.connect(std::move(target), a.has("era") ? era_named(a.text("era")) : era);
        return status();
    });
    add("disconnect", true, [this](const Arguments&) {
        parts_.calls.cancel_all();
        parts_.session.disconnect();
        return status();
    });
    add("server", false, [this](const Arguments&) { return server_json(*parts_.session.ready()); });
    add("ping", true, [this](const Arguments&) {
        const auto link = parts_.session.ready();
        const double begin = wall_clock();
        link->client->ping();
        return json::object{{"ms", wall_clock() - begin}};
    });
    add("http_steps", false, [this](const Arguments&) {
        return json::object{{"steps", parts_.session.sign_in_steps()}};
    });
    add("sign_in", true, [this](const Arguments& a) {
        const auto from = sign_in_step_named(a.text_or("from", "start"));
        if (!from) throw Refusal{400, "`from` must be start, metadata, register, authorise, token or refresh."};
        parts_.calls.cancel_all();
        parts_.session.sign_in_again(*from);
        return status();
    });
    add("compare", true, [this](const Arguments&) { return compare(); });
}

json::object Commands::compare_side(const Target& target, Era era) const {
    try {
        std::shared_ptr<ProcessTransport> child;
        Link link;
        link.target = target;
        link.client =
            std::make_shared<Client>(parts_.session.transport_to(target, 0, child), parts_.session.plain_options(era));
        CallOptions options;
        options.stop = stopping_.get_token();
        link.info = link.client->connect(options);
        json::object out = {{"ok", true}, {"server", server_json(link)}};
        const auto list = [&](bool offered, const char* name, const char* method, const char* member) {
            json::array items;
            if (offered)
                for (json::value& item : link.client->list_any(method, member, options))
                    items.push_back(std::move(item));
            out[name] = std::move(items);
        };
        const ServerCapabilities& offers = link.info->capabilities;
        list(offers.tools, "tools", "tools/list", "tools");
        list(offers.resources, "resources", "resources/list", "resources");
        list(offers.resources, "templates", "resources/templates/list", "resourceTemplates");
        list(offers.prompts, "prompts", "prompts/list", "prompts");
        return out;
    } catch (const Exception& e) {
        return {{"ok", false}, {"reason", e.error().message}};
    }
}

json::value Commands::compare() const {
    const Target target = parts_.session.last_target().first;
    json::object legacy = compare_side(target, Era::legacy), modern = compare_side(target, Era::modern);
    json::array differences;
    compare_lists(differences, "tools", "name", legacy, modern);
    compare_lists(differences, "resources", "uri", legacy, modern);
    compare_lists(differences, "templates", "uriTemplate", legacy, modern);
    compare_lists(differences, "prompts", "name", legacy, modern);
    return json::object{
        {"legacy", std::move(legacy)}, {"modern", std::move(modern)}, {"differences", std::move(differences)}};
}

// Lists what a server offers. Entries that came before an error are kept.
json::value Commands::list(std::string_view capability, std::string method, std::string member) const {
    const auto link = parts_.session.ready();
    json::object out;
    json::array items;
    bool offered = false;
    {
        const std::lock_guard lock(link->mutex);
        offered = link->info && link->info->capabilities.raw.contains(capability);
    }
    if (!offered) {
        out["problem"] = "This server does not declare " + std::string(capability) + ".";
    } else {
        CallOptions options;
        options.fresh = true;
        try {
            for (json::value& item : link->client->list_any(std::move(method), std::move(member), options))
                items.push_back(std::move(item));
        } catch (const Exception& e) {
            if (items.empty()) throw;
            out["problem"] = e.error().message;
        }
    }
    out["items"] = std::move(items);
    return out;
}

json::value Commands::tools(bool fresh) const {
    const auto link = parts_.session.ready();
    {
        const std::lock_guard lock(link->mutex);
        if (link->info && !link->info->capabilities.tools)
            return json::object{{"items", json::array()},
                                {"decisions", json::object()},
                                {"problem", "This server does not declare tools."}};
    }
    json::array items = link->all_tools(fresh);
    json::object decisions;
    for (const json::value& item : items) {
        if (!item.is_object()) continue;
        const Tool tool = definition_of(item.get_object());
        const auto known = parts_.permissions.known_and_listed({Subject::Kind::tool, link->identity, tool});
        if (known) decisions[tool.name] = to_string(*known);
    }
    return json::object{{"items", std::move(items)}, {"decisions", std::move(decisions)}};
}

void Commands::add_lists() {
    add("tools", true, [this](const Arguments& a) { return tools(a.flag("fresh")); });
    add("resources", true, [this](const Arguments&) { return list("resources", "resources/list", "resources"); });
    add("templates", true,
        [this](const Arguments&) { return list("resources", "resources/templates/list", "resourceTemplates"); });
    add("prompts", true, [this](const Arguments&) { return list("prompts", "prompts/list", "prompts"); });
    add("complete", true, [this](const Arguments& a) {
        const Arguments ref(a.object("ref")), argument(a.object("argument"));
        CompletionTarget target = ref.text("type") == "ref/prompt" ? CompletionTarget::prompt(ref.text("name"))
                                                                   : CompletionTarget::resource(ref.text("uri"));
        CompletionRequest request{argument.text("name"), argument.text("value")};
        for (const auto& [name, value] : string_members(a.object_or_empty("context"), "context"))
            request.context[name] = value;
        const Completion found = parts_.session.ready()->client->complete(std::move(target), std::move(request));
        json::object out = {{"values", json::array(found.values.begin(), found.values.end())},
                            {"hasMore", found.hasMore}};
        if (found.total) out["total"] = *found.total;
        return out;
    });
}

}  // namespace tenon::inspect
