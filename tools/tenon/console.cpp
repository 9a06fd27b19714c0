#include "console.hpp"

namespace tenon::program {

void Console::bar(SafeText text) {
    if (!notes_.facts().terminal) return;
    const std::lock_guard lock(mutex_);
    hide_bar();
    bar_ = std::move(text);
    show_bar();
}

void Console::pause_bar(bool pause) {
    const std::lock_guard lock(mutex_);
    if (pause) hide_bar();
    paused_ = pause;
    show_bar();
}

void Console::hide_bar() {
    if (!shown_) return;
    shown_ = false;
    notes_.erase_line();
    notes_.flush();
}

void Console::show_bar() {
    if (bar_.empty() || paused_) return;
    shown_ = true;
    notes_ << bar_;
    notes_.flush();
}

}  // namespace tenon::program
