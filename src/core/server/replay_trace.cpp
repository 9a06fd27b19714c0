#include "core/server/replay_trace.hpp"

#include <charconv>

#include "base/printable.hpp"
#include "base/siphash.hpp"

namespace tenon::core {
namespace {

// The digests only tell texts of one server apart, and are stored where clients cannot read them. So the key is fixed,
// and all machines of a server have the same.
std::uint64_t digest_of(std::string_view text) { return base::siphash(base::SipKey{}, text); }

}  // namespace

std::string ReplayTrace::words(const Step& step) { return step.text.empty() ? step.name : step.name + " " + step.text; }

std::optional<std::string> ReplayTrace::step(std::string name, std::string_view text) {
    const std::size_t position = at_++;
    if (position >= max_steps) return std::nullopt;
    now_.push_back({std::move(name), digest_of(text), quotes_ ? base::printable(text, max_text_bytes) : ""});
    if (differs_ || position >= before_.size()) return std::nullopt;
    const Step &was = before_[position], &is = now_.back();
    if (was.name == is.name && was.digest == is.digest) return std::nullopt;
    differs_ = true;
    const std::string number = "step " + std::to_string(position + 1);
    if (was.name == is.name && was.text.empty())
        return number + ", " + was.name + ", has other parameters than before" +
               (is.text.empty() ? "" : ": now " + is.text);
    return number + " was " + words(was) + " and is now " + words(is);
}

std::optional<std::string> ReplayTrace::end() {
    if (differs_ || at_ >= before_.size()) return std::nullopt;
    differs_ = true;
    return "it ended before step " + std::to_string(at_ + 1) + ", which was " + words(before_[at_]);
}

void ReplayTrace::begin_again(std::size_t from) {
    before_ = now_;
    at_ = from;
    if (now_.size() > from) now_.resize(from);
    differs_ = false;
}

json::array ReplayTrace::save() const {
    json::array out;
    for (const Step& step : now_) out.emplace_back(std::to_string(step.digest) + " " + step.name);
    return out;
}

void ReplayTrace::load(const json::array& saved) {
    before_.clear();
    for (const json::value& element : saved) {
        if (!element.is_string() || before_.size() == max_steps) continue;
        const std::string_view text = element.get_string();
        Step step;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), step.digest);
        if (error != std::errc() || end == text.data() + text.size()) continue;
        step.name.assign(end + 1, text.data() + text.size());
        before_.push_back(std::move(step));
    }
}

}  // namespace tenon::core
