#include <tenon/testing.hpp>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include <tenon/transport/memory.hpp>

#include "jsonrpc/codec.hpp"
#include "protocol/meta_keys.hpp"
#include "protocol/versions.hpp"

namespace tenon::test_kit {
namespace {

constexpr std::string_view volatile_members[] = {"requestState", "nextCursor"};

// Replaces values that differ from run to run.
void hide_volatile(json::value& v) {
    if (auto* list = v.if_array()) {
        for (json::value& element : *list) hide_volatile(element);
    } else if (auto* object = v.if_object()) {
        for (auto& member : *object) {
            const bool hidden = std::ranges::find(volatile_members, std::string_view(member.key())) !=
                                std::ranges::end(volatile_members);
            if (hidden) {
                member.value() = "*";
            } else {
                hide_volatile(member.value());
            }
        }
    }
}

std::string printed(std::string_view message) {
    auto value = json::parse(message);
    if (!value) return std::string(message);
    hide_volatile(*value);
    return json::write(*value);
}

std::string first_difference(const std::string& expected, const std::string& got) {
    std::istringstream a(expected), b(got);
    std::string wanted, found;
    for (int line = 1;; ++line) {
        const bool more_a = static_cast<bool>(std::getline(a, wanted)),
                   more_b = static_cast<bool>(std::getline(b, found));
        if (!more_a && !more_b) return {};
        if (more_a != more_b || wanted != found)
            return "line " + std::to_string(line) + "\n  expected " + (more_a ? wanted : "the end") + "\n  got      " +
                   (more_b ? found : "the end") + "\nTo accept the new dialogue, run the test with TENON_RECORD=1.";
    }
}

}  // namespace

struct FakeClock::State {
    // Not the beginning of time: a clock that was never set is a different case.
    std::atomic<Duration::rep> now = Duration(std::chrono::hours(1)).count();
};

FakeClock::FakeClock() : state_(std::make_shared<State>()) {}
TimePoint FakeClock::now() const { return TimePoint(Duration(state_->now.load())); }
void FakeClock::advance(Duration time) const { state_->now += time.count(); }

struct Dialogue::State {
    State(Server& server, PeerOptions o)
        : options(std::move(o)),
          session(server, {.owner = options.principal, .clock = [clock = options.clock] { return clock.now(); }}) {}

    bool modern() const { return options.era != Era::legacy; }

    json::object with_meta(json::object params) const {
        if (!modern()) return params;
        json::object meta;
        if (const json::value* own = params.if_contains("_meta"); own && own->is_object()) meta = own->get_object();
        meta.emplace(protocol::meta_key::version, protocol::Rules(protocol::modern_revision()).name());
        meta.emplace(protocol::meta_key::client_info, json::object{{"name", "test"}, {"version", "1"}});
        meta.emplace(protocol::meta_key::client_capabilities, options.capabilities);
        params.insert_or_assign("_meta", std::move(meta));
        return params;
    }

    void send(const std::string& message) {
        log += "> " + printed(message) + "\n";
        session.receive(message);
        collect();
    }

    // Sorts the messages of the server: the response to the last request, and the rest.
    void collect() {
        std::istringstream output(session.take_output());
        for (std::string line; std::getline(output, line);) {
            log += "< " + printed(line) + "\n";
            json::value message = json::parse(line).value();
            const json::object& members = message.as_object();
            if (members.contains("method")) {
                others.push_back(std::move(message));
            } else {
                response = members;
            }
        }
    }

    json::value request(std::string_view method, json::object params) {
        response = {};
        const jsonrpc::Encoded encoded{json::write(with_meta(std::move(params)))};
        send(jsonrpc::encode_request(jsonrpc::Id(++last_id), method, encoded).json);
        if (const json::value* result = response.if_contains("result")) return *result;
        if (const json::value* error = response.if_contains("error"))
            throw Exception({error->at("code").to_number<int>(), std::string(error->at("message").as_string())});
        throw Exception({code::connection_closed, "The server has not answered " + std::string(method) +
                                                      ": its handler answers later, or waits for a question."});
    }

    void notify(std::string_view method, json::object params) {
        send(jsonrpc::encode_notification(method, {json::write(params)}).json);
    }

    void shake_hands() {
        request("initialize", {{"protocolVersion", protocol::Rules(protocol::legacy_revisions().front()).name()},
                               {"capabilities", options.capabilities},
                               {"clientInfo", {{"name", "test"}, {"version", "1"}}}});
        notify("notifications/initialized", {});
        log.clear();
    }

    PeerOptions options;
    Session session;
    std::int64_t last_id = 0;
    json::object response;
    std::vector<json::value> others;
    std::string log;
};

Dialogue::Dialogue(Server& server, PeerOptions options) : state_(std::make_unique<State>(server, std::move(options))) {
    if (!state_->modern()) state_->shake_hands();
}
Dialogue::~Dialogue() = default;
Dialogue::Dialogue(Dialogue&&) noexcept = default;
Dialogue& Dialogue::operator=(Dialogue&&) noexcept = default;

json::value Dialogue::request(std::string_view method, json::object params) {
    return state_->request(method, std::move(params));
}

json::value Dialogue::call(std::string_view tool, json::object arguments) {
    return request("tools/call", {{"name", tool}, {"arguments", std::move(arguments)}});
}

void Dialogue::notify(std::string_view method, json::object params) { state_->notify(method, std::move(params)); }

void Dialogue::advance(Duration time) {
    state_->options.clock.advance(time);
    state_->session.tick();
    state_->collect();
}

std::vector<json::value> Dialogue::take_notifications() { return std::exchange(state_->others, {}); }

std::string Dialogue::transcript() const { return state_->log; }

std::string Dialogue::compare(const std::string& file) const {
    const char* record = std::getenv("TENON_RECORD");
    if (record && std::string_view(record) == "1") {
        std::ofstream out(file, std::ios::trunc);
        out << state_->log;
        return out.flush() ? std::string() : "cannot write " + file;
    }
    std::ifstream in(file);
    if (!in) return "cannot read " + file + ": run the test once with TENON_RECORD=1";
    std::ostringstream expected;
    expected << in.rdbuf();
    return first_difference(expected.str(), state_->log);
}

Client memory_client(Server& server, std::string principal, ClientOptions options) {
    return Client(memory_transport(server, {.principal = std::move(principal)}), std::move(options));
}

}  // namespace tenon::test_kit
