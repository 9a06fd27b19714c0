// Tools that ask during a call: they ask the user, the model or the host.
#include <tenon/tenon.hpp>

enum class Size { small, medium, large };
BOOST_DESCRIBE_ENUM(Size, small, medium, large)

struct Pizza {
    Size size;
    bool extra_cheese;
    std::optional<std::string> note;
};
BOOST_DESCRIBE_STRUCT(Pizza, (), (size, extra_cheese, note))

int main() {
    tenon::Server server{"ask", "1.0.0"};

    server.tool("order_pizza", "Orders a pizza as the user likes it", [](tenon::Context& ctx) -> std::string {
        const auto pizza = ctx.elicit<Pizza>("How do you want your pizza?");
        if (!pizza) return pizza.action == tenon::ElicitAction::decline ? "No pizza then." : "Never mind.";
        const int number = ctx.once("order", [] { return 42; });  // the side effect happens at most once
        return "Order " + std::to_string(number) + (pizza->extra_cheese ? ": with" : ": without") + " extra cheese";
    });

    server.tool("summarise", "Summarises a text with the client's model",
                tenon::args(tenon::arg<std::string>("text", "What to summarise")),
                [](tenon::Context& ctx, std::string text) {
                    return ctx.sample("Summarise in one sentence:\n" + text, 200).text();
                });

    server.tool("where", "The folders this server may work in", [](tenon::Context& ctx) {
        std::vector<std::string> uris;
        for (const tenon::Root& root : ctx.roots()) uris.push_back(root.uri);
        return uris;
    });
    return tenon::serve(server);
}
