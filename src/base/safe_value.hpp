// Decides which values a URI may put into a template variable. Handlers use the values as file names and paths. So a
// value does not match when it could lead out of the folder that it is joined to.
//
//   {a} {.a} {/a}          one name: no "/", no "\", no NUL, and neither "." nor ".."
//   {+a} {#a} {;a} {?a} {&a}   a relative path: no NUL, no ".." between "/" or "\", and no "/", "\" or drive letter
//                          ("C:") at its start
//
// Each item of a list and each key and value of a map follows the rule of its operator. A list of {/a*} does not begin
// with an empty name, because its items joined with "/" would then be an absolute path.
//
// The rules apply to the decoded value, and to the value decoded twice: "%252F" is refused like "%2F", because some
// handlers decode a second time.
#pragma once

#include "base/uri_template.hpp"

namespace tenon::base {

/// Returns whether a handler may get `value`. `op` is the operator of the expression, as in UriTemplate::Part.
bool is_safe_value(char op, const UriTemplate::Value& value);

}  // namespace tenon::base
