#include <array>

#include "attack/innocent.hpp"
#include "attack/process.hpp"
#include "attack/run.hpp"

namespace attack {
namespace {

constexpr seconds calm_time{2}, attack_time{5}, least_time{3};

std::string token(std::string_view of) { return "Authorization: Bearer " + std::string(of) + "\r\n"; }

bool wait_until_served(std::uint16_t port, const std::string& credentials) {
    for (const TimePoint until = Clock::now() + seconds(20); Clock::now() < until;) {
        if (refusal_of_newcomer(port, credentials).empty()) return true;
        std::this_thread::sleep_for(milliseconds(20));
    }
    return false;
}

void note_service(Row& row, const std::array<Innocent*, 2>& innocents) {
    Service calm, attacked;
    for (const Innocent* one : innocents) calm.add(one->before()), attacked.add(one->during());
    row.has_innocent = true;
    row.calls = attacked.calls, row.failures = attacked.failures;
    if (row.failures > 0) row.broken.push_back("a call failed with " + attacked.first_failure);
    row.calm_p50 = calm.milliseconds_at(50), row.calm_p99 = calm.milliseconds_at(99);
    row.p50 = attacked.milliseconds_at(50), row.p99 = attacked.milliseconds_at(99);
}

std::string by(int connections, bool with_tokens) {
    const std::string count = connections == 1 ? "one connection" : std::to_string(connections) + " connections";
    return with_tokens ? "one principal, " + count : count;
}

}  // namespace

Row run(const ClientAttack& attack, int connections, bool with_tokens, const Paths& paths) {
    Row row{.attack = std::string(attack.name), .by = by(connections, with_tokens), .load = std::string(attack.load)};
    const std::uint16_t port = free_port();
    std::vector<std::string> command = {paths.programs + "/attack_victim", std::to_string(port)};
    if (with_tokens) command.emplace_back("tokens");
    Process victim(command, {.soft_descriptors = attack.soft_descriptors, .error_file = paths.logs + "/victim.log"});
    const std::string innocent = with_tokens ? token("innocent") : "";
    if (!wait_until_served(port, innocent)) return row.broken.emplace_back("the victim does not start"), row;

    Innocent old(port, innocent, Era::session), modern(port, innocent, Era::stateless);
    std::this_thread::sleep_for(calm_time);
    old.attack_begins(), modern.attack_begins();
    const TimePoint begin = Clock::now();
    Field field(port, with_tokens ? token("attacker") : "", connections, begin + attack_time);
    attack.run(field);
    std::this_thread::sleep_until(begin + least_time);  // what the attack set off goes on
    const std::string newcomer = refusal_of_newcomer(port, innocent);
    old.stop(), modern.stop();

    row.sent = field.counted();
    row.peak_bytes = victim.peak_bytes(), row.cpu_seconds = victim.cpu_seconds();
    note_service(row, {&old, &modern});
    if (!victim.is_running()) row.broken.push_back("the server ended with " + std::to_string(victim.status()));
    if (!field.damage().empty()) row.broken.push_back(field.damage());
    judge(row);
    if (!newcomer.empty()) row.broken.push_back("a new client is not served (" + newcomer + ")");
    if (!victim.stop(Clock::now() + seconds(Bounds::stop_seconds))) row.broken.emplace_back("SIGTERM does not end it");
    return row;
}

}  // namespace attack
