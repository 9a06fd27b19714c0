#include "inspect/tap_flow.hpp"

namespace tenon::inspect {

void TapFlow::feed(std::string_view bytes) {
    input_ += bytes;
    advance();
}

void TapFlow::advance() {
    std::size_t begin = 0;
    while (!waiting_) {
        const std::size_t end = input_.find('\n', begin);
        if (end == std::string::npos) break;
        std::string_view line(input_.data() + begin, end - begin);
        const std::string_view whole(input_.data() + begin, end + 1 - begin);
        begin = end + 1;
        if (line.ends_with('\r')) line.remove_suffix(1);
        const bool judged = !std::exchange(inside_long_line_, false) && !line.empty();
        if (judged && gate_(line))
            waiting_ = whole;
        else
            output_ += whole;
    }
    input_.erase(0, begin);
    if (waiting_) return;
    if (input_.size() > max_line_ || ended_) {
        inside_long_line_ = !input_.empty();
        output_ += input_;
        input_.clear();
    }
}

void TapFlow::end() {
    ended_ = true;
    advance();
}

void TapFlow::release(const std::optional<std::string>& text) {
    if (!waiting_) return;
    output_ += text ? *text + "\n" : *waiting_;
    waiting_.reset();
    advance();
}

void TapFlow::drop() {
    waiting_.reset();
    advance();
}

}  // namespace tenon::inspect
