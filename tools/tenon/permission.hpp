// Asks the user before a tool is called. Annotations of the tool are shown, but never trusted.
#pragma once

#include <string>

#include <tenon/consent.hpp>

#include "asker.hpp"
#include "command_line.hpp"
#include "target.hpp"

namespace tenon::program {

/// The user's decisions about the tools of one server. --yes allows all tools, --allow names some. Decisions for good
/// are stored in $XDG_STATE_HOME/tenon/consent, or ~/.local/state/tenon/consent.
class Permission {
 public:
    Permission(const CommandLine& line, const Target& target);
    /// For tests, with another store.
    Permission(const CommandLine& line, const Target& target, std::shared_ptr<ConsentStore> store);

    /// Returns whether the tool may be called without asking. Throws Failure when the user has refused it for good.
    bool given(const Tool& tool) const;
    /// Shows the tool and its arguments, and asks. Throws Failure when the user declines.
    void ask(const Tool& tool, const json::object& arguments, Asker& asker);

 private:
    const bool yes_;
    const std::string server_;
    Consent consent_;
};

/// Returns the text that identifies a server: its URL, or its folder and its command with all arguments.
std::string identity_of(const Target& target);

}  // namespace tenon::program
