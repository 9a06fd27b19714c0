// Decides which values a URI may put into a template variable. Handlers use these values as file names and paths, so a
// value that would leave the folder it is joined to does not match.
//
//   {a} {.a} {/a}          one name: no "/", no "\", no NUL, and neither "." nor ".."
//   {+a} {#a} {;a} {?a} {&a}   a relative path: no NUL, no ".." between "/" or "\", and no "/", "\" or drive letter
//                          ("C:") at its start
//
// Each item of a list and each key and value of a map follows the rule of its operator. A list of {/a*} does not begin
// with an empty name, because its items joined with "/" would then be an absolute path.
//
// The rules hold for the decoded value, and for that value decoded once more: "%252F" is refused like "%2F", because
// some handlers decode a second time.
#pragma once

#include "base/uri_template.hpp"

namespace tenon::base {

/// Returns whether `value` may be given to the handler of a template. `op` is as in UriTemplate::Part.
bool is_safe_value(char op, const UriTemplate::Value& value);

}  // namespace tenon::base
