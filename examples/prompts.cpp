// Prompts, with completion of their arguments.
#include <tenon/tenon.hpp>

int main() {
    tenon::Server server{"prompts", "1.0.0"};

    server.prompt(
        "review", "Asks for a review of some code",
        tenon::args(tenon::arg<std::string>("code", "The code to review"),
                    tenon::arg<std::optional<std::string>>("language", "Its language").complete([](std::string_view) {
                        return std::vector<std::string>{"c", "c++", "python", "rust"};
                    })),
        [](std::string code, std::optional<std::string> language) {
            return "Please review this " + language.value_or("") + " code:\n\n" + code;
        },
        {.title = "Code review"});

    server.prompt("greet", "A short conversation", [] {
        return std::vector{tenon::user("Hello"), tenon::assistant("Hello! What are we building?")};
    });
    return tenon::serve(server);
}
