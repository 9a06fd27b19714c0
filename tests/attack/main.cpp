// Our own hostile clients and servers. They attack only processes that this program starts on this machine.
//   attack [NAME...] [--list] [--save FILE] [--before FILE]
#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "attack/run.hpp"

namespace attack {
namespace {

struct Arguments {
    std::vector<std::string> names = {};
    std::string save = {}, before = {}, hostile_server = {};
    bool list = false;

    bool wants(std::string_view name) const { return names.empty() || std::ranges::find(names, name) != names.end(); }
};

Arguments read_arguments(int argc, char** argv) {
    Arguments out;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        std::string* const option = word == "--save"             ? &out.save
                                    : word == "--before"         ? &out.before
                                    : word == "--hostile-server" ? &out.hostile_server
                                                                 : nullptr;
        if (option && i + 1 < argc) {
            *option = argv[++i];
        } else if (word == "--list") {
            out.list = true;
        } else {
            out.names.push_back(word);
        }
    }
    return out;
}

std::vector<Row> read_rows(const std::string& file) {
    std::vector<Row> out;
    if (file.empty()) return out;
    std::ifstream in(file);
    std::ostringstream text;
    text << in.rdbuf();
    const auto rows = tenon::json::parse(text.str());
    if (!rows || !rows->is_array()) throw std::runtime_error("cannot read the rows of " + file);
    for (const auto& row : rows->as_array()) out.push_back(row_from_json(row.as_object()));
    return out;
}

void write_rows(const std::string& file, const std::vector<Row>& rows) {
    std::ofstream out(file);
    for (const Row& row : rows) out << (&row == rows.data() ? "[\n" : ",\n") << tenon::json::write(to_json(row));
    out << "\n]\n";
    if (!out.flush()) throw std::runtime_error("cannot write " + file);
}

/// Runs the chosen attacks one after the other, and prints the result of each at once.
class Run {
 public:
    Run(const Arguments& arguments, Paths paths) : arguments_(arguments), paths_(std::move(paths)) {}

    std::vector<Row> all() {
        for (const ClientAttack& attack : client_attacks()) {
            if (attack.anonymous > 0) one(attack.name, [&] { return run(attack, attack.anonymous, false, paths_); });
            if (attack.principal > 0) one(attack.name, [&] { return run(attack, attack.principal, true, paths_); });
        }
        for (const PipeAttack& attack : pipe_attacks()) one(attack.name, [&] { return run(attack, paths_); });
        for (const ServerAttack& attack : server_attacks()) one(attack.name, [&] { return run(attack, paths_); });
        return std::move(rows_);
    }

 private:
    template <class F>
    void one(std::string_view name, F attack) {
        if (!arguments_.wants(name)) return;
        if (arguments_.list) return void(std::printf("%.*s\n", static_cast<int>(name.size()), name.data()));
        rows_.push_back(attack());
        const Row& row = rows_.back();
        if (!arguments_.save.empty())
            write_rows(arguments_.save, rows_);  // now, so that an interrupted run leaves something
        std::fprintf(stderr, "attack: %s: %s\n", row.key().c_str(), row.is_ok() ? "ok" : "FAILED");
    }

    const Arguments& arguments_;
    const Paths paths_;
    std::vector<Row> rows_;
};

// Many connections need many descriptors.
void raise_descriptors() {
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
    limit.rlim_cur = limit.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &limit);
}

int serve_hostile_named(std::string_view name) {
    for (const ServerAttack& attack : server_attacks())
        if (attack.name == name && attack.hear) return serve_hostile(attack);
    return 2;
}

int main_of(int argc, char** argv) {
    std::signal(SIGPIPE, SIG_IGN);
    const Arguments arguments = read_arguments(argc, argv);
    if (!arguments.hostile_server.empty()) return serve_hostile_named(arguments.hostile_server);
    raise_descriptors();
    const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
    const std::string programs = std::filesystem::path(self).parent_path().string();
    const std::string logs = (std::filesystem::path(programs).parent_path() / "attack").string();
    std::filesystem::create_directories(logs);

    const std::vector<Row> before = read_rows(arguments.before);
    const std::vector<Row> rows = Run(arguments, {programs, logs, self}).all();
    if (arguments.list) return 0;
    if (rows.empty()) return std::fprintf(stderr, "attack: no attack has that name; --list shows them\n"), 2;
    std::printf("%s", markdown(rows, before).c_str());
    const auto failed = std::ranges::count_if(rows, [](const Row& row) { return !row.is_ok(); });
    std::printf("\n%zu attacks, %td succeeded\n", rows.size(), failed);
    return failed > 0 ? 1 : 0;
}

}  // namespace
}  // namespace attack

int main(int argc, char** argv) {
    try {
        return attack::main_of(argc, argv);
    } catch (const std::exception& e) {
        std::fprintf(stderr, "attack: %s\n", e.what());
        return 2;
    }
}
