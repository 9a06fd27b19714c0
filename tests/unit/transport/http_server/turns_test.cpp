#include "transport/http_server/turns.hpp"

#include <gtest/gtest.h>

#include <boost/asio/post.hpp>
#include <thread>
#include <vector>

namespace tenon::test {
namespace {

struct Turns : testing::Test {
    struct Named final : HttpTurns::Waiter {
        Named(std::vector<std::string>& into, std::string called, std::function<void()> then)
            : served(into), name(std::move(called)), work(std::move(then)) {}
        void on_turn() override {
            served.push_back(name);
            if (work) work();
        }
        std::vector<std::string>& served;
        std::string name;
        std::function<void()> work;
    };
    std::shared_ptr<HttpTurns::Waiter> waiter(std::string name, std::function<void()> work = {}) {
        return std::make_shared<Named>(served, std::move(name), std::move(work));
    }
    static std::shared_ptr<base::ThreadDebt> debt_of(std::chrono::milliseconds used) {
        auto out = std::make_shared<base::ThreadDebt>();
        const auto now = std::chrono::steady_clock::now();
        out->charge(now, now + used);
        return out;
    }

    boost::asio::io_context context;
    HttpTurns turns{context};
    std::vector<std::string> served;
};

using std::chrono::milliseconds;

TEST_F(Turns, peers_with_less_debt_come_first) {
    const auto heavy = waiter("heavy"), light = waiter("light");
    turns.wait(*debt_of(milliseconds(500)), heavy);
    turns.wait(*debt_of(milliseconds(5)), light);
    context.run();
    EXPECT_EQ(served, (std::vector<std::string>{"light", "heavy"}));
}

TEST_F(Turns, nothing_runs_inside_wait) {
    const auto one = waiter("one");
    turns.wait(*debt_of(milliseconds(5)), one);
    EXPECT_TRUE(served.empty());
    EXPECT_EQ(turns.waiting(), 1U);
}

TEST_F(Turns, other_events_are_handled_between_long_requests) {
    const auto use_the_turn = [] {
        const auto end = std::chrono::steady_clock::now() + milliseconds(1);  // longer than one turn
        while (std::chrono::steady_clock::now() < end) {
        }
    };
    const auto debt = debt_of(milliseconds(500));
    const auto first = waiter("first", use_the_turn), second = waiter("second", use_the_turn);
    turns.wait(*debt, first);
    turns.wait(*debt, second);
    boost::asio::post(context, [this] { served.emplace_back("event"); });
    context.run();
    EXPECT_EQ(served, (std::vector<std::string>{"first", "event", "second"}));
}

TEST_F(Turns, a_waiter_that_is_gone_is_skipped) {
    auto gone = waiter("gone");
    const auto stays = waiter("stays");
    turns.wait(*debt_of(milliseconds(5)), gone);
    turns.wait(*debt_of(milliseconds(500)), stays);
    gone.reset();
    context.run();
    EXPECT_EQ(served, (std::vector<std::string>{"stays"}));
}

TEST_F(Turns, an_exception_does_not_stop_the_others) {
    const auto throws = waiter("throws", [] { throw std::runtime_error("out of memory"); });
    const auto other = waiter("other");
    turns.wait(*debt_of(milliseconds(5)), throws);
    turns.wait(*debt_of(milliseconds(500)), other);
    EXPECT_THROW(context.run(), std::runtime_error);
    context.restart();
    context.run();
    EXPECT_EQ(served, (std::vector<std::string>{"throws", "other"}));
}

}  // namespace
}  // namespace tenon::test
