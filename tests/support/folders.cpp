#include "support/folders.hpp"

namespace test_folders {

std::string bin() { return TENON_BIN_DIR; }
std::string tests() { return TENON_TESTS_DIR; }
std::string shared() { return TENON_SHARED_DIR; }

}  // namespace test_folders
