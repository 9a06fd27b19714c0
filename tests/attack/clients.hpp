// The hostile clients: one function for each attack, and the table of all attacks.
#pragma once

#include <span>
#include <string_view>

#include "attack/field.hpp"

namespace attack {

struct ClientAttack {
    std::string_view name;
    std::string_view load;             ///< what one connection sends
    void (*run)(Field&) = nullptr;     ///< returns at the end of the attack, or before
    int anonymous = 0;                 ///< connections to a server without authentication; 0: not tried
    int principal = 0;                 ///< connections of one principal to a server with tokens; 0: not tried
    std::size_t soft_descriptors = 0;  ///< limit on open files of the server; 0: that of the system
    std::string_view victim = {};      ///< options of attack_victim, separated by spaces
    bool introspects = false;          ///< the server asks an authorisation server about each token
    std::size_t handler_bytes = 0;     ///< results of running handlers, and their JSON: the budget does not cover them
};

std::span<const ClientAttack> client_attacks();

void colliding_keys(Field& field);
void number_arrays_in_capabilities(Field& field);
void number_arrays_in_meta(Field& field);
void deep_nesting(Field& field);
void client_names(Field& field);
void batch_answers(Field& field);
void long_progress_tokens(Field& field);
void long_ids(Field& field);
void unread_answers(Field& field);
void initialize_flood(Field& field);
void slow_calls(Field& field);
void steady_calls(Field& field);
void unanswered_questions(Field& field);
void long_subscriptions(Field& field);
void long_uris(Field& field);
void slow_heads(Field& field);
void slow_bodies(Field& field);
void almost_whole_bodies(Field& field);
void held_connections(Field& field);
void large_tasks(Field& field);
void silent_listeners(Field& field);
void pipelined_unread(Field& field);
void cancel_storm(Field& field);
void hostile_arguments(Field& field);
void encoded_paths(Field& field);
void progress_flood(Field& field);
void log_flood(Field& field);
void cut_requests(Field& field);
void distinct_clients(Field& field);
void replay_abuse(Field& field);
void session_churn(Field& field);
void listen_flood(Field& field);
void connection_flood(Field& field);
void unknown_tokens(Field& field);

}  // namespace attack
