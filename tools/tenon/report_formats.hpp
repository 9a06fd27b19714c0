// The report of a check in the formats of machines and browsers. Pure: a verdict in, text out. What the other side
// said is data in each of them, whatever bytes it is made of.
#pragma once

#include <string>
#include <string_view>

#include <tenon/json.hpp>

#include "verdict.hpp"

namespace tenon::program {

/// What `--json` writes.
json::object report_as_json(const Verdict& verdict);
/// JUnit's XML: a suite for each group of rules, a case for each finding.
std::string report_as_junit(const Verdict& verdict);
/// SARIF 2.1.0: what failed and what was warned of; what is fine is no result.
json::object report_as_sarif(const Verdict& verdict);
/// One page that needs nothing else.
std::string report_as_html(const Verdict& verdict);

json::object rule_as_json(const check::Rule& rule);

/// Any bytes as text of XML or HTML, also inside quotes: markup is escaped; what is no UTF-8, no XML character or
/// would not be seen is spelled out as in SafeText.
std::string markup(std::string_view bytes);
/// The direction of a piece of evidence: "sent".
std::string_view to_string(check::Evidence::Direction direction);

/// A failure in plain words: what was seen, the bytes, what to do and where it is written.
std::string plain_account(const check::Finding& finding);

}  // namespace tenon::program
