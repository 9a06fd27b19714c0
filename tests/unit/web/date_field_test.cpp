#include "web/date_field.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <ctime>

namespace tenon::web {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::system_clock;

system_clock::time_point at(long long second) { return system_clock::time_point(seconds(second)); }

// RFC 9110, section 5.6.7
TEST(DateField, writes_the_example_of_rfc_9110) {
    DateField field;
    EXPECT_EQ(field.at(at(784111777)), "Sun, 06 Nov 1994 08:49:37 GMT");
    EXPECT_EQ(field.at(at(0)), "Thu, 01 Jan 1970 00:00:00 GMT");
    EXPECT_EQ(field.at(at(1709164800)), "Thu, 29 Feb 2024 00:00:00 GMT");
}

TEST(DateField, changes_exactly_with_the_second) {
    DateField field;
    EXPECT_EQ(field.at(at(784111777) + milliseconds(999)), "Sun, 06 Nov 1994 08:49:37 GMT");
    EXPECT_EQ(field.at(at(784111777) + milliseconds(1000)), "Sun, 06 Nov 1994 08:49:38 GMT");
    EXPECT_EQ(field.at(at(784111777)), "Sun, 06 Nov 1994 08:49:37 GMT")
        << "the date must also go back when the clock is set back";
}

TEST(DateField, agrees_with_strftime) {
    EXPECT_TRUE(rc::check("any second from 1900 to 2199", [] {
        const std::time_t second = *rc::gen::inRange<std::time_t>(-2208988800, 7258118399);
        std::tm parts{};
        ::gmtime_r(&second, &parts);
        char text[64];
        std::strftime(text, sizeof text, "%a, %d %b %Y %H:%M:%S GMT", &parts);
        DateField field;
        RC_ASSERT(field.at(at(second)) == std::string_view(text));
    }));
}

}  // namespace
}  // namespace tenon::web
