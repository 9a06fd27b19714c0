// Console: standard output and standard error, shared by several threads.
#pragma once

#include <mutex>

#include "out.hpp"

namespace tenon::program {

/// Writes to both streams. Thread-safe. Output to one stream does not break a line on the other.
class Console {
 public:
    Console(Out& results, Out& notes) : results_(results), notes_(notes) {}

    /// Runs `f(Out&)` with standard output, which is flushed afterwards.
    template <class F>
    void print(F&& f) {
        with(results_, f);
    }
    /// The same with standard error.
    template <class F>
    void note(F&& f) {
        with(notes_, f);
    }
    /// Shows a progress bar at the end of standard error, on terminals only. An empty text removes it.
    void bar(SafeText text);
    /// Hides the bar while the user is asked something.
    void pause_bar(bool pause);

    const OutFacts& notes_facts() const { return notes_.facts(); }
    bool output_failed() const { return results_.failed(); }

 private:
    template <class F>
    void with(Out& out, F&& f) {
        const std::lock_guard lock(mutex_);
        hide_bar();
        f(out);
        out.flush();
        show_bar();
    }
    void hide_bar();
    void show_bar();

    std::mutex mutex_;
    Out& results_;
    Out& notes_;
    SafeText bar_;
    bool paused_ = false;
    bool shown_ = false;
};

}  // namespace tenon::program
