// Resources by URI and by URI template. Subscribers are notified of changes.
#include <atomic>

#include <tenon/tenon.hpp>

int main() {
    tenon::Server server{"resources", "1.0.0"};
    std::atomic<int> visits = 0;

    server.resource("notes://welcome", "welcome", [] { return "Welcome to Tenon."; }, {.description = "A text"});
    server.resource("notes://pixel", "pixel", [] { return tenon::Blob{std::string("\x89PNG\r\n\x1a\n", 8)}; },
                    {.mimeType = "image/png"});
    server.resource("notes://visits", "visits", [&] { return std::to_string(visits.load()); });

    // nullopt means "not found". The handler is called only with a URI that matches the template.
    server.resource_template("notes://day/{day}", "day",
                             [](const tenon::ResourceRequest& r) -> std::optional<std::string> {
                                 if (r.var("day") == "monday") return "Planning";
                                 if (r.var("day") == "friday") return "Demo";
                                 return std::nullopt;
                             },
                             {.complete = {{"day", [](const tenon::CompletionRequest&) {
                                                return tenon::Completion{{"monday", "friday"}};
                                            }}}});

    server.tool("visit", "Counts a visit, and notifies subscribers of notes://visits", [&] {
        const int now = ++visits;
        server.resource_updated("notes://visits");
        return now;
    });
    return tenon::serve(server);
}
