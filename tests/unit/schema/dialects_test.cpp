#include "unit/schema/testing.hpp"

namespace tenon::schema {
namespace {

using testing::expect;
using testing::parsed;
using testing::refusal;

TEST(Dialects, are_chosen_by_the_schema_keyword) {
    expect(R"({"$schema":"http://json-schema.org/draft-07/schema#","items":[{"type":"string"}]})", {"[\"a\"]"},
           {"[1]"});
    expect(R"({"$schema":"https://json-schema.org/draft/2019-09/schema","items":[{"type":"string"}]})", {"[\"a\"]"},
           {"[1]"});
    EXPECT_NE(refusal(R"({"$schema":"https://json-schema.org/draft/2020-12/schema","items":[{"type":"string"}]})")
                  .find("/items"),
              std::string::npos);
}

TEST(Dialects, unknown_dialects_are_refused_with_a_suggestion) {
    const std::string why = refusal(R"({"$schema":"http://json-schema.org/draft-03/schema#"})");
    EXPECT_NE(why.find("at /$schema"), std::string::npos) << why;
    EXPECT_NE(why.find("use https://json-schema.org/draft/2020-12/schema"), std::string::npos) << why;
    EXPECT_NE(refusal(R"({"$schema":1})").find("must be a string"), std::string::npos);
}

Options with_metaschema(std::string_view metaschema) {
    Options options;
    options.resolver = [text = std::string(metaschema)](std::string_view uri) -> std::optional<json::value> {
        if (uri != "http://x/meta") return std::nullopt;
        return parsed(text);
    };
    return options;
}

constexpr const char* uses_meta =
    R"({"$schema":"http://x/meta","type":"string","properties":{"a":false},"format":"ipv4"})";

TEST(Dialects, vocabularies_switch_keywords_on_and_off) {
    expect(
        uses_meta, {"1", R"({"b":1})"}, {R"({"a":1})"},
        with_metaschema(
            R"({"$vocabulary":{"https://json-schema.org/draft/2020-12/vocab/core":true,"https://json-schema.org/draft/2020-12/vocab/applicator":true}})"));
    expect(
        uses_meta, {"\"1.2.3.4\""}, {"\"x\"", "1"},
        with_metaschema(
            R"({"$vocabulary":{"https://json-schema.org/draft/2020-12/vocab/validation":true,"https://json-schema.org/draft/2020-12/vocab/format-assertion":true,"http://x/vocab":false}})"));
}

TEST(Dialects, an_unknown_required_vocabulary_is_refused) {
    const auto options = with_metaschema(R"({"$vocabulary":{"http://x/vocab":true}})");
    EXPECT_NE(refusal(uses_meta, options).find("`http://x/vocab`"), std::string::npos);
}

TEST(Dialects, a_metaschema_without_vocabularies_uses_its_own_dialect) {
    expect(R"({"$schema":"http://x/meta","items":[{"type":"string"}]})", {"[\"a\"]"}, {"[1]"},
           with_metaschema(R"({"$schema":"http://json-schema.org/draft-07/schema#"})"));
    EXPECT_NE(refusal(uses_meta, with_metaschema(R"({"$schema":"http://x/meta"})")).find("unknown"), std::string::npos);
}

TEST(Dialects, an_embedded_resource_can_have_another_dialect) {
    expect(
        R"({"$schema":"https://json-schema.org/draft/2020-12/schema","$ref":"http://x/old","$defs":{"a":{"$id":"http://x/old",
              "$schema":"http://json-schema.org/draft-07/schema#","items":[{"type":"string"}]}}})",
        {"[\"a\"]"}, {"[1]"});
}

}  // namespace
}  // namespace tenon::schema
