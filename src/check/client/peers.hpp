// The connections of the client under test: over stdio one relay for each server that it starts, otherwise HTTP. They
// turn bytes into the input of the roles and record all events.
#pragma once

#include <poll.h>

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "check/client/record.hpp"
#include "io/fd.hpp"

namespace tenon::check::client {

/// All connections of one run. Use it from one thread. The record must outlive this object.
class Peers {
 public:
    virtual ~Peers() = default;
    virtual void add(io::Fd connection) = 0;
    /// Appends the descriptors to poll.
    virtual void add_to(std::vector<pollfd>& fds) const = 0;
    /// Handles the ready descriptors among `fds`, which add_to() appended. Returns true when input came.
    virtual bool serve(std::span<const pollfd> fds) = 0;
    /// Does the work that is due at this time.
    virtual void tick() = 0;
    virtual std::optional<TimePoint> deadline() const = 0;
    virtual bool met() const = 0;       ///< the client has connected at least once
    virtual bool all_gone() const = 0;  ///< no connection is left
    virtual bool full() const = 0;      ///< the record is full, so the run must end
};

std::unique_ptr<Peers> make_peers(Scene scene, bool http, Duration patience, Record& record, TimePoint started);

}  // namespace tenon::check::client
