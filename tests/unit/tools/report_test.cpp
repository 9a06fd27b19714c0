// The reports of a check: their content, and that text of a server cannot break out of its place.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/base64.hpp"
#include "hostile_report.hpp"
#include "jose/digest.hpp"
#include "markup_reader.hpp"
#include "screen.hpp"
#include "tools/tenon/json_text.hpp"
#include "tools/tenon/report_formats.hpp"
#include "tools/tenon/report_html_page.hpp"
#include "tools/tenon/report_terminal.hpp"

#include <tenon/schema.hpp>

namespace tenon::program {
namespace {

const std::set<std::string, std::less<>> void_tags = {"meta", "input"};

std::string on_screen(const Assessment& verdict, Detail detail, OutFacts facts = {}) {
    Screen screen(facts);
    write_report(screen.out, verdict, detail);
    return screen.shown();
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

std::size_t occurrences(const std::string& text, std::string_view part) {
    std::size_t n = 0;
    for (std::size_t i = 0; (i = text.find(part, i)) != std::string::npos; i += part.size()) ++n;
    return n;
}

// ---- assessment

TEST(Assessment, counts_findings_by_standing) {
    const check::Report report = a_report();
    const Assessment verdict = judge(report);
    EXPECT_EQ(verdict.count(Standing::failed), 3u);
    EXPECT_EQ(verdict.count(Standing::warning), 1u);
    EXPECT_EQ(verdict.count(Standing::passed), 1u);
    EXPECT_EQ(verdict.count(Standing::not_applicable), 1u);
}

TEST(Assessment, groups_equal_failures_and_sorts_by_severity) {
    const check::Report report = a_report();
    const auto failed = problems(judge(report), Standing::failed);
    ASSERT_EQ(failed.size(), 2u);
    EXPECT_EQ(failed[0].rule->id, "RPC-4.same-id");
    EXPECT_EQ(failed[0].revisions(), "2025-11-25, 2025-06-18");
    EXPECT_EQ(failed[1].rule->id, "TOOL-4.bad-cursor");
}

TEST(Assessment, exit_status_depends_on_new_failures_and_completeness) {
    check::Report report = a_report();
    EXPECT_EQ(status_of(judge(report)), Status::check_failed);
    EXPECT_EQ(status_of(judge(report, read_baseline(json::write(baseline_of(report)), "b"))), Status::ok);
    report.findings.resize(1);
    report.findings[0].outcome = check::Outcome::warning;
    EXPECT_EQ(status_of(judge(report)), Status::ok);
    report.incomplete = "the time ran out";
    EXPECT_EQ(status_of(judge(report)), Status::timeout);
    report.findings.clear();
    EXPECT_EQ(status_of(judge(report)), Status::connection);
    Assessment stopped = judge(report);
    stopped.interrupted = true;
    EXPECT_EQ(status_of(stopped), Status::interrupted);
}

// ---- baseline

TEST(Baseline, lists_each_failure_with_its_revision) {
    EXPECT_EQ(
        json::write(baseline_of(a_report())),
        R"({"tenonBaseline":1,"failures":[{"rule":"RPC-4.same-id","revision":"2025-06-18"},)"
        R"({"rule":"RPC-4.same-id","revision":"2025-11-25"},{"rule":"TOOL-4.bad-cursor","revision":"2025-11-25"}]})");
}

TEST(Baseline, only_failures_outside_the_baseline_count) {
    const check::Report report = a_report();
    const Assessment verdict = judge(report, {{"RPC-4.same-id", "2025-11-25"}});
    EXPECT_EQ(verdict.count(Standing::known), 1u);
    EXPECT_EQ(verdict.count(Standing::failed), 2u);
    EXPECT_EQ(status_of(verdict), Status::check_failed);
}

TEST(Baseline, a_fixed_failure_must_be_removed_from_the_baseline) {
    check::Report report = a_report();
    report.findings.erase(report.findings.begin(), report.findings.begin() + 3);
    const Assessment verdict = judge(report, {{"TOOL-1.description", "2025-06-18"}});
    EXPECT_EQ(verdict.fixed.size(), 1u);
    EXPECT_EQ(status_of(verdict), Status::check_failed);
    EXPECT_TRUE(has(on_screen(verdict, Detail::brief), "FIXED TOOL-1.description@2025-06-18"));
    EXPECT_TRUE(has(report_as_junit(verdict), "take it off the baseline"));
    EXPECT_TRUE(has(report_as_html(verdict), "take it off"));
    EXPECT_TRUE(has(json::write(report_as_sarif(verdict)), "take it off the baseline"));
    EXPECT_TRUE(has(json::write(report_as_json(verdict)), R"("fixed":["TOOL-1.description@2025-06-18"])"));
}

TEST(Baseline, an_untried_rule_in_the_baseline_is_not_an_error) {
    check::Report report = a_report();
    report.findings.clear();
    const Assessment verdict = judge(report, {{"RPC-1.version", ""}});
    EXPECT_EQ(verdict.untried.size(), 1u);
    EXPECT_EQ(status_of(verdict), Status::ok);
}

TEST(Baseline, a_malformed_file_is_refused) {
    for (const std::string_view text :
         {"", "[]", "{}", R"({"tenonBaseline":2,"failures":[]})", R"({"tenonBaseline":1})",
          R"({"tenonBaseline":1,"failures":[7]})", R"({"tenonBaseline":1,"failures":[{}]})"})
        EXPECT_THROW(read_baseline(text, "known.json"), Failure) << text;
    EXPECT_EQ(read_baseline(R"({"tenonBaseline":1,"failures":[{"rule":"A-1.b"}]})", "b"), (Baseline{{"A-1.b", ""}}));
}

// ---- terminal

TEST(TerminalReport, begins_with_failures_and_ends_with_counts) {
    const check::Report report = a_report();
    EXPECT_EQ(on_screen(judge(report), Detail::normal),
              "shop 2.0\n"
              "over stdio, checked in 2025-11-25, 2025-06-18\n"
              "\n"
              "FAIL RPC-4.same-id 2025-11-25, 2025-06-18\n"
              "    an answer has the id of its request\n"
              "    seen: the id was \"7\"\n"
              "    > {\"id\":7}\n"
              "    < {\"id\":\"7\"}\n"
              "      ... 3 bytes more\n"
              "    do: copy the id\n"
              "    see: https://modelcontextprotocol.io/specification/2025-11-25/basic#responses\n"
              "\n"
              "FAIL TOOL-4.bad-cursor 2025-11-25\n"
              "    an unknown cursor is refused\n"
              "    seen: the answer was a page\n"
              "    do: check cursors\n"
              "    see: https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/pagination\n"
              "\n"
              "warn TOOL-1.description 2025-11-25\n"
              "    a tool is described\n"
              "    seen: `buy` has none\n"
              "    do: describe it\n"
              "    see: https://modelcontextprotocol.io/specification/2025-11-25/server/tools\n"
              "\n"
              "RULES                 PASSED  FAILED  WARNINGS  N/A\n"
              "TOOL tools            1       1       1\n"
              "RPC messages                  2\n"
              "HTTP Streamable HTTP                            1\n"
              "\n"
              "audit jsonrpc-messages: 30 messages of the server, 0 malformed; 4 methods were\n"
              "requested\n"
              "\n"
              "fix first\n"
              "    RPC-4.same-id (critical): copy the id\n"
              "    TOOL-4.bad-cursor (low): check cursors\n"
              "\n"
              "3 failed, 1 warning, 1 passed, 1 not applicable in 2.3 s\n");
}

TEST(TerminalReport, has_brief_and_full_detail) {
    const check::Report report = a_report();
    const std::string brief = on_screen(judge(report), Detail::brief), full = on_screen(judge(report), Detail::full);
    EXPECT_TRUE(brief.starts_with("FAIL RPC-4.same-id"));
    EXPECT_FALSE(has(brief, "warn "));
    EXPECT_TRUE(has(full, "pass TOOL-1.description 2025-06-18"));
    EXPECT_TRUE(has(full, "n/a HTTP-11.origin\n    a foreign origin is refused\n    there is no HTTP\n"));
}

TEST(TerminalReport, shortens_long_evidence_except_in_full_detail) {
    check::Report report = a_report();
    report.findings[0].evidence = {{check::Evidence::Direction::received, std::string(5000, '~')}};
    EXPECT_TRUE(has(on_screen(judge(report), Detail::normal), "... 4600 bytes more, --verbose shows them"));
    EXPECT_EQ(occurrences(on_screen(judge(report), Detail::full), "~"), 5000u);
}

TEST(TerminalReport, always_shows_the_last_message_that_was_sent) {
    using Direction = check::Evidence::Direction;
    check::Report report = a_report();
    report.findings[1].evidence = {{Direction::sent, "first"}, {Direction::sent, "trigger"}};
    for (int i = 0; i < 9; ++i) report.findings[1].evidence.push_back({Direction::received, "answer"});
    const std::string text = on_screen(judge(report), Detail::normal);
    EXPECT_TRUE(has(text, "    (1 messages before: --verbose shows them)\n    > trigger\n    < answer\n")) << text;
}

TEST(TerminalReport, shows_the_status_and_the_type_of_an_http_response) {
    check::Report report = a_report();
    report.findings[1].evidence = {
        {check::Evidence::Direction::received, "HTTP/1.1 400\r\nServer: x\r\nContent-Type: text/plain\r\n\r\nno"}};
    const std::string text = on_screen(judge(report), Detail::normal);
    EXPECT_TRUE(has(text, "    < HTTP/1.1 400\n      Content-Type: text/plain\n      no\n")) << text;
    EXPECT_TRUE(has(on_screen(judge(report), Detail::full), "Server: x"));
}

TEST(TerminalReport, fits_any_width_and_uses_colours_only_when_enabled) {
    for (const std::string& hostile : hostile_texts) {
        const check::Report report = with_text(hostile + std::string(300, 'w'));
        for (std::size_t width = 20; width < 100; width += 7) {
            const std::string text = on_screen(judge(report), Detail::full, {.width = width});
            EXPECT_FALSE(has(text, "\x1b"));
            EXPECT_TRUE(text == safe_text(text).view());
        }
    }
    const check::Report report = a_report();
    EXPECT_TRUE(has(on_screen(judge(report), Detail::normal, {.terminal = true, .colours = true}), "\x1b[31mFAIL"));
    for (std::size_t width = 24; width < 100; ++width) {
        std::istringstream lines(on_screen(judge(report), Detail::full, {.width = width}));
        for (std::string line; std::getline(lines, line);)
            EXPECT_TRUE(columns(line) <= width || has(line, "see: https://")) << line;  // addresses are never split
    }
}

// ---- findings of an SDK

check::Report with_sdk() {
    check::Report out = a_report();
    out.sdk = "some-sdk 1.x";
    for (check::Finding& finding : out.findings) finding.of_sdk = finding.rule != &same_id;
    return out;
}

TEST(SdkFindings, are_separated_from_those_of_the_server) {
    const check::Report report = with_sdk();
    const Assessment verdict = judge(report);
    ASSERT_EQ(problems(verdict, Standing::failed, Origin::own).size(), 1u);
    ASSERT_EQ(problems(verdict, Standing::failed, Origin::sdk).size(), 1u);
    EXPECT_EQ(about_sdk(verdict),
              "1 failure and 1 warning come from some-sdk 1.x: other servers with this SDK do the same");
    EXPECT_EQ(status_of(verdict), Status::check_failed);
    const std::string text = on_screen(verdict, Detail::normal);
    EXPECT_TRUE(has(text, "FAIL RPC-4.same-id 2025-11-25")) << text;
    EXPECT_TRUE(has(text,
                    "    FAIL TOOL-4.bad-cursor  an unknown cursor is refused\n"
                    "    warn TOOL-1.description  a tool is described\n"))
        << text;
    EXPECT_FALSE(has(text, "`buy` has none")) << "the findings of an SDK have one line each";
    EXPECT_TRUE(has(on_screen(verdict, Detail::full), "`buy` has none"));
}

TEST(SdkFindings, are_marked_in_every_format) {
    const check::Report report = with_sdk();
    const Assessment verdict = judge(report);
    const json::object all = report_as_json(verdict);
    EXPECT_EQ(all.at("sdk"), "some-sdk 1.x");
    EXPECT_EQ(all.at("findings").at(0).at("ofSdk"), true);
    EXPECT_FALSE(all.at("findings").at(1).as_object().contains("ofSdk"));
    EXPECT_TRUE(has(report_as_junit(verdict), "other servers with some-sdk 1.x do the same"));
    const json::object log = report_as_sarif(verdict);
    EXPECT_EQ(log.at("runs").at(0).at("results").at(0).at("properties").at("sdk"), "some-sdk 1.x");
    const std::string page = report_as_html(verdict);
    EXPECT_LT(page.find("<h2>Failed"), page.find("<h2>From the SDK"));
    EXPECT_LT(page.find("<h2>From the SDK"), page.find("TOOL-4.bad-cursor</code>"));
}

TEST(FixFirst, names_own_failures_then_those_of_the_sdk_then_own_warnings) {
    check::Report report = with_sdk();
    EXPECT_EQ(fix_first(judge(report)), std::vector<std::string>{"RPC-4.same-id (critical): copy the id"});
    std::erase_if(report.findings, [](const check::Finding& finding) { return finding.rule == &same_id; });
    EXPECT_EQ(fix_first(judge(report)),
              std::vector<std::string>{"update some-sdk 1.x, or report TOOL-4.bad-cursor to its authors: all failures "
                                       "come from it"});
    std::erase_if(report.findings, [](const check::Finding& finding) { return finding.rule == &bad_cursor; });
    EXPECT_TRUE(fix_first(judge(report)).empty());
    report.findings[0].of_sdk = false;
    EXPECT_EQ(fix_first(judge(report)), std::vector<std::string>{"TOOL-1.description (low): describe it"});
}

// ---- changes

TEST(Since, shows_new_and_fixed_failures_and_only_new_ones_count) {
    check::Report report = a_report();
    Assessment verdict = judge(report, {{"RPC-4.same-id", "2025-11-25"}, {"TOOL-1.description", "2025-06-18"}});
    verdict.since = "old.json";
    EXPECT_EQ(changes(verdict),
              (std::vector<std::string>{"new: TOOL-4.bad-cursor@2025-11-25", "new: RPC-4.same-id@2025-06-18",
                                        "fixed: TOOL-1.description@2025-06-18"}));
    EXPECT_EQ(status_of(verdict), Status::check_failed);
    EXPECT_TRUE(has(on_screen(verdict, Detail::normal), "\nfixed: TOOL-1.description@2025-06-18\n"));
    EXPECT_FALSE(has(on_screen(verdict, Detail::normal), "take it off"));
    EXPECT_EQ(report_as_json(verdict).at("changes").as_array().size(), 3u);
    std::erase_if(report.findings,
                  [](const check::Finding& finding) { return finding.outcome == check::Outcome::fail; });
    EXPECT_EQ(status_of(verdict), Status::ok) << "a fixed failure is good news";
}

TEST(TerminalReport, progress_shows_a_percentage_and_fits) {
    EXPECT_EQ(check_progress("RPC-4.same-id", 5, 10, 60).view(), "[##########----------]  50% RPC-4.same-id");
    EXPECT_LT(check_progress(std::string(500, 'x'), 5, 10, 40).width(), 40u);
}

// ---- XML and HTML

TEST(Markup, escapes_any_bytes) {
    EXPECT_EQ(markup("a<b>&\"'"), "a&lt;b&gt;&amp;&quot;&#39;");
    EXPECT_EQ(markup("\x1b\xff"), "&lt;U+001B&gt;&lt;FF&gt;");
    EXPECT_EQ(markup("\xef\xbf\xbf"), "&lt;U+FFFF&gt;");
    EXPECT_EQ(markup("ä\n\t世"), "ä\n\t世");
    rc::check([](const std::string& bytes) {
        RC_ASSERT(MarkupReader("<a b=\"" + markup(bytes) + "\">" + markup(bytes) + "</a>").fault().empty());
    });
}

TEST(MarkupReader, detects_malformed_markup) {
    for (const std::string_view bad :
         {"<a>", "<a></b>", "<a>&x;</a>", "<a>\x01</a>", "<a b=\">", "</a>", "<a>\xff</a>"})
        EXPECT_NE(MarkupReader(bad).fault(), "") << bad;
    EXPECT_EQ(MarkupReader("<a b=\">\"><c/>&lt;</a>").fault(), "");
}

TEST(Junit, has_one_case_per_finding) {
    const check::Report report = a_report();
    const std::string xml = report_as_junit(judge(report));
    EXPECT_EQ(MarkupReader(xml).fault(), "");
    EXPECT_TRUE(
        has(xml,
            "<testsuites name=\"tenon check node server.js\" tests=\"7\" failures=\"3\" errors=\"0\" skipped=\"1\" "
            "time=\"2.340000\">"));
    EXPECT_TRUE(has(xml, "<testsuite name=\"RPC\" tests=\"2\" failures=\"2\" errors=\"0\" skipped=\"0\" time="));
    EXPECT_TRUE(
        has(xml,
            "<testcase classname=\"RPC\" name=\"RPC-4.same-id@2025-11-25: an answer has the id of its request\">"
            "<failure type=\"critical\" message=\"the id was &quot;7&quot;\">"));
    EXPECT_TRUE(has(xml, "<skipped message=\"there is no HTTP\"/>"));
    EXPECT_TRUE(has(xml, "received: {&quot;id&quot;:&quot;7&quot;} (and 3 bytes more)\nwhat to do: copy the id"));
}

TEST(Junit, a_known_failure_is_skipped_and_an_incomplete_check_is_an_error) {
    check::Report report = a_report();
    report.incomplete = "the time ran out";
    const std::string xml = report_as_junit(judge(report, {{"TOOL-4.bad-cursor", "2025-11-25"}}));
    EXPECT_TRUE(has(xml, "<skipped message=\"known to fail: the answer was a page\"/>"));
    EXPECT_TRUE(has(xml, "<error type=\"incomplete\" message=\"the time ran out\"/>"));
}

TEST(Junit, hostile_text_cannot_add_markup) {
    const std::size_t cases = occurrences(report_as_junit(judge(with_text("mark"))), "<");
    for (const std::string& hostile : hostile_texts) {
        const check::Report report = with_text(hostile);
        const std::string xml = report_as_junit(judge(report));
        EXPECT_EQ(MarkupReader(xml).fault(), "") << hostile;
        EXPECT_EQ(occurrences(xml, "<"), cases) << hostile;
    }
}

TEST(Html, shows_failures_first_and_loads_nothing_external) {
    check::Report report = a_report();
    Assessment verdict = judge(report, {{"TOOL-4.bad-cursor", "2025-11-25"}});
    verdict.repeat_with = "tenon check --seed 42 -- node server.js";
    verdict.date = "2026-11-17 16:20 UTC";
    const std::string page = report_as_html(verdict);
    EXPECT_TRUE(has(page, "2026-11-17 16:20 UTC · tenon "));
    EXPECT_TRUE(has(page, "<a href=\"https://modelcontextprotocol.io/specification/2025-11-25/basic#responses\" "));
    EXPECT_EQ(MarkupReader(page, void_tags).fault(), "");
    EXPECT_LT(page.find("<h2>Failed"), page.find("<h2>Warnings"));
    EXPECT_LT(page.find("<h2>Warnings"), page.find("<summary>Passed (1)"));
    EXPECT_TRUE(has(page, "<pre>tenon check --seed 42 -- node server.js</pre>"));
    EXPECT_TRUE(has(page, "<title>tenon check: node server.js</title>"));
    for (const std::string_view outside : {"http://", "src=", "<link", "url(", "@import"})
        EXPECT_FALSE(has(page, outside)) << outside;
    EXPECT_EQ(occurrences(page, "https://"), occurrences(page, "https://modelcontextprotocol.io/specification/"))
        << "addresses of the specification are shown, and nothing else";
}

TEST(Html, content_security_policy_allows_only_its_own_script) {
    EXPECT_EQ(html::script_hash, "sha256-" + base::base64_encode(jose::sha256(html::script)));
    const check::Report report = a_report();
    EXPECT_TRUE(has(report_as_html(judge(report)), "script-src '" + std::string(html::script_hash) + "'\">"));
}

TEST(Html, hostile_text_cannot_add_markup) {
    const std::size_t tags = occurrences(report_as_html(judge(with_text("mark"))), "<");
    for (const std::string& hostile : hostile_texts) {
        const check::Report report = with_text(hostile);
        const std::string page = report_as_html(judge(report));
        EXPECT_EQ(MarkupReader(page, void_tags).fault(), "") << hostile;
        EXPECT_EQ(occurrences(page, "<"), tags) << hostile;
        EXPECT_TRUE(has(page, "mark"));
    }
}

// ---- JSON

TEST(JsonReport, contains_summary_seed_status_and_findings) {
    const check::Report report = a_report();
    const json::object out = report_as_json(judge(report));
    EXPECT_EQ(json::write(out.at("summary")), R"({"passed":1,"failed":3,"known":0,"warnings":1,"notApplicable":1})");
    EXPECT_EQ(out.at("status"), 1);
    EXPECT_EQ(out.at("seed"), 42u);
    EXPECT_EQ(
        json::write(out.at("findings").at(1)),
        R"({"rule":"RPC-4.same-id","title":"an answer has the id of its request","outcome":"fail","level":"must",)"
        R"("severity":"critical","detail":"the id was \"7\"","cases":1,"revision":"2025-11-25","remedy":"copy the id",)"
        R"("source":"https://modelcontextprotocol.io/specification/2025-11-25/basic#responses","evidence":[{"direction":"sent","text":"{\"id\":7}"},)"
        R"({"direction":"received","text":"{\"id\":\"7\"}","leftOut":3}]})");
}

TEST(JsonReport, keeps_non_utf8_bytes_as_hex) {
    check::Report report = a_report();
    report.findings[0].evidence = {{check::Evidence::Direction::received, "a\xff"}};
    EXPECT_EQ(json::write(report_as_json(judge(report)).at("findings").at(0).at("evidence")),
              R"([{"direction":"received","text":"a<FF>","hex":"61ff"}])");
}

TEST(JsonReport, is_valid_json_for_hostile_text) {
    for (const std::string& hostile : hostile_texts) {
        const check::Report report = with_text(hostile);
        for (const json::object& out : {report_as_json(judge(report)), report_as_sarif(judge(report))}) {
            EXPECT_TRUE(json::parse(pretty_json(out).view())) << hostile;
            EXPECT_TRUE(json::parse(json::write(out))) << hostile;
        }
    }
}

// ---- SARIF

// What sections 3.13 to 3.52 of the standard require of the objects in our reports.
constexpr std::string_view sarif_demands = R"({
  "$defs": {
    "message": {"type": "object", "required": ["text"], "properties": {"text": {"type": "string", "minLength": 1}}},
    "level": {"enum": ["none", "note", "warning", "error"]}
  },
  "type": "object", "required": ["version", "runs"],
  "properties": {
    "version": {"const": "2.1.0"},
    "$schema": {"type": "string", "format": "uri"},
    "runs": {"type": "array", "minItems": 1, "items": {
      "type": "object", "required": ["tool", "results"],
      "properties": {
        "tool": {"type": "object", "required": ["driver"], "properties": {"driver": {
          "type": "object", "required": ["name"],
          "properties": {
            "name": {"type": "string", "minLength": 1}, "version": {"type": "string"},
            "rules": {"type": "array", "uniqueItems": true, "items": {
              "type": "object", "required": ["id", "shortDescription", "fullDescription", "help"],
              "properties": {
                "id": {"type": "string"}, "shortDescription": {"$ref": "#/$defs/message"},
                "fullDescription": {"$ref": "#/$defs/message"}, "help": {"$ref": "#/$defs/message"},
                "defaultConfiguration": {"type": "object", "properties": {"level": {"$ref": "#/$defs/level"}}}
              }}}}}}},
        "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
        "invocations": {"type": "array", "items": {"type": "object", "required": ["executionSuccessful"], "properties": {
          "executionSuccessful": {"type": "boolean"},
          "toolExecutionNotifications": {"type": "array", "items": {"type": "object", "required": ["message"],
            "properties": {"message": {"$ref": "#/$defs/message"}, "level": {"$ref": "#/$defs/level"}}}}}}},
        "results": {"type": "array", "items": {
          "type": "object", "required": ["ruleId", "ruleIndex", "level", "message", "locations", "partialFingerprints"],
          "properties": {
            "ruleIndex": {"type": "integer", "minimum": 0}, "level": {"$ref": "#/$defs/level"},
            "kind": {"enum": ["notApplicable", "pass", "fail", "review", "open", "informational"]},
            "message": {"$ref": "#/$defs/message"},
            "baselineState": {"enum": ["new", "unchanged", "updated", "absent"]},
            "suppressions": {"type": "array", "items": {"required": ["kind"], "properties": {"kind": {"enum": ["inSource", "external"]}}}},
            "partialFingerprints": {"type": "object", "additionalProperties": {"type": "string"}},
            "locations": {"type": "array", "items": {"type": "object", "properties": {"physicalLocation": {
              "required": ["artifactLocation"],
              "properties": {"artifactLocation": {"properties": {"uri": {"type": "string", "format": "uri-reference"}}}}}}}}
          }}}}}}}})";

TEST(Sarif, conforms_to_the_standard) {
    const auto schema = schema::Schema::compile(*json::parse(sarif_demands));
    ASSERT_TRUE(schema) << schema.error().message;
    for (const std::string& text : hostile_texts) {
        check::Report report = with_text(text);
        const json::value log = report_as_sarif(judge(report, {{"TOOL-4.bad-cursor", "2025-11-25"}}));
        EXPECT_TRUE(schema->accepts(log)) << json::write(log);
    }
}

TEST(Sarif, contains_only_failures_and_warnings_with_rules_and_fingerprints) {
    const check::Report report = a_report();
    const json::object log = report_as_sarif(judge(report, {{"TOOL-4.bad-cursor", "2025-11-25"}}));
    const json::value& run = log.at("runs").at(0);
    const json::array& results = run.at("results").as_array();
    const json::array& rules = run.at("tool").at("driver").at("rules").as_array();
    ASSERT_EQ(results.size(), 4u);
    ASSERT_EQ(rules.size(), 3u);
    for (const json::value& result : results)
        EXPECT_EQ(rules.at(result.at("ruleIndex").to_number<std::size_t>()).at("id"), result.at("ruleId"));
    EXPECT_EQ(results[0].at("baselineState"), "unchanged");
    EXPECT_EQ(results[1].at("partialFingerprints").at("ruleAndRevision/v1"), "RPC-4.same-id@2025-11-25");
    EXPECT_EQ(results[1].at("level"), "error");
    EXPECT_EQ(results[3].at("level"), "warning");
}

}  // namespace
}  // namespace tenon::program
