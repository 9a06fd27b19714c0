// Makes text from outside safe for logs and audit records: without credentials, and without characters that hide or
// act.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon::observe {

inline constexpr std::size_t max_text = 4096;  // bytes of one text in a log or an audit record

/// Returns the text with "***" instead of credentials: the user of a URL, the values of a query or fragment
/// ("?name=value"), and what follows Bearer, Basic and DPoP.
std::string masked(std::string_view text);

/// Returns the masked text on one line, without hidden characters, and at most max_text bytes long.
std::string safe_text(std::string_view text);

/// Returns whether safe_text() would return the text unchanged. Says "no" for some texts for which it would. Quick.
bool is_safe(std::string_view text);

/// Returns whether the value of a member with this name is probably a secret, for example "api_key".
bool names_a_secret(std::string_view name);

}  // namespace tenon::observe

#pragma GCC visibility pop
