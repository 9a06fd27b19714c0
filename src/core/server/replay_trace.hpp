// Compares the runs of a handler that is replayed. A run must repeat the steps of the run before it: the same
// questions, once() keys, progress and log messages, in the same order. A difference shows a side effect outside of
// once().
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/json.hpp>

namespace tenon::core {

/// The steps of two runs: the one before, and the one that is running. Not thread-safe.
class ReplayTrace {
 public:
    static constexpr std::size_t max_steps = 200;       ///< of one run that are compared; later ones are not
    static constexpr std::size_t max_text_bytes = 200;  ///< of a step that a report quotes

    /// Sets whether reports quote the parameters of steps. Default: yes.
    void quote_texts(bool yes) { quotes_ = yes; }
    /// Adds a step to the running run. `name` says what it is, and `text` has its parameters. Returns the difference
    /// from the run before, in words, once per run; later differences follow from the first.
    std::optional<std::string> step(std::string name, std::string_view text = {});
    /// Returns whether the last step does not repeat a step of the run before.
    bool is_new() const { return differs_ || at_ > before_.size(); }
    /// Ends the run. Returns the difference if it ended before it repeated all steps.
    std::optional<std::string> end();
    /// Begins the next run, which must repeat the running one from step `from` on.
    void begin_again(std::size_t from = 0);
    std::size_t steps() const { return at_; }

    /// Returns the steps of the running run, for load() in the process that replays it.
    json::array save() const;
    /// Sets the run before. Ignores malformed elements.
    void load(const json::array& saved);

 private:
    struct Step {
        std::string name;
        std::uint64_t digest = 0;
        std::string text = {};  // shortened; empty if the step was loaded
    };
    static std::string words(const Step& step);

    std::vector<Step> before_, now_;
    std::size_t at_ = 0;  // steps of the running run, also those above max_steps
    bool differs_ = false;
    bool quotes_ = true;
};

}  // namespace tenon::core
