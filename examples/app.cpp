// A server with an app: a page that the host shows for the result of a tool. The page calls a tool of its own.
#include <tenon/tenon.hpp>

struct Dice {
    int eyes = 6;
};
BOOST_DESCRIBE_STRUCT(Dice, (), (eyes))

constexpr const char* page = R"(<!DOCTYPE html>
<html><body><h1 id="eyes">?</h1><script>
  addEventListener("message", ({ data }) => {
    const eyes = data.params?.structuredContent?.eyes;
    if (eyes) document.getElementById("eyes").textContent = eyes;
  });
  parent.postMessage({ jsonrpc: "2.0", id: 1, method: "ui/initialize", params: {} }, "*");
</script></body></html>)";

int main(int argc, char** argv) {
    tenon::Server server{"dice", "1.0.0"};
    server.app("ui://dice/view", "dice", page, {.description = "Shows the dice", .prefers_border = true});
    server.tool(
        "roll", "Rolls the dice", [] { return Dice{4}; }, tenon::in_app("ui://dice/view"));
    server.tool(
        "reset", "Puts the dice back", [] { return Dice{6}; }, tenon::in_app("ui://dice/view", tenon::VisibleTo::app));
    return tenon::serve(server, argc, argv);
}
