// Limits how often a server may ask for sampling and elicitation: a token bucket.
#pragma once

#include <algorithm>
#include <chrono>

#include <tenon/client_options.hpp>

namespace tenon::core {

/// The bucket holds ClientLimits::max_questions_per_minute tokens and is refilled within a minute.
class QuestionRate {
 public:
    explicit QuestionRate(const ClientLimits& limits)
        : capacity_(static_cast<double>(limits.max_questions_per_minute)), tokens_(capacity_) {}

    /// Takes one token. Returns false when the bucket is empty.
    bool take(TimePoint now) {
        const double minutes = std::chrono::duration<double, std::ratio<60>>(now - filled_).count();
        tokens_ = std::min(capacity_, tokens_ + std::max(0.0, minutes) * capacity_);
        filled_ = std::max(filled_, now);
        if (tokens_ < 1) return false;
        tokens_ -= 1;
        return true;
    }

 private:
    const double capacity_;
    double tokens_;
    TimePoint filled_ = {};
};

}  // namespace tenon::core
