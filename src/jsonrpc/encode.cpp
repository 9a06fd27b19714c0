#include "jsonrpc/codec.hpp"

namespace tenon::jsonrpc {
namespace {

// Begins every outgoing message, so none lacks the version.
void begin(json::Writer& w) { w.raw(R"({"jsonrpc":"2.0")"); }

class Envelope {
 public:
    explicit Envelope(std::size_t payload) : writer_(out_.json) {
        out_.json.reserve(payload + 64);
        begin(writer_);
    }
    json::Writer& writer() { return writer_; }
    void id(const Id& id) {
        writer_.key("id");
        id.write(writer_);
    }
    Encoded seal() && {
        writer_.end_object();
        return std::move(out_);
    }

 private:
    Encoded out_;
    json::Writer writer_;
};

void write_call(Envelope& e, std::string_view method, const Encoded& params) {
    e.writer().field("method", method);
    if (params.json.empty()) return;
    e.writer().key("params");
    e.writer().raw(params.json);
}

}  // namespace

Encoded encode_result(const Id& id, Encoded result) {
    thread_local std::string front;  // reused: short, and needed for every result
    front.clear();
    json::Writer w(front);
    begin(w);
    w.key("id");
    id.write(w);
    w.key("result");
    result.json.insert(0, front);
    result.json += '}';
    return result;
}

Encoded encode_error(const std::optional<Id>& id, const Error& error, UnreadableId style) {
    Envelope e(error.message.size());
    json::Writer& w = e.writer();
    if (id) {
        e.id(*id);
    } else if (style == UnreadableId::null) {
        w.key("id");
        w.null();
    }
    w.key("error");
    w.begin_object();
    w.field("code", error.code);
    w.neutralise();  // a handler may quote anything in its error
    w.field("message", error.message);
    if (!error.data.is_null()) w.field("data", error.data);
    w.end_object();
    return std::move(e).seal();
}

Encoded encode_request(const Id& id, std::string_view method, const Encoded& params) {
    Envelope e(params.json.size());
    e.id(id);
    write_call(e, method, params);
    return std::move(e).seal();
}

Encoded encode_notification(std::string_view method, const Encoded& params) {
    Envelope e(params.json.size());
    write_call(e, method, params);
    return std::move(e).seal();
}

Encoded encode_batch(const std::vector<Encoded>& messages) {
    Encoded out;
    json::Writer w(out.json);
    w.begin_array();
    for (const Encoded& m : messages) w.raw(m.json);
    w.end_array();
    return out;
}

}  // namespace tenon::jsonrpc
