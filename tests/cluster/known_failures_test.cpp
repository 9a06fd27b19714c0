// Failures of other projects that no other test of this folder shows. The others:
//
//   cloudflare/agents #1607   streams_test.cpp: events_are_stored_while_no_client_is_connected,
//                             a_response_survives_the_end_of_its_node
//   altinity-mcp #113         sessions_test.cpp: a_modern_question_is_answered_on_another_node;
//                             proofs_test.cpp: a_proof_that_one_node_has_accepted_is_refused_by_all
//   vcad #745                 task_faults_test.cpp: a_task_of_a_silent_node_fails_without_a_request
//   flapi #110                tasks_test.cpp: every_node_checks_the_owner_every_time
//   gitlab-mcp #282           sessions_test.cpp: an_unused_session_is_released_on_all_nodes_and_in_the_store
#include <filesystem>

#include "cluster/cluster_world.hpp"

namespace tenon::test {
namespace {

std::size_t threads_of_this_process() {
    const auto all = std::filesystem::directory_iterator("/proc/self/task");
    return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

// mcp-atlassian #868: a store whose thread never slept.
TEST(KnownFailures, a_memory_store_has_no_thread_that_could_burn_a_core) {
    const std::size_t before = threads_of_this_process();
    const auto store = memory_store();
    const auto subscription = store->bus().subscribe("topic", {[](std::string_view) {}});
    const auto watch = store->events().watch({"group", "stream"}, [] {});
    EXPECT_EQ(threads_of_this_process(), before);
}

// csharp-sdk #1136: a stream that asked its store for events all the time.
TEST_F(Cluster, a_silent_stream_never_asks_the_store_for_events) {
    const std::string session = a->begin();
    const Sent listener = b->listen(session);
    advance(seconds(1));
    const int before = store->gate.passed;
    for (int i = 0; i < 20; ++i) advance(std::chrono::milliseconds(500));
    EXPECT_EQ(store->gate.passed, before);
    a.server.log(LogLevel::error, "now");
    EXPECT_EQ(count(listener, "now"), 1U);
}

}  // namespace
}  // namespace tenon::test
