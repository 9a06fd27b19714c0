#include "check/property/property.hpp"

#include <utility>
#include <vector>

#include "check/property/shrink.hpp"

namespace tenon::check {
namespace {

class Trier {
 public:
    Trier(Property property, const Vocabulary& vocabulary, Stage& stage, const TrialOptions& options)
        : property_(property), vocabulary_(vocabulary), stage_(stage), options_(options) {}

    Trial run() {
        for (std::size_t i = 0; i < options_.cases && stage_.time_is_left(); ++i) {
            Choices choices(seed_of(options_.seed, static_cast<std::uint64_t>(property_), i));
            ++trial_.cases;
            options_.progress(trial_.cases);
            if (!fails(choices, 1000 + static_cast<std::int64_t>(i) * ids_of_a_case)) continue;
            make_small(choices.taken());
            break;
        }
        return std::move(trial_);
    }

 private:
    bool fails(Choices& choices, std::int64_t first_id = 1000) {
        auto test_messages = any_case(property_, vocabulary_, choices, first_id);
        if (test_messages.empty()) return false;
        auto received = stage_.play(test_messages);
        auto complaint = judge(test_messages, received);
        if (!complaint) return false;
        if (options_.is_known(complaint->rule)) {
            stage_.renew();
            return false;
        }
        trial_.complaint = std::move(complaint);
        trial_.test_messages = std::move(test_messages);
        trial_.received = std::move(received);
        return true;
    }

    // Shrinks the case. A case that fails only after earlier cases is not shrunk.
    void make_small(const std::vector<std::uint32_t>& failing) {
        const auto still_fails = [this, rule = trial_.complaint->rule](const std::vector<std::uint32_t>& smaller) {
            if (!stage_.time_is_left()) return false;
            stage_.renew();
            Choices choices(smaller);
            auto kept = trial_;
            if (fails(choices) && trial_.complaint->rule == rule) return true;
            trial_ = std::move(kept);
            return false;
        };
        trial_.again = still_fails(failing);
        if (trial_.again) shrink(failing, still_fails, options_.max_shrinks);
        stage_.renew();
    }

    const Property property_;
    const Vocabulary& vocabulary_;
    Stage& stage_;
    const TrialOptions& options_;
    Trial trial_;
};

}  // namespace

Trial try_property(Property property, const Vocabulary& vocabulary, Stage& stage, const TrialOptions& options) {
    return Trier(property, vocabulary, stage, options).run();
}

}  // namespace tenon::check
