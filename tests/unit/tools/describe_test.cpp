#include "tools/tenon/describe.hpp"

#include <gtest/gtest.h>

#include "screen.hpp"
#include "tools/tenon/progress_line.hpp"

namespace tenon::program {
namespace {

template <class T>
std::string page(const T& what, std::size_t width = 60) {
    Screen screen({.width = width});
    describe(screen.out, what);
    return screen.shown();
}

Tool weather() {
    Tool tool{"weather", "The weather of a city"};
    tool.title = "Weather";
    tool.inputSchema = json::parse(R"({"type": "object", "required": ["city"], "properties": {
        "days": {"type": "integer", "minimum": 1, "maximum": 7, "default": 1, "description": "Days ahead"},
        "city": {"type": "string", "description": "City name"}}})")
                           .value()
                           .as_object();
    tool.outputSchema =
        json::parse(R"({"type": "object", "properties": {"celsius": {"type": "number"}}})").value().as_object();
    tool.annotations.readOnlyHint = true;
    return tool;
}

TEST(Describe, a_tool_is_described_like_a_manual_page) {
    EXPECT_EQ(page(weather()),
              "NAME\n"
              "    weather - Weather\n"
              "\n"
              "SYNOPSIS\n"
              "    tenon call TARGET weather city=STRING [days=INTEGER]\n"
              "\n"
              "DESCRIPTION\n"
              "    The weather of a city\n"
              "\n"
              "ARGUMENTS\n"
              "    city\n"
              "        string, required\n"
              "        City name\n"
              "    days\n"
              "        integer, 1 to 7, default 1\n"
              "        Days ahead\n"
              "\n"
              "OUTPUT\n"
              "    celsius\n"
              "        number\n"
              "\n"
              "ANNOTATIONS\n"
              "    read-only: it says that it changes nothing\n");
}

TEST(Describe, members_of_nested_arguments_are_described_below_them) {
    Tool tool = weather();
    tool.outputSchema.reset();
    tool.inputSchema = json::parse(R"({"type": "object", "required": ["place"], "properties": {
        "place": {"type": "object", "required": ["city"], "properties": {
            "city": {"type": "string", "description": "City name"},
            "at": {"type": "array", "items": {"type": "object", "properties": {"lat": {"type": "number"}}}}}}}})")
                           .value()
                           .as_object();
    const std::string shown = page(tool);
    EXPECT_NE(shown.find("    place\n"
                         "        object, required\n"
                         "            city: string, required. City name\n"
                         "            at: list of object\n"
                         "                lat: number\n"),
              std::string::npos)
        << shown;
}

TEST(Describe, members_without_end_are_cut_off) {
    json::object fields;
    for (int i = 0; i < 50; ++i) fields["f" + std::to_string(i)] = json::object{{"$ref", "#/$defs/o"}};
    Tool tool = weather();
    tool.inputSchema = json::object{
        {"type", "object"},
        {"properties", json::object{{"deep", json::object{{"$ref", "#/$defs/o"}}}}},
        {"$defs", json::object{{"o", json::object{{"type", "object"}, {"properties", std::move(fields)}}}}}};
    EXPECT_LT(page(tool).size(), 10'000U);
}

TEST(Describe, resources_templates_and_prompts_are_described) {
    Resource resource{"note://dot", "dot"};
    resource.mimeType = "image/png", resource.size = 69;
    EXPECT_EQ(page(resource),
              "NAME\n    dot\n\nSYNOPSIS\n    tenon read TARGET note://dot\n\nOUTPUT\n    image/png, 69 bytes\n");
    EXPECT_EQ(page(ResourceTemplate{"note://{x}", "note"}),
              "NAME\n    note\n\nSYNOPSIS\n    tenon read TARGET note://{x}\n");
    const Prompt prompt{"letter", "A letter", {{"to", "Whom", true}, {"tone"}}};
    EXPECT_EQ(page(prompt),
              "NAME\n    letter\n\nSYNOPSIS\n    tenon prompt TARGET letter to=STRING [tone=STRING]\n\n"
              "DESCRIPTION\n    A letter\n\nARGUMENTS\n    to\n        string, required\n        Whom\n"
              "    tone\n        string\n");
}

TEST(Describe, lines_fit_the_width_and_contain_no_escape) {
    Tool tool = weather();
    tool.description = std::string(300, 'x') + " \x1b[31m " + std::string(50, 'y');
    tool.name = "evil\x1b]0;x\a";
    std::istringstream lines(page(tool, 40));
    for (std::string line; std::getline(lines, line);) {
        EXPECT_LE(line.size(), 40u) << line;
        EXPECT_EQ(line.find('\x1b'), std::string::npos);
    }
}

TEST(Flags, name_the_annotations_of_a_tool) {
    const auto of = [](ToolAnnotations a) { return std::string(flags(a).view()); };
    EXPECT_EQ(of({}), "");
    EXPECT_EQ(of({.readOnlyHint = true, .idempotentHint = true}), "read-only");
    EXPECT_EQ(of({.destructiveHint = true, .idempotentHint = true, .openWorldHint = true}),
              "destructive, idempotent, open world");
    EXPECT_EQ(of({.readOnlyHint = false, .destructiveHint = false}), "adds");
}

TEST(Takes, puts_optional_arguments_in_brackets) { EXPECT_EQ(takes(weather()).view(), "city [days]"); }

TEST(SizeWords, have_units) {
    EXPECT_EQ(size_words(1).view(), "1 byte");
    EXPECT_EQ(size_words(69).view(), "69 bytes");
    EXPECT_EQ(size_words(1536).view(), "1.5 KiB");
    EXPECT_EQ(size_words(3u << 20).view(), "3.0 MiB");
}

TEST(ProgressLine, is_a_bar_or_a_spinner) {
    const auto line = [](Progress p, std::size_t turn = 0) { return std::string(progress_line(p, turn, 30).view()); };
    EXPECT_EQ(line({5, 10, "at 5"}), "[#####-----]  50% at 5");
    EXPECT_EQ(line({10, 10, ""}), "[##########] 100%");
    EXPECT_EQ(line({20, 10, ""}), "[##########] 100%");
    EXPECT_EQ(line({-5, 10, ""}), "[----------]   0%");
    EXPECT_EQ(line({5, {}, "at 5"}), "| 5 at 5");
    EXPECT_EQ(line({5, {}, ""}, 1), "/ 5");
    EXPECT_EQ(line({5, 0, ""}, 2), "- 5") << "a total of 0 counts as no total";
}

TEST(ProgressLine, is_always_one_line_that_fits) {
    for (const std::string& message :
         {std::string(500, 'x'), std::string("a\nb\x1b[2J"), std::string("世界世界世界世界世界世界世界世界")}) {
        const SafeText line = progress_line({1, 2, message}, 0, 30);
        EXPECT_LT(line.width(), 30u);
        EXPECT_EQ(line.view().find_first_of("\n\x1b"), std::string_view::npos);
    }
}

}  // namespace
}  // namespace tenon::program
