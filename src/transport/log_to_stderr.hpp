// Where Tenon's log goes when the options name no place.
#pragma once

#include <tenon/log.hpp>

namespace tenon {

/// Writes warnings, and what a person at the terminal wants to know. Lines that stderr does not take at once are
/// dropped: a client may never read them, and must not stop the server so.
LogSink log_to_stderr();

}  // namespace tenon
