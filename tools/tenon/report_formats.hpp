// Writes the report of a check as JSON, JUnit, SARIF and HTML. Pure: a verdict in, text out. Text of the checked server
// or client is always escaped.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/json.hpp>

#include "verdict.hpp"

namespace tenon::program {

/// Returns the report for `--json`.
json::object report_as_json(const Assessment& verdict);
/// Writes JUnit XML: one suite per group of rules, one case per finding.
std::string report_as_junit(const Assessment& verdict);
/// Verdicts of several servers, with the names of the servers. The verdicts must outlive it.
using NamedVerdicts = std::vector<std::pair<std::string, const Assessment*>>;
std::string junit_of(std::string_view title, const NamedVerdicts& verdicts, Duration took);
/// Writes SARIF 2.1.0, with failures and warnings only.
json::object report_as_sarif(const Assessment& verdict);
/// Makes one run of a SARIF log, and a log of several runs. `id` tells the runs of a log apart; it may be empty.
json::object sarif_run(const Assessment& verdict, std::string_view id = {});
json::object sarif_log(json::array runs);
/// Writes one self-contained HTML page.
std::string report_as_html(const Assessment& verdict);
/// Writes one page with a table of all servers of the file, and a report of each.
std::string fleet_as_html(std::string_view file, const NamedVerdicts& verdicts);

json::object rule_as_json(const check::Rule& rule);

/// Escapes any bytes for XML or HTML text and attributes. Shows invalid UTF-8, invisible characters, and characters
/// that XML forbids in the same way as SafeText.
std::string markup(std::string_view bytes);
/// Returns the direction of a piece of evidence, such as "sent".
std::string_view to_string(check::Evidence::Direction direction);

/// Describes a failure in plain text: what happened, the bytes, the remedy and the source. `sdk` is Report::sdk.
std::string plain_account(const check::Finding& finding, std::string_view sdk);

}  // namespace tenon::program
