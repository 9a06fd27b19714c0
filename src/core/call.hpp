// One request of the client while it is being served.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <tenon/limits.hpp>

#include "jsonrpc/codec.hpp"
#include "protocol/read.hpp"
#include "protocol/versions.hpp"

namespace tenon::core {

using jsonrpc::Encoded;

/// Who is at the other end, and which rules hold for it.
struct Peer {
    protocol::Rules rules;
    protocol::ClientCapabilities capabilities;
    Implementation info;
};

/// The answers of a batch are collected until the last one is there.
struct Batch {
    std::size_t open = 0;
    std::vector<Encoded> answers;
};

/// The engine's, but for the members marked const: those may be read from any thread.
struct Call {
    Call(jsonrpc::Id i, std::shared_ptr<const Peer> p) : id(std::move(i)), peer(std::move(p)) {}

    const jsonrpc::Id id;
    const std::shared_ptr<const Peer> peer;
    std::string method;                  // set before the call is handed out
    json::object meta;                   // set before the call is handed out
    std::stop_source stop;               // safe from any thread by itself

    bool open = true;                    // no answer yet, and not cancelled
    std::shared_ptr<Batch> batch;
    std::optional<json::value> progress_token;
    std::optional<double> last_progress;
    Duration time_limit = {};
    std::optional<TimePoint> deadline;
};

using CallPtr = std::shared_ptr<Call>;

}  // namespace tenon::core
