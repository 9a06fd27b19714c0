// tenon read: reads a resource.
#include "commands.hpp"
#include "content.hpp"
#include "json_text.hpp"
#include "listing.hpp"
#include "trust.hpp"

namespace tenon::program {
namespace {

// Shows the contents. With --save, saves all contents unchanged, also text.
bool show(const ReadResult& result, Keeper& keeper, Out& out) {
    ContentWriter writer(out, keeper, "resource");
    for (ResourceContents contents : result.contents) {
        if (keeper.wanted() && !contents.blob) {
            contents.blob = std::move(contents.text);
            if (contents.mimeType.empty()) contents.mimeType = "text/plain";
        }
        writer.write(contents);
    }
    return writer.dropped_bytes();
}

}  // namespace

Status run_read(const CommandLine& line, Console& console) {
    std::vector<std::string> words = line.words;
    const Target target = take_target(line, words, approval(line, console));
    if (words.size() != 1)
        throw usage_failure(words.empty() ? "URI is missing" : "`" + words[1] + "` is an unexpected argument",
                            "`tenon list TARGET resources` lists the resources");
    const Settings settings = settings_of(line);
    Keeper keeper(line);

    Session session(target, settings, console);
    if (settings.json) {
        const json::object result = session.with_client([&](Client& client) {
            return without_envelope(client.request("resources/read", {{"uri", words.front()}}, session.call_options()));
        });
        console.print([&](Out& out) { out << compact_json(result) << "\n"; });
        return Status::ok;
    }
    const ReadResult result = session.with_client(
        [&](Client& client) { return client.read_resource(words.front(), session.call_options()); });
    bool dropped = false;
    console.print([&](Out& out) { dropped = show(result, keeper, out); });
    if (dropped && !settings.quiet)
        console.note(
            [](Out& out) { out << Styled(Look::dim, "--save FILE keeps images, audio and other bytes") << "\n"; });
    return Status::ok;
}

}  // namespace tenon::program
