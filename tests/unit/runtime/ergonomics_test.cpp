// What the typed API refuses and converts: unknown arguments, contradicting bounds, formats, variables of templates,
// enums of prompts.
#include <gtest/gtest.h>

#include <functional>

#include <tenon/client.hpp>
#include <tenon/server.hpp>
#include <tenon/transport/memory.hpp>

namespace tenon {
namespace {

enum class Colour { red, green };
BOOST_DESCRIBE_ENUM(Colour, red, green)

struct Paint {
    std::string where;
    std::optional<Colour> colour;
};
BOOST_DESCRIBE_STRUCT(Paint, (), (where, colour))

struct Wide {
    int days = 0;
};
BOOST_DESCRIBE_STRUCT(Wide, (), (days))
inline auto tenon_fields(Wide*) { return fields(field<&Wide::days>("Days").max(3).def(9)); }

std::string why_not(const std::function<void()>& f) {
    try {
        f();
    } catch (const Exception& e) {
        return e.error().message;
    }
    return "none";
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

struct Ergonomics : testing::Test {
    Client& client() {
        if (!client_) client_ = std::make_unique<Client>(memory_transport(server));
        return *client_;
    }
    std::string call(const std::string& tool, json::object arguments) {
        const ToolResult result = client().call_tool(tool, std::move(arguments));
        return (result.isError ? "error: " : "") + std::get<TextContent>(result.content.at(0)).text;
    }
    std::string read(const std::string& uri) { return client().read_resource(uri).contents.at(0).text; }

    Server server{"test", "1"};
    std::unique_ptr<Client> client_;
};

// rules: TOOL-5
TEST_F(Ergonomics, struct_tools_refuse_unknown_arguments) {
    server.tool("paint", "Paints", [](const Paint& p) { return p.where; });
    EXPECT_EQ(call("paint", {{"where", "wall"}}), "wall");
    EXPECT_TRUE(has(call("paint", {{"where", "wall"}, {"color", "red"}}), "`arguments.color` is not a property"));
}

// rules: TOOL-1
TEST_F(Ergonomics, contradicting_bounds_and_defaults_are_refused_at_registration) {
    const auto of_int = [this](Arg<int> a) {
        return why_not([&] { server.tool("t", "T", args(std::move(a)), [](int) { return "x"; }); });
    };
    EXPECT_TRUE(has(of_int(arg<int>("n").min(5).max(1)), "`n` has bounds that no value fits: 5 is above 1"));
    EXPECT_TRUE(has(of_int(arg<int>("n").max(3).def(9)), "`n` has the default 9, which its own bounds refuse"));
    EXPECT_TRUE(has(of_int(arg<int>("n").one_of({1, 2}).def(3)), "which is not one of its values"));
    const auto of_text = [this](Arg<std::string> a) {
        return why_not([&] { server.tool("t", "T", args(std::move(a)), [](std::string) { return "x"; }); });
    };
    EXPECT_TRUE(has(of_text(arg<std::string>("s").min_length(3).max_length(2)), "no value fits"));
    EXPECT_TRUE(has(of_text(arg<std::string>("s").max_length(2).def("abc")), "default \"abc\""));
    EXPECT_TRUE(has(why_not([&] { server.tool("w", "W", [](const Wide&) { return "x"; }); }), "`days`"));
    EXPECT_EQ(of_int(arg<int>("n").min(1).max(3).def(3)), "none");
}

// rules: TOOL-5
TEST_F(Ergonomics, formats_are_checked_unless_that_is_switched_off) {
    const auto mail = [](const std::string& to) { return to; };
    server.tool("mail", "Mails", args(arg<std::string>("to").format("email")), mail);
    EXPECT_EQ(call("mail", {{"to", "a@b.example"}}), "a@b.example");
    EXPECT_TRUE(has(call("mail", {{"to", "nobody"}}), "error: "));
    Server lax("test", "1", {.check_formats = false});
    lax.tool("mail", "Mails", args(arg<std::string>("to").format("email")), mail);
    EXPECT_FALSE(Client(memory_transport(lax)).call_tool("mail", {{"to", "nobody"}}).isError);
}

// rules: RES-5
TEST_F(Ergonomics, variables_of_templates_have_types) {
    server.resource_template("ticket://{id}", "ticket", [](int id) { return "ticket " + std::to_string(id); });
    server.resource_template("paint://{colour}{/names*}", "paint",
                             [](Context&, Colour colour, const std::vector<std::string>& names) {
                                 return std::to_string(static_cast<int>(colour)) + " " + std::to_string(names.size());
                             });
    server.resource_template("find://all{?q,deep}", "find", [](std::optional<std::string> q, std::optional<bool> deep) {
        return q.value_or("none") + (deep && *deep ? " deep" : "");
    });
    EXPECT_EQ(read("ticket://42"), "ticket 42");
    EXPECT_EQ(read("paint://green/a/b"), "1 2");
    EXPECT_EQ(read("find://all"), "none");
    EXPECT_EQ(read("find://all?q=x&deep=true"), "x deep");
    for (const char* uri :
         {"ticket://x", "ticket://4x", "ticket://99999999999", "paint://blue/a", "find://all?deep=yes"})
        EXPECT_TRUE(has(why_not([&] { read(uri); }), "not found")) << uri;
}

TEST_F(Ergonomics, a_handler_needs_one_parameter_for_each_variable) {
    const std::string why =
        why_not([&] { server.resource_template("a://{x}/{y}", "a", [](std::string x) { return x; }); });
    EXPECT_TRUE(has(why, "has 2 variables (x, y), but its handler takes 1 parameters")) << why;
    EXPECT_TRUE(has(why_not([&] { server.resource_template("a://{x", "a", [](std::string x) { return x; }); }),
                    "is not a URI template"));
}

TEST_F(Ergonomics, enums_of_prompts_complete_themselves) {
    server.prompt("p", "P", args(arg<Colour>("colour"), arg<std::optional<Colour>>("edge")),
                  [](Colour colour, std::optional<Colour> edge) {
                      return std::to_string(static_cast<int>(colour)) + (edge ? "+" : "-");
                  });
    EXPECT_EQ(client().complete(CompletionTarget::prompt("p"), {"colour", "g"}).values,
              std::vector<std::string>{"green"});
    EXPECT_EQ(client().complete(CompletionTarget::prompt("p"), {"edge", ""}).values.size(), 2U);
    const auto text = [this](PromptArguments arguments) {
        const PromptResult result = client().get_prompt("p", std::move(arguments));
        return std::get<TextContent>(result.messages.at(0).content).text;
    };
    EXPECT_EQ(text({{"colour", "green"}}), "1-");
    EXPECT_EQ(text({{"colour", "red"}, {"edge", "green"}}), "0+");
    EXPECT_NE(why_not([&] { text({{"colour", "blue"}}); }), "none");
}

// rules: SEC-3
TEST_F(Ergonomics, numbers_that_no_double_holds_are_refused) {
    const auto huge = from_json<double>(json::parse("1e400").value(), "n");
    ASSERT_FALSE(huge);
    EXPECT_TRUE(has(huge.error().message, "too large"));
}

TEST(IntegerSchema, bounds_of_64_bits_are_left_out) {
    EXPECT_EQ(json::write(schema_of<std::int64_t>()), R"({"type":"integer"})");
    EXPECT_EQ(json::write(schema_of<std::uint64_t>()), R"({"type":"integer","minimum":0})");
    EXPECT_EQ(json::write(schema_of<std::int8_t>()), R"({"type":"integer","minimum":-128,"maximum":127})");
}

}  // namespace
}  // namespace tenon
