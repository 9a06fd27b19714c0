// RapidCheck with our own lines, a chosen number of cases, and the seed printed at the start.
#pragma once

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/detail/TestListenerAdapter.h>

#include <algorithm>
#include <iostream>
#include <sstream>

#include "property/generators.hpp"

namespace tenon::test {

/// Generates lines. A line shrinks to lines with pieces missing. The oracle (model.hpp) can judge any bytes, so each of
/// these is a valid test.
inline rc::Gen<std::string> lines_of(Vocabulary words) {
    return [words](const rc::Random& random, int) {
        Dice dice(rc::Random(random).next());
        return rc::shrinkable::shrinkRecur(any_line(dice, words),
                                           [](const std::string& line) { return rc::shrink::removeChunks(line); });
    };
}

/// At least 1000 cases, and more when they are cheap.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr int usual_cases = 1000;
#else
inline constexpr int usual_cases = 3000;
#endif

/// Checks a property. RC_PARAMS overrides the seed, raises the number of cases (max_success), or repeats a failure with
/// its printed string.
template <class Property>
void check_property(const std::string& name, int cases, Property property) {
    const rc::detail::Configuration& config = rc::detail::configuration();
    rc::detail::TestMetadata metadata;
    metadata.id = metadata.description = name;
    rc::detail::TestParams params = config.testParams;
    params.maxSuccess = std::max(params.maxSuccess, cases);
    rc::detail::TestListenerAdapter listener;
    std::cerr << name << ": " << params.maxSuccess << " cases, seed " << params.seed << std::endl;
    const auto result = rc::detail::checkTestable(std::move(property), metadata, params, listener, config.reproduce);
    std::ostringstream text;
    rc::detail::printResultMessage(result, text);
    if (!result.template is<rc::detail::SuccessResult>())
        ADD_FAILURE() << name << ", seed " << params.seed << ": " << text.str();
}

}  // namespace tenon::test
