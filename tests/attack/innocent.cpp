#include "attack/innocent.hpp"

#include "attack/messages.hpp"

namespace attack {
namespace {

std::string arguments_of(std::size_t number) { return "{\"a\":" + std::to_string(number) + ",\"b\":1}"; }

std::string fresh(std::string credentials) {
    static std::atomic<std::size_t> last{0};
    const std::size_t at = credentials.find('#');
    return at == std::string::npos ? credentials : credentials.replace(at, 1, std::to_string(++last));
}

// Returns whether this is the answer to call `number`, and not to another call.
bool is_answer(const Answer& answer, std::size_t number) {
    return answer.status == 200 && answer.body.find("\"" + std::to_string(number + 1) + "\"") != std::string::npos;
}

std::string describe(const Answer& answer) {
    if (answer.status == 0) return "no answer";
    return "status " + std::to_string(answer.status) + ": " + answer.body.substr(0, 100);
}

std::string open_session(Wire& wire, const std::string& credentials, TimePoint until, std::string* why) {
    const Answer answer = wire.ask(post(initialize_message(), fresh(credentials)), until);
    const std::string id = answer.field("mcp-session-id");
    if (id.empty() && why) *why = describe(answer);
    if (!id.empty())
        wire.ask(post(message("notifications/initialized", "", ""), in_session(id) + fresh(credentials)), until);
    return id;
}

std::string call_bytes(Era era, const std::string& session, const std::string& credentials, std::size_t number) {
    if (era == Era::stateless) return modern_call("add", arguments_of(number), fresh(credentials));
    return post(call_message("add", arguments_of(number), "", std::to_string(number)),
                in_session(session) + fresh(credentials));
}

}  // namespace

void Service::add(const Service& other) {
    calls += other.calls;
    failures += other.failures;
    if (first_failure.empty()) first_failure = other.first_failure;
    latency.add(other.latency);
}

Innocent::Innocent(std::uint16_t port, std::string credentials, Era era)
    : port_(port),
      credentials_(std::move(credentials)),
      era_(era),
      thread_([this](std::stop_token stop) { run(stop); }) {}

void Innocent::stop() {
    thread_.request_stop();
    if (thread_.joinable()) thread_.join();
}

bool Innocent::connect(Wire& wire) {
    const TimePoint until = Clock::now() + patience;
    wire = Wire(port_, until);
    if (era_ == Era::session && session_.empty() && wire.is_open())
        session_ = open_session(wire, credentials_, until, nullptr);
    return wire.is_open();
}

// A late call does not move the times of the next calls: the time that they wait counts too.
void Innocent::run(const std::stop_token& stop) {
    for (int i = 0; i < wires; ++i) connect(wires_.emplace_back(Wire(port_, Clock::now() + patience)));
    TimePoint due = Clock::now();
    for (std::size_t number = 1; !stop.stop_requested(); ++number, due += pace) {
        std::this_thread::sleep_until(due);
        call(number, due);
        if (Clock::now() - due > patience) due = Clock::now();
    }
}

void Innocent::call(std::size_t number, TimePoint due) {
    Service& service = under_attack_ ? during_ : before_;
    Wire& wire = wires_[number % wires_.size()];
    if (!wire.is_open()) connect(wire);
    const Answer answer =
        wire.ask(call_bytes(era_, session_, credentials_, number), std::max(due, Clock::now()) + patience);
    ++service.calls;
    service.latency.record(static_cast<std::uint64_t>(std::chrono::nanoseconds(Clock::now() - due).count()));
    if (is_answer(answer, number)) return;
    ++service.failures;
    if (service.first_failure.empty()) service.first_failure = describe(answer);
}

std::string refusal_of_newcomer(std::uint16_t port, const std::string& credentials) {
    const TimePoint until = Clock::now() + Innocent::patience;
    for (const Era era : {Era::session, Era::stateless}) {
        Wire wire(port, until);
        if (!wire.is_open()) return "cannot connect";
        std::string why;
        const std::string session = era == Era::session ? open_session(wire, credentials, until, &why) : std::string();
        if (!why.empty()) return why;
        const Answer answer = wire.ask(call_bytes(era, session, credentials, 7), until);
        if (!is_answer(answer, 7)) return describe(answer);
    }
    return {};
}

}  // namespace attack
