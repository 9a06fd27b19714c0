#include <algorithm>
#include <set>

#include "base/uri.hpp"
#include "core/server/apps.hpp"
#include "core/server/extension_method.hpp"
#include "core/server/features.hpp"
#include "protocol/write.hpp"

namespace tenon::core {
namespace {

Error refuse(std::string message) { return {code::invalid_params, std::move(message)}; }

bool name_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
           c == '.';
}

Result<void> check_tool_name(const std::string& name) {
    if (name.empty()) return refuse("A tool needs a name: pass one, for example \"forecast\".");
    if (name.size() > 128)
        return refuse("The tool name `" + name.substr(0, 32) + "...` is longer than 128 characters: shorten it.");
    if (!std::ranges::all_of(name, name_character))
        return refuse("The tool name `" + name + "` may only use A-Z a-z 0-9 _ - and . : rename the tool.");
    return {};
}

Result<schema::Schema> compile(const json::object& schema, const std::string& where, bool check_formats = false) {
    schema::Options options;
    options.assert_formats = check_formats;
    auto compiled = schema::Schema::compile(schema, options);
    if (!compiled) return refuse(where + "is not a valid JSON Schema: " + compiled.error().message);
    return compiled;
}

Result<schema::Schema> compile_input(const json::object& schema, const std::string& where, bool check_formats) {
    if (!protocol::describes_object(schema)) return refuse(where + "must have \"type\": \"object\" at its root.");
    return compile(schema, where, check_formats);
}

json::object top_level_defaults(const json::object& schema) {
    json::object out;
    const json::value* properties = schema.if_contains("properties");
    if (!properties || !properties->is_object()) return out;
    for (const auto& [name, property] : properties->get_object())
        if (const auto* o = property.if_object())
            if (const json::value* d = o->if_contains("default")) out.emplace(name, *d);
    return out;
}

Result<void> check_uri(const std::string& uri, const std::string& name) {
    const auto parsed = base::parse_uri(uri);
    if (!parsed) return refuse("The resource `" + name + "`: `" + uri + "` is not a URI with a scheme (RFC 3986).");
    if (base::has_traversal(*parsed))
        return refuse("The URI `" + uri + "` of the resource `" + name +
                      "` has a \".\" or \"..\" segment: write it without.");
    return {};
}

}  // namespace

template <class Entry>
Result<void> Registry::keep(Table<Entry>& table, std::string key, Entry entry, std::string_view what) {
    if (table.find(key))
        return refuse("There is already a " + std::string(what) + " `" + key +
                      "`: remove it first, or choose another name.");
    entry.order = next_order_++;
    entry.spelled = protocol::Spellings(entry.definition);
    table.add(std::move(key), std::make_shared<const Entry>(std::move(entry)));
    snapshot_.reset();
    return {};
}

Result<void> Registry::add(ToolEntry entry) {
    const Tool& t = entry.definition;
    if (auto ok = check_tool_name(t.name); !ok) return ok;
    if (t.description.empty())
        return refuse("The tool `" + t.name +
                      "` needs a description: a model reads it to decide when to call the tool.");
    auto input = compile_input(t.inputSchema, "The inputSchema of the tool `" + t.name + "` ", check_formats_);
    if (!input) return input.error();
    entry.input = *input;
    if (t.outputSchema) {
        auto output = compile(*t.outputSchema, "The outputSchema of the tool `" + t.name + "` ");
        if (!output) return output.error();
        entry.output = *output;
    }
    entry.defaults = top_level_defaults(t.inputSchema);
    if (auto ok = read_app(entry); !ok) return ok;
    auto mirrored = mirrored_parameters(t.inputSchema);
    if (!mirrored) return refuse("In the inputSchema of the tool `" + t.name + "`, " + mirrored.error().message + ".");
    entry.mirrored = std::move(*mirrored);
    std::string key = t.name;
    return keep(features_.tools, std::move(key), std::move(entry), "tool");
}

Result<void> Registry::add(ResourceEntry entry) {
    const Resource& r = entry.definition;
    if (r.name.empty()) return refuse("The resource `" + r.uri + "` needs a name.");
    if (auto ok = check_uri(r.uri, r.name); !ok) return ok;
    std::string key = r.uri;
    return keep(features_.resources, std::move(key), std::move(entry), "resource");
}

Result<void> Registry::add(TemplateEntry entry) {
    const ResourceTemplate& t = entry.definition;
    if (t.name.empty()) return refuse("The resource template `" + t.uriTemplate + "` needs a name.");
    std::string why;
    entry.pattern = base::UriTemplate::parse(t.uriTemplate, &why);
    if (!entry.pattern) return refuse("`" + t.uriTemplate + "` is not a URI template (RFC 6570): " + why);
    const auto variables = entry.pattern->variables();
    for (const auto& [name, completer] : entry.completers)
        if (std::ranges::find(variables, name) == variables.end())
            return refuse("The template `" + t.uriTemplate + "` has no variable `" + name + "` to complete.");
    std::string key = t.uriTemplate;
    return keep(features_.templates, std::move(key), std::move(entry), "resource template");
}

Result<void> Registry::add(PromptEntry entry) {
    const Prompt& p = entry.definition;
    if (p.name.empty()) return refuse("A prompt needs a name: pass one, for example \"review\".");
    std::set<std::string_view> seen;
    for (const PromptArgument& a : p.arguments) {
        if (a.name.empty()) return refuse("Each argument of the prompt `" + p.name + "` needs a name.");
        if (!seen.insert(a.name).second)
            return refuse("The prompt `" + p.name + "` has two arguments `" + a.name + "`: rename one.");
    }
    for (const auto& [name, completer] : entry.completers)
        if (!seen.contains(name))
            return refuse("The prompt `" + p.name + "` has no argument `" + name + "` to complete.");
    std::string key = p.name;
    return keep(features_.prompts, std::move(key), std::move(entry), "prompt");
}

Result<void> Registry::add(MethodEntry entry, const json::object& declared) {
    auto extension = extension_of_method(entry.name, entry.extension, declared);
    if (!extension) return extension.error();
    if (features_.methods.find(entry.name)) return refuse("There is already a method `" + entry.name + "`.");
    entry.extension = *std::move(extension);
    auto input = compile_input(entry.params_schema, "The schema of the parameters of the method `" + entry.name + "` ",
                               check_formats_);
    if (!input) return input.error();
    entry.input = *std::move(input);
    entry.defaults = top_level_defaults(entry.params_schema);
    std::string key = entry.name;
    features_.methods.add(std::move(key), std::make_shared<const MethodEntry>(std::move(entry)));
    snapshot_.reset();
    return {};
}

Result<void> Registry::check_extensions(const json::object& declared) const {
    for (const auto& [name, settings] : declared)
        if (std::ranges::none_of(features_.methods.all(),
                                 [&extension = name](const auto& entry) { return entry->extension == extension; }))
            return refuse("The extension `" + std::string(name) +
                          "` has no methods: add them with Server::method(), or declare it in "
                          "ServerOptions::extensions_without_methods.");
    return check_apps(features_);
}

std::shared_ptr<const Features> Registry::snapshot() {
    if (snapshot_) return snapshot_;
    const auto completes = [](const auto& entry) { return !entry->completers.empty(); };
    features_.completions = std::ranges::any_of(features_.prompts.all(), completes) ||
                            std::ranges::any_of(features_.templates.all(), completes);
    features_.lists_resources = std::ranges::any_of(features_.templates.all(),
                                                    [](const auto& entry) { return static_cast<bool>(entry->list); });
    features_.tasks = std::ranges::any_of(
        features_.tools.all(), [](const auto& entry) { return entry->definition.task != TaskSupport::forbidden; });
    features_.apps = std::ranges::any_of(features_.tools.all(), [](const auto& entry) { return !entry->app.empty(); });
    features_.restarts =
        std::ranges::any_of(features_.tools.all(), [](const auto& entry) { return entry->restartable; });
    snapshot_ = std::make_shared<const Features>(features_);
    return snapshot_;
}

}  // namespace tenon::core
