// Runs the program `tenon` against servers, and keeps its output.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <tenon/json.hpp>

#include "support/folders.hpp"
#include "support/run_program.hpp"

namespace tenon::test::program_run {

inline const std::string program = test_folders::bin() + "/tenon";
inline const std::string tasks = test_folders::bin() + "/tasks";
inline const std::string everything = test_folders::bin() + "/everything";
inline const std::string odd = test_folders::bin() + "/program_child";

using Words = std::vector<std::string>;

inline Ran with(const std::string& server, Words words, Words server_arguments = {}) {
    words.insert(words.end(), {"--", server});
    words.insert(words.end(), server_arguments.begin(), server_arguments.end());
    return run_program(std::move(words));
}
inline Ran with_everything(Words words) { return with(everything, std::move(words)); }
inline Ran with_odd(const std::string& kind, Words words) { return with(odd, std::move(words), {kind}); }

inline bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

inline bool has_escapes(const std::string& text) {
    return text.find_first_of("\x1b\a\x7f") != std::string::npos || has(text, "\xc2\x9b") || has(text, "\u202e") ||
           has(text, "\u200b");
}

class Folder {
 public:
    Folder() {
        std::string name = (std::filesystem::temp_directory_path() / "tenon-XXXXXX").string();
        path = ::mkdtemp(name.data());
    }
    ~Folder() { std::filesystem::remove_all(path); }
    std::string operator/(std::string_view name) const { return (path / name).string(); }
    std::filesystem::path path;
};

inline std::string text_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace tenon::test::program_run
