#include "transport/message_lines.hpp"

#include "core/client/unreadable.hpp"

namespace tenon {

void MessageLines::Sink::too_long(std::size_t limit) {
    events.note(LogLevel::error, "the server sent a line longer than the limit of " + std::to_string(limit) +
                                     " bytes (ClientLimits::max_message_bytes); it is dropped");
    scan.emplace();
    told = 0;
}

// Fails a request as soon as its id was found in the long line, because the line may never end.
void MessageLines::Sink::dropped(std::string_view bytes) {
    scan->feed(bytes);
    while (told < scan->answers().size())
        events.failed(scan->answers()[told++], core::answer_too_long(max_message_bytes));
}

void MessageLines::Sink::dropped_all() {
    scan->end();
    dropped({});
    if (scan->has_unknown_answer()) events.too_long(max_message_bytes);
    scan.reset();
}

}  // namespace tenon
