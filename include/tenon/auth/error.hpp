// How a client says that it may not speak to a server.
#pragma once

namespace tenon::code {

/// Signing in failed, was refused, or is needed and nobody can be asked. Like the client's other codes, never on the
/// wire. The message says what to do; it never has a token or a secret in it.
inline constexpr int not_authorised = 71004;

}  // namespace tenon::code
