// What a client writes: who it is and what it can do, and its answers to what a server asked.
#pragma once

#include <vector>

#include <tenon/protocol/elicitation.hpp>

#include "protocol/write.hpp"

namespace tenon::protocol {

/// What a client can do; each revision has its own words for it.
struct ClientAbilities {
    bool roots = false;
    bool sampling = false;
    bool sampling_tools = false;
    bool elicitation_form = false;
    bool elicitation_url = false;
    json::object extensions = {};
};

struct ClientIdentity {
    Implementation info;
    ClientAbilities abilities = {};
};

/// The parameters of `initialize`.
jsonrpc::Encoded encode_introduction(const ClientIdentity& client, const Rules& rules);
/// What `_meta` of each request says about its sender, where the revision wants it there; empty elsewhere.
json::object request_meta(const ClientIdentity& client, const Rules& rules);

void write(Writer& w, const ElicitResult& v, const Rules& rules);
void write(Writer& w, const SampleResult& v, const Rules& rules);
void write(Writer& w, const std::vector<Root>& v, const Rules& rules);

}  // namespace tenon::protocol
