#include "fixtures.hpp"
#include "tiny_files.hpp"

namespace conformance {

using tenon::arg;
using tenon::args;
using tenon::PromptMessage;

void add_prompts(tenon::Server& server) {
    server.prompt("test_simple_prompt", "A prompt without arguments",
                  [] { return "This is a simple prompt for testing."; });
    server.prompt("test_prompt_with_arguments", "A prompt with two arguments",
                  args(arg<std::string>("arg1", "First test argument").complete([](std::string_view) {
                      return std::vector<std::string>{"paris", "park", "party", "test"};
                  }),
                       arg<std::string>("arg2", "Second test argument")),
                  [](std::string arg1, std::string arg2) {
                      return "Prompt with arguments: arg1='" + arg1 + "', arg2='" + arg2 + "'";
                  });
    server.prompt("test_prompt_with_embedded_resource", "A prompt that brings a resource",
                  args(arg<std::string>("resourceUri", "URI of the resource to embed")), [](std::string uri) {
                      return std::vector<PromptMessage>{
                          {tenon::Role::user, tenon::EmbeddedResource{{std::move(uri), "text/plain",
                                                                       "Embedded resource content for testing."}}},
                          tenon::user("Please process the embedded resource above.")};
                  });
    server.prompt("test_prompt_with_image", "A prompt that brings an image", [] {
        return std::vector<PromptMessage>{{tenon::Role::user, tenon::image(tiny_png, "image/png")},
                                          tenon::user("Please analyze the image above.")};
    });
}

}  // namespace conformance
