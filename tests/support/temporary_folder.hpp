// A new folder that is removed with its contents.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace tenon::test {

class TemporaryFolder {
 public:
    TemporaryFolder() {
        char name[] = "/tmp/tenon-test-XXXXXX";
        if (!::mkdtemp(name)) std::abort();
        path_ = name;
    }
    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    const std::string& path() const { return path_; }

 private:
    std::string path_;
};

}  // namespace tenon::test
