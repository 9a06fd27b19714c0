#include "redis/commands.hpp"

#include <algorithm>

#include "base/uri_encode.hpp"
#include "store/arguments.hpp"

namespace tenon::redis {
namespace {

namespace op = store::op;
using std::to_string;

// Lua's numbers have 53 bits. No stream, order or token gets there.
constexpr std::uint64_t largest = std::uint64_t{1} << 53;
std::string number(std::uint64_t n) { return to_string(std::min(n, largest)); }
std::string number(op::Millis time) { return to_string(time.count()); }
std::string number(bool b) { return b ? "1" : "0"; }
std::string encoded(std::string_view name) { return base::encode_unreserved(name); }

Command script(Script which, std::vector<std::string> keys, std::vector<std::string> arguments) {
    Command out{which, keys.size(), std::move(keys)};
    out.parts.insert(out.parts.end(), std::make_move_iterator(arguments.begin()),
                     std::make_move_iterator(arguments.end()));
    return out;
}

Command plain(std::vector<std::string> parts) { return {{}, 0, std::move(parts)}; }

std::vector<std::string> append_arguments(const store::StreamName& stream, const std::string* bytes, bool last,
                                          const store::Keep& keep, std::string channel) {
    return {number(bytes != nullptr), bytes ? *bytes : "",  number(last),         number(keep.max_events),
            number(keep.max_bytes),   number(keep.max_age), encoded(stream.name), std::move(channel)};
}

}  // namespace

std::string Command::encode(bool whole) const {
    std::vector<std::string_view> words;
    std::string count;
    if (script) {
        const auto& loaded = scripts()[static_cast<std::size_t>(*script)];
        count = to_string(keys);
        words = {whole ? "EVAL" : "EVALSHA", whole ? loaded.text : loaded.sha, count};
    }
    words.insert(words.end(), parts.begin(), parts.end());
    std::string out;
    framing::append_resp_command(out, words);
    return out;
}

std::optional<std::string> Commands::topic(std::string_view channel) const {
    const auto start = prefix_ + "c:";
    if (!channel.starts_with(start)) return std::nullopt;
    return std::string(channel.substr(start.size()));
}

// The hash tag is never empty: Redis would ignore an empty one.
std::string Commands::group(std::string_view name) const { return prefix_ + "{s" + encoded(name) + "}"; }
std::string Commands::session_key(std::string_view id) const { return group(id); }
std::string Commands::key(char kind, std::string_view name) const { return prefix_ + "{" + kind + encoded(name) + "}"; }
std::string Commands::task_key(std::string_view id) const { return prefix_ + "{tasks}:t:" + encoded(id); }

std::vector<std::string> Commands::group_keys(std::string_view name) const {
    const auto tag = group(name);
    return {tag + ":g", tag + ":e:", tag + ":m:"};
}

std::vector<std::string> Commands::stream_keys(const store::StreamName& stream) const {
    const auto tag = group(stream.group), name = encoded(stream.name);
    return {tag + ":e:" + name, tag + ":m:" + name, tag + ":g"};
}

Command Commands::task(Script which, std::vector<std::string> arguments) const {
    return script(which, {prefix_ + "{tasks}:"}, std::move(arguments));
}

Command Commands::make(const op::SessionCreate& o) const {
    return script(Script::session_create, {session_key(o.id)}, {o.bytes, number(o.ttl)});
}
Command Commands::make(const op::SessionLoad& o) const { return script(Script::session_load, {session_key(o.id)}, {}); }
Command Commands::make(const op::SessionUpdate& o) const {
    return script(Script::session_update, {session_key(o.id)}, {o.bytes, number(o.version), number(o.ttl)});
}
Command Commands::make(const op::SessionTouch& o) const {
    return script(Script::session_touch, {session_key(o.id)}, {number(o.ttl)});
}
Command Commands::make(const op::SessionRemove& o) const {
    auto keys = group_keys(o.id);
    keys.insert(keys.begin(), session_key(o.id));
    return script(Script::session_remove, std::move(keys), {});
}

Command Commands::make(const op::EventAppend& o) const {
    return script(Script::append, stream_keys(o.stream),
                  append_arguments(o.stream, &o.bytes, o.last, o.keep, channel(store::stream_topic(o.stream))));
}
Command Commands::make(const op::EventFinish& o) const {
    return script(Script::append, stream_keys(o.stream),
                  append_arguments(o.stream, nullptr, true, o.keep, channel(store::stream_topic(o.stream))));
}
Command Commands::make(const op::EventRead& o) const {
    return script(Script::read, stream_keys(o.stream), {number(o.after), number(o.max_events), number(o.max_bytes)});
}
Command Commands::make(const op::EventTrim& o) const {
    return script(Script::trim, stream_keys(o.stream),
                  {number(o.keep.max_events), number(o.keep.max_bytes), number(o.keep.max_age)});
}
Command Commands::make(const op::StreamRemove& o) const {
    return script(Script::remove_stream, stream_keys(o.stream), {encoded(o.stream.name)});
}
Command Commands::make(const op::GroupRemove& o) const { return script(Script::remove_group, group_keys(o.group), {}); }

Command Commands::make(const op::TaskCreate& o) const {
    return task(Script::task_create,
                {encoded(o.id), encoded(o.owner), o.bytes, number(o.over), number(o.ttl), o.holder, number(o.lease)});
}
Command Commands::make(const op::TaskLoad& o) const { return task(Script::task_load, {encoded(o.id)}); }
Command Commands::make(const op::TaskUpdate& o) const {
    return task(Script::task_update, {encoded(o.id), o.bytes, number(o.over), number(o.token)});
}
Command Commands::make(const op::TaskExtend& o) const {
    return task(Script::task_extend, {encoded(o.id), number(o.token), number(o.lease)});
}
Command Commands::make(const op::TaskTakeOver& o) const {
    return task(Script::task_take_over, {encoded(o.id), o.holder, number(o.lease)});
}
Command Commands::make(const op::TaskRemove& o) const { return task(Script::task_remove, {encoded(o.id)}); }
Command Commands::make(const op::TaskList& o) const {
    return task(Script::task_list, {encoded(o.owner), number(o.after), number(o.max)});
}
Command Commands::make(const op::TaskCount& o) const { return task(Script::task_count, {encoded(o.owner)}); }
Command Commands::make(const op::TaskSize&) const { return task(Script::task_size, {}); }
Command Commands::make(const op::TaskOrphans& o) const { return task(Script::task_orphans, {number(o.max)}); }

Command Commands::make(const op::Publish& o) const { return plain({"PUBLISH", channel(o.topic), o.bytes}); }

Command Commands::make(const op::ValueGet& o) const { return plain({"GET", key('v', o.key)}); }
Command Commands::make(const op::ValueSet& o) const {
    return plain({"SET", key('v', o.key), o.value, "PX", number(o.ttl)});
}
Command Commands::make(const op::ValueReplace& o) const {
    return script(Script::value_replace, {key('v', o.key)},
                  {number(o.expected.has_value()), o.expected.value_or(""), o.value, number(o.ttl)});
}
Command Commands::make(const op::ValueRemove& o) const { return plain({"DEL", key('v', o.key)}); }
Command Commands::make(const op::CounterAdd& o) const {
    return script(Script::counter_add, {key('c', o.key)}, {to_string(o.amount), number(o.ttl)});
}
Command Commands::make(const op::LeaseAcquire& o) const {
    return script(Script::lease_acquire, {key('l', o.key)}, {o.holder, number(o.ttl), number(op::token_memory)});
}
Command Commands::make(const op::LeaseExtend& o) const {
    return script(Script::lease_extend, {key('l', o.key)}, {number(o.token), number(o.ttl), number(op::token_memory)});
}
Command Commands::make(const op::LeaseLookUp& o) const { return script(Script::lease_look_up, {key('l', o.key)}, {}); }
Command Commands::make(const op::Check&) const { return plain({"TIME"}); }

}  // namespace tenon::redis
