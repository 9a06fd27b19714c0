// Describes one tool, resource, template or prompt, in the layout of a manual page.
#pragma once

#include <tenon/protocol/prompts.hpp>
#include <tenon/protocol/resources.hpp>
#include <tenon/protocol/tools.hpp>

#include "out.hpp"

namespace tenon::program {

void describe(Out& out, const Tool& tool);
void describe(Out& out, const Resource& resource);
void describe(Out& out, const ResourceTemplate& resource);
void describe(Out& out, const Prompt& prompt);

/// Returns the arguments as "city [days]", with optional ones in brackets.
SafeText takes(const Tool& tool);
SafeText takes(const Prompt& prompt);
/// Returns the annotations as "read-only, idempotent".
SafeText flags(const ToolAnnotations& annotations);
/// Returns a size such as "1.5 KiB".
SafeText size_words(std::uint64_t bytes);

}  // namespace tenon::program
