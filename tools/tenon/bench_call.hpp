// Reads a CALL of `tenon bench`: "3*echo text={nonce} -> {nonce}".
#pragma once

#include <functional>
#include <string>

#include <tenon/bench.hpp>
#include <tenon/protocol/tools.hpp>

namespace tenon::program {

/// `tool` finds a tool by its name. It is called only if the text names a tool. Throws Failure.
bench::Call bench_call(const std::string& text, const std::function<Tool(const std::string&)>& tool);

}  // namespace tenon::program
