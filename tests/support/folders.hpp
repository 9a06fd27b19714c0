// The folders that tests read from. Only folders.cpp knows where they are on this machine, so ccache can use the other
// files of a test in every clone of the repository.
#pragma once

#include <string>

namespace test_folders {

/// Returns the folder with the programs of this build.
std::string bin();
/// Returns the folder `tests` of the repository.
std::string tests();
/// Returns the folder with the public test suites. It may be missing.
std::string shared();

}  // namespace test_folders
