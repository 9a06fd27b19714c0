// The table of methods: one row for each method of the specification, with all facts about it. Only the server's
// handlers are elsewhere (core/server/engine.cpp). Methods of extensions have no row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "protocol/revision.hpp"

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon::protocol {

enum class Sender : std::uint8_t { client, server, either };

/// The capability that the receiver of a method must have declared.
enum class Needs : std::uint8_t {
    nothing,
    tools,
    resources,
    resource_subscribe,
    prompts,
    completions,
    logging,
    tasks,
    skills,
    roots,
    sampling,
    elicitation,
};

/// The features that a request uses. The sender needs permission for them.
enum class Uses : std::uint8_t {
    nothing,
    tool,       // named by `target`
    prompt,     // named by `target`
    resource,   // or template; named by `target`
    reference,  // the prompt, resource or template in `ref`
    resources,  // all resources in `notifications.resourceSubscriptions`
};

enum class RateClass : std::uint8_t {
    other,
    call,        // Limits::max_calls_per_second and RateLimits apply
    completion,  // Limits::max_calls_per_second applies
};

struct Method {
    std::string_view name;
    Sender sender = Sender::client;
    bool notification = false;
    Needs needs = Needs::nothing;
    Revision first = oldest_revision, last = newest_revision;
    std::string_view target = {};  // the parameter with the name, URI or task id that the request is about
    Uses uses = Uses::nothing;
    bool asks = false;       // the result may ask for input; the client then sends the request again
    bool cacheable = false;  // a client may cache the result, if the result's hints allow it
    RateClass rate = RateClass::other;
};

std::span<const Method> methods();
/// Returns the row of a method, whatever its revisions and sender. Null: it is not a method of the specification.
const Method* find_method(std::string_view name);
/// Returns the position of a row in methods().
std::size_t position(const Method& row);

/// Returns whether the result of this method may ask for input. Extensions may do that, too.
bool may_ask(std::string_view method);
/// Returns the rate class of a method. Methods of extensions count as calls.
RateClass rate_class(std::string_view method);
/// Returns the parameter (name, URI or task id) that requests of this method repeat in the header Mcp-Name. Empty: the
/// method has no such header.
std::string_view name_parameter(std::string_view method);

}  // namespace tenon::protocol

#pragma GCC visibility pop
