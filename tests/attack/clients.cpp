#include "attack/clients.hpp"

namespace attack {
namespace {

// Some attacks act before the server can know the principal. They have no row for a principal.
constexpr ClientAttack table[] = {
    {"colliding-keys", "objects of 0.7 to 5.5 MB whose keys collide", colliding_keys, 1, 4},
    {"number-arrays-capabilities", "8 sessions with 15 MB of [0,0,...]", number_arrays_in_capabilities, 1, 2},
    {"number-arrays-meta", "a slow call with 15 MB of [0,0,...]", number_arrays_in_meta, 1, 16},
    {"deep-nesting", "bodies of 15 MB of brackets", deep_nesting, 1, 8},
    {"client-names", "sessions with names of 15 MiB", client_names, 1, 4},
    {"batch-answers", "a batch of 1000 reads of 128 KiB, unread", batch_answers, 1, 16},
    {"long-progress-tokens", "100,000 reports with a token of 1 MiB, unread", long_progress_tokens, 1, 16},
    {"long-ids", "slow calls with ids of 15 MiB", long_ids, 1, 4},
    {"unread-answers", "100 calls with answers of 15 MiB, unread", unread_answers, 1, 64, 0, "", false,
     std::size_t{2 * 48 * 15} << 20},
    {"initialize-flood", "21,000 sessions, unused", initialize_flood, 1, 8},
    {"slow-calls", "a batch of 200 calls that take a minute", slow_calls, 1, 16},
    {"steady-calls", "batches of 1000 calls that take 50 ms", steady_calls, 1, 16},
    {"unanswered-questions", "a batch of 200 calls that ask, unanswered", unanswered_questions, 1, 16},
    {"long-subscriptions", "subscriptions to URIs of 64 KiB", long_subscriptions, 1, 16},
    {"long-uris", "reads of URIs of 64 KiB", long_uris, 1, 16},
    {"slow-heads", "a head, a byte at a time", slow_heads, 500, 0},
    {"slow-bodies", "a body of 15 MB, a byte at a time", slow_bodies, 1, 500},
    {"almost-whole-bodies", "15 MB and never the last 100 bytes", almost_whole_bodies, 1, 100},
    {"held-connections", "a connection that says nothing; 256 descriptors", held_connections, 400, 0, 256},
    {"large-tasks", "300 tasks with results of 10 MiB", large_tasks, 1, 4, 0, "", false,
     std::size_t{2 * 48 * 10} << 20},
    {"silent-listeners", "a listener that reads nothing of 60 KB news", silent_listeners, 1, 32},
    {"pipelined-unread", "small calls in a row, unread", pipelined_unread, 1, 32},
    {"cancel-storm", "200 calls and their cancellations in a batch", cancel_storm, 1, 16},
    {"hostile-arguments", "arguments that are slow to check", hostile_arguments, 1, 16},
    {"encoded-paths", "URIs with %2F, %5C and //", encoded_paths, 1, 0},
    {"progress-flood", "a call that reports progress all the time", progress_flood, 1, 32},
    {"log-flood", "a call that logs all the time", log_flood, 1, 32},
    {"cut-requests", "requests that break off anywhere, on ever new connections", cut_requests, 1, 32},
    {"distinct-clients", "calls of ever new clients", distinct_clients, 1, 16},
    {"replay-abuse", "400 replays of stored events, each on a connection, unread", replay_abuse, 1, 16},
    {"session-churn", "initialize and DELETE in turn", session_churn, 1, 16},
    {"listen-flood", "a subscriptions/listen that stays open", listen_flood, 300, 1200},
    {"connection-flood", "a connection with a slow call; 400 connections allowed, 300 for one address",
     connection_flood, 600, 0, 0, "max_connections=400 max_connections_per_address=300"},
    {"unknown-tokens", "ever new unknown tokens; the authorisation server needs 2 s for each", unknown_tokens, 0, 1500,
     0, "", true},
};

}  // namespace

std::span<const ClientAttack> client_attacks() { return table; }

}  // namespace attack
