#include "check/server/shapes.hpp"

#include <algorithm>
#include <array>

#include "base/base64.hpp"
#include "protocol/extension_id.hpp"
#include "protocol/meta_keys.hpp"

namespace tenon::check {
namespace {

using json::object;
using json::value;
using protocol::Trait;

constexpr std::array<std::string_view, 8> log_levels = {"debug", "info",     "notice", "warning",
                                                        "error", "critical", "alert",  "emergency"};

bool is_true_or_false_or_absent(const object& o, std::string_view name) {
    const value* v = o.if_contains(name);
    return !v || v->is_bool();
}

// ---- contents

void judge_annotations(Charges& charges, std::string_view rule, const object& o) {
    const value* annotations = o.if_contains("annotations");
    if (!annotations) return;
    const object* a = annotations->if_object();
    const value* priority = a ? a->if_contains("priority") : nullptr;
    const value* audience = a ? a->if_contains("audience") : nullptr;
    const bool good_priority = !priority || (priority->is_number() && priority->to_number<double>() >= 0 &&
                                             priority->to_number<double>() <= 1);
    const bool good_audience =
        !audience || (audience->is_array() && std::ranges::all_of(audience->get_array(), [](const value& role) {
                          return role.is_string() && (role.get_string() == "user" || role.get_string() == "assistant");
                      }));
    charges.must(rule, a && good_priority && good_audience,
                 "`annotations` with a priority outside 0 to 1, or an audience that is not user or assistant");
}

void judge_bytes(Charges& charges, std::string_view rule, const object& o, std::string_view member) {
    const boost::json::string* data = string_in(o, member);
    charges.must(rule, data && base::base64_decode(std::string_view(*data)).has_value(),
                 "`" + std::string(member) + "` is not base64");
}

// A type and a subtype with a slash between them, and perhaps parameters.
bool is_mime_type(std::string_view text) {
    const std::size_t slash = text.find('/');
    return slash != text.npos && slash > 0 && slash + 1 < text.size() && text.substr(0, slash).find(' ') == text.npos;
}

void judge_mime_type(Charges& charges, const value& contents) {
    const boost::json::string* type = contents.is_object() ? string_in(contents.get_object(), "mimeType") : nullptr;
    if (type)
        charges.must("RES-2.mime-type-form", is_mime_type(*type),
                     [&] { return "the mimeType `" + std::string(*type).substr(0, 100) + "`"; });
}

void judge_contents(Charges& charges, const value& contents) {
    const object* o = contents.if_object();
    charges.must("RES-2.uri", o && string_in(*o, "uri"), "contents of a resource without a `uri`");
    if (!o) return;
    // The schema allows both: contents with a blob may have more members.
    charges.must("RES-2.text-or-blob", string_in(*o, "text") || string_in(*o, "blob"),
                 "contents of a resource without `text` and without `blob`");
    charges.must("RES-2.mime-type", is_string_or_absent(*o, "mimeType"), "a `mimeType` that is not a string");
    if (string_in(*o, "blob")) judge_bytes(charges, "RES-2.base64", *o, "blob");
}

void judge_tool_result(Charges& charges, const object& result, const protocol::Rules& rules) {
    const json::array* content = array_in(result, "content");
    if (charges.must("TOOL-16.content", content != nullptr, "a tool's result without a list `content`"))
        for (const value& block : *content) judge_content(charges, block, rules);
    charges.must("TOOL-9.is-error", is_true_or_false_or_absent(result, "isError"),
                 "`isError` is neither true nor false");
    const value* failed = result.if_contains("isError");
    if (failed && failed->is_bool() && failed->get_bool())
        charges.must("TOOL-9.says-why", content && !content->empty(), "a failed call without `content` that says why");
    const value* structured = result.if_contains("structuredContent");
    if (structured && !rules.has(Trait::structured_any_value))
        charges.must("TOOL-6.object", structured->is_object(), "`structuredContent` that is not an object");
}

// ---- lists and the rest

void judge_cursor(Charges& charges, std::string_view rule, const object& result) {
    const value* cursor = result.if_contains("nextCursor");
    charges.must(rule, !cursor || cursor->is_string(), "a `nextCursor` that is not a string");
}

void judge_cache(Charges& charges, std::string_view rule, const object& result, const protocol::Rules& rules) {
    if (!rules.has(Trait::cache_hints)) return;
    const value* ttl = result.if_contains("ttlMs");
    const boost::json::string* scope = string_in(result, "cacheScope");
    const bool good_ttl = ttl && ttl->is_number() && ttl->to_number<double>() >= 0;
    charges.must(rule, good_ttl && scope && (*scope == "public" || *scope == "private"),
                 "a result without `ttlMs` (0 or more) and `cacheScope` (public or private)");
}

void judge_initialize(Charges& charges, const object& result) {
    charges.must("LIFE-4.protocol-version", string_in(result, "protocolVersion"),
                 "`protocolVersion` is missing or not a string");
    charges.must("LIFE-4.capabilities", object_in(result, "capabilities"),
                 "`capabilities` is missing or not an object");
    const object* info = object_in(result, "serverInfo");
    charges.must("LIFE-4.server-info", info && string_in(*info, "name") && string_in(*info, "version"),
                 "no `serverInfo` with `name` and `version`");
    charges.must("LIFE-4.instructions", is_string_or_absent(result, "instructions"), "`instructions` is not a string");
}

// The name after the prefix may be empty.
bool is_extension_id(std::string_view id) {
    return protocol::is_extension_id(id.ends_with('/') ? std::string(id) + "x" : std::string(id));
}

void judge_extensions(Charges& charges, const object& result) {
    const object* capabilities = object_in(result, "capabilities");
    const object* extensions = capabilities ? object_in(*capabilities, "extensions") : nullptr;
    if (!extensions) return;
    for (const auto& extension : *extensions)
        charges.must("LIFE-4.extension-ids", is_extension_id(extension.key()),
                     [&] { return "the extension `" + std::string(extension.key()).substr(0, 200) + "`"; });
}

void judge_discover(Charges& charges, const object& result, const protocol::Rules& rules) {
    const json::array* versions = array_in(result, "supportedVersions");
    const bool strings = versions && std::ranges::all_of(*versions, [](const value& v) { return v.is_string(); });
    charges.must("LIFE-1.supported-versions", strings && !versions->empty(),
                 "`supportedVersions` is missing or not a list of strings");
    charges.must("LIFE-4.capabilities", object_in(result, "capabilities"),
                 "`capabilities` is missing or not an object");
    charges.must("LIFE-4.instructions", is_string_or_absent(result, "instructions"), "`instructions` is not a string");
    judge_cache(charges, "LIFE-1.cache-hints", result, rules);
    judge_extensions(charges, result);
}

// Each result should have the name and the version of the server in its `_meta`.
void judge_identity(Charges& charges, const object& result) {
    const object* meta = object_in(result, "_meta");
    const object* info = meta ? object_in(*meta, protocol::meta_key::server_info) : nullptr;
    charges.must("LIFE-4.result-identity", info && string_in(*info, "name") && string_in(*info, "version"),
                 "a result without the server's name and version in its `_meta`");
}

void judge_completion(Charges& charges, const object& result) {
    const object* completion = object_in(result, "completion");
    const json::array* values = completion ? array_in(*completion, "values") : nullptr;
    const bool strings = values && std::ranges::all_of(*values, [](const value& v) { return v.is_string(); });
    charges.must("LIFE-11.completion-values", strings && values->size() <= 100,
                 "a completion without a list of at most 100 strings");
    if (!completion) return;
    const value* total = completion->if_contains("total");
    charges.must(
        "LIFE-11.completion-counts",
        (!total || total->is_int64() || total->is_uint64()) && is_true_or_false_or_absent(*completion, "hasMore"),
        "`total` is not an integer, or `hasMore` is neither true nor false");
}

void judge_prompt_result(Charges& charges, const object& result, const protocol::Rules& rules) {
    const json::array* messages = array_in(result, "messages");
    charges.must("PROMPT-2.messages", messages, "a prompt without a list `messages`");
    if (!messages) return;
    for (const value& message : *messages) {
        const object* o = message.if_object();
        const boost::json::string* role = o ? string_in(*o, "role") : nullptr;
        charges.must("PROMPT-2.role", role && (*role == "user" || *role == "assistant"),
                     "a message whose role is neither user nor assistant");
        const value* content = o ? o->if_contains("content") : nullptr;
        if (charges.must("PROMPT-2.content", content && content->is_object(), "a message without an object `content`"))
            judge_content(charges, *content, rules);
    }
}

struct ListRules {
    std::string_view method, member, shape, cursor, cache;
    void (*entry)(Charges&, const value&, const protocol::Rules&);
};

constexpr std::array<ListRules, 4> lists = {
    ListRules{"tools/list", "tools", "TOOL-4.list", "TOOL-4.cursor", "TOOL-4.cache-hints", judge_tool},
    ListRules{"resources/list", "resources", "RES-5.list", "RES-5.cursor", "RES-5.cache-hints",
              [](Charges& c, const value& v, const protocol::Rules&) { judge_resource(c, v, false); }},
    ListRules{"resources/templates/list", "resourceTemplates", "RES-5.template-list", "RES-5.cursor",
              "RES-5.cache-hints",
              [](Charges& c, const value& v, const protocol::Rules&) { judge_resource(c, v, true); }},
    ListRules{"prompts/list", "prompts", "PROMPT-4.list", "PROMPT-4.cursor", "PROMPT-4.cache-hints",
              [](Charges& c, const value& v, const protocol::Rules&) { judge_prompt(c, v); }},
};

void judge_list(Charges& charges, const ListRules& list, const object& result, const protocol::Rules& rules) {
    const json::array* entries = array_in(result, list.member);
    if (!charges.must(list.shape, entries != nullptr, "no list `" + std::string(list.member) + "`")) return;
    judge_cursor(charges, list.cursor, result);
    judge_cache(charges, list.cache, result, rules);
    for (const value& entry : *entries) list.entry(charges, entry, rules);
}

bool is_empty_result(std::string_view method) {
    return method == "resources/subscribe" || method == "resources/unsubscribe" || method == "logging/setLevel";
}

}  // namespace

const boost::json::string* string_in(const object& o, std::string_view name) {
    const value* v = o.if_contains(name);
    return v ? v->if_string() : nullptr;
}
bool is_string_or_absent(const object& o, std::string_view name) { return !o.contains(name) || string_in(o, name); }
const object* object_in(const object& o, std::string_view name) {
    const value* v = o.if_contains(name);
    return v ? v->if_object() : nullptr;
}
const json::array* array_in(const object& o, std::string_view name) {
    const value* v = o.if_contains(name);
    return v ? v->if_array() : nullptr;
}

void judge_content(Charges& charges, const value& block, const protocol::Rules& rules) {
    const object* o = block.if_object();
    const boost::json::string* type = o ? string_in(*o, "type") : nullptr;
    if (!charges.must("TOOL-16.type", type != nullptr, "a block of content without a `type`")) return;
    const bool known = *type == "text" || *type == "image" || *type == "resource" ||
                       (*type == "audio" && rules.has(Trait::audio)) ||
                       (*type == "resource_link" && rules.has(Trait::resource_links));
    if (!charges.must("TOOL-16.known-type", known, [&] {
            return "content of the type " + std::string(*type) + ", which this revision does not have";
        }))
        return;
    if (*type == "text") charges.must("TOOL-16.text", string_in(*o, "text"), "text content without a string `text`");
    if (*type == "image" || *type == "audio") {
        const boost::json::string* format = string_in(*o, "mimeType");
        charges.must("TOOL-16.mime-type", format && !format->empty(), "an image or audio without a `mimeType`");
        judge_bytes(charges, "TOOL-16.base64", *o, "data");
    }
    if (*type == "resource_link")
        charges.must("TOOL-16.link", string_in(*o, "uri") && string_in(*o, "name"),
                     "a link to a resource without `uri` or `name`");
    if (*type == "resource") {
        const value* inner = o->if_contains("resource");
        if (charges.must("TOOL-16.embedded", inner && inner->is_object(), "an embedded resource without `resource`"))
            judge_contents(charges, *inner);
    }
    judge_annotations(charges, "TOOL-16.annotations", *o);
}

void judge_result(Charges& charges, const Sent& sent, const object& result, const protocol::Rules& rules) {
    const boost::json::string* type = string_in(result, "resultType");
    const std::string_view method = sent.method;
    if (rules.has(Trait::result_type)) judge_identity(charges, result);
    if (type && *type != "complete" && rules.has(Trait::result_type)) return;  // a question, or a task
    for (const ListRules& list : lists)
        if (list.method == method) return judge_list(charges, list, result, rules);
    if (method == "initialize") judge_initialize(charges, result);
    if (method == "server/discover") judge_discover(charges, result, rules);
    if (method == "tools/call" && !result.contains("task")) judge_tool_result(charges, result, rules);
    if (method == "prompts/get") judge_prompt_result(charges, result, rules);
    if (method == "completion/complete") judge_completion(charges, result);
    if (method == "resources/read") {
        const json::array* contents = array_in(result, "contents");
        if (charges.must("RES-6.contents", contents != nullptr, "a resource without a list `contents`"))
            for (const value& entry : *contents) judge_contents(charges, entry);
        judge_cache(charges, "RES-6.cache-hints", result, rules);
        if (contents)
            for (const value& entry : *contents) judge_mime_type(charges, entry);
    }
    const auto only_meta = [](const auto& member) { return member.key() == "_meta" || member.key() == "resultType"; };
    if (method == "ping")
        charges.must("LIFE-14.empty", std::ranges::all_of(result, only_meta), "the answer to ping is not empty");
    if (is_empty_result(method))
        charges.must("LIFE-11.empty-result", std::ranges::all_of(result, only_meta),
                     [&] { return "the answer to " + sent.method + " is not empty"; });
}

void judge_code(Charges& charges, std::int64_t code, const protocol::Rules& rules) {
    const bool standard = code == code::parse_error || (code <= code::invalid_request && code >= code::internal_error);
    const bool in_reserved = code >= -32768 && code <= -32000;
    const bool for_servers = code >= -32099 && code <= -32000;
    charges.must("RPC-14.reserved", !in_reserved || standard || for_servers,
                 [&] { return std::to_string(code) + " is a code that JSON-RPC reserves"; });
    if (rules.is_legacy()) return;
    const bool defined =
        code == code::header_mismatch || code == code::missing_capability || code == code::unsupported_version;
    const bool of_mcp = code >= -32099 && code <= -32020;
    charges.must("RPC-14.modern", (!of_mcp || defined) && code != code::resource_not_found,
                 [&] { return std::to_string(code) + " is a code that this revision does not have"; });
}

void judge_legacy_code(Charges& charges, std::int64_t code) {
    charges.must("RPC-14.legacy-range", code < -32019 || code > -32000 || code == code::resource_not_found,
                 [&] { return std::to_string(code) + " is a code of the range -32019 to -32000"; });
}

void judge_announcement(Charges& charges, std::string_view method, const object& params, const Conversation& talk,
                        const Received&) {
    static const object nothing;
    const object* declared = object_in(talk.introduction(), "capabilities");
    const auto flag = [&](std::string_view feature) {
        const object* capability = declared ? object_in(*declared, feature) : nullptr;
        const value* v = capability ? capability->if_contains("listChanged") : nullptr;
        return v && v->is_bool() && v->get_bool();
    };
    for (const std::string_view feature : {"tools", "resources", "prompts"})
        if (declared && method == "notifications/" + std::string(feature) + "/list_changed")
            charges.must("LIFE-10.list-changed", flag(feature),
                         "a change of " + std::string(feature) + " was sent, but not declared");
    if (method == "notifications/resources/updated")
        charges.must("RES-7.updated-uri", string_in(params, "uri"), "an update without the `uri` of a resource");
    if (method == "notifications/cancelled" && talk.rules().is_legacy())
        charges.must("LIFE-16.names-request", params.contains("requestId"), "a cancellation without `requestId`");
    if (method != "notifications/message") return;
    const boost::json::string* level = string_in(params, "level");
    charges.must(
        "LIFE-11.log-message",
        level && std::ranges::find(log_levels, std::string_view(*level)) != log_levels.end() && params.contains("data"),
        "a log message without a known `level`, or without `data`");
    charges.must("LIFE-10.logging", !declared || declared->contains("logging"),
                 "a log message was sent, but `logging` was not declared");
}

}  // namespace tenon::check
