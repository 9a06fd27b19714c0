// A client that starts a server, lists its tools and calls one. Try: build/bin/client build/bin/everything
#include <cstdio>

#include <tenon/client.hpp>
#include <tenon/transport/process.hpp>

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: %s SERVER [ARGUMENT...]\n", argv[0]);
        return 2;
    }
    tenon::ClientOptions options;
    options.on_elicit = [](const tenon::ElicitRequest& request, std::stop_token) {
        std::printf("the server asks: %s\n", request.message.c_str());
        return tenon::ElicitResult{tenon::ElicitAction::accept, {{"name", "Ada"}, {"age", 36}}};
    };
    try {
        tenon::Client client(tenon::process({.command = {argv + 1, argv + argc}}), std::move(options));
        const tenon::ServerInfo server = client.connect();
        std::printf("%s %s speaks %s\n", server.info.name.c_str(), server.info.version.c_str(),
                    server.protocolVersion.c_str());

        for (const tenon::Tool& tool : client.list_tools())
            std::printf("  %-10s %s\n", tool.name.c_str(), tool.description.c_str());

        const tenon::ToolResult result =
            client.call_tool("count", {{"to", 3}}, {.on_progress = [](const tenon::Progress& p) {
                                 std::printf("%g of %g\n", p.progress, p.total.value_or(0));
                             }});
        for (const tenon::Content& content : result.content)
            if (const auto* text = std::get_if<tenon::TextContent>(&content)) std::printf("%s\n", text->text.c_str());

        const tenon::ToolResult asked = client.call_tool("ask_user");
        std::printf("%s\n", std::get<tenon::TextContent>(asked.content.at(0)).text.c_str());
    } catch (const tenon::Exception& e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
}
