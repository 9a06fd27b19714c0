// The checks of single rules, by group. Each has a row in rules_*.cpp, which runs it; the rules without a function here
// are judged from every message (judge.hpp).
#pragma once

#include "check/server/probe.hpp"

namespace tenon::check::checks {

namespace rpc {
Verdict invalid_utf8(Probe& probe);
Verdict extra_meta(Probe& probe);
Verdict unknown_member(Probe& probe);
Verdict duplicate_id(Probe& probe);
Verdict ask_with_ids(Probe& probe);
Verdict safe_id(Probe& probe);
Verdict large_id(Probe& probe);
Verdict unicode_id(Probe& probe);
Verdict no_answer(Probe& probe);
Verdict unknown_method_answered(Probe& probe);
Verdict unknown_method(Probe& probe);
Verdict pipelined(Probe& probe);
Verdict parse_error(Probe& probe);
Verdict no_request(Probe& probe);
Verdict wrong_version(Probe& probe);
Verdict survives(Probe& probe);
Verdict stray_response(Probe& probe);
Verdict params_type(Probe& probe);
Verdict batch_served(Probe& probe);
Verdict batch_refused(Probe& probe);
}  // namespace rpc

namespace integrity {
Verdict concurrent(Probe& probe);
Verdict cut(Probe& probe);
Verdict chunks(Probe& probe);
Verdict crlf(Probe& probe);
Verdict blank_lines(Probe& probe);
Verdict large(Probe& probe);
}  // namespace integrity

namespace lifecycle {
Verdict silent_before_initialized(Probe& probe);
Verdict before_initialize(Probe& probe);
Verdict same_version(Probe& probe);
Verdict unknown_version(Probe& probe);
Verdict newest_version(Probe& probe);
Verdict undeclared(Probe& probe);
Verdict tools_work(Probe& probe);
Verdict resources_work(Probe& probe);
Verdict prompts_work(Probe& probe);
Verdict logging_works(Probe& probe);
Verdict bad_log_level(Probe& probe);
Verdict completions_work(Probe& probe);
Verdict second_initialize(Probe& probe);
Verdict ping(Probe& probe);
Verdict ping_first(Probe& probe);
Verdict cancel_unknown(Probe& probe);
Verdict cancel_malformed(Probe& probe);
Verdict call_with_progress(Probe& probe);
}  // namespace lifecycle

namespace modern {
Verdict stateless(Probe& probe);
Verdict no_version(Probe& probe);
Verdict no_capabilities(Probe& probe);
Verdict unsupported_version(Probe& probe);
Verdict unsupported_data(Probe& probe);
Verdict acknowledges(Probe& probe);
}  // namespace modern

namespace tools {
Verdict unique_names(Probe& probe);
Verdict pages(Probe& probe);
Verdict bad_cursor(Probe& probe);
Verdict same_order(Probe& probe);
Verdict missing_argument(Probe& probe);
Verdict wrong_type(Probe& probe);
Verdict where_input_errors_go(Probe& probe);
Verdict no_accident(Probe& probe);
Verdict task_required(Probe& probe);
Verdict no_name(Probe& probe);
Verdict conforms(Probe& probe);
Verdict text_copy(Probe& probe);
Verdict unknown_tool(Probe& probe);
Verdict unknown_tool_code(Probe& probe);
Verdict call_some(Probe& probe);
}  // namespace tools

namespace definitions {
Verdict portable_name(Probe& probe);
Verdict portable_root(Probe& probe);
Verdict portable_parts(Probe& probe);
Verdict tools_stay(Probe& probe);
Verdict prompts_stay(Probe& probe);
Verdict no_secrets(Probe& probe);
}  // namespace definitions

namespace changes {
Verdict tools_told(Probe& probe);
Verdict resources_told(Probe& probe);
Verdict prompts_told(Probe& probe);
Verdict updates_told(Probe& probe);
}  // namespace changes

namespace resources {
Verdict unique_uris(Probe& probe);
Verdict pages(Probe& probe);
Verdict bad_cursor(Probe& probe);
Verdict templates(Probe& probe);
Verdict readable(Probe& probe);
Verdict subscribe(Probe& probe);
Verdict unsubscribe(Probe& probe);
Verdict not_found(Probe& probe);
Verdict not_found_code(Probe& probe);
Verdict no_uri(Probe& probe);
}  // namespace resources

namespace prompts {
Verdict unique_names(Probe& probe);
Verdict gettable(Probe& probe);
Verdict pages(Probe& probe);
Verdict bad_cursor(Probe& probe);
Verdict unknown_prompt(Probe& probe);
Verdict unknown_prompt_code(Probe& probe);
Verdict missing_argument(Probe& probe);
Verdict missing_argument_code(Probe& probe);
}  // namespace prompts

namespace stdio {
Verdict exits(Probe& probe);
Verdict ends_with_newline(Probe& probe);
Verdict exits_with_0(Probe& probe);
Verdict finishes(Probe& probe);
}  // namespace stdio

namespace http {
Verdict tell_something(Probe& probe);
Verdict response_accepted(Probe& probe);
Verdict wrong_path_method(Probe& probe);
Verdict bad_version(Probe& probe);
Verdict version_mismatch(Probe& probe);
Verdict method_mismatch(Probe& probe);
Verdict method_missing(Probe& probe);
Verdict name_mismatch(Probe& probe);
Verdict mismatch_status(Probe& probe);
Verdict unsupported_status(Probe& probe);
Verdict unknown_method_status(Probe& probe);
Verdict stream_ends(Probe& probe);
Verdict get_stream(Probe& probe);
Verdict get_refused(Probe& probe);
Verdict no_response_on_get(Probe& probe);
Verdict replays_one_stream(Probe& probe);
}  // namespace http

namespace sessions {
Verdict visible_ascii(Probe& probe);
Verdict unique_ids(Probe& probe);
Verdict missing(Probe& probe);
Verdict unknown(Probe& probe);
Verdict deletes(Probe& probe);
Verdict ended(Probe& probe);
Verdict entropy(Probe& probe);
Verdict others_answers(Probe& probe);
}  // namespace sessions

namespace security {
Verdict origin(Probe& probe);
Verdict host(Probe& probe);
Verdict traversal(Probe& probe);
Verdict escapes(Probe& probe);
Verdict hidden(Probe& probe);
Verdict secrets(Probe& probe);
Verdict two_lengths(Probe& probe);
Verdict forged_state(Probe& probe);
Verdict deep(Probe& probe);
Verdict oversized(Probe& probe);
Verdict long_header(Probe& probe);
}  // namespace security

namespace properties {
Verdict conformance(Probe& probe);
Verdict one_answer(Probe& probe);
Verdict integrity(Probe& probe);
}  // namespace properties

}  // namespace tenon::check::checks
