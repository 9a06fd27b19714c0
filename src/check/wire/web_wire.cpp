#include "check/wire/web_wire.hpp"

#include <algorithm>

#include "framing/http_fields.hpp"
#include "transport/http_client/route.hpp"

namespace tenon::check {
namespace {

constexpr std::size_t max_body_bytes = 64 * 1024 * 1024;

std::string text_of(const framing::HttpResponse& head) {
    std::string out = "HTTP/1.1 " + std::to_string(head.status) + "\r\n";
    for (const auto& [name, value] : head.fields.all()) out.append(name).append(": ").append(value).append("\r\n");
    return out + "\r\n";
}

}  // namespace

std::optional<std::string> Exchange::field(std::string_view name) const {
    for (const auto& [key, value] : fields_)
        if (framing::equal_ignoring_case(key, name)) return value;
    return std::nullopt;
}

bool Exchange::is_of_type(std::string_view type) const {
    const std::string said = field("content-type").value_or("");
    return framing::equal_ignoring_case(framing::trimmed(std::string_view(said).substr(0, said.find(';'))), type);
}

void Exchange::on_head(const framing::HttpResponse& head) {
    transcript_.received(text_of(head));
    status_ = head.status;
    for (const auto& [name, value] : head.fields.all()) fields_.emplace_back(name, value);
}

void Exchange::on_piece(std::string_view bytes) {
    transcript_.received(bytes);
    if (!is_stream()) {
        body_.append(bytes.substr(0, max_body_bytes - std::min(max_body_bytes, body_.size())));
        return;
    }
    std::string before = reader_.last_event_id();
    reader_.feed(bytes, [&](const framing::SseReader::Event& event) {
        if (event.last_event_id != before) event_ids_.push_back(before = event.last_event_id);
        if (!event.data.empty()) events_.push_back(event);
    });
}

void Exchange::on_broken(const std::string& why, bool untouched) {
    if (untouched && again_ && again_()) return;
    transcript_.note(why);
    broken_ = why;
    ended_ = true;
}

WebWire::WebWire(const Target& target, Transcript& transcript)
    : target_(target), transcript_(transcript), route_(http_route({.url = target.url, .headers = target.headers})) {}

WebWire::~WebWire() {
    for (const auto& dial : dials_)
        if (const auto live = dial.lock()) live->cancel();
    const auto wires = wires_;
    for (const auto& wire : wires) wire->close();
    context_->poll();  // lets the cancelled operations finish
}

std::shared_ptr<Exchange> WebWire::send(std::string bytes) {
    const std::string shown = without_secrets(bytes);
    transcript_.sent(shown);
    auto exchange = std::make_shared<Exchange>(transcript_);
    exchange->request_ = transcript_.entry(Evidence::Direction::sent, shown).bytes;
    exchange->again_ = [this, bytes, tries = 0, weak = std::weak_ptr(exchange)]() mutable {
        const auto self = weak.lock();
        if (!self || ++tries > 1) return false;
        dial(self, bytes);
        return true;
    };
    if (idle_.empty()) {
        dial(exchange, std::move(bytes));
        return exchange;
    }
    const auto wire = idle_.back();
    idle_.pop_back();
    exchange->wire_ = wire;
    wire->send(std::move(bytes), exchange);
    return exchange;
}

void WebWire::dial(const std::shared_ptr<Exchange>& exchange, std::string bytes) {
    const auto connected = [this, exchange, bytes = std::move(bytes)](Result<std::unique_ptr<HttpSocket>> socket) {
        if (!socket) return exchange->on_broken(socket.error().message, false);
        const auto free = [this](HttpWire* wire) {
            const auto it = std::ranges::find(wires_, wire, &std::shared_ptr<HttpWire>::get);
            if (it == wires_.end()) return;
            if (!wire->closed()) return idle_.push_back(*it);
            std::erase(idle_, *it);
            wires_.erase(it);
        };
        const auto wire = std::make_shared<HttpWire>(*std::move(socket), *context_, route_->limits, free);
        wires_.push_back(wire);
        exchange->wire_ = wire;
        wire->start();
        wire->send(bytes, exchange);
    };
    const auto dial = std::make_shared<HttpDial>(context_, route_, connected);
    std::erase_if(dials_, [](const auto& old) { return old.expired(); });
    dials_.push_back(dial);
    dial->start();
}

bool WebWire::run_until(TimePoint until, const std::function<bool()>& done) {
    while (!done()) {
        if (Clock::now() >= until) return false;
        context_->run_one_until(until);
    }
    return true;
}

void WebWire::abandon(const std::shared_ptr<Exchange>& exchange) {
    if (const auto wire = exchange->wire_.lock(); wire && !exchange->ended()) wire->close();
    exchange->ended_ = true;
}

void WebWire::close_idle() {
    const auto idle = std::exchange(idle_, {});
    for (const auto& wire : idle) wire->close();
}

// Removes the values of the user's headers and the query of the URL, because credentials must not appear in a report.
std::string WebWire::without_secrets(std::string bytes) const {
    const std::size_t head = bytes.find("\r\n\r\n");
    for (const auto& [name, value] : target_.headers) {
        const std::string line = "\r\n" + name + ": ";
        const std::size_t at = bytes.find(line + value);
        if (!value.empty() && at < head) bytes.replace(at + line.size(), value.size(), "(not shown)");
    }
    const std::string url = target_.url.substr(0, target_.url.find('#'));  // the fragment is not sent
    const std::string query = url.substr(std::min(url.find('?'), url.size()));
    if (const std::size_t at = bytes.find(query); !query.empty() && at < bytes.find("\r\n"))
        bytes.replace(at, query.size(), "?(not shown)");
    return bytes;
}

}  // namespace tenon::check
