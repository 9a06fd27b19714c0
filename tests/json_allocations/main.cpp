// Decoding a message needs a small multiple of its size. This program replaces operator new to count bytes.
#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <cstdlib>
#include <new>
#include <string>

#include "protocol/part_limits.hpp"
#include "unit/json/collision_keys.hpp"

namespace {

std::size_t held = 0, peak = 0;

void* count(void* p) {
    if (!p) throw std::bad_alloc();
    held += malloc_usable_size(p);
    peak = std::max(peak, held);
    return p;
}

void forget(void* p) {
    held -= malloc_usable_size(p);
    std::free(p);
}

}  // namespace

void* operator new(std::size_t size) { return count(std::malloc(size)); }
void* operator new(std::size_t size, std::align_val_t align) {
    return count(std::aligned_alloc(static_cast<std::size_t>(align), size));
}
void operator delete(void* p) noexcept { forget(p); }
void operator delete(void* p, std::size_t) noexcept { forget(p); }
void operator delete(void* p, std::align_val_t) noexcept { forget(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { forget(p); }

namespace tenon {
namespace {

constexpr std::size_t megabyte = 1024 * 1024, message_bytes = 16 * megabyte;

// Returns a call of about 16 MiB that repeats `element`. A `%` in it is replaced by a number.
std::string call_of(const std::string& open, const std::string& element, const std::string& close,
                    std::size_t most = message_bytes) {
    std::string text = R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{"a":)" + open;
    const std::size_t mark = element.find('%');
    for (std::size_t i = 0; text.size() + element.size() + 30 < message_bytes && i < most; ++i) {
        text += element.substr(0, mark);
        if (mark != std::string::npos) text += std::to_string(i) + element.substr(mark + 1);
        text += ',';
    }
    text.back() = ' ';
    return text + close + "}}}";
}

// Returns the bytes that decoding holds at its peak, per byte of the message. The message itself is not counted.
double cost(const std::string& text, bool arena) {
    const std::size_t before = held;
    peak = held;
    const auto limits = protocol::decode_limits(Limits{});
    const auto in = arena ? jsonrpc::decode_in_arena(text, limits) : jsonrpc::decode(text, limits);
    return static_cast<double>(peak - before) / static_cast<double>(text.size());
}

void expect_cheap(const char* what, const std::string& text, double most) {
    for (const bool arena : {true, false}) {
        const double bytes = cost(text, arena);
        EXPECT_LE(bytes, most) << what << (arena ? ", in an arena" : ", on the heap");
        std::printf("%-40s %-6s %.2f bytes for each byte\n", what, arena ? "arena" : "heap", bytes);
    }
}

TEST(JsonAllocations, the_allocation_counter_works) {
    const std::size_t before = held;
    const std::string text(1000, 'x');
    EXPECT_GE(held, before + 1000);
}

TEST(JsonAllocations, messages_over_max_nodes_are_refused_with_little_memory) {
    expect_cheap("numbers", call_of("[", "0", "]"), 2);
    expect_cheap("empty arrays", call_of("[", "[]", "]"), 2);
    expect_cheap("nested arrays", call_of("[", "[[[0]]]", "]"), 2);
    expect_cheap("empty objects", call_of("[", "{}", "]"), 2);
    expect_cheap("small objects", call_of("[", R"({"a":0})", "]"), 2);
}

TEST(JsonAllocations, messages_within_the_limits_need_a_small_multiple_of_their_size) {
    expect_cheap("a long string", call_of("", "\"" + std::string(message_bytes - 200, 'x') + "\"", "", 1), 1.1);
    expect_cheap("a long string with an escape",
                 call_of("", "\"\\n" + std::string(message_bytes - 200, 'x') + "\"", "", 1), 2.1);
    expect_cheap("long numbers", call_of("[", "12345678901234567", "]"), 4);
    expect_cheap("strings of 15 bytes", call_of("[", "\"0123456789abcde\"", "]"), 5);
    expect_cheap("strings of 30 bytes", call_of("[", "\"0123456789abcdef0123456789abcd\"", "]"), 5);
    expect_cheap("strings with escapes", call_of("[", "\"\\n123456789abcdefgh\"", "]"), 6);
    expect_cheap("objects of one member",
                 call_of("[", R"({"key":"0123456789abcdef0123456789abcdef0123456789abcdef"})", "]"), 6);
}

TEST(JsonAllocations, client_info_over_its_limit_is_refused_before_it_is_built) {
    std::string text = call_of("[", "0", "]", 900'000);
    text.replace(text.find("\"arguments\""), 11, "\"capabilities\"");
    const auto in = jsonrpc::decode(text, protocol::decode_limits(Limits{}));
    EXPECT_NE(std::get<jsonrpc::Invalid>(in.messages.at(0)).error.message.find("max_client_info_bytes"),
              std::string::npos);
    expect_cheap("a large tree in `capabilities`", text, 14);  // only nodes: 16 bytes for `0,`, and room to grow
}

TEST(JsonAllocations, colliding_keys_need_no_extra_memory) {
    std::string text = R"({"jsonrpc":"2.0","id":1,"method":"m","params":{"a":[)";
    const std::string crafted = json::testing::colliding_object();
    while (text.size() + crafted.size() + 10 < message_bytes) text += crafted + ",";
    text.back() = ']';
    expect_cheap("colliding keys", text + "}}", 2);
}

}  // namespace
}  // namespace tenon
