#include <sstream>

#include "attack/process.hpp"
#include "attack/run.hpp"

namespace attack {
namespace {

constexpr int timeout_seconds = 2;  // the option -t of tenon
constexpr int allowed_seconds = 8;  // for a command with more than one request, on a busy machine
constexpr double allowed_cpu = 6;

std::vector<std::string> command_line(const ServerAttack& attack, const Paths& paths, const std::string& url) {
    std::istringstream words{std::string(attack.command)};
    std::vector<std::string> out = {paths.programs + "/tenon"};
    for (std::string word; words >> word;) {
        out.push_back(word);
        if (out.size() == 2 && !url.empty()) out.push_back(url);
    }
    out.insert(out.end(), {"-t", std::to_string(timeout_seconds)});
    if (url.empty()) out.insert(out.end(), {"--", paths.self, "--hostile-server", std::string(attack.name)});
    return out;
}

// Ends a client that has a good reason to keep running.
bool ends(Process& client, bool by_itself) {
    if (by_itself) return client.wait_for_end(Clock::now() + seconds(allowed_seconds));
    client.wait_for_end(Clock::now() + seconds(timeout_seconds + 1));
    return client.stop(Clock::now() + seconds(3));
}

}  // namespace

Row run(const ServerAttack& attack, const Paths& paths) {
    Row row{.attack = std::string(attack.name), .load = std::string(attack.load), .sent = 1};
    row.by = std::string(attack.connected ? "HTTP" : "stdio") + " server, tenon " +
             std::string(attack.command.substr(0, attack.command.find(' ')));
    std::optional<tenon::test::ScriptedServer> server;
    if (attack.connected) server.emplace(attack.connected);
    Process client(command_line(attack, paths, server ? server->url() : ""),
                   {.error_file = paths.logs + "/client.log"});
    const bool ended = ends(client, attack.ends_by_itself);
    row.peak_bytes = client.peak_bytes(), row.cpu_seconds = client.cpu_seconds();
    judge(row);
    if (ended && client.status() < 0 && attack.ends_by_itself)
        row.broken.push_back("ended by the signal " + std::to_string(-client.status()));
    if (row.cpu_seconds > allowed_cpu) row.broken.emplace_back("too much CPU");
    if (ended) return row;
    row.broken.push_back("does not end in " + std::to_string(allowed_seconds) + " s with -t 2");
    if (!client.stop(Clock::now() + seconds(3))) row.broken.emplace_back("SIGTERM does not end it");
    return row;
}

}  // namespace attack
