// Runs a RapidCheck property with a number of cases of our choice, and says with which seed.
#pragma once

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/detail/TestListenerAdapter.h>

#include <algorithm>
#include <iostream>
#include <sstream>

namespace tenon::test {

/// RC_PARAMS overrides the seed, raises the number of cases (max_success), and repeats a failure with the string that was printed for it.
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
