// A record is "tenon", the kind, the version of the format, the fields, and a checksum of all that. A field is its
// length (4 bytes, little endian) and its bytes. Numbers are fields of 8 bytes. A new version may add fields at the
// end.
#include "store/records.hpp"

#include <cstdint>

#include <tenon/json_writer.hpp>

#include "base/siphash.hpp"

namespace tenon::store {
namespace {

constexpr char format_version = 1;
constexpr std::size_t checksum_bytes = 8;
constexpr std::size_t max_list = 1'000'000;

void put_number(std::string& out, std::uint64_t n, int bytes) {
    for (int i = 0; i < bytes; ++i) out += static_cast<char>(n >> (8 * i) & 0xff);
}

std::uint64_t get_number(std::string_view bytes) {
    std::uint64_t n = 0;
    for (std::size_t i = bytes.size(); i > 0; --i) n = n << 8 | static_cast<unsigned char>(bytes[i - 1]);
    return n;
}

// A checksum against damage, not against attackers: they would write the checksum, too.
std::uint64_t checksum(std::string_view bytes) { return base::siphash(base::SipKey{'t', 'e', 'n', 'o', 'n'}, bytes); }

class RecordWriter {
 public:
    explicit RecordWriter(char kind) : out_("tenon") { out_ += kind, out_ += format_version; }
    void text(std::string_view s) { put_number(out_, s.size(), 4), out_ += s; }
    void number(std::uint64_t n) { put_number(out_, 8, 4), put_number(out_, n, 8); }
    void signed_number(std::int64_t n) { number(static_cast<std::uint64_t>(n)); }
    std::string finish() {
        put_number(out_, checksum(out_), checksum_bytes);
        return std::move(out_);
    }

 private:
    std::string out_;
};

// Stores the first failure. After it, the functions return empty values.
class RecordReader {
 public:
    RecordReader(char kind, std::string_view bytes) : rest_(bytes) {
        if (rest_.size() < 7 + checksum_bytes || rest_.substr(0, 5) != "tenon" || rest_[5] != kind) {
            fail("it is not a record of Tenon");
        } else if (rest_[6] != format_version) {
            fail("it has format " + std::to_string(static_cast<unsigned char>(rest_[6])) +
                 ", which this version of Tenon "
                 "does not know");
        } else if (checksum(rest_.substr(0, rest_.size() - checksum_bytes)) !=
                   get_number(rest_.substr(rest_.size() - checksum_bytes))) {
            fail("it is damaged");
        } else {
            rest_ = rest_.substr(7, rest_.size() - 7 - checksum_bytes);
        }
    }

    std::string_view text() {
        if (rest_.size() < 4 || get_number(rest_.substr(0, 4)) > rest_.size() - 4)
            return fail("a field is missing"), "";
        const auto size = static_cast<std::size_t>(get_number(rest_.substr(0, 4)));
        const auto out = rest_.substr(4, size);
        rest_.remove_prefix(4 + size);
        return out;
    }
    std::uint64_t number() {
        const auto bytes = text();
        if (bytes.size() != 8) return fail("a number is missing"), 0;
        return get_number(bytes);
    }
    /// A number of an enumeration with `count` values.
    template <class Enum>
    Enum one_of(std::uint64_t count) {
        const auto n = number();
        if (n >= count) return fail("a number is out of range"), Enum{};
        return static_cast<Enum>(n);
    }
    std::int64_t signed_number() { return static_cast<std::int64_t>(number()); }
    json::value json() {
        const auto bytes = text();
        if (bytes.empty()) return nullptr;
        auto value = json::parse(bytes);
        if (!value) return fail("a field is not JSON"), nullptr;
        return std::move(*value);
    }

    bool ok() const { return why_.empty(); }
    const std::string& why() const { return why_; }
    void fail(std::string why) {
        if (why_.empty()) why_ = std::move(why);
        rest_ = {};
    }

 private:
    std::string_view rest_;
    std::string why_;
};

Error corrupt(std::string_view what, const std::string& why) {
    return {code::store_corrupt, "the store's record of this " + std::string(what) + " cannot be used: " + why};
}

std::string to_text(const json::value& value) {
    std::string out;
    json::Writer(out).value(value);
    return out;
}

std::int64_t ticks(WallTime t) {
    return std::chrono::duration_cast<std::chrono::milliseconds>(t.time_since_epoch()).count();
}
WallTime from_ticks(std::int64_t n) { return WallTime{} + std::chrono::milliseconds(n); }

// A time that system_clock, which counts nanoseconds, can represent.
bool is_time(std::int64_t millis) {
    constexpr std::int64_t most = 9'000'000'000'000;  // the year 2255
    return millis > -most && millis < most;
}

void write_error(RecordWriter& out, const std::optional<Error>& error) {
    out.number(error ? 1 : 0);
    if (!error) return;
    out.signed_number(error->code);
    out.text(error->message);
    out.text(to_text(error->data));
    out.number(static_cast<std::uint64_t>(error->kind));
}

std::optional<Error> read_error(RecordReader& in) {
    if (in.number() == 0) return std::nullopt;
    const auto number = in.signed_number();
    if (number < INT32_MIN || number > INT32_MAX) in.fail("an error code is out of range");
    Error out(static_cast<int>(number), std::string(in.text()));
    out.data = in.json();
    out.kind = in.one_of<detail::ErrorKind>(3);
    return out;
}

}  // namespace

std::string encode_session(const SessionRecord& record) {
    RecordWriter out('S');
    out.text(record.id);
    out.text(record.principal);
    out.text(record.revision);
    out.text(record.client_info);
    out.text(record.capabilities);
    out.number(static_cast<std::uint64_t>(record.log_level));
    out.number(record.initialized ? 1 : 0);
    out.text(record.extra);
    out.number(record.subscriptions.size());
    for (const auto& uri : record.subscriptions) out.text(uri);
    return out.finish();
}

Result<SessionRecord> decode_session(std::string_view id, std::string_view bytes) {
    RecordReader in('S', bytes);
    SessionRecord out;
    out.id = in.text();
    if (in.ok() && out.id != id) in.fail("it belongs to another session");
    out.principal = in.text();
    out.revision = in.text();
    out.client_info = in.text();
    out.capabilities = in.text();
    out.log_level = in.one_of<LogLevel>(8);
    out.initialized = in.number() != 0;
    out.extra = in.text();
    const auto count = in.number();
    if (count > max_list) in.fail("a list is too long");
    for (std::uint64_t i = 0; i < count && in.ok(); ++i) out.subscriptions.emplace_back(in.text());
    if (!in.ok()) return corrupt("session", in.why());
    return out;
}

std::string encode_task(const TaskRecord& task) {
    RecordWriter out('T');
    out.text(task.id);
    out.text(task.owner);
    out.number(static_cast<std::uint64_t>(task.status));
    out.text(task.status_message);
    out.signed_number(ticks(task.created));
    out.signed_number(ticks(task.updated));
    out.signed_number(task.ttl.count());
    out.text(to_text(task.input_requests));
    out.text(task.result);
    write_error(out, task.error);
    return out.finish();
}

Result<TaskRecord> decode_task(std::string_view id, std::string_view bytes) {
    RecordReader in('T', bytes);
    TaskRecord out;
    out.id = in.text();
    if (in.ok() && out.id != id) in.fail("it belongs to another task");
    out.owner = in.text();
    out.status = in.one_of<TaskStatus>(5);
    out.status_message = in.text();
    const auto created = in.signed_number(), updated = in.signed_number();
    if (!is_time(created) || !is_time(updated)) in.fail("a time is out of range");
    out.ttl = std::chrono::milliseconds(in.signed_number());
    auto requests = in.json();
    if (in.ok() && !requests.is_object()) in.fail("its questions are not an object");
    out.result = in.text();
    out.error = read_error(in);
    if (!in.ok()) return corrupt("task", in.why());
    out.created = from_ticks(created), out.updated = from_ticks(updated);
    out.input_requests = std::move(requests.get_object());
    return out;
}

}  // namespace tenon::store
