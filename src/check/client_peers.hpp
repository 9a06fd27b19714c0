// The connections of a client that is played to: relays of its servers, or HTTP. They turn bytes into what the roles
// understand, and write down what happens.
#pragma once

#include <poll.h>

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "check/client_record.hpp"
#include "io/fd.hpp"

namespace tenon::check::client {

/// For one thread. The record must outlive it.
class Peers {
 public:
    virtual ~Peers() = default;
    virtual void add(io::Fd connection) = 0;
    /// Appends what is to be watched.
    virtual void add_to(std::vector<pollfd>& fds) const = 0;
    /// Does what `fds`, which add_to() appended, are ready for. True when something came.
    virtual bool serve(std::span<const pollfd> fds) = 0;
    /// Does what is due.
    virtual void tick() = 0;
    virtual std::optional<TimePoint> deadline() const = 0;
    virtual bool met() const = 0;       ///< somebody was there
    virtual bool all_gone() const = 0;  ///< nobody is left
    virtual bool full() const = 0;      ///< more has come than is kept: time to end
};

std::unique_ptr<Peers> make_peers(Scene scene, bool http, Duration patience, Record& record, TimePoint started);

}  // namespace tenon::check::client
