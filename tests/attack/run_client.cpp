#include <array>
#include <fstream>
#include <optional>
#include <sstream>

#include "attack/authority.hpp"
#include "attack/innocent.hpp"
#include "attack/process.hpp"
#include "attack/run.hpp"

namespace attack {
namespace {

constexpr seconds calm_time{1}, attack_time{4}, least_time{2};

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

/// Ticks of all processors since the start of the machine.
struct Ticks {
    double idle = 0, all = 0;
};
Ticks ticks() {
    std::ifstream stat("/proc/stat");
    std::string name;
    stat >> name;
    Ticks out;
    double value = 0;
    for (int i = 0; i < 8 && stat >> value; ++i) {
        out.all += value;
        if (i == 3 || i == 4) out.idle += value;  // idle, and waiting for a disk
    }
    return out;
}
bool was_busy_since(const Ticks& begin) {
    const Ticks end = ticks();
    return end.idle - begin.idle < Bounds::least_idle * (end.all - begin.all);
}

std::string by(int connections, bool with_tokens) {
    const std::string count = connections == 1 ? "one connection" : std::to_string(connections) + " connections";
    return with_tokens ? "one principal, " + count : count;
}

std::vector<std::string> victim_command(const ClientAttack& attack, bool with_tokens, const Paths& paths,
                                        std::uint16_t port, std::uint16_t authority) {
    std::vector<std::string> out = {paths.programs + "/attack_victim", "port=" + std::to_string(port)};
    if (authority > 0) out.push_back("introspection=" + std::to_string(authority));
    if (authority == 0 && with_tokens) out.emplace_back("tokens");
    std::istringstream words{std::string(attack.victim)};
    for (std::string word; words >> word;) out.push_back(word);
    return out;
}

}  // namespace

Row run(const ClientAttack& attack, int connections, bool with_tokens, const Paths& paths) {
    Row row{.attack = std::string(attack.name), .by = by(connections, with_tokens), .load = std::string(attack.load)};
    std::optional<tenon::test::ScriptedServer> authority;
    if (attack.introspects) authority.emplace(answer_introspection);
    const std::uint16_t port = free_port();
    Process victim(victim_command(attack, with_tokens, paths, port, authority ? authority->port() : std::uint16_t{0}),
                   {.soft_descriptors = attack.soft_descriptors, .error_file = paths.logs + "/victim.log"});
    const std::string innocent = authority ? token("innocent#") : with_tokens ? token("innocent") : "";
    if (!wait_until_served(port, innocent)) return row.broken.emplace_back("the victim does not start"), row;
    row.idle_bytes = victim.peak_bytes(), row.handler_bytes = attack.handler_bytes;

    Innocent old(port, innocent, Era::session), modern(port, innocent, Era::stateless);
    const Ticks before = ticks();
    std::this_thread::sleep_for(calm_time);  // the innocent clients are measured meanwhile
    row.busy = was_busy_since(before);
    old.attack_begins(), modern.attack_begins();
    const TimePoint begin = Clock::now();
    Field field(port, with_tokens ? token("attacker") : "", connections, begin + attack_time, "127.0.0.2");
    attack.run(field);
    std::this_thread::sleep_until(begin + least_time);  // the calls that the attack started still run
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
