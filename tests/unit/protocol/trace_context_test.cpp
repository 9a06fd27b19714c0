#include <tenon/trace_context.hpp>

#include <gtest/gtest.h>

namespace tenon {
namespace {

const std::string trace_parent = "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01";

// Returns whether `_meta` with this member is read as it is. `tracestate` needs a traceparent.
bool reads(const std::string& key, const std::string& value) {
    json::object meta{{key, value}};
    if (key == "tracestate") meta["traceparent"] = trace_parent;
    const TraceContext read = TraceContext::read(meta);
    const std::string& member = key == "traceparent"  ? read.traceparent
                                : key == "tracestate" ? read.tracestate
                                                      : read.baggage;
    EXPECT_TRUE(member.empty() || member == value);
    return !member.empty();
}

std::string repeated(std::string_view text, std::size_t times) {
    std::string out;
    for (std::size_t i = 0; i < times; ++i) out += text;
    return out;
}

TEST(TraceContext, reads_the_parts_of_a_traceparent) {
    const TraceContext trace = TraceContext::read({{"traceparent", trace_parent}});
    EXPECT_EQ(trace.trace_id(), "0af7651916cd43dd8448eb211c80319c");
    EXPECT_EQ(trace.span_id(), "00f067aa0ba902b7");
    EXPECT_TRUE(trace.sampled());
    for (const auto& [digit, sampled] : {std::pair{'0', false}, {'2', false}, {'3', true}, {'a', false}, {'f', true}}) {
        TraceContext other = trace;
        other.traceparent.back() = digit;
        EXPECT_EQ(other.sampled(), sampled) << digit;
    }
    EXPECT_TRUE(TraceContext{}.empty() && TraceContext{}.trace_id().empty() && TraceContext{}.span_id().empty());
    EXPECT_FALSE(TraceContext{}.sampled());
}

TEST(TraceContext, ignores_a_malformed_traceparent) {
    EXPECT_TRUE(reads("traceparent", trace_parent));
    EXPECT_TRUE(reads("traceparent", "cc" + trace_parent.substr(2))) << "a later version";
    EXPECT_TRUE(reads("traceparent", "cc" + trace_parent.substr(2) + "-what-the-future-brings"));
    for (const std::string& bad :
         {std::string(), std::string("00"), trace_parent.substr(0, 54), trace_parent + "0", trace_parent + "-00",
          "cc" + trace_parent.substr(2) + ".later", "cc" + trace_parent.substr(2) + "-\n",
          "cc" + trace_parent.substr(2) + "-" + std::string(TraceContext::max_traceparent_bytes, 'x'),
          "ff" + trace_parent.substr(2), "0x" + trace_parent.substr(2),
          std::string("00-0AF7651916CD43DD8448EB211C80319C-00f067aa0ba902b7-01"),
          "00-" + std::string(32, '0') + "-00f067aa0ba902b7-01",
          std::string("00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01"),
          std::string("00_0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01"),
          std::string("00-0af7651916cd43dd8448eb211c80319c_00f067aa0ba902b7-01"),
          std::string("00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7_01"),
          std::string("00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-0x"), " " + trace_parent})
        EXPECT_FALSE(reads("traceparent", bad)) << bad;
    EXPECT_TRUE(TraceContext::read({{"traceparent", 7}, {"tracestate", nullptr}, {"baggage", json::array()}}).empty());
}

TEST(TraceContext, ignores_a_malformed_tracestate_and_one_without_a_traceparent) {
    for (const std::string& good :
         {std::string("rojo=00f067aa0ba902b7"), std::string("rojo=1,congo=t61rcWkgMzE"), std::string("a=1 , b=2"),
          std::string("fw529a3039@dt=FfAz"), std::string("0a=1"), std::string("a=1,,b=2"),
          std::string(256, 'k') + "=" + std::string(256, 'v'), std::string("a_-*/9= inner space ok")})
        EXPECT_TRUE(reads("tracestate", good)) << good;
    std::string members;
    for (std::size_t i = 0; i < TraceContext::max_tracestate_members; ++i) members += "k" + std::to_string(i) + "=v,";
    EXPECT_TRUE(reads("tracestate", members));
    for (const std::string& bad :
         {members + "more=1", std::string("a"), std::string("=1"), std::string("a="), std::string("A=1"),
          std::string("a=1,a=2"), std::string("a=b=c"), std::string("a@B=1"), std::string("a@=1"), std::string("@a=1"),
          std::string("a@1=1"), std::string("a=\t1\n"), std::string("a=\xc3\xa9"), std::string(","),
          std::string(257, 'k') + "=v", "k=" + std::string(257, 'v'),
          "a=1" + std::string(TraceContext::max_tracestate_bytes, ',')})
        EXPECT_FALSE(reads("tracestate", bad)) << bad;
    EXPECT_TRUE(TraceContext::read({{"tracestate", "rojo=1"}}).empty());
    EXPECT_TRUE(TraceContext::read({{"tracestate", "rojo=1"}, {"traceparent", "bad"}}).empty());
}

TEST(TraceContext, ignores_malformed_baggage) {
    for (const std::string& good : {std::string("userId=alice"), std::string("a=1,b=2;public;ttl=30 , c = 3"),
                                    std::string("a="), "a=" + std::string(TraceContext::max_baggage_bytes - 2, 'v'),
                                    repeated("a=1,", TraceContext::max_baggage_members - 1) + "a=1"})
        EXPECT_TRUE(reads("baggage", good)) << good;
    for (const std::string& bad :
         {std::string("a"), std::string("=1"), std::string("a b=1"), std::string("a=\"1\""), std::string("a=1,"),
          std::string("a=1;"), std::string("a=x y"), std::string("a=\\"), std::string("a=1\r\nb=2"),
          std::string("a=\xc3\xa9"), "a=" + std::string(TraceContext::max_baggage_bytes - 1, 'v'),
          repeated("a=1,", TraceContext::max_baggage_members) + "a=1"})
        EXPECT_FALSE(reads("baggage", bad)) << bad;
}

TEST(TraceContext, writes_only_valid_parts) {
    json::object meta{{"mine", 1}, {"baggage", "old=1"}};
    TraceContext{trace_parent, "bad", "new=2"}.write(meta);
    EXPECT_EQ(meta, (json::object{{"mine", 1}, {"baggage", "new=2"}, {"traceparent", trace_parent}}));
    json::object nothing;
    TraceContext{"bad", "rojo=1", "also bad"}.write(nothing);
    EXPECT_TRUE(nothing.empty());
}

TEST(TraceContext, a_new_span_stays_in_its_trace) {
    const TraceContext trace{trace_parent, "rojo=1", "a=1"};
    const TraceContext below = trace.with_span("0123456789abcdef");
    EXPECT_EQ(below.traceparent, "00-0af7651916cd43dd8448eb211c80319c-0123456789abcdef-01");
    EXPECT_EQ(below.tracestate, trace.tracestate);
    for (const char* bad : {"", "0000000000000000", "0123456789ABCDEF", "0123456789abcdef0"})
        EXPECT_EQ(trace.with_span(bad), trace) << bad;
    EXPECT_EQ((TraceContext{"bad"}).with_span("0123456789abcdef").traceparent, "bad");
}

}  // namespace
}  // namespace tenon
