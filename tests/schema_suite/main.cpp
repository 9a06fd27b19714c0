// schema_suite FOLDER DIALECT: runs the official JSON Schema test suite, and prints how many tests passed.
//
// FOLDER contains tests/<dialect>/*.json and remotes/. Exit status 0: only known exceptions failed. 77: the suite is
// not there.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/schema.hpp>

namespace {

namespace fs = std::filesystem;
using namespace tenon;

constexpr int skipped = 77;

std::string read_file(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

json::value read_json(const fs::path& path) { return json::parse(read_file(path)).value(); }

std::vector<fs::path> json_files(const fs::path& folder) {
    std::vector<fs::path> out;
    if (fs::is_directory(folder))
        for (const auto& entry : fs::directory_iterator(folder))
            if (entry.path().extension() == ".json") out.push_back(entry.path());
    std::sort(out.begin(), out.end());
    return out;
}

struct Exception {
    std::string dialect, file, test_case, test;
};

std::vector<std::string> split(const std::string& line) {
    std::vector<std::string> out(1);
    for (const char c : line) {
        if (c == '|')
            out.emplace_back();
        else
            out.back() += c;
    }
    for (auto& field : out) {
        field.erase(0, field.find_first_not_of(' '));
        field.erase(field.find_last_not_of(' ') + 1);
    }
    return out;
}

std::vector<Exception> read_exceptions(const fs::path& path) {
    std::vector<Exception> out;
    std::ifstream in(path);
    for (std::string line; std::getline(in, line);) {
        if (line.empty() || line[0] == '#') continue;
        const auto fields = split(line);
        if (fields.size() == 5) out.push_back({fields[0], fields[1], fields[2], fields[3]});
    }
    return out;
}

class Suite {
 public:
    Suite(fs::path folder, std::string dialect)
        : folder_(std::move(folder)), dialect_(std::move(dialect)), exceptions_(read_exceptions(EXCEPTIONS_FILE)) {}

    void run(const fs::path& below, std::string_view title, bool assert_formats) {
        passed_ = failed_ = excepted_ = 0;
        for (const auto& file : json_files(folder_ / "tests" / dialect_ / below)) run_file(file, assert_formats);
        std::cout << dialect_ << " " << title << ": " << passed_ << " passed, " << failed_ << " failed";
        if (excepted_ > 0) std::cout << " (and " << excepted_ << " known exceptions)";
        std::cout << "\n";
        total_failed_ += failed_;
    }

    std::size_t failed() const { return total_failed_; }

 private:
    void run_file(const fs::path& file, bool assert_formats) {
        const json::value cases = read_json(file);
        for (const auto& test_case : cases.as_array())
            run_case(file.filename().string(), test_case.as_object(), assert_formats);
    }

    void run_case(const std::string& file, const json::object& test_case, bool assert_formats) {
        const std::string name(test_case.at("description").as_string());
        const auto compiled = schema::Schema::compile(test_case.at("schema"), options(assert_formats));
        for (const auto& test : test_case.at("tests").as_array()) {
            const std::string what(test.at("description").as_string());
            const bool wanted = test.at("valid").as_bool();
            std::string got = "refused: " + (compiled ? "" : compiled.error().message);
            if (compiled) {
                const bool valid = compiled->accepts(test.at("data"));
                const auto violations = compiled->check(test.at("data"));
                got = valid ? "valid" : "invalid";
                if (valid != violations.empty() || has_budget(violations)) got = "accepts() and check() differ";
            }
            count(got == (wanted ? "valid" : "invalid"), file, name, what, got);
        }
    }

    static bool has_budget(const std::vector<schema::Violation>& violations) {
        return !violations.empty() && violations[0].keyword == "$budget";
    }

    void count(bool good, const std::string& file, const std::string& test_case, const std::string& test,
               const std::string& got) {
        if (good) {
            ++passed_;
        } else if (is_excepted(file, test_case, test)) {
            ++excepted_;
        } else {
            ++failed_;
            std::cout << "  FAILED " << file << " | " << test_case << " | " << test << " -- " << got << "\n";
        }
    }

    bool is_excepted(const std::string& file, const std::string& test_case, const std::string& test) const {
        const auto fits = [](const std::string& pattern, const std::string& s) {
            return pattern == "*" || pattern == s;
        };
        return std::any_of(exceptions_.begin(), exceptions_.end(), [&](const Exception& e) {
            return fits(e.dialect, dialect_) && fits(e.file, file) && fits(e.test_case, test_case) &&
                   fits(e.test, test);
        });
    }

    schema::Options options(bool assert_formats) const {
        schema::Options out;
        out.default_dialect = dialect_ == "draft7"         ? schema::Dialect::draft7
                              : dialect_ == "draft2019-09" ? schema::Dialect::draft2019_09
                                                           : schema::Dialect::draft2020_12;
        out.assert_formats = assert_formats;
        out.resolver = [this](std::string_view uri) -> std::optional<json::value> {
            constexpr std::string_view remotes = "http://localhost:1234/";
            if (!uri.starts_with(remotes)) return std::nullopt;
            const fs::path file = folder_ / "remotes" / uri.substr(remotes.size());
            if (!fs::is_regular_file(file)) return std::nullopt;
            return read_json(file);
        };
        return out;
    }

    fs::path folder_;
    std::string dialect_;
    std::vector<Exception> exceptions_;
    std::size_t passed_ = 0, failed_ = 0, excepted_ = 0, total_failed_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        std::cerr << "usage: schema_suite FOLDER draft2020-12|draft2019-09|draft7\n";
        return 2;
    }
    const fs::path folder = argv[1];
    if (!fs::is_directory(folder / "tests" / argv[2])) {
        std::cout << "skipped: no suite for " << argv[2] << " in " << folder << "\n";
        return skipped;
    }
    Suite suite(folder, argv[2]);
    suite.run("", "required", false);
    suite.run("optional", "optional", false);
    suite.run("optional/format", "format", true);
    return suite.failed() == 0 ? 0 : 1;
}
