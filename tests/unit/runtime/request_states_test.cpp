// Request states: in the table of the process, or sealed at the client.
#include "runtime/request_states.hpp"

#include <gtest/gtest.h>

namespace tenon {
namespace {

using std::chrono::seconds;

// A seal that shows its arguments.
class OpenSeal final : public StateSeal {
 public:
    Result<std::string> close(std::string_view state, std::string_view binding, WallTime expires) const override {
        return std::string(state) + "|" + std::string(binding) + "|" +
               std::to_string(std::chrono::duration_cast<seconds>(expires.time_since_epoch()).count());
    }
    Result<std::string> open(std::string_view sealed, std::string_view binding, WallTime) const override {
        return "opened " + std::string(sealed) + " for " + std::string(binding);
    }
};

struct RequestStatesTest : testing::Test {
    WallTime now{seconds(1000)};
    const Limits limits{.request_state_time = seconds(60)};
    std::function<WallTime()> clock = [this] { return now; };
};

TEST_F(RequestStatesTest, without_a_seal_a_state_is_kept_for_its_binding_until_it_expires) {
    RequestStates states(limits, nullptr, clock);
    const std::string handle = states.close("secret", "binding", nullptr).value();
    EXPECT_EQ(handle.find("secret"), std::string::npos);
    EXPECT_NE(handle, states.close("secret", "binding", nullptr).value());
    EXPECT_EQ(states.open(handle, "binding").value(), "secret");
    EXPECT_FALSE(states.open(handle, "other"));
    now += seconds(61);
    EXPECT_FALSE(states.open(handle, "binding"));
}

TEST_F(RequestStatesTest, a_seal_gets_the_state_the_binding_and_the_expiry) {
    RequestStates states(limits, std::make_shared<OpenSeal>(), clock);
    EXPECT_EQ(states.close("state", "binding", nullptr).value(), "state|binding|1060");
    EXPECT_EQ(states.open("text", "binding").value(), "opened text for binding");
}

TEST_F(RequestStatesTest, a_default_seal_leaves_earlier_states_valid_and_does_not_replace_a_seal) {
    RequestStates states(limits, nullptr, clock);
    const std::string handle = states.close("early", "binding", nullptr).value();
    states.default_seal([] { return std::make_shared<OpenSeal>(); });
    EXPECT_EQ(states.open(handle, "binding").value(), "early");
    EXPECT_EQ(states.close("late", "binding", nullptr).value(), "late|binding|1060");
    states.default_seal([]() -> std::shared_ptr<const StateSeal> {
        ADD_FAILURE() << "there is a seal already";
        return nullptr;
    });
}

}  // namespace
}  // namespace tenon
