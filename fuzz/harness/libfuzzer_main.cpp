// The functions that libFuzzer calls. One program has all targets: the name by which it is started, "fuzz_<target>",
// chooses one.
#include <cstdio>
#include <cstdlib>

#include "support.hpp"

namespace {
const tenon::fuzz::Target* chosen = nullptr;
}

extern "C" int LLVMFuzzerInitialize(int*, char*** arguments) {
    constexpr std::string_view prefix = "fuzz_";
    std::string_view name = (*arguments)[0];
    name.remove_prefix(name.rfind('/') + 1);
    if (name.starts_with(prefix)) chosen = tenon::fuzz::find_target(name.substr(prefix.size()));
    tenon::fuzz::split_everywhere_up_to(16);
    if (chosen != nullptr) return 0;
    std::fprintf(stderr, "There is no fuzz target %.*s. Start this program by a link fuzz_<target>.\n",
                 static_cast<int>(name.size()), name.data());
    std::exit(2);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    tenon::fuzz::run_within_budget(*chosen, {reinterpret_cast<const char*>(data), size});
    return 0;
}
