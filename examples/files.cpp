// A small file server. Clients choose the files, so SafeFolder opens them: nothing outside the folder can be read.
#include <tenon/tenon.hpp>

int main(int argc, char** argv) {
    const tenon::SafeFolder docs{argc > 1 ? argv[1] : "."};
    tenon::Server server{"files", "1.0.0"};

    // {+path} may contain "/". A path with ".." or a leading "/" does not match, and a link that leads out of the
    // folder is not followed. The client is told "not found".
    server.resource_template("docs:///{+path}", "docs",
                             [&](const tenon::ResourceRequest& r) { return docs.read(r.var("path")); },
                             {.description = "The text files of the folder"});

    // Arguments of a tool can be any text. SafeFolder checks them in the same way.
    server.tool(
        "size", "Returns the size of a file", tenon::args(tenon::arg<std::string>("path", "Path in the folder")),
        [&](std::string path) { return docs.open(path).value().size(); }, {.annotations = {.readOnlyHint = true}});
    return tenon::serve(server);
}
