// Runs a property: generates cases, plays them to the server, judges them, and shrinks a failing one.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "check/property/choices.hpp"
#include "check/property/property_judge.hpp"

namespace tenon::check {

/// Plays cases to a server.
class Stage {
 public:
    virtual ~Stage() = default;
    /// Sends a whole case without waiting, then listens until all expected responses and the response to a final
    /// request have come. After a case that broke the server, the next one starts with a new connection.
    virtual Reaction play(const Case& test_messages) = 0;
    /// Starts the next case with a new connection.
    virtual void renew() = 0;
    virtual bool time_is_left() const = 0;
};

struct Trial {
    std::size_t cases = 0;  ///< number of cases played
    std::optional<Complaint> complaint = {};
    Case test_messages = {};  ///< the smallest failing case
    Reaction received = {};
    bool again = true;  ///< it failed the same way on a new connection
};

struct TrialOptions {
    std::uint64_t seed = 0;
    std::size_t cases = 1000;
    std::size_t max_shrinks = 300;  ///< tries to shrink a failing case
    /// Returns whether a complaint about this rule is known already and must not be repeated.
    std::function<bool(std::string_view rule)> is_known = [](std::string_view) { return false; };
    std::function<void(std::size_t done)> progress = [](std::size_t) {};
};

Trial try_property(Property property, const Vocabulary& vocabulary, Stage& stage, const TrialOptions& options);

}  // namespace tenon::check
