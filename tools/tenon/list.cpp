// tenon list: lists the tools, resources, templates and prompts of a server.
#include <algorithm>
#include <exception>
#include <functional>

#include "commands.hpp"
#include "describe.hpp"
#include "json_text.hpp"
#include "layout.hpp"
#include "listing.hpp"
#include "near.hpp"
#include "trust.hpp"

namespace tenon::program {
namespace {

// The kinds of entries that a server lists: how to fetch, find, show and describe them.
template <class T>
struct Kind;

template <>
struct Kind<Tool> {
    static constexpr Literal title = "Tools";
    static constexpr std::string_view one = "tool", key = "tools", method = "tools/list";
    static auto fetch(Client& client, CallOptions o) { return client.list_tools(std::move(o)); }
    static const std::string& address(const Tool& t) { return t.name; }
    static std::vector<Table::Column> columns() {
        return {{"NAME", Look::bold}, {"TAKES"}, {"FLAGS", Look::yellow}, {"DESCRIPTION"}};
    }
    static std::vector<SafeText> row(const Tool& t) {
        return {safe_line(t.name), takes(t), flags(t.annotations), safe_line(t.description)};
    }
};

template <>
struct Kind<Resource> {
    static constexpr Literal title = "Resources";
    static constexpr std::string_view one = "resource", key = "resources", method = "resources/list";
    static auto fetch(Client& client, CallOptions o) { return client.list_resources(std::move(o)); }
    static const std::string& address(const Resource& r) { return r.uri; }
    static std::vector<Table::Column> columns() {
        return {{"URI", Look::bold}, {"NAME"}, {"TYPE"}, {"SIZE"}, {"DESCRIPTION"}};
    }
    static std::vector<SafeText> row(const Resource& r) {
        return {safe_line(r.uri), safe_line(r.name), safe_line(r.mimeType), r.size ? size_words(*r.size) : SafeText(),
                safe_line(r.description)};
    }
};

template <>
struct Kind<ResourceTemplate> {
    static constexpr Literal title = "Resource templates";
    static constexpr std::string_view one = "template", key = "resourceTemplates", method = "resources/templates/list";
    static auto fetch(Client& client, CallOptions o) { return client.list_resource_templates(std::move(o)); }
    static const std::string& address(const ResourceTemplate& r) { return r.uriTemplate; }
    static std::vector<Table::Column> columns() {
        return {{"TEMPLATE", Look::bold}, {"NAME"}, {"TYPE"}, {"DESCRIPTION"}};
    }
    static std::vector<SafeText> row(const ResourceTemplate& r) {
        return {safe_line(r.uriTemplate), safe_line(r.name), safe_line(r.mimeType), safe_line(r.description)};
    }
};

template <>
struct Kind<Prompt> {
    static constexpr Literal title = "Prompts";
    static constexpr std::string_view one = "prompt", key = "prompts", method = "prompts/list";
    static auto fetch(Client& client, CallOptions o) { return client.list_prompts(std::move(o)); }
    static const std::string& address(const Prompt& p) { return p.name; }
    static std::vector<Table::Column> columns() { return {{"NAME", Look::bold}, {"TAKES"}, {"DESCRIPTION"}}; }
    static std::vector<SafeText> row(const Prompt& p) {
        return {safe_line(p.name), takes(p), safe_line(p.description)};
    }
};

class Lister {
 public:
    Lister(Session& session, Console& console) : session_(session), console_(console) {}

    void everything() {
        const ServerCapabilities offers = session_.server().capabilities;
        if (session_.settings().json)
            result_["server"] = about_server();
        else
            introduce();
        if (offers.tools) attempt<Tool>();
        if (offers.resources) attempt<Resource>(), attempt<ResourceTemplate>();
        if (offers.prompts) attempt<Prompt>();
        if (!failures_.empty()) result_["failed"] = failures_;
        finish();
        if (first_) throw Failure(*first_, faults_, fix_);
    }

    template <class T>
    void list(const std::optional<std::string>& name) {
        if (name) return one<T>(*name);
        if (offers<T>())
            all<T>(false);
        else
            result_[Kind<T>::key] = json::array();
        finish();
    }

 private:
    // Lists one kind. A failure is kept, so that the other kinds are still listed.
    template <class T>
    void attempt() {
        if (first_ == Status::connection) return;  // the other kinds would fail in the same way
        try {
            all<T>(true);
        } catch (const Failure& failure) {
            if (failure.status == Status::interrupted) throw;
            const std::string what = "cannot list " + std::string(Kind<T>::key) + ": " + failure.what();
            if (!first_) first_ = failure.status, fix_ = failure.fix;
            faults_ += (faults_.empty() ? "" : "; ") + what;
            failures_[Kind<T>::key] = failure.what();
        }
    }

    template <class T>
    bool offers() {
        const ServerCapabilities& c = session_.server().capabilities;
        if constexpr (std::is_same_v<T, Tool>)
            return c.tools;
        else if constexpr (std::is_same_v<T, Prompt>)
            return c.prompts;
        else
            return c.resources;
    }

    // Calls `use(const T&)` for each entry until it returns true.
    template <class T, class Use>
    bool find(Use&& use) {
        return session_.with_client([&](Client& client) {
            for (const T& entry : Kind<T>::fetch(client, session_.call_options()))
                if (use(entry)) return true;
            return false;
        });
    }

    template <class T>
    void all(bool with_title) {
        if (session_.settings().json) {
            result_[Kind<T>::key] = whole_list(session_, std::string(Kind<T>::method), Kind<T>::key);
            return;
        }
        Table table{Kind<T>::columns(), {}};
        std::exception_ptr trouble;  // reported after the entries that were read before it
        try {
            find<T>([&](const T& entry) { return table.rows.push_back(Kind<T>::row(entry)), false; });
        } catch (const Failure&) {
            trouble = std::current_exception();
        }
        if (!table.rows.empty()) print(table, with_title ? &Kind<T>::title : nullptr);
        if (trouble) std::rethrow_exception(trouble);
    }

    void print(const Table& table, const Literal* title) {
        console_.print([&](Out& out) {
            if (title) out << "\n" << Styled(Look::bold, *title) << "\n\n";
            write_table(out, table);
        });
    }

    template <class T>
    void one(const std::string& name) {
        std::vector<std::string> names;
        if (offers<T>() && session_.settings().json) {
            for (const json::value& entry : whole_list(session_, std::string(Kind<T>::method), Kind<T>::key)) {
                if (is_named(entry, name)) return console_.print([&](Out& out) { out << compact_json(entry) << "\n"; });
            }
        }
        const auto show = [&](const T& entry) {
            names.push_back(entry.name);
            if (Kind<T>::address(entry) != name && entry.name != name) return false;
            console_.print([&](Out& out) { describe(out, entry); });
            return true;
        };
        if (offers<T>() && find<T>(show)) return;
        throw usage_failure("the server has no " + std::string(Kind<T>::one) + " `" + name + "`",
                            suggestion(name, names));
    }

    static bool is_named(const json::value& entry, std::string_view name) {
        const json::object* o = entry.if_object();
        for (const std::string_view key : {"name", "uri", "uriTemplate"}) {
            const json::value* v = o ? o->if_contains(key) : nullptr;
            if (v && v->is_string() && v->get_string() == name) return true;
        }
        return false;
    }

    json::object about_server() {
        const ServerInfo& server = session_.server();
        json::object out{{"name", server.info.name},
                         {"version", server.info.version},
                         {"protocolVersion", server.protocolVersion},
                         {"capabilities", server.capabilities.raw}};
        if (!server.instructions.empty()) out.emplace("instructions", server.instructions);
        return out;
    }

    void introduce() {
        const ServerInfo& server = session_.server();
        console_.print([&](Out& out) {
            out << Styled(Look::bold, safe_line(server.info.name)) << " " << safe_line(server.info.version)
                << Styled(Look::dim, ", revision " + safe_line(server.protocolVersion)) << "\n";
            if (!server.instructions.empty()) write_wrapped(out, safe_text(server.instructions));
        });
    }

    void finish() {
        if (session_.settings().json) console_.print([&](Out& out) { out << compact_json(result_) << "\n"; });
    }

    Session& session_;
    Console& console_;
    json::object result_;
    std::optional<Status> first_;  // of the first list that failed
    std::string faults_, fix_;
    json::object failures_;
};

}  // namespace

Status run_list(const CommandLine& line, Console& console) {
    std::vector<std::string> words = line.words;
    const Target target = take_target(line, words, approval(line, console));
    const std::vector<std::string> kinds = {"tools", "resources", "templates", "prompts"};
    if (words.size() > 2)
        throw usage_failure("`" + words[2] + "` is an unexpected argument", "list one NAME at a time");
    const std::string kind = words.empty() ? "" : words[0];
    if (!kind.empty() && std::ranges::find(kinds, kind) == kinds.end())
        throw usage_failure("there is no list of `" + kind + "`", suggestion(kind, kinds));
    const auto name = words.size() == 2 ? std::optional(words[1]) : std::nullopt;

    Session session(target, settings_of(line), console);
    Lister lister(session, console);
    if (kind.empty()) lister.everything();
    if (kind == "tools") lister.list<Tool>(name);
    if (kind == "resources") lister.list<Resource>(name);
    if (kind == "templates") lister.list<ResourceTemplate>(name);
    if (kind == "prompts") lister.list<Prompt>(name);
    return Status::ok;
}

}  // namespace tenon::program
