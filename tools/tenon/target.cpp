#include "target.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>

#include <tenon/json.hpp>

#include "files.hpp"
#include "near.hpp"

namespace tenon::program {
namespace {

constexpr std::string_view usual_config = ".mcp.json";

bool is_url(std::string_view text) { return text.find("://") != std::string_view::npos; }

std::optional<std::string> own_variable(const std::string& name) {
    const char* value = std::getenv(name.c_str());
    return value ? std::optional<std::string>(value) : std::nullopt;
}

// Reads one entry. Errors name the place in the file.
class EntryReader {
 public:
    EntryReader(const json::object& entry, std::string place, const Variables& variables)
        : entry_(entry), place_(std::move(place)), variables_(variables) {}

    Target read() const {
        Target out;
        out.url = text("url");
        if (const std::string command = text("command"); !command.empty()) out.command.push_back(command);
        for (std::string& word : list("args")) out.command.push_back(std::move(word));
        for (auto& [name, value] : strings("env")) out.environment[name] = std::move(value);
        out.headers = strings("headers");
        out.directory = text("cwd");
        check_kind(out);
        return out;
    }

 private:
    Failure wrong(std::string_view key, std::string_view what) const {
        return usage_failure(place_ + ": `" + std::string(key) + "` " + std::string(what));
    }
    std::string expanded(std::string_view key, const json::value& v) const {
        if (!v.is_string()) throw wrong(key, "must hold strings only");
        return expand(v.get_string(), variables_);
    }
    std::string text(std::string_view key) const {
        const json::value* v = entry_.if_contains(key);
        if (v && !v->is_string()) throw wrong(key, "must be a string");
        return v ? expanded(key, *v) : std::string();
    }
    std::vector<std::string> list(std::string_view key) const {
        const json::value* v = entry_.if_contains(key);
        if (v && !v->is_array()) throw wrong(key, "must be a list of strings");
        std::vector<std::string> out;
        if (v)
            for (const json::value& item : v->get_array()) out.push_back(expanded(key, item));
        return out;
    }
    std::vector<std::pair<std::string, std::string>> strings(std::string_view key) const {
        const json::value* v = entry_.if_contains(key);
        if (v && !v->is_object()) throw wrong(key, "must be an object of strings");
        std::vector<std::pair<std::string, std::string>> out;
        if (v)
            for (const auto& [name, value] : v->get_object()) out.emplace_back(std::string(name), expanded(key, value));
        return out;
    }
    void check_kind(const Target& target) const {
        const std::string type = text("type");
        const std::vector<std::string> types = {"stdio", "http", "streamable-http", "sse"};
        if (!type.empty() && std::ranges::find(types, type) == types.end())
            throw usage_failure(place_ + ": there is no type `" + type + "`", suggestion(type, types));
        if (target.url.empty() == target.command.empty())
            throw usage_failure(place_ + " must have either `command` or `url`");
        if (!type.empty() && (type == "stdio") != target.url.empty())
            throw usage_failure(place_ + ": type `" + type + "` needs `" + (type == "stdio" ? "command" : "url") + "`");
    }

    const json::object& entry_;
    const std::string place_;
    const Variables& variables_;
};

std::size_t line_of_offset(std::string_view text, std::string_view message) {
    const std::size_t at = message.rfind("byte ");
    const std::size_t offset = at == std::string_view::npos ? 0 : std::strtoul(message.data() + at + 5, nullptr, 10);
    return 1 + static_cast<std::size_t>(std::ranges::count(text.substr(0, offset), '\n'));
}

std::string absolute(const std::string& file) {
    std::error_code error;
    const auto path = std::filesystem::canonical(file, error);
    if (error) throw usage_failure("cannot read " + file + ": " + error.message());
    return path.string();
}

// Parses an mcpServers file and returns its servers.
json::object servers_of(std::string_view text, const std::string& file) {
    auto whole = json::parse(text);
    if (!whole)
        throw usage_failure(file + ":" + std::to_string(line_of_offset(text, whole.error().message)) + ": " +
                            whole.error().message);
    json::object* o = whole->if_object();
    json::value* servers = o ? o->if_contains("mcpServers") : nullptr;
    if (!servers || !servers->is_object())
        throw usage_failure(file + " has no object `mcpServers`", "write { \"mcpServers\": { \"NAME\": { ... } } }");
    return std::move(servers->get_object());
}

Target target_by_name(const CommandLine& line, const std::string& name, const Approve& approve) {
    const bool given = line.has("config");
    const std::string file = given ? line.last("config") : std::string(usual_config);
    const auto text = read_whole_file(file);
    if (!text && given) throw usage_failure("cannot read " + file + ": " + text.error().message);
    if (!text)
        throw usage_failure("`" + name + "` is not a URL, and there is no " + file + " here with an entry of that name",
                            "give a URL, `-- COMMAND ARGS` at the end, or --config FILE");
    Target out = read_server_entry(*text, name, file, own_variable, [&](const json::object& entry) {
        if (!given) approve({absolute(file), name, entry});
    });
    out.label = name;
    return out;
}

// TARGET may be the first or the last word. Returns whether this word can be one: a URL, or a name in the file.
bool is_target(const CommandLine& line, const std::string& word) {
    if (word.starts_with("http://") || word.starts_with("https://")) return true;
    const auto text = read_whole_file(line.has("config") ? line.last("config") : std::string(usual_config));
    const auto whole = text ? json::parse(*text) : Result<json::value>(Error{});
    const json::object* o = whole ? whole->if_object() : nullptr;
    const json::value* servers = o ? o->if_contains("mcpServers") : nullptr;
    return servers && servers->is_object() && servers->get_object().contains(word);
}

Target target_of_word(const CommandLine& line, const std::string& word, const Approve& approve) {
    if (!is_url(word)) return target_by_name(line, word, approve);
    if (!word.starts_with("http://") && !word.starts_with("https://"))
        throw usage_failure("`" + word + "` is not an http:// or https:// URL",
                            "write TARGET first or last: `tenon read TARGET URI`");
    Target out;
    out.label = out.url = word;
    return out;
}

void add_environment(Target& target, const std::string& text) {
    const std::size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    if (name.empty()) throw usage_failure("--env " + text + " has no name", "write --env NAME=VALUE or --env NAME");
    if (equals != std::string::npos) {
        target.environment[name] = text.substr(equals + 1);
    } else if (auto value = own_variable(name)) {
        target.environment[name] = *std::move(value);
    } else {
        throw usage_failure("--env " + name + ": there is no such variable here", "write --env " + name + "=VALUE");
    }
}

void check_options(const CommandLine& line, const Target& target) {
    if (target.url.empty() && line.has("header"))
        throw usage_failure("--header is for servers with a URL", "--env gives a variable to a command");
    for (const char* option : {"login", "client-id", "client-secret-env", "client-key", "issuer", "scope"})
        if (target.url.empty() && line.has(option))
            throw usage_failure("--" + std::string(option) + " is for servers with a URL",
                                "a server that is started gets its secrets by --env");
    if (!target.url.empty() && (line.has("env") || line.has("cwd")))
        throw usage_failure("--env and --cwd are for servers that are started", "--header is for those with a URL");
}

}  // namespace

std::string expand(std::string_view text, const Variables& variables) {
    std::string out;
    while (!text.empty()) {
        const std::size_t begin = text.find("${");
        const std::size_t end = begin == std::string_view::npos ? begin : text.find('}', begin);
        out += text.substr(0, end == std::string_view::npos ? end : begin);
        if (end == std::string_view::npos) break;
        const std::string_view inside = text.substr(begin + 2, end - begin - 2);
        const std::size_t fallback = inside.find(":-");
        const std::string name(inside.substr(0, fallback));
        const auto value = variables(name);
        if (value && !(value->empty() && fallback != std::string_view::npos)) {
            out += *value;
        } else if (fallback != std::string_view::npos) {
            out += inside.substr(fallback + 2);
        } else {
            throw usage_failure("the variable " + name + " is not set", "set it, or write ${" + name + ":-DEFAULT}");
        }
        text.remove_prefix(end + 1);
    }
    return out;
}

Target read_server_entry(std::string_view text, const std::string& name, const std::string& file,
                         const Variables& variables, const std::function<void(const json::object&)>& approve) {
    const json::object servers = servers_of(text, file);
    const json::value* entry = servers.if_contains(name);
    if (!entry) {
        std::vector<std::string> names;
        for (const auto& member : servers) names.emplace_back(member.key());
        throw usage_failure(file + " has no server `" + name + "`", suggestion(name, names));
    }
    const std::string place = file + ": mcpServers." + name;
    if (!entry->is_object()) throw usage_failure(place + " must be an object");
    if (approve) approve(entry->get_object());
    return EntryReader(entry->get_object(), place, variables).read();
}

std::vector<FoundEntry> entries_of(const std::string& file) {
    const auto text = read_whole_file(file);
    if (!text) throw usage_failure("cannot read " + file + ": " + text.error().message);
    std::vector<FoundEntry> out;
    for (const auto& member : servers_of(*text, file)) {
        if (!member.value().is_object())
            throw usage_failure(file + ": mcpServers." + std::string(member.key()) + " must be an object");
        out.push_back({absolute(file), std::string(member.key()), member.value().get_object()});
    }
    return out;
}

Target target_of(const FoundEntry& entry) {
    Target out = EntryReader(entry.entry, entry.file + ": mcpServers." + entry.name, own_variable).read();
    out.label = entry.name;
    return out;
}

std::pair<std::string, std::string> header_of(const std::string& text) {
    const std::size_t colon = text.find(':');
    const auto fix = "write --header 'NAME: VALUE'";
    if (colon == std::string::npos || colon == 0) throw usage_failure("--header " + text + " has no name", fix);
    const std::string name = text.substr(0, colon);
    const bool is_token = std::ranges::all_of(name, [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) ||
               std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
    });
    std::size_t value = text.find_first_not_of(" \t", colon + 1);
    if (value == std::string::npos) value = text.size();
    const bool is_line =
        std::ranges::none_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x20 && c != '\t'; });
    if (!is_token || !is_line) throw usage_failure("--header " + text + " is not an HTTP header", fix);
    return {name, text.substr(value)};
}

Target take_target(const CommandLine& line, std::vector<std::string>& words, const Approve& approve) {
    Target out;
    if (line.server) {
        if (line.server->empty()) throw usage_failure("there is no command after `--`");
        out.command = *line.server;
        out.label = out.command.front().substr(out.command.front().rfind('/') + 1);
    } else {
        if (words.empty())
            throw usage_failure("TARGET is missing",
                                "give a URL, a name of .mcp.json, or `-- COMMAND ARGS` at the end");
        const auto word =
            is_target(line, words.front()) || !is_target(line, words.back()) ? words.begin() : std::prev(words.end());
        out = target_of_word(line, *word, approve);
        words.erase(word);
    }
    check_options(line, out);
    for (const std::string& text : line.all("header")) out.headers.push_back(header_of(text));
    for (const std::string& text : line.all("env")) add_environment(out, text);
    if (line.has("cwd")) out.directory = line.last("cwd");
    return out;
}

}  // namespace tenon::program
