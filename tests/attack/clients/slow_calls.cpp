// More calls than the server has workers: slow calls, many short calls, and calls whose questions are never answered.
#include "attack/clients.hpp"

namespace attack {
namespace {

std::string batch_of(std::string_view tool, std::string_view arguments, int times) {
    std::string out;
    for (int i = 0; i < times; ++i) out += (i == 0 ? "[" : ",") + call_message(tool, arguments, "", std::to_string(i));
    return out + "]";
}

void send_batches(Field& field, const std::string& batch, std::string_view capabilities) {
    field.in_parallel([&](int) {
        Wire wire = field.connect();
        const std::string session = field.begin(wire, "2025-03-26", capabilities);
        if (!session.empty() && wire.send(field.post_in(session, batch), field.until)) field.count(200);
        field.keep(std::move(wire));
    });
}

}  // namespace

void slow_calls(Field& field) { send_batches(field, batch_of("sleep", R"({"ms":60000})", 200), "{}"); }
void unanswered_questions(Field& field) { send_batches(field, batch_of("ask", "{}", 200), R"({"sampling":{}})"); }

// The calls are short, so workers become free all the time. There are many, so there is always a queue.
void steady_calls(Field& field) {
    const std::string batch = batch_of("sleep", R"({"ms":50})", 1000);
    field.in_parallel([&](int) {
        Wire wire = field.connect();
        const std::string session = field.begin(wire, "2025-03-26");
        while (!session.empty() && wire.ask(field.post_in(session, batch), field.until).status == 200)
            field.count(1000);
    });
}

}  // namespace attack
