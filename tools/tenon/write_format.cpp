#include "write_format.hpp"

#include <array>
#include <ctime>

#include "files.hpp"
#include "status.hpp"

namespace tenon::program {

void write_format(const std::string& path, const SafeText& text, Console& console) {
    if (path.empty()) return;
    if (path == "-") return console.print([&](Out& out) { out << text; });
    if (auto made = make_file(path, text.view(), Existing::overwrite); !made)
        throw usage_failure("cannot write " + path + ": " + made.error().message);
}

std::string date_now() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    ::gmtime_r(&now, &parts);
    std::array<char, 32> text{};
    std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M UTC", &parts);
    return text.data();
}

}  // namespace tenon::program
