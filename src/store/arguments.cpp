#include "store/arguments.hpp"

namespace tenon::store {

void Arguments::Verdict::refuse(std::string message) {
    if (!error_) error_ = Error{code::store_invalid, std::move(message)};
}

Arguments::Verdict& Arguments::Verdict::not_empty(std::string_view what, std::string_view text) {
    if (text.empty()) refuse(std::string(what) + " is empty");
    return *this;
}

Arguments::Verdict& Arguments::Verdict::name(std::string_view what, std::string_view text) {
    if (text.size() > rules_.max_key_)
        refuse(std::string(what) + " has " + std::to_string(text.size()) +
               " bytes, more than StoreLimits::max_key_bytes (" + std::to_string(rules_.max_key_) + ")");
    return *this;
}

Arguments::Verdict& Arguments::Verdict::value(std::string_view bytes) {
    if (bytes.size() > rules_.max_value_)
        refuse("the value has " + std::to_string(bytes.size()) + " bytes, more than StoreLimits::max_value_bytes (" +
               std::to_string(rules_.max_value_) + ")");
    return *this;
}

Arguments::Verdict& Arguments::Verdict::positive(std::chrono::milliseconds time) {
    if (time <= std::chrono::milliseconds(0)) refuse("the time to keep it must be positive");
    return *this;
}

Arguments::Verdict& Arguments::Verdict::not_negative(std::chrono::milliseconds time) {
    if (time < std::chrono::milliseconds(0)) refuse("the time must not be negative");
    return *this;
}

Arguments::Verdict& Arguments::Verdict::keep(const Keep& keep) { return positive(keep.max_age); }

}  // namespace tenon::store
