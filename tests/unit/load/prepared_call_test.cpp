#include "load/prepared_call.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "jsonrpc/codec.hpp"

namespace tenon::load {
namespace {

const protocol::Rules legacy(protocol::legacy_revisions().front()), modern(protocol::modern_revision());

bench::Call echo(const std::string& text, const std::string& expect) {
    return {.method = "tools/call",
            .params = {{"name", "echo"}, {"arguments", json::object{{"text", text}}}},
            .expect = expect};
}

std::string answer(std::uint64_t id, const std::string& text, const std::string& more = "") {
    return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"result":{"content":[{"type":"text","text":")" +
           text + R"("}])" + more + "}}";
}

std::string complaint(PreparedCall& call, const std::string& message, std::uint64_t number) {
    return call.complaint(message, read_envelope(message), number).value_or("none");
}

TEST(Nonce, is_replaced_by_the_number_and_padded_to_its_size) {
    EXPECT_EQ(with_nonce("a {nonce} b", 1234567890), "a 1234567890 b");
    EXPECT_EQ(with_nonce("{nonce:14}|{nonce:3}", 1234567890), "1234567890all |1234567890");
    EXPECT_EQ(with_nonce("{nonce:1000}", 1234567890).size(), 1000u);
    EXPECT_EQ(with_nonce("{nonces} {nonce:x} {nonce:-1} {nonce:99999999999} {", 1234567890),
              "{nonces} {nonce:x} {nonce:-1} {nonce:99999999999} {");
}

TEST(Stencil, equals_the_rendered_text_for_every_number) {
    EXPECT_TRUE(rc::check([] {
        const auto before = *rc::gen::arbitrary<std::string>(), between = *rc::gen::arbitrary<std::string>();
        const auto render = [&](std::uint64_t n) { return before + std::to_string(n) + between + std::to_string(n); };
        auto stencil = Stencil::of(render);
        RC_ASSERT(stencil.has_value());
        const auto number = *rc::gen::inRange(first_number, last_number + 1);
        RC_ASSERT(stencil->with(number) == render(number));
    }));
}

TEST(Stencil, refuses_text_that_differs_in_more_than_the_number) {
    EXPECT_FALSE(Stencil::of([](std::uint64_t n) { return std::string(n % 7, 'x'); }));
    EXPECT_FALSE(Stencil::of([](std::uint64_t n) { return std::to_string(n * 3).substr(0, 10); }));
    EXPECT_FALSE(Stencil::of([](std::uint64_t n) { return n == 9'876'543'210 ? "other" : "same"; }));
    EXPECT_TRUE(Stencil::of([](std::uint64_t) { return "the same"; }));
}

TEST(PreparedCall, is_a_valid_request) {
    for (const protocol::Rules& rules : {legacy, modern}) {
        bench::Call call = echo("hi {nonce:20}", "");
        call.progress = true;
        auto prepared = PreparedCall::of(call, rules).value();
        const auto incoming = jsonrpc::decode(prepared.body(4'000'000'007));
        ASSERT_EQ(incoming.messages.size(), 1u);
        const auto& request = std::get<jsonrpc::Request>(incoming.messages.front());
        EXPECT_EQ(request.id, jsonrpc::Id(std::int64_t{4'000'000'007}));
        EXPECT_EQ(request.method, "tools/call");
        EXPECT_EQ(request.params.at("arguments").at("text"), json::value("hi 4000000007all work a"));
        EXPECT_EQ(request.params.at("_meta").at("progressToken"), json::value(4'000'000'007));
        EXPECT_EQ(request.params.at("_meta").as_object().contains("io.modelcontextprotocol/protocolVersion"),
                  prepared.about().stateless);
        EXPECT_EQ(prepared.about().name, "echo");
    }
}

TEST(PreparedCall, reports_each_kind_of_wrong_answer) {
    auto call = PreparedCall::of(echo("{nonce:32}", "{nonce:32}"), legacy).value();
    const std::uint64_t id = 5'000'000'000;
    const std::string right = with_nonce("{nonce:32}", id), old = with_nonce("{nonce:32}", id - 1);
    EXPECT_EQ(complaint(call, answer(id, right), id), "none");
    EXPECT_EQ(complaint(call, answer(id, right, R"(,"isError":false)"), id), "none");
    EXPECT_EQ(complaint(call, answer(id, right + " isError\\\":true"), id), "none");
    EXPECT_TRUE(complaint(call, answer(id, right, R"(,"isError" : true)"), id).starts_with("the tool failed"));
    EXPECT_TRUE(complaint(call, answer(id - 1, right), id).starts_with("an answer to another request"));
    EXPECT_TRUE(complaint(call, answer(id, old), id).starts_with("an unexpected result"));
    EXPECT_TRUE(complaint(call, answer(id, right.substr(0, 31)), id).starts_with("an unexpected result"));
    EXPECT_TRUE(complaint(call, R"({"jsonrpc":"2.0","id":5000000000,"error":{"code":1}})", id).starts_with("an error"));
    EXPECT_TRUE(complaint(call, "<html>", id).starts_with("no message"));
}

}  // namespace
}  // namespace tenon::load
