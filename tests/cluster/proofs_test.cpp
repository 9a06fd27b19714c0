// DPoP proofs of several nodes: a proof can be used once, on whichever node.
#include "cluster/cluster_world.hpp"
#include "cluster/slow_values.hpp"
#include "unit/auth/resource_server/authority.hpp"

namespace tenon::test {
namespace {

using std::chrono::milliseconds;

/// Two nodes that know the keys of the issuer. Each has its own connection to the store.
struct Proofs : testing::Test {
    struct Guarded {
        Guarded(Proofs& test, const std::string& name, std::int64_t skew = 0, auth::ResourceLimits limits = {})
            : store(std::make_shared<NodeStore>(test.shared)), node(std::make_shared<ClusterNode>(store, name)) {
            server.tool("hello", "Greets", [] { return "hello"; });
            auth::ResourceServer options{.issuer = auth::the_issuer,
                                         .audience = auth::the_resource,
                                         .scopes = {"mcp"},
                                         .jwks_uri = "https://login.example/keys"};
            options.limits = limits;
            SharedTokenGate::Options how;
            how.fetch = [&test](const auth::FetchOrder&, const SharedTokenGate::Fetched& done) {
                done(auth::jwks({test.issuer.public_key()}));
            };
            how.clock = [&test, skew] { return auth::at(test.seconds_passed + skew); };
            how.note = [this](LogLevel, std::string_view text) { log.emplace_back(text); };
            how.claim = claim_with(node);
            EndpointOptions endpoint;
            endpoint.cluster = node;
            endpoint.admission = std::make_shared<SharedTokenGate>(
                std::make_unique<auth::TokenGate>(options, auth::DpopNonces::Secret{}), std::move(how));
            world.emplace(server, std::move(endpoint), name);
            world->endpoint->join_cluster();
            // Loads the keys of the issuer. After this no request waits for them.
            world->endpoint->admit(head_of("Authorization: Bearer " + test.bound + "\r\n"), [] {});
        }
        HttpWorld* operator->() { return &*world; }

        std::vector<std::string> log;
        std::shared_ptr<NodeStore> store;
        std::shared_ptr<ClusterNode> node;
        Server server{"guarded", "1"};
        std::optional<HttpWorld> world;
    };
    /// Returns the header fields of a request with a proof.
    std::string fields(std::string_view id, std::int64_t issued = 0) const {
        return "Authorization: DPoP " + bound +
               "\r\nDPoP: " + auth::proof(client, bound, {{"jti", id}, {"iat", auth::start + issued}}) + "\r\n";
    }
    static Sent call(Guarded& node, const std::string& fields) {
        const Sent sent = node->post_alone(tool_request(1, "hello", {}, modern_meta()), fields);
        node->run_all();
        return sent;
    }
    static Head head_of(const std::string& fields) {
        return Head("POST", "/mcp", fields + "Content-Type: application/json\r\nContent-Length: 2\r\n");
    }
    static int status_of(const std::optional<HttpEndpoint::Admission>& admission) {
        if (!admission) return 0;  // it waits
        const auto* refused = std::get_if<web::Response>(&*admission);
        return refused ? refused->status : 200;
    }

    std::int64_t seconds_passed = 0;
    const jose::PrivateKey issuer = auth::new_key(), client = auth::new_key("c");
    const std::string bound = auth::token(
        issuer,
        auth::claims({{"exp", auth::start + 3600}, {"cnf", json::object{{"jkt", client.public_key().thumbprint()}}}}));
    const std::shared_ptr<Store> shared = memory_store({.clock = [this] { return auth::at(seconds_passed).wall; }});
    Guarded a{*this, "a"}, b{*this, "b"};
};

TEST_F(Proofs, a_proof_that_one_node_has_accepted_is_refused_by_all) {
    const std::string one = fields("one");
    EXPECT_EQ(call(a, one).text(), "hello");
    const Sent replayed = call(b, one);
    EXPECT_EQ(replayed.status(), 401);
    EXPECT_NE(replayed.writer->field("WWW-Authenticate").find("the DPoP proof was used before"), std::string::npos);
    EXPECT_EQ(call(a, one).status(), 401);
    EXPECT_EQ(call(b, fields("two")).text(), "hello");
}

TEST_F(Proofs, of_two_nodes_that_get_a_proof_at_once_one_accepts_it) {
    for (Guarded* node : {&a, &b}) node->store->gate.held = true;
    const Head head = head_of(fields("one"));
    int retries = 0;
    for (Guarded* node : {&a, &b})
        EXPECT_FALSE((*node)->endpoint->admit(
            head, [&] { ++retries; }, {}, "192.0.2.1"));
    for (Guarded* node : {&b, &a}) node->store->gate.open();
    EXPECT_EQ(retries, 2);
    EXPECT_EQ(status_of(b->endpoint->admit(head)), 200);
    EXPECT_EQ(status_of(a->endpoint->admit(head)), 401);
}

TEST_F(Proofs, of_two_requests_that_wait_on_one_node_one_is_accepted) {
    a.store->gate.held = true;
    const Head head = head_of(fields("one"));
    int retries = 0;
    EXPECT_FALSE(a->endpoint->admit(head, [&] { ++retries; }));
    EXPECT_EQ(status_of(a->endpoint->admit(head, [&] { ++retries; })), 401);
    a.store->gate.open();
    EXPECT_EQ(retries, 1);
    EXPECT_EQ(status_of(a->endpoint->admit(head)), 200);
    EXPECT_EQ(status_of(a->endpoint->admit(head)), 401);
}

TEST_F(Proofs, a_node_that_cannot_ask_refuses_and_works_again_later) {
    a.store->gate.broken = true;
    for (const char* id : {"one", "two"}) {
        const Sent refused = call(a, fields(id));
        EXPECT_EQ(refused.status(), 503);
        EXPECT_NE(refused.writer->field("Retry-After"), "");
    }
    ASSERT_EQ(a.log.size(), 1U) << "one line, however many requests are refused";
    EXPECT_NE(a.log[0].find("whether a DPoP proof was used before"), std::string::npos);
    a.store->gate.broken = false;
    EXPECT_EQ(call(a, fields("three")).text(), "hello");
    EXPECT_EQ(call(b, fields("three")).status(), 401);
}

TEST_F(Proofs, a_request_without_a_proof_does_not_touch_the_values) {
    const std::string plain = auth::token(issuer, auth::claims());
    const int before = a.store->gate.passed;
    EXPECT_EQ(call(a, "Authorization: Bearer " + plain + "\r\n").text(), "hello");
    EXPECT_EQ(call(a, "Authorization: DPoP " + bound + "\r\n").status(), 401) << "no proof";
    EXPECT_EQ(a.store->gate.passed, before);
}

// A proof is valid for `proof_time` and the leeway. The clock of the other node may be a minute slow.
TEST_F(Proofs, a_proof_is_remembered_while_any_node_may_accept_it) {
    Guarded slow(*this, "slow", -60);
    const std::string one = fields("one", 30);
    EXPECT_EQ(call(a, one).text(), "hello");
    for (const std::int64_t later : {10, 60, 150, 209}) {
        seconds_passed = later;
        EXPECT_EQ(call(slow, one).status(), 401) << later;
        EXPECT_EQ(call(b, one).status(), 401) << later;
    }
}

TEST_F(Proofs, what_waits_for_the_store_is_limited) {
    Guarded small(*this, "small", 0, {.max_waiting = 2});
    small.store->gate.held = true;
    int waiting = 0, refused = 0, retries = 0;
    for (int i = 0; i < 5; ++i) {
        const auto admission = small->endpoint->admit(
            head_of(fields(std::to_string(i))), [&] { ++retries; }, {}, "192.0.2.1");
        ++(admission ? refused : waiting);
        EXPECT_EQ(status_of(admission), admission ? 503 : 0);
    }
    EXPECT_EQ(waiting, 2);
    EXPECT_EQ(refused, 3);
    small.store->gate.open();
    EXPECT_EQ(retries, 2);
}

TEST_F(Proofs, an_answer_that_no_request_takes_is_forgotten) {
    a.store->gate.held = true;
    const Head head = head_of(fields("one"));
    EXPECT_FALSE(a->endpoint->admit(head, [] {}));
    a.store->gate.open();
    seconds_passed += SharedTokenGate::max_answer_age.count();
    EXPECT_EQ(call(a, fields("two")).text(), "hello");
    EXPECT_EQ(status_of(a->endpoint->admit(head)), 401);
}

}  // namespace
}  // namespace tenon::test
