#include "io/memory.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <string_view>

namespace tenon::io {
namespace {

constexpr std::size_t unlimited = SIZE_MAX;

// Reads a file with one number. "max" and a missing file mean no limit.
std::size_t read_limit(const std::string& path) {
    std::ifstream file(path);
    std::size_t bytes = 0;
    return file >> bytes ? bytes : unlimited;
}

std::size_t machine_memory(const std::string& proc) {
    std::ifstream file(proc + "/meminfo");
    std::string name;
    for (std::size_t kib = 0; file >> name; file.ignore(1024, '\n'))
        if (name == "MemTotal:" && file >> kib) return kib * 1024;
    return unlimited;
}

// The limit of a group applies to all groups inside it, so the parents are read, too.
std::size_t group_limit(const std::string& root, std::string group, std::string_view file) {
    std::size_t least = unlimited;
    for (;;) {
        while (group.ends_with('/')) group.pop_back();
        least = std::min(least, read_limit(root + group + "/" + std::string(file)));
        if (group.empty()) return least;
        group.erase(std::min(group.rfind('/'), group.size()));
    }
}

// Reads a line of /proc/self/cgroup, NUMBER:CONTROLLERS:GROUP. Version 2 has the number 0 and no controllers.
std::size_t limit_of_line(const std::string& line, const std::string& cgroups) {
    std::istringstream parts(line);
    std::string number, controllers, group;
    std::getline(parts, number, ':');
    std::getline(parts, controllers, ':');
    std::getline(parts, group);
    if (number == "0" && controllers.empty()) return group_limit(cgroups, group, "memory.max");
    if (("," + controllers + ",").find(",memory,") == std::string::npos) return unlimited;
    return group_limit(cgroups + "/memory", group, "memory.limit_in_bytes");
}

std::size_t control_group_limit(const MemoryFiles& files) {
    std::ifstream file(files.proc + "/self/cgroup");
    std::size_t least = unlimited;
    for (std::string line; std::getline(file, line);) least = std::min(least, limit_of_line(line, files.cgroups));
    return least;
}

std::size_t address_space() {
    rlimit limit{};
    if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return unlimited;
    return limit.rlim_cur;
}

}  // namespace

std::size_t usable_memory(const MemoryFiles& files) {
    return std::min({machine_memory(files.proc), control_group_limit(files), address_space()});
}

}  // namespace tenon::io
