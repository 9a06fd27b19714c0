// Console: standard output and standard error, shared by the threads that have something to say.
#pragma once

#include <mutex>

#include "out.hpp"

namespace tenon::program {

/// Every function is thread-safe. What goes to one stream does not break what is on the other.
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
    /// One line at the end of standard error that changes; on terminals only. Empty: there is none any more.
    void bar(SafeText text);
    /// While somebody is asked something, the bar would be in the way.
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
