// For any order of events of server and user: each call ends exactly once, each question of the server is answered at
// most once, no id is used twice, and nothing is left after the connection ended.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <set>

#include "property/check.hpp"
#include "support/client_world.hpp"

namespace tenon::core {
namespace {

using namespace std::chrono_literals;
using Kind = ClientCall::Kind;

// One event. `what` chooses its kind; `which` and `how` choose the details.
struct Step {
    unsigned what = 0, which = 0, how = 0;
};
std::ostream& operator<<(std::ostream& out, const Step& s) { return out << s.what << "/" << s.which << "/" << s.how; }

class Play {
 public:
    explicit Play(Era era) {
        world_.settings.era = era;
        world_.settings.hears_tools = true;
        world_.settings.identity.abilities = {true, true, true, true, true};
        world_.settings.limits.max_pending_calls = 8;
        world_.settings.limits.max_server_requests = 3;
        world_.settings.limits.max_input_rounds = 2;
    }

    void step(const Step& s) {
        switch (s.what % 9) {
            case 0: return world_.open();
            case 1: return call(s);
            case 2: return world_.receive(answer(s));
            case 3: return world_.receive(said(s));
            case 4: world_.engine().cancel(1 + s.which % 12, "enough"); return world_.take();
            case 5: return world_.pass(s.how % 4 == 0 ? 31min : std::chrono::seconds(s.how % 70));
            case 6: world_.engine().answered(1 + s.which % 6, handler_answer(s.how), world_.now); return world_.take();
            case 7:
                world_.engine().failed(1 + s.which % 8, {code::server_error, "lost"}, world_.now);
                return world_.take();
            default:
                if (s.which % 8 == 0) world_.close();
        }
    }

    void end() {
        world_.close(), world_.close();
        RC_ASSERT(world_.engine().pending() == 0u);
        RC_ASSERT(world_.answers.size() == calls_);
        RC_ASSERT(world_.engine().next_deadline() == std::nullopt);
        std::set<std::string> ids;
        for (const json::value& message : world_.sent)
            if (message.as_object().contains("method") && message.as_object().contains("id"))
                RC_ASSERT(ids.insert(json::write(message.at("id"))).second);
        for (const auto& [id, count] : responses()) RC_ASSERT(count <= asked_[id]);
        for (const Ask& ask : world_.asks) RC_ASSERT(ask.stop.stop_requested() || settled_.contains(ask.id));
    }

 private:
    void call(const Step& s) {
        ++calls_;
        const Kind kinds[] = {Kind::connect, Kind::ping, Kind::set_level, Kind::subscribe, Kind::unsubscribe};
        if (s.which % 2 == 0) {
            world_.call(kinds[s.how % 5], {{"uri", "a:b"}, {"level", "info"}});
        } else {
            const char* methods[] = {"tools/list", "tools/call", "resources/read", "prompts/get", "acme/x"};
            world_.call(methods[s.how % 5], {{"name", "t"}, {"uri", "a:b"}});
        }
    }
    static std::string id(unsigned which) { return std::to_string(1 + which % 12); }
    static std::string answer(const Step& s) {
        const std::string results[] = {
            R"("result":{})",
            R"("result":[])",
            R"("error":{"code":-32601,"message":"no"})",
            R"("error":7)",
            R"("result":{"protocolVersion":"2025-11-25","serverInfo":{"name":"s","version":"1"},)" +
                std::string(test::ClientWorld::everything) + "}",
            R"("result":{"supportedVersions":["2026-07-28"],)" + std::string(test::ClientWorld::everything) + "}",
            R"("result":{"resultType":"input_required","requestState":"s"})",
            R"("result":{"resultType":"input_required","inputRequests":{"a":{"method":"roots/list"},"b":)"
            R"({"method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object"}}}}})",
            R"("result":{"tools":[{"name":"t","inputSchema":{},"outputSchema":{"type":"string"}}],"ttlMs":9999})"};
        return R"({"jsonrpc":"2.0","id":)" + id(s.which) + "," + results[s.how % std::size(results)] + "}";
    }
    std::string said(const Step& s) {
        const std::string n = id(s.which);
        switch (s.how % 9) {
            case 0: return "noise";
            case 1: return "[" + answer(s) + "," + answer({0, s.which + 1, s.how + 1}) + "]";
            case 2: return R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" + n + "}}";
            case 3:
                return R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":)" + n +
                       R"(,"progress":1}})";
            case 4:
                return R"({"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":)"
                       R"({"io.modelcontextprotocol/subscriptionId":)" +
                       n + R"(},"notifications":{"resourceSubscriptions":["a:b"]}}})";
            case 5: return R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})";
            default: break;
        }
        ++asked_[n];
        const char* methods[] = {"roots/list", "ping", "acme/what"};
        return R"({"jsonrpc":"2.0","id":)" + n + R"(,"method":")" + methods[s.how % 3] + R"(","params":{}})";
    }
    Result<AskAnswer> handler_answer(unsigned how) {
        for (AskId ask = 1; ask <= 6; ++ask) settled_.insert(ask);  // an answered question need not be stopped
        if (how % 3 == 0) return Error{code::internal_error, "no"};
        if (how % 3 == 1) return AskAnswer(ElicitResult{ElicitAction::accept});
        return AskAnswer(std::vector<Root>{});
    }
    std::map<std::string, int> responses() const {
        std::map<std::string, int> out;
        for (const json::value& message : world_.sent)
            if (!message.as_object().contains("method")) ++out[json::write(message.at("id"))];
        return out;
    }

    test::ClientWorld world_;
    std::size_t calls_ = 0;
    std::map<std::string, int> asked_;
    std::set<AskId> settled_;
};

rc::Gen<Step> steps() {
    return rc::gen::build<Step>(rc::gen::set(&Step::what, rc::gen::inRange(0U, 900U)),
                                rc::gen::set(&Step::which, rc::gen::inRange(0U, 240U)),
                                rc::gen::set(&Step::how, rc::gen::inRange(0U, 630U)));
}

TEST(ClientProperty, every_call_ends_exactly_once_in_any_order_of_events) {
    test::check_property("every call ends once", test::usual_cases, [] {
        Play play(*rc::gen::element(Era::automatic, Era::legacy, Era::modern));
        play.step({});
        for (const Step& s : *rc::gen::container<std::vector<Step>>(steps())) play.step(s);
        play.end();
    });
}

}  // namespace
}  // namespace tenon::core
