// The three properties: cases are made, played to the server, judged, and made small when one fails.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "check/choices.hpp"
#include "check/property_judge.hpp"

namespace tenon::check {

/// A server to play cases to.
class Stage {
 public:
    virtual ~Stage() = default;
    /// Sends all of it without waiting, and listens until all that is owed has come and a request behind it is
    /// answered. A case begins with a server that can answer: after one that broke it, with a new connection.
    virtual Reaction play(const Case& letters) = 0;
    /// The next case begins with a new connection.
    virtual void renew() = 0;
    virtual bool time_is_left() const = 0;
};

struct Trial {
    std::size_t cases = 0;  ///< that were played
    std::optional<Complaint> complaint = {};
    Case letters = {};  ///< of the smallest case that was found
    Reaction heard = {};
    bool again = true;  ///< it failed the same way on a new connection
};

struct TrialOptions {
    std::uint64_t seed = 0;
    std::size_t cases = 1000;
    std::size_t max_shrinks = 300;  ///< cases that are tried to make a failing one smaller
    /// Complaints that are known already, and are not made again: by the rule.
    std::function<bool(std::string_view rule)> is_known = [](std::string_view) { return false; };
    std::function<void(std::size_t done)> progress = [](std::size_t) {};
};

Trial try_property(Property property, const Vocabulary& vocabulary, Stage& stage, const TrialOptions& options);

}  // namespace tenon::check
