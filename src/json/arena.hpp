// The memory of one message: taken in one piece, given back in one piece.
#pragma once

#include <array>
#include <boost/json/monotonic_resource.hpp>

#include <tenon/json.hpp>

namespace tenon::json {

/// Values in it must not outlive it, and copies made without naming another storage are in it too. So nothing of it is
/// handed to users: they get what was assigned to a value of their own. Not thread-safe, but for reading.
class Arena {
 public:
    storage_ptr storage() { return &resource_; }

 private:
    // With what surrounds it, the largest piece that malloc has at hand; most messages need no other.
    std::array<unsigned char, 896> first_;
    boost::json::monotonic_resource resource_{first_.data(), first_.size()};
};

}  // namespace tenon::json
