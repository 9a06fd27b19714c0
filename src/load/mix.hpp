// Which call is next, by weight. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <tenon/bench.hpp>

namespace tenon::load {

/// Every `sum of the weights` picks hold each call as often as its weight says, spread as evenly as can be.
class Mix {
 public:
    explicit Mix(const std::vector<bench::Call>& calls);
    std::size_t next();

 private:
    std::vector<std::int64_t> weights_, credit_;
    std::int64_t sum_ = 0;
};

}  // namespace tenon::load
