// Helpers of the schema tests, with JSON as text.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include <tenon/schema.hpp>

namespace tenon::schema::testing {

inline json::value parsed(std::string_view text) { return json::parse(text, {.max_depth = 5000}).value(); }

inline Schema compiled(std::string_view text, const Options& options = {}) {
    auto schema = Schema::compile(parsed(text), options);
    EXPECT_TRUE(schema) << text << ": " << (schema ? "" : schema.error().message);
    return schema ? *schema : Schema::compile(json::value(false)).value();
}

/// Returns the reason why compile() refuses a schema, or an empty string.
inline std::string refusal(std::string_view text, const Options& options = {}) {
    const auto schema = Schema::compile(parsed(text), options);
    if (schema) return "";
    EXPECT_EQ(schema.error().code, code::invalid_params);
    return schema.error().message;
}

/// Returns the message of the first violation, or an empty string for a valid instance.
inline std::string complaint(std::string_view schema, std::string_view instance, const Options& options = {}) {
    const auto violations = compiled(schema, options).check(parsed(instance), 10, "arguments");
    return violations.empty() ? "" : violations[0].message;
}

/// Expects that accepts() and check() accept every instance of `valid` and refuse every instance of `invalid`.
inline void expect(std::string_view schema, std::vector<std::string_view> valid, std::vector<std::string_view> invalid,
                   const Options& options = {}) {
    const Schema s = compiled(schema, options);
    for (const auto instance : valid) {
        EXPECT_TRUE(s.accepts(parsed(instance))) << schema << " should accept " << instance;
        const auto violations = s.check(parsed(instance));
        EXPECT_TRUE(violations.empty()) << violations[0].message;
    }
    for (const auto instance : invalid) {
        EXPECT_FALSE(s.accepts(parsed(instance))) << schema << " should refuse " << instance;
        const auto violations = s.check(parsed(instance));
        ASSERT_FALSE(violations.empty());
        EXPECT_NE(violations[0].keyword, "$budget") << schema << instance;
    }
}

}  // namespace tenon::schema::testing
