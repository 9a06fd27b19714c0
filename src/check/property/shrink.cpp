#include "check/property/shrink.hpp"

#include <algorithm>
#include <utility>

namespace tenon::check {
namespace {

class Shrinker {
 public:
    using Case = std::vector<std::uint32_t>;
    static constexpr std::size_t max_part = 8;

    Shrinker(Case failing, const std::function<bool(const Case&)>& fails, std::size_t max_tries)
        : best_(std::move(failing)), fails_(fails), left_(max_tries) {}

    Case run() {
        while (left_ > 0 && improve()) {
        }
        return std::move(best_);
    }

 private:
    // Always tries both cheap kinds of steps, because one often makes the other possible.
    bool improve() {
        const bool shorter = take_away();
        const bool smaller = make_smaller();
        return shorter || smaller || take_away_one_of_many();
    }

    bool try_case(Case candidate) {
        if (left_ == 0 || candidate == best_) return false;
        --left_;
        if (!fails_(candidate)) return false;
        best_ = std::move(candidate);
        return true;
    }

    bool take_away() {
        bool better = false;
        for (auto length = std::max<std::size_t>(best_.size() / 2, 1); length > 0; length /= 2)
            for (std::size_t from = 0; from < best_.size() && left_ > 0;)
                if (try_case(without(from, length)))
                    better = true;
                else
                    from += length;
        return better;
    }

    bool make_smaller() {
        bool better = false;
        for (std::size_t i = 0; i < best_.size() && left_ > 0; ++i) {
            if (best_[i] == 0) continue;
            if (try_case(with(i, 0))) {
                better = true;
                continue;
            }
            while (best_[i] > 1 && try_case(with(i, best_[i] / 2))) better = true;
            while (best_[i] > 1 && try_case(with(i, best_[i] - 1))) better = true;
        }
        return better;
    }

    // A number may be the count of the parts after it, and a part may be several numbers. So this removes a part and
    // decrements the count in one step.
    bool take_away_one_of_many() {
        for (std::size_t count = 0; count < best_.size(); ++count) {
            if (best_[count] == 0) continue;
            for (std::size_t length = 1; length <= max_part; ++length)
                for (std::size_t from = count + 1; from + length <= best_.size() && left_ > 0; ++from) {
                    auto fewer = without(from, length);
                    --fewer[count];
                    if (try_case(std::move(fewer))) return true;
                }
        }
        return false;
    }

    Case without(std::size_t from, std::size_t length) const {
        Case shorter(best_.begin(), best_.begin() + static_cast<std::ptrdiff_t>(from));
        const auto rest = std::min(from + length, best_.size());
        shorter.insert(shorter.end(), best_.begin() + static_cast<std::ptrdiff_t>(rest), best_.end());
        return shorter;
    }

    Case with(std::size_t i, std::uint32_t value) const {
        auto changed = best_;
        changed[i] = value;
        return changed;
    }

    Case best_;
    const std::function<bool(const Case&)>& fails_;
    std::size_t left_;
};

}  // namespace

std::vector<std::uint32_t> shrink(std::vector<std::uint32_t> failing,
                                  const std::function<bool(const std::vector<std::uint32_t>&)>& fails,
                                  std::size_t max_tries) {
    return Shrinker(std::move(failing), fails, max_tries).run();
}

}  // namespace tenon::check
