#include "fixtures.hpp"
#include "tiny_files.hpp"

namespace conformance {

void add_resources(tenon::Server& server) {
    server.resource("test://static-text", "static-text",
                    [] { return "This is the content of the static text resource."; },
                    {.title = "Static text", .description = "A text that stays", .mimeType = "text/plain"});
    server.resource("test://static-binary", "static-binary", [] { return tenon::Blob{tiny_png}; },
                    {.title = "Static binary", .description = "An image that stays", .mimeType = "image/png"});
    server.resource("test://watched-resource", "watched-resource", [] { return "Watched resource content"; },
                    {.title = "Watched", .description = "For subscriptions", .mimeType = "text/plain"});
    server.resource_template("test://template/{id}/data", "template",
                             [](const tenon::ResourceRequest& request) {
                                 const std::string id = request.var("id");
                                 return tenon::json::write(tenon::json::object{
                                     {"id", id}, {"templateTest", true}, {"data", "Data for ID: " + id}});
                             },
                             {.title = "Template", .description = "Data by id", .mimeType = "application/json"});
}

}  // namespace conformance
