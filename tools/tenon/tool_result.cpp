#include "tool_result.hpp"

#include <algorithm>

#include "json_text.hpp"
#include "progress_line.hpp"

namespace tenon::program {
namespace {

bool has_text(const ToolResult& result) {
    return std::ranges::any_of(result.content, [](const Content& c) { return std::holds_alternative<TextContent>(c); });
}

// Servers repeat structured content as text, for older clients. Then the structure is easier to read.
bool repeats_structure(const Content& content, const ToolResult& result) {
    const auto* text = std::get_if<TextContent>(&content);
    if (!text || !result.structuredContent || !result.structuredContent->is_structured()) return false;
    const auto parsed = json::parse(text->text);
    return parsed && *parsed == *result.structuredContent;
}

bool write_contents(const ToolResult& result, const std::string& name, Keeper& keeper, Out& out) {
    ContentWriter writer(out, keeper, name);
    for (const Content& content : result.content) {
        if (repeats_structure(content, result))
            writer.write(*result.structuredContent);
        else
            writer.write(content);
    }
    if (result.structuredContent && !has_text(result)) writer.write(*result.structuredContent);
    return writer.dropped_bytes();
}

}  // namespace

CallOptions with_progress(CallOptions options, const Settings& settings, Console& console) {
    if (settings.quiet || !console.notes_facts().terminal) return options;
    options.on_progress = [&console, turn = std::size_t{0}](const Progress& progress) mutable {
        console.bar(progress_line(progress, turn++, console.notes_facts().width));
    };
    return options;
}

Status show_json_result(json::object result, Console& console) {
    if (!result.contains("isError")) result.emplace("isError", false);
    console.bar({});
    console.print([&](Out& out) { out << compact_json(result) << "\n"; });
    return result.at("isError") == json::value(true) ? Status::tool_error : Status::ok;
}

Status show_result(const ToolResult& result, const std::string& name, const Settings& settings, Keeper& keeper,
                   Console& console) {
    console.bar({});
    bool dropped = false;
    const auto write = [&](Out& out) {
        if (result.isError) out << Styled(Look::red, "tenon: " + safe_line(name) + " failed: ");
        dropped = write_contents(result, name, keeper, out);
    };
    if (result.isError)
        console.note(write);
    else
        console.print(write);
    if (dropped && !settings.quiet)
        console.note(
            [](Out& out) { out << Styled(Look::dim, "--save DIR keeps images, audio and other bytes") << "\n"; });
    return result.isError ? Status::tool_error : Status::ok;
}

}  // namespace tenon::program
