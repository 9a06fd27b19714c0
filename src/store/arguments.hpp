// Checks the arguments of a store's operations, and makes internal names.
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include <tenon/store.hpp>

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon::store {

/// Longer times are shortened to 100 years, which every store can add to its clock.
inline constexpr std::chrono::milliseconds longest_time = std::chrono::hours(24) * 36'525;
inline std::chrono::milliseconds bounded(std::chrono::milliseconds time) { return std::min(time, longest_time); }
inline Keep bounded(Keep keep) {
    keep.max_age = bounded(keep.max_age);
    return keep;
}

/// Remembers the first wrong argument. Copies of it check one operation each.
class Arguments {
 public:
    explicit Arguments(const StoreLimits& limits)
        : max_key_(limits.max_key_bytes), max_value_(limits.max_value_bytes) {}

    class Verdict;
    Verdict id(std::string_view id) const;
    Verdict key(std::string_view key) const;
    Verdict name(std::string_view what, std::string_view name) const;
    Verdict stream(const StreamName& stream) const;

 private:
    std::size_t max_key_, max_value_;
};

/// The verdict on the arguments so far.
class Arguments::Verdict {
 public:
    explicit Verdict(const Arguments& rules) : rules_(rules) {}

    Verdict& not_empty(std::string_view what, std::string_view text);
    Verdict& name(std::string_view what, std::string_view text);
    Verdict& value(std::string_view bytes);
    Verdict& positive(std::chrono::milliseconds time);
    Verdict& not_negative(std::chrono::milliseconds time);
    Verdict& keep(const Keep& keep);
    std::optional<Error> error() { return std::move(error_); }

 private:
    void refuse(std::string message);
    const Arguments& rules_;
    std::optional<Error> error_;
};

inline Arguments::Verdict Arguments::id(std::string_view id) const {
    return Verdict(*this).not_empty("the id", id).name("the id", id);
}
inline Arguments::Verdict Arguments::key(std::string_view key) const {
    return Verdict(*this).not_empty("the key", key).name("the key", key);
}
inline Arguments::Verdict Arguments::name(std::string_view what, std::string_view name) const {
    return Verdict(*this).name(what, name);
}
inline Arguments::Verdict Arguments::stream(const StreamName& stream) const {
    return Verdict(*this)
        .not_empty("the name of the stream", stream.name)
        .name("the name of the stream", stream.name)
        .name("the group of the stream", stream.group);
}

// Internal names. Streams and boxes share one table, and so do topics of users and of streams.
inline StreamName event_stream(StreamName stream) { return {std::move(stream.group), "e" + stream.name}; }
inline StreamName box_stream(StreamName box) { return {std::move(box.group), "b" + box.name}; }
inline std::string make_topic(std::string_view topic) { return "t" + std::string(topic); }
inline std::string stream_topic(const StreamName& stream) {
    return "s" + std::to_string(stream.group.size()) + ":" + stream.group + stream.name;
}

}  // namespace tenon::store

#pragma GCC visibility pop
