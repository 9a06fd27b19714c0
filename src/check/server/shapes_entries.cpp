// The entries of lists: tools, resources, templates and prompts.
#include <algorithm>

#include <tenon/schema.hpp>

#include "base/uri.hpp"
#include "base/uri_template.hpp"
#include "check/server/shapes.hpp"
#include "core/mirrored_parameters.hpp"

namespace tenon::check {
namespace {

using json::object;
using json::value;
using protocol::Trait;

bool is_name_character(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
           c == '.';
}

bool is_good_name(std::string_view name) {
    return !name.empty() && name.size() <= 128 && std::ranges::all_of(name, is_name_character);
}

// The server is not to blame for a dialect that this checker does not know.
bool is_unknown_dialect(const object& schema) {
    const boost::json::string* dialect = string_in(schema, "$schema");
    if (!dialect) return false;
    const std::string_view uri = *dialect;
    return uri.find("2020-12") == uri.npos && uri.find("2019-09") == uri.npos && uri.find("draft-07") == uri.npos;
}

schema::Schema metaschema(std::string_view uri) {
    const auto compiled = schema::Schema::compile(object{{"$ref", uri}});
    return *compiled;
}

// Decides about a schema that cannot be compiled here. The schema may still be valid: the compiler refuses regular
// expressions with lookahead, and schemas over its limits. Invalid is what the metaschema of the dialect refuses.
bool is_refused_by_metaschema(const object& schema) {
    const boost::json::string* dialect = string_in(schema, "$schema");
    const std::string_view uri = dialect ? std::string_view(*dialect) : "2020-12";
    static const schema::Schema draft7 = metaschema("http://json-schema.org/draft-07/schema#");
    static const schema::Schema draft2019 = metaschema("https://json-schema.org/draft/2019-09/schema");
    static const schema::Schema draft2020 = metaschema("https://json-schema.org/draft/2020-12/schema");
    const schema::Schema& known = uri.find("draft-07") != uri.npos  ? draft7
                                  : uri.find("2019-09") != uri.npos ? draft2019
                                                                    : draft2020;
    return !known.accepts(schema);
}

void judge_schema(Charges& charges, std::string_view rule, std::string_view tool, const object& schema) {
    if (is_unknown_dialect(schema)) return;
    const auto compiled = schema::Schema::compile(schema);
    charges.must(rule, compiled.has_value() || !is_refused_by_metaschema(schema),
                 [&] { return "the tool " + std::string(tool) + ": " + compiled.error().message; });
}

void judge_hints(Charges& charges, std::string_view tool, const object& o) {
    const value* annotations = o.if_contains("annotations");
    if (!annotations) return;
    const object* a = annotations->if_object();
    bool good = a && is_string_or_absent(*a, "title");
    for (const std::string_view hint : {"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"})
        good = good && (!a->contains(hint) || a->at(hint).is_bool());
    charges.must("TOOL-2.annotations", good,
                 [&] { return "the tool " + std::string(tool) + " has hints that are neither true nor false"; });
}

}  // namespace

void judge_tool(Charges& charges, const value& tool, const protocol::Rules& rules) {
    const object* o = tool.if_object();
    const boost::json::string* name = o ? string_in(*o, "name") : nullptr;
    if (!charges.must("TOOL-1.name", name != nullptr, "a tool without a `name`")) return;
    const std::string called(*name);
    if (rules.has(Trait::tool_name_format))
        charges.must("TOOL-1.name-format", is_good_name(called),
                     [&] { return "the tool `" + called.substr(0, 200) + "`"; });
    charges.must("TOOL-1.description-type", is_string_or_absent(*o, "description"),
                 [&] { return "the tool " + called + " has a `description` that is not a string"; });
    charges.must("TOOL-1.description", string_in(*o, "description") && !string_in(*o, "description")->empty(),
                 [&] { return "the tool " + called + " has no `description`"; });
    const object* input = object_in(*o, "inputSchema");
    if (!charges.must("TOOL-1.input-schema", input != nullptr,
                      [&] { return "the tool " + called + " has no `inputSchema`, or it is not an object"; }))
        return;
    const boost::json::string* type = string_in(*input, "type");
    charges.must("TOOL-1.type-object", type && *type == "object",
                 [&] { return "the `inputSchema` of " + called + " is not of the type object"; });
    judge_schema(charges, "TOOL-1.valid-schema", called, *input);
    if (rules.has(Trait::mirrored_parameters)) {
        const auto mirrored = core::mirrored_parameters(*input);
        charges.must("TOOL-1.header-names", mirrored.has_value(),
                     [&] { return "the tool " + called + ": " + mirrored.error().message; });
    }
    charges.must("TOOL-2.title", is_string_or_absent(*o, "title"),
                 [&] { return "the tool " + called + " has a `title` that is not a string"; });
    judge_hints(charges, called, *o);
    const value* output = o->if_contains("outputSchema");
    if (!output || !rules.has(Trait::structured_content)) return;
    if (!output->is_object())
        charges.must("TOOL-2.output-schema", rules.has(Trait::structured_any_value) && output->is_bool(),
                     [&] { return "the tool " + called + " has an `outputSchema` that is not an object"; });
    else
        judge_schema(charges, "TOOL-2.output-schema", called, output->get_object());
}

void judge_resource(Charges& charges, const value& resource, bool is_template) {
    const object* o = resource.if_object();
    const boost::json::string* uri = o ? string_in(*o, is_template ? "uriTemplate" : "uri") : nullptr;
    if (is_template) {
        std::string why;
        charges.must("RES-5.template", uri && base::UriTemplate::parse(std::string_view(*uri), &why),
                     [&] { return uri ? "the template " + std::string(*uri) + ": " + why : "no `uriTemplate`"; });
    } else {
        charges.must("RES-1.uri", uri && base::parse_uri(std::string_view(*uri)),
                     [&] { return uri ? std::string(*uri) + " is not a URI" : "a resource without a `uri`"; });
    }
    if (!o) return;
    const std::string called = uri ? std::string(*uri) : "a resource";
    charges.must("RES-1.name", string_in(*o, "name"), [&] { return called + " has no `name`"; });
    const value* size = o->if_contains("size");
    bool good = !size || size->is_number();
    for (const std::string_view text : {"title", "description", "mimeType"})
        good = good && is_string_or_absent(*o, text);
    charges.must("RES-1.fields", good, [&] { return called + " has a field of a wrong type"; });
}

void judge_prompt(Charges& charges, const value& prompt) {
    const object* o = prompt.if_object();
    const boost::json::string* name = o ? string_in(*o, "name") : nullptr;
    if (!charges.must("PROMPT-1.name", name != nullptr, "a prompt without a `name`")) return;
    const std::string called(*name);
    charges.must("PROMPT-1.fields", is_string_or_absent(*o, "title") && is_string_or_absent(*o, "description"),
                 [&] { return "the prompt " + called + " has a field of a wrong type"; });
    const value* arguments = o->if_contains("arguments");
    const auto is_good = [](const value& argument) {
        const object* a = argument.if_object();
        return a && string_in(*a, "name") && is_string_or_absent(*a, "description") &&
               (!a->contains("required") || a->at("required").is_bool());
    };
    charges.must("PROMPT-1.arguments",
                 !arguments || (arguments->is_array() && std::ranges::all_of(arguments->get_array(), is_good)),
                 [&] { return "the prompt " + called + " has an argument without a name, or with a wrong field"; });
}

}  // namespace tenon::check
