// Reads replies. A reply of another shape than the scripts make is an error, not a crash: another program may be at the
// other end.
#include <charconv>

#include "base/uri.hpp"
#include "redis/commands.hpp"

namespace tenon::redis {
namespace {

namespace op = store::op;
using Kind = RespValue::Kind;

Error strange() { return store::unavailable("Redis sent a reply of an unexpected shape"); }

// Reads a reply from front to back. The first item is the status of the script.
class ScriptReply {
 public:
    ScriptReply(RespValue&& v, std::size_t least_items) : value_(std::move(v)) {
        if (value_.kind != Kind::array || value_.items.empty() || value_.items[0].kind != Kind::integer) return;
        status_ = value_.items[0].integer;
        if (status_ != script_ok)
            shape_ = true;
        else
            shape_ = value_.items.size() > least_items;
    }
    /// Returns the error of the reply, if it has one. `missing`, `conflict` and `fenced` are those of the operation.
    std::optional<Error> error(const Error& missing, const Error& conflict = strange(),
                               const Error& fenced = strange()) const {
        if (!shape_) return strange();
        switch (status_) {
            case script_ok: return std::nullopt;
            case script_not_found: return missing;
            case script_conflict: return conflict;
            case script_fenced: return fenced;
            case script_corrupt: return Error(code::store_corrupt, "a key of the store has foreign content");
            default: return strange();
        }
    }
    std::int64_t number() { return next() ? item().integer : 0; }
    std::uint64_t count() { return static_cast<std::uint64_t>(number()); }
    op::Millis millis() { return op::Millis(number()); }
    std::string text() { return next() ? std::move(item().text) : std::string(); }
    std::vector<RespValue> list() { return next() ? std::move(item().items) : std::vector<RespValue>(); }
    bool more() const { return at_ + 1 < value_.items.size(); }

 private:
    bool next() { return ++at_ < value_.items.size(); }
    RespValue& item() { return value_.items[at_]; }

    RespValue value_;
    std::int64_t status_ = 1;
    bool shape_ = false;
    std::size_t at_ = 0;
};

std::string decoded(const std::string& text) { return base::percent_decode(text).value_or(std::string()); }

Result<op::RawTask> read_row(RespValue&& v, const Error& missing, const Error& conflict = strange()) {
    ScriptReply r(std::move(v), 7);
    if (auto error = r.error(missing, conflict)) return *error;
    op::RawTask out;
    out.id = decoded(r.text());
    out.owner = decoded(r.text());
    out.bytes = r.text();
    out.holder = r.text();
    out.order = r.count();
    out.token = r.count();
    out.lease_left = r.millis();
    return out;
}

Result<void> no_result(RespValue&& v, const Error& missing, const Error& conflict = strange(),
                       const Error& fenced = strange()) {
    const ScriptReply r(std::move(v), 0);
    if (auto error = r.error(missing, conflict, fenced)) return *error;
    return {};
}

template <class T>
Result<T> one_number(RespValue&& v, const Error& missing = strange(), const Error& conflict = strange()) {
    ScriptReply r(std::move(v), 1);
    if (auto error = r.error(missing, conflict)) return *error;
    return static_cast<T>(r.number());
}

}  // namespace

Result<std::uint64_t> answer(const op::SessionCreate&, RespValue&& v) {
    return one_number<std::uint64_t>(std::move(v), strange(), op::session_exists());
}
Result<op::RawSession> answer(const op::SessionLoad&, RespValue&& v) {
    ScriptReply r(std::move(v), 3);
    if (auto error = r.error(op::no_session())) return *error;
    op::RawSession out;
    out.bytes = r.text();
    out.version = r.count();
    out.expires_in = r.millis();
    return out;
}
Result<std::uint64_t> answer(const op::SessionUpdate&, RespValue&& v) {
    return one_number<std::uint64_t>(std::move(v), op::no_session(), op::session_changed());
}
Result<void> answer(const op::SessionTouch&, RespValue&& v) { return no_result(std::move(v), op::no_session()); }
Result<bool> answer(const op::SessionRemove&, RespValue&& v) { return one_number<bool>(std::move(v)); }

Result<store::EventId> answer(const op::EventAppend&, RespValue&& v) {
    return one_number<store::EventId>(std::move(v), strange(), op::stream_finished());
}
Result<void> answer(const op::EventFinish&, RespValue&& v) {
    return no_result(std::move(v), strange(), op::stream_finished());
}
Result<store::EventBatch> answer(const op::EventRead&, RespValue&& v) {
    ScriptReply r(std::move(v), 3);
    if (auto error = r.error(op::no_stream())) return *error;
    store::EventBatch out;
    out.last = r.count();
    out.finished = r.number() != 0;
    out.gap = r.number() != 0;
    while (r.more()) {
        const auto id = r.text();  // "5-1"
        store::Event event;
        if (std::from_chars(id.data(), id.data() + id.size(), event.id).ec != std::errc() || !r.more())
            return strange();
        event.bytes = r.text();
        out.events.push_back(std::move(event));
    }
    return out;
}
Result<std::size_t> answer(const op::EventTrim&, RespValue&& v) {
    return one_number<std::size_t>(std::move(v), op::no_stream());
}
Result<bool> answer(const op::StreamRemove&, RespValue&& v) { return one_number<bool>(std::move(v)); }
Result<std::size_t> answer(const op::GroupRemove&, RespValue&& v) { return one_number<std::size_t>(std::move(v)); }

Result<op::RawTask> answer(const op::TaskCreate&, RespValue&& v) {
    return read_row(std::move(v), strange(), op::task_exists());
}
Result<op::RawTask> answer(const op::TaskLoad&, RespValue&& v) { return read_row(std::move(v), op::no_task()); }
Result<void> answer(const op::TaskUpdate&, RespValue&& v) {
    return no_result(std::move(v), op::no_task(), strange(), op::task_fenced());
}
Result<void> answer(const op::TaskExtend&, RespValue&& v) {
    return no_result(std::move(v), op::no_task(), strange(), op::task_fenced());
}
Result<op::RawTask> answer(const op::TaskTakeOver&, RespValue&& v) {
    return read_row(std::move(v), op::no_task(), op::task_leased());
}
Result<bool> answer(const op::TaskRemove&, RespValue&& v) { return one_number<bool>(std::move(v)); }
Result<std::vector<op::RawTask>> answer(const op::TaskList&, RespValue&& v) {
    if (v.kind != Kind::array || v.items.empty()) return strange();
    std::vector<op::RawTask> out;
    for (std::size_t i = 1; i < v.items.size(); ++i) {
        auto row = read_row(std::move(v.items[i]), strange());
        if (!row) return row.error();
        out.push_back(std::move(*row));
    }
    return out;
}
Result<std::size_t> answer(const op::TaskCount&, RespValue&& v) { return one_number<std::size_t>(std::move(v)); }
Result<std::size_t> answer(const op::TaskSize&, RespValue&& v) { return one_number<std::size_t>(std::move(v)); }
Result<std::vector<std::string>> answer(const op::TaskOrphans&, RespValue&& v) {
    ScriptReply r(std::move(v), 1);
    if (auto error = r.error(strange())) return *error;
    std::vector<std::string> out;
    for (const auto& id : r.list()) out.push_back(decoded(id.text));
    return out;
}

Result<void> answer(const op::Publish&, RespValue&& v) {
    if (v.kind != Kind::integer) return strange();
    return {};
}

Result<std::optional<std::string>> answer(const op::ValueGet&, RespValue&& v) {
    if (v.kind == Kind::null) return std::optional<std::string>();
    if (v.kind != Kind::text) return strange();
    return std::optional(std::move(v.text));
}
Result<void> answer(const op::ValueSet&, RespValue&& v) {
    if (v.kind != Kind::text) return strange();
    return {};
}
Result<bool> answer(const op::ValueReplace&, RespValue&& v) { return one_number<bool>(std::move(v)); }
Result<bool> answer(const op::ValueRemove&, RespValue&& v) {
    if (v.kind != Kind::integer) return strange();
    return v.integer != 0;
}
Result<std::int64_t> answer(const op::CounterAdd&, RespValue&& v) {
    ScriptReply r(std::move(v), 1);
    if (auto error = r.error(strange())) return *error;
    const auto text = r.text();
    std::int64_t sum = 0;
    if (std::from_chars(text.data(), text.data() + text.size(), sum).ec != std::errc()) return strange();
    return sum;
}
Result<store::Lease> answer(const op::LeaseAcquire& o, RespValue&& v) {
    ScriptReply r(std::move(v), 1);
    if (auto error = r.error(strange(), op::lease_held())) return *error;
    return store::Lease{o.holder, r.count(), o.ttl};
}
Result<void> answer(const op::LeaseExtend&, RespValue&& v) {
    return no_result(std::move(v), op::no_lease(), strange(), op::lease_fenced());
}
Result<store::Lease> answer(const op::LeaseLookUp&, RespValue&& v) {
    ScriptReply r(std::move(v), 3);
    if (auto error = r.error(op::no_lease())) return *error;
    store::Lease out;
    out.holder = r.text();
    out.token = r.count();
    out.left = r.millis();
    return out;
}

Result<StoreStatus> answer(const op::Check&, RespValue&& v) {
    if (v.kind != Kind::array || v.items.size() != 2) return strange();
    long long seconds = 0, micros = 0;
    const auto read = [](const std::string& text, long long& to) {
        return std::from_chars(text.data(), text.data() + text.size(), to).ec == std::errc();
    };
    if (!read(v.items[0].text, seconds) || !read(v.items[1].text, micros) || seconds < 0 || seconds > 9'000'000'000)
        return strange();
    return StoreStatus{"", WallTime{} + std::chrono::seconds(seconds) + std::chrono::microseconds(micros)};
}

}  // namespace tenon::redis
