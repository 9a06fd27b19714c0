#include "describe.hpp"

#include <array>
#include <cstdio>

#include "json_text.hpp"
#include "layout.hpp"
#include "schema_words.hpp"

namespace tenon::program {
namespace {

constexpr std::size_t page_indent = 4;

class Page {
 public:
    explicit Page(Out& out) : out_(out) {}

    void heading(Literal text) {
        if (begun_) out_ << "\n";
        begun_ = true;
        out_ << Styled(Look::bold, text) << "\n";
    }
    void paragraph(const SafeText& text, std::size_t deeper = 0) { write_wrapped(out_, text, page_indent + deeper); }
    void section(Literal title, const std::string& text) {
        if (text.empty()) return;
        heading(title);
        paragraph(safe_text(text));
    }
    /// Writes a name, its type, and its meaning below.
    void term(const SafeText& name, const SafeText& what, const SafeText& meaning) {
        out_ << spaces(page_indent) << Styled(Look::bold, name) << "\n";
        write_wrapped(out_, what, 2 * page_indent);
        if (!meaning.empty()) write_wrapped(out_, meaning, 2 * page_indent);
    }
    void name(const std::string& name, const std::string& title) {
        heading("NAME");
        SafeText line = safe_line(name);
        if (!title.empty() && title != name) line += " - " + safe_line(title);
        paragraph(line);
    }

 private:
    Out& out_;
    bool begun_ = false;
};

SafeText optional(bool required, const SafeText& text) { return required ? text : "[" + text + "]"; }

SafeText facts(const Argument& argument, const json::object& root) {
    SafeText out = safe_line(type_words(argument.schema, root));
    if (argument.required) out += ", required";
    for (const std::string& phrase : bound_words(argument.schema, root)) out += ", " + safe_line(phrase);
    return out;
}

SafeText description_of(const json::value& schema, const json::object& root) {
    const json::value* about = member(schema, "description");
    if (!about) about = member(resolve(schema, root), "description");
    return about ? safe_text(plain(*about)) : SafeText();
}

constexpr std::size_t deepest_member = 4;
constexpr std::size_t most_members = 100;

// Writes the members of a nested value below it, one line for each. Stops after `left` lines.
void members(Page& page, const json::value& schema, const json::object& root, std::size_t& left,
             std::size_t depth = 1) {
    if (depth > deepest_member) return;
    for (const Argument& m : members_of(schema, root)) {
        if (left == 0) return;
        if (--left == 0) return page.paragraph(SafeText("..."), (depth + 1) * page_indent);
        const SafeText meaning = description_of(m.schema, root);
        page.paragraph(safe_line(m.name) + ": " + facts(m, root) + (meaning.empty() ? SafeText() : ". " + meaning),
                       (depth + 1) * page_indent);
        members(page, m.schema, root, left, depth + 1);
    }
}

void terms(Page& page, const json::object& schema) {
    for (const Argument& argument : arguments_of(schema)) {
        page.term(safe_line(argument.name), facts(argument, schema), description_of(argument.schema, schema));
        std::size_t left = most_members;
        members(page, argument.schema, schema, left);
    }
}

void output(Page& page, const json::object& schema) {
    page.heading("OUTPUT");
    if (arguments_of(schema).empty()) {
        page.paragraph(pretty_json(schema));
    } else {
        terms(page, schema);
    }
}

void annotations(Page& page, const Annotations& a) {
    if (a.empty()) return;
    page.heading("ANNOTATIONS");
    for (const Role role : a.audience)
        page.paragraph(role == Role::user ? SafeText("for the user") : SafeText("for the assistant"));
    if (a.priority) page.paragraph("priority " + safe_line(json::write(*a.priority)));
    if (!a.lastModified.empty()) page.paragraph("last modified " + safe_line(a.lastModified));
}

void hint(Page& page, std::optional<bool> value, Literal yes, Literal no) {
    if (value) page.paragraph(*value ? yes : no);
}

void tool_annotations(Page& page, const Tool& tool) {
    page.heading("ANNOTATIONS");
    const ToolAnnotations& a = tool.annotations;
    if (a.empty()) page.paragraph(SafeText("none: it may change or destroy things, and may reach outside"));
    hint(page, a.readOnlyHint, "read-only: it says that it changes nothing", "it says that it changes things");
    hint(page, a.destructiveHint, "destructive: it may destroy things", "it says that it only adds");
    hint(page, a.idempotentHint, "idempotent: calling it again changes nothing more", "each call counts");
    hint(page, a.openWorldHint, "open world: it reaches outside of the server", "it stays within the server");
    if (tool.task == TaskSupport::required) page.paragraph(SafeText("it must be called as a task"));
}

void resource_facts(Page& page, const std::string& mime_type, const std::optional<std::uint64_t>& size) {
    if (mime_type.empty() && !size) return;
    page.heading("OUTPUT");
    SafeText line = safe_line(mime_type);
    if (size) line += (line.empty() ? SafeText() : SafeText(", ")) + size_words(*size);
    page.paragraph(line);
}

}  // namespace

SafeText size_words(std::uint64_t bytes) {
    if (bytes == 1) return SafeText("1 byte");
    if (bytes < 1024) return number(static_cast<std::int64_t>(bytes)) + " bytes";
    auto amount = static_cast<double>(bytes) / 1024;
    static constexpr std::array<const char*, 4> units = {"KiB", "MiB", "GiB", "TiB"};
    std::size_t unit = 0;
    for (; amount >= 1024 && unit + 1 < units.size(); ++unit) amount /= 1024;
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.1f %s", amount, units[unit]);
    return safe_line(text.data());
}

SafeText takes(const Tool& tool) {
    SafeText out;
    for (const Argument& argument : arguments_of(tool.inputSchema))
        out += (out.empty() ? SafeText() : SafeText(" ")) + optional(argument.required, safe_line(argument.name));
    return out;
}

SafeText takes(const Prompt& prompt) {
    SafeText out;
    for (const PromptArgument& argument : prompt.arguments)
        out += (out.empty() ? SafeText() : SafeText(" ")) + optional(argument.required, safe_line(argument.name));
    return out;
}

SafeText flags(const ToolAnnotations& a) {
    SafeText out;
    const auto add = [&](Literal word) { out += (out.empty() ? SafeText() : SafeText(", ")) + word; };
    const bool reads = a.readOnlyHint.value_or(false);
    if (reads) add("read-only");
    if (!reads && a.destructiveHint == true) add("destructive");
    if (!reads && a.readOnlyHint == false && a.destructiveHint == false) add("adds");
    if (!reads && a.idempotentHint == true) add("idempotent");
    if (a.openWorldHint == true) add("open world");
    return out;
}

void describe(Out& out, const Tool& tool) {
    Page page(out);
    page.name(tool.name, tool.title.empty() ? tool.annotations.title : tool.title);
    page.heading("SYNOPSIS");
    SafeText synopsis = "tenon call TARGET " + safe_line(tool.name);
    for (const Argument& a : arguments_of(tool.inputSchema))
        synopsis += " " + optional(a.required, safe_line(a.name + "=" + placeholder(a.schema, tool.inputSchema)));
    page.paragraph(synopsis);
    page.section("DESCRIPTION", tool.description);
    if (!arguments_of(tool.inputSchema).empty()) {
        page.heading("ARGUMENTS");
        terms(page, tool.inputSchema);
    }
    if (tool.outputSchema) output(page, *tool.outputSchema);
    tool_annotations(page, tool);
}

void describe(Out& out, const Resource& resource) {
    Page page(out);
    page.name(resource.name, resource.title);
    page.heading("SYNOPSIS");
    page.paragraph("tenon read TARGET " + safe_line(resource.uri));
    page.section("DESCRIPTION", resource.description);
    resource_facts(page, resource.mimeType, resource.size);
    annotations(page, resource.annotations);
}

void describe(Out& out, const ResourceTemplate& resource) {
    Page page(out);
    page.name(resource.name, resource.title);
    page.heading("SYNOPSIS");
    page.paragraph("tenon read TARGET " + safe_line(resource.uriTemplate));
    page.section("DESCRIPTION", resource.description);
    resource_facts(page, resource.mimeType, {});
    annotations(page, resource.annotations);
}

void describe(Out& out, const Prompt& prompt) {
    Page page(out);
    page.name(prompt.name, prompt.title);
    page.heading("SYNOPSIS");
    SafeText synopsis = "tenon prompt TARGET " + safe_line(prompt.name);
    for (const PromptArgument& a : prompt.arguments)
        synopsis += " " + optional(a.required, safe_line(a.name) + "=STRING");
    page.paragraph(synopsis);
    page.section("DESCRIPTION", prompt.description);
    if (prompt.arguments.empty()) return;
    page.heading("ARGUMENTS");
    for (const PromptArgument& a : prompt.arguments)
        page.term(safe_line(a.name), a.required ? SafeText("string, required") : SafeText("string"),
                  safe_text(a.description));
}

}  // namespace tenon::program
