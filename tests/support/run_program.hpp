// Runs the program `tenon` to its end.
#pragma once

#include <string>
#include <vector>

#include <tenon/json.hpp>

#include "support/child.hpp"
#include "support/folders.hpp"

namespace tenon::test {

struct Ran {
    int status = -1;
    std::string out, err;
    json::value document() const { return json::parse(out).value(); }
    json::value error() const { return json::parse(err).value().at("error"); }
};

inline Ran run_program(std::vector<std::string> words, const std::string& input = "") {
    words.insert(words.begin(), test_folders::bin() + "/tenon");
    Child child(std::move(words));
    child.send(input);
    Ran ran;
    ran.status = child.finish().value_or(-1000);
    for (const std::string& line : child.lines()) ran.out += line + "\n";
    ran.out += child.partial();
    ran.err = child.errors();
    return ran;
}

}  // namespace tenon::test
