// Writers of a client's messages: its introduction, and its answers to questions.
#pragma once

#include <vector>

#include <tenon/protocol/elicitation.hpp>

#include "protocol/write.hpp"

namespace tenon::protocol {

/// The capabilities of a client. Each revision has its own form.
struct ClientAbilities {
    bool roots = false;
    bool sampling = false;
    bool sampling_tools = false;
    bool elicitation_form = false;
    bool elicitation_url = false;
    json::object extensions = {};
    bool sampling_context = false;
    bool tasks = false;  // follows tasks: declares their extension, in revisions that have it
};

struct ClientIdentity {
    Implementation info;
    ClientAbilities abilities = {};
};

/// Writes the parameters of `initialize`.
jsonrpc::Encoded encode_introduction(const ClientIdentity& client, const Rules& rules);
/// Returns the `_meta` that names the sender of each request; empty in revisions without it.
json::object request_meta(const ClientIdentity& client, const Rules& rules);

void write(Writer& w, const ElicitResult& v, const Rules& rules);
void write(Writer& w, const SampleResult& v, const Rules& rules);
void write(Writer& w, const std::vector<Root>& v, const Rules& rules);

}  // namespace tenon::protocol
