// The error code of a client that could not sign in.
#pragma once

#pragma GCC visibility push(default)

namespace tenon::code {

/// Signing in failed, was refused, or needs a user although the client is not interactive. A local error, never sent.
/// The message says what to do and never contains a token or a secret.
inline constexpr int not_authorised = 71004;

}  // namespace tenon::code

#pragma GCC visibility pop
