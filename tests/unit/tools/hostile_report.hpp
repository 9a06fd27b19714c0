// Hand-made reports, and texts that a hostile server might send.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "tools/tenon/verdict.hpp"

namespace tenon::program {

inline constexpr check::Rule same_id{.id = "RPC-4.same-id",
                                     .title = "an answer has the id of its request",
                                     .severity = check::Severity::critical,
                                     .clauses = {check::Clause{"2025-11-25", check::Level::must, "basic", "responses"}},
                                     .text = "the id comes back as it was sent",
                                     .remedy = "copy the id",
                                     .right = R"({"id":1})",
                                     .wrong = R"({"id":"1"})"};
inline constexpr check::Rule bad_cursor{
    .id = "TOOL-4.bad-cursor",
    .title = "an unknown cursor is refused",
    .severity = check::Severity::low,
    .clauses = {check::Clause{"2025-11-25", check::Level::must, "server/utilities/pagination"}},
    .text = "-32602",
    .remedy = "check cursors",
    .right = "-32602",
    .wrong = "a page"};
inline constexpr check::Rule described{.id = "TOOL-1.description",
                                       .title = "a tool is described",
                                       .severity = check::Severity::low,
                                       .clauses = {check::Clause{"2025-11-25", check::Level::should, "server/tools"}},
                                       .text = "models read it",
                                       .remedy = "describe it",
                                       .right = "",
                                       .wrong = ""};
inline constexpr check::Rule origin{.id = "HTTP-11.origin",
                                    .title = "a foreign origin is refused",
                                    .clauses = {check::Clause{"2025-11-25", check::Level::must, "basic/transports"}},
                                    .text = "403",
                                    .remedy = "",
                                    .right = "",
                                    .wrong = ""};

/// Texts that must not break out of their place in any format. Each contains a mark to find it by.
inline const std::array hostile_texts = {
    std::string("mark</script><script>alert(1)</script>"),
    std::string("mark]]><failure/>"),
    std::string("mark\" onload='x' &amp; &#0; <!--"),
    std::string("mark\x1b[2J\x07\r"),
    std::string("mark\xff\xfe\xc3"),
    std::string("mark\xed\xa0\x80\xed\xb0\x80"),                  // lone surrogates
    std::string("mark\xef\xbf\xbe\xef\xbf\xbf"),                  // U+FFFE, U+FFFF
    std::string("mark\xe2\x80\xae\xe2\x80\x8b\xf3\xa0\x81\x81"),  // right-to-left, zero-width, tag character
    std::string("mark\0x", 6),
};

inline check::Report a_report() {
    using check::Evidence;
    using check::Outcome;
    check::Report out{.target = "node server.js", .transport = "stdio", .name = "shop", .version = "2.0"};
    out.revisions = {"2025-11-25", "2025-06-18"};
    out.seed = 42;
    out.took = std::chrono::milliseconds(2340);
    out.findings = {
        {&bad_cursor, Outcome::fail, "2025-11-25", "the answer was a page"},
        {&same_id,
         Outcome::fail,
         "2025-11-25",
         "the id was \"7\"",
         {{Evidence::Direction::sent, R"({"id":7})"}, {Evidence::Direction::received, R"({"id":"7"})", 3}}},
        {&same_id, Outcome::fail, "2025-06-18", "the id was \"7\""},
        {&described, Outcome::warning, "2025-11-25", "`buy` has none"},
        {&described, Outcome::pass, "2025-06-18", ""},
        {&origin, Outcome::not_applicable, "", "there is no HTTP"},
    };
    out.audit = check::Audit{.handlers = 4, .messages = 30};
    return out;
}

/// Returns the report with this text in every place that shows text of a server.
inline check::Report with_text(const std::string& text) {
    check::Report out = a_report();
    out.target = out.name = out.version = out.incomplete = text;
    for (check::Finding& finding : out.findings) {
        finding.detail = finding.counterexample = text;
        finding.evidence = {{check::Evidence::Direction::received, text}};
    }
    out.audit = check::Audit{.deviations = 1, .first_offence = text, .detail = text};
    return out;
}

}  // namespace tenon::program
