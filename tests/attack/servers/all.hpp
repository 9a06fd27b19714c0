// The hostile servers. Those over stdio receive a message; those over HTTP receive a connection.
#pragma once

#include "attack/servers.hpp"

namespace attack {

void silence(const Heard& heard, const Say& say);
void wrong_ids(const Heard& heard, const Say& say);
void output_schema_bomb(const Heard& heard, const Say& say);
void input_schema_bomb(const Heard& heard, const Say& say);
void form_schema_bomb(const Heard& heard, const Say& say);
void endless_list(const Heard& heard, const Say& say);
void huge_cursors(const Heard& heard, const Say& say);
void colliding_answer(const Heard& heard, const Say& say);
void number_answer(const Heard& heard, const Say& say);
void deep_answer(const Heard& heard, const Say& say);
void huge_line(const Heard& heard, const Say& say);
void notification_flood(const Heard& heard, const Say& say);
void progress_flood_to_client(const Heard& heard, const Say& say);
void question_flood(const Heard& heard, const Say& say);
void stderr_flood(const Heard& heard, const Say& say);

using Connection = tenon::test::ScriptedConnection;
void endless_stream(Connection& connection, int number);
void endless_event(Connection& connection, int number);
void cut_event(Connection& connection, int number);
void redirect_loop(Connection& connection, int number);
void slow_head(Connection& connection, int number);
void slow_body(Connection& connection, int number);
void huge_length(Connection& connection, int number);
void header_flood(Connection& connection, int number);
void continue_flood(Connection& connection, int number);

}  // namespace attack
