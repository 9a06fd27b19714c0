// A batch of 1000 short requests with long answers: 90 KB in, 128 MiB out.
#include "attack/clients.hpp"

namespace attack {

void batch_answers(Field& field) {
    std::string batch;
    for (int i = 0; i < 1000; ++i)
        batch += (i == 0 ? "[" : ",") + message("resources/read", R"("uri":"note://page")", std::to_string(i));
    batch += "]";
    field.in_parallel([&](int) {
        Wire wire = field.connect(4096);
        const std::string session = field.begin(wire, "2025-03-26");
        if (!session.empty() && wire.send(field.post_in(session, batch), field.until)) field.count(1000);
        field.keep(std::move(wire));
    });
}

}  // namespace attack
