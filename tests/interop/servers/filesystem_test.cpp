// @modelcontextprotocol/server-filesystem over stdio, its only transport.
#include <stdlib.h>

#include <fstream>

#include "foreign_server.hpp"
#include "gather.hpp"

namespace tenon::test {

struct Text {
    std::string content;
};
BOOST_DESCRIBE_STRUCT(Text, (), (content))

namespace {

namespace fs = std::filesystem;

class Folder {
 public:
    Folder() {
        std::string name = fs::temp_directory_path() / "tenon-foreign-XXXXXX";
        if (!::mkdtemp(name.data())) throw std::runtime_error("mkdtemp");
        path_ = fs::canonical(name);
    }
    ~Folder() { fs::remove_all(path_); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    std::string path(const std::string& name = {}) const { return name.empty() ? path_ : path_ / name; }
    std::string uri() const { return "file://" + path(); }
    void write(const std::string& name, std::string_view text) const {
        std::ofstream(path_ / name, std::ios::binary) << text;
    }
    std::string read(const std::string& name) const {
        std::ifstream file(path_ / name, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }

 private:
    fs::path path_;
};

class Filesystem : public ForeignServer {
 protected:
    /// Returns a client that has listed the tools, so results are checked against their output schemas.
    Client connected() const {
        Client c(by_stdio({filesystem_script(), folder_.path()}));
        EXPECT_EQ(c.list_tools().all().size(), 14u);
        return c;
    }
    static std::string call(Client& c, std::string tool, json::object arguments) {
        return c.call_tool_as<Text>(std::move(tool), std::move(arguments)).content;
    }
    json::value in(const std::string& name) const { return json::value(folder_.path(name)); }

    Folder folder_;
};

TEST_F(Filesystem, server_info_and_capabilities_are_read) {
    Client c(by_stdio({filesystem_script(), folder_.path()}));
    const ServerInfo server = c.connect();
    EXPECT_EQ(server.info.name, "secure-filesystem-server");
    EXPECT_EQ(server.protocolVersion, "2025-11-25");
    EXPECT_FALSE(server.capabilities.resources || server.capabilities.prompts);
    // The client sends no request for a capability that the server did not declare.
    EXPECT_TRUE(contains(error_of([&] { c.list_resources().all(); }).message, "`resources`"));
}

TEST_F(Filesystem, writes_reads_and_edits) {
    Client c = connected();
    EXPECT_TRUE(contains(call(c, "write_file", {{"path", in("a.txt")}, {"content", "one\ntwo\nthree\n"}}), "wrote"));
    EXPECT_EQ(folder_.read("a.txt"), "one\ntwo\nthree\n");
    EXPECT_EQ(call(c, "read_text_file", {{"path", in("a.txt")}}), "one\ntwo\nthree\n");
    EXPECT_EQ(call(c, "read_file", {{"path", in("a.txt")}}), "one\ntwo\nthree\n");
    EXPECT_EQ(call(c, "read_text_file", {{"path", in("a.txt")}, {"head", 1}}), "one");

    const json::array edits = {{{"oldText", "two"}, {"newText", "2"}}};
    const auto diff = call(c, "edit_file", {{"path", in("a.txt")}, {"edits", edits}, {"dryRun", true}});
    EXPECT_TRUE(contains(diff, "-two\n+2")) << diff;
    EXPECT_EQ(folder_.read("a.txt"), "one\ntwo\nthree\n");
    call(c, "edit_file", {{"path", in("a.txt")}, {"edits", edits}});
    EXPECT_EQ(folder_.read("a.txt"), "one\n2\nthree\n");
}

TEST_F(Filesystem, lists_searches_and_moves) {
    Client c = connected();
    folder_.write("a.txt", "a");
    folder_.write("b.md", "bb");
    call(c, "create_directory", {{"path", in("sub/deep")}});
    call(c, "move_file", {{"source", in("b.md")}, {"destination", in("sub/deep/c.md")}});
    EXPECT_EQ(folder_.read("sub/deep/c.md"), "bb");

    const auto list = call(c, "list_directory", {{"path", in("")}});
    EXPECT_TRUE(contains(list, "[FILE] a.txt") && contains(list, "[DIR] sub")) << list;
    EXPECT_TRUE(contains(call(c, "list_directory_with_sizes", {{"path", in("")}}), "Total: 1 files, 1 directories"));
    EXPECT_EQ(call(c, "search_files", {{"path", in("")}, {"pattern", "**/*.md"}}), folder_.path("sub/deep/c.md"));
    EXPECT_EQ(call(c, "search_files", {{"path", in("")}, {"pattern", "*.none"}}), "No matches found");
    const auto tree = json::parse(call(c, "directory_tree", {{"path", in("sub")}})).value();
    EXPECT_EQ(tree.at(0).at("children").at(0).at("name"), json::value("c.md"));
    EXPECT_TRUE(contains(call(c, "get_file_info", {{"path", in("sub/deep/c.md")}}), "size: 2"));
    const auto both = call(c, "read_multiple_files", {{"paths", {in("a.txt"), in("missing")}}});
    EXPECT_TRUE(contains(both, "a.txt:\na\n") && contains(both, "missing: Error")) << both;
    EXPECT_EQ(call(c, "list_allowed_directories", {}), "Allowed directories:\n" + folder_.path());
}

TEST_F(Filesystem, binary_files_are_read_unchanged) {
    Client c = connected();
    const std::string bytes("\x00\xff\x89PNG\n", 7);
    folder_.write("picture.png", bytes);
    folder_.write("sound.wav", bytes);
    folder_.write("other.bin", bytes);
    const auto read = [&](const std::string& name) {
        return c.call_tool("read_media_file", {{"path", in(name)}}).content.at(0);
    };
    EXPECT_EQ(std::get<ImageContent>(read("picture.png")).bytes, bytes);
    EXPECT_EQ(std::get<AudioContent>(read("sound.wav")).bytes, bytes);
    EXPECT_EQ(std::get<EmbeddedResource>(read("other.bin")).resource.blob, bytes);
}

TEST_F(Filesystem, paths_outside_the_folder_are_refused) {
    Client c = connected();
    const Folder other;
    other.write("secret", "s");
    fs::create_symlink(other.path("secret"), folder_.path("link"));
    for (const json::value& path : {json::value(other.path("secret")), in("link"), in("../secret")}) {
        // The tool has an output schema, but an error need not match it.
        const ToolResult result = c.call_tool("read_text_file", {{"path", path}});
        EXPECT_TRUE(result.isError);
        EXPECT_TRUE(contains(text_of(result), "Access denied")) << text_of(result);
    }
    EXPECT_TRUE(c.call_tool("write_file", {{"path", other.path("new")}, {"content", "x"}}).isError);
    EXPECT_FALSE(fs::exists(other.path("new")));
    EXPECT_TRUE(contains(error_of([&] {
                             call(c, "read_text_file", {{"path", other.path("secret")}});
                         }).message,
                         "Access denied"));
}

TEST_F(Filesystem, allowed_folders_follow_the_clients_roots) {
    const Folder other;
    folder_.write("a.txt", "a");
    other.write("b.txt", "b");
    std::mutex mutex;
    std::vector<Root> roots = {{folder_.uri(), "first"}};
    Gathered<std::string> said;
    ProcessOptions server;
    server.on_stderr = [&](std::string_view line) { said.put(std::string(line)); };
    ClientOptions o;
    o.on_roots = [&](std::stop_token) {
        const std::lock_guard lock(mutex);
        return roots;
    };
    Client c(by_stdio({filesystem_script()}, std::move(server)), std::move(o));
    c.connect();
    const auto updated = [](const std::string& line) { return line.starts_with("Updated allowed directories"); };
    said.take_until(updated);
    EXPECT_EQ(call(c, "read_text_file", {{"path", in("a.txt")}}), "a");
    EXPECT_TRUE(c.call_tool("read_text_file", {{"path", other.path("b.txt")}}).isError);

    {
        const std::lock_guard lock(mutex);
        roots = {{other.uri(), "second"}};
    }
    c.roots_changed();
    said.take_until(updated);
    EXPECT_EQ(call(c, "read_text_file", {{"path", other.path("b.txt")}}), "b");
    EXPECT_TRUE(c.call_tool("read_text_file", {{"path", in("a.txt")}}).isError);
}

// The server throws an error that it cannot operate, and the SDK swallows it. The server continues and allows no
// folder.
TEST_F(Filesystem, without_folders_or_roots_every_path_is_refused) {
    Client c(by_stdio({filesystem_script()}));
    EXPECT_EQ(call(c, "list_allowed_directories", {}), "Allowed directories:\n");
    EXPECT_TRUE(c.call_tool("list_directory", {{"path", in("")}}).isError);
}

}  // namespace
}  // namespace tenon::test
