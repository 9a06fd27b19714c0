// rules: LIFE-10, RPC-8, RPC-14
#include <gtest/gtest.h>

#include <map>

#include "protocol/versions.hpp"
#include "unit/protocol/official_schema.hpp"

namespace tenon::protocol {
namespace {

class OfficialSchemas : public testing::Test {
 protected:
    void SetUp() override {
        for (const char* name : {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"}) {
            const auto schema = official_schema(name);
            if (!schema) GTEST_SKIP() << "the official schemas are not installed";
            for (const char* side : {"Client", "Server"}) {
                by_revision_[name][side] = methods_of(*schema, side);
                all_.insert(by_revision_[name][side].begin(), by_revision_[name][side].end());
            }
        }
    }

    std::map<std::string, std::map<std::string, Methods>> by_revision_;
    Methods all_;
};

TEST_F(OfficialSchemas, the_table_has_exactly_the_methods_of_each_legacy_revision) {
    ASSERT_GT(all_.size(), 25U);
    for (const Revision r : legacy_revisions()) {
        const Rules rules(r);
        for (const std::string& method : all_) {
            if (is_task_method(method)) continue;
            auto& official = by_revision_[std::string(rules.name())];
            EXPECT_EQ(rules.method(method, Sender::client) != nullptr, official["Client"].contains(method))
                << rules.name() << " client " << method;
            EXPECT_EQ(rules.method(method, Sender::server) != nullptr, official["Server"].contains(method))
                << rules.name() << " server " << method;
        }
    }
}

TEST_F(OfficialSchemas, the_table_distinguishes_requests_and_notifications) {
    for (const Revision r : legacy_revisions()) {
        for (const std::string& name : all_) {
            const Method* method = Rules(r).method(name, Sender::client);
            if (!method) method = Rules(r).method(name, Sender::server);
            EXPECT_EQ(method && method->notification, method && name.starts_with("notifications/")) << name;
        }
    }
}

TEST(Versions, names_and_revisions_convert_in_both_directions) {
    for (const char* name : {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"})
        EXPECT_EQ(Rules(revision(name).value()).name(), name);
    EXPECT_FALSE(revision("2025-06-17"));
}

TEST(Versions, traits_match_their_revisions) {
    const auto has = [](const char* name, Trait t) { return Rules(revision(name).value()).has(t); };
    EXPECT_TRUE(has("2025-03-26", Trait::batches));
    EXPECT_FALSE(has("2025-06-18", Trait::batches));
    EXPECT_FALSE(has("2024-11-05", Trait::audio));
    EXPECT_TRUE(has("2025-03-26", Trait::audio));
    EXPECT_FALSE(has("2025-03-26", Trait::structured_content));
    EXPECT_TRUE(has("2025-06-18", Trait::structured_content));
    EXPECT_FALSE(has("2025-06-18", Trait::icons));
    EXPECT_TRUE(has("2025-11-25", Trait::icons));
    EXPECT_TRUE(Rules(revision("2025-11-25").value()).is_legacy());
    EXPECT_TRUE(Rules(revision("2026-07-28").value()).is_modern());
}

TEST(Versions, the_code_of_an_unknown_resource_and_the_unreadable_id_depend_on_the_revision) {
    EXPECT_EQ(Rules(Revision::v2025_11_25).error_code(code::resource_not_found), code::resource_not_found);
    EXPECT_EQ(Rules(Revision::v2026_07_28).error_code(code::resource_not_found), code::invalid_params);
    EXPECT_EQ(Rules(Revision::v2025_06_18).unreadable_id(), jsonrpc::UnreadableId::null);
    EXPECT_EQ(Rules(Revision::v2025_11_25).unreadable_id(), jsonrpc::UnreadableId::absent);
}

// rules: RPC-14
TEST(Versions, a_modern_revision_sends_only_the_reserved_codes_that_it_defines) {
    const Rules modern(Revision::v2026_07_28);
    for (int code = -32099; code <= -32000; ++code) {
        const bool defined = code >= -32022 && code <= -32020;
        const int expected = defined ? code : code == code::resource_not_found ? code::invalid_params : -32603;
        EXPECT_EQ(modern.error_code(code), expected) << code;
        EXPECT_EQ(Rules(Revision::v2025_11_25).error_code(code), code);
    }
    for (const int code : {-32700, -32600, -32603, -31999, -7, 7}) EXPECT_EQ(modern.error_code(code), code);
}

// rules: RPC-7
TEST(Versions, local_error_codes_are_outside_the_range_of_peers_and_are_never_sent) {
    for (const int local : {code::connection_closed, code::call_cancelled, code::invalid_answer, code::request_timeout,
                            code::limit_reached, code::http_refused}) {
        EXPECT_TRUE(code::is_local(local)) << local;
        EXPECT_GT(local, 0) << "servers use negative codes";
        for (const Revision r : revisions()) EXPECT_EQ(Rules(r).error_code(local), code::internal_error);
    }
    EXPECT_FALSE(code::is_local(code::server_error));
}

}  // namespace
}  // namespace tenon::protocol
