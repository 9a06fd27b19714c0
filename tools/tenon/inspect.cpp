// tenon inspect: shows a server on a web page of this machine.
#include <poll.h>

#include <tenon/auth/client.hpp>
#include <tenon/inspect.hpp>

#include "commands.hpp"
#include "files.hpp"
#include "interrupt.hpp"
#include "permission.hpp"
#include "report_formats.hpp"
#include "sampler.hpp"
#include "settings.hpp"
#include "trust.hpp"
#include "write_format.hpp"

namespace tenon::program {
namespace {

constexpr std::string_view project_config = ".mcp.json";

inspect::Target inspected(Target target) {
    return {target.label == target.url ? std::string() : std::move(target.label),
            std::move(target.url),
            std::move(target.headers),
            std::move(target.command),
            std::move(target.environment),
            std::move(target.directory)};
}

// Decisions of `tenon call` and of the page are the same.
std::string identity(const inspect::Target& target) {
    Target same;
    same.url = target.url;
    same.command = target.command;
    same.directory = target.directory;
    return identity_of(same);
}

std::string config_file(const CommandLine& line) {
    return line.has("config") ? line.last("config") : std::string(project_config);
}

std::string shown_entry(const FoundEntry& entry) {
    const json::value* url = entry.entry.if_contains("url");
    if (url && url->is_string()) return std::string(url->get_string());
    std::vector<std::string> words;
    if (const json::value* command = entry.entry.if_contains("command"); command && command->is_string())
        words.emplace_back(command->get_string());
    if (const json::value* arguments = entry.entry.if_contains("args"); arguments && arguments->is_array())
        for (const json::value& word : arguments->get_array())
            words.push_back(word.is_string() ? std::string(word.get_string()) : json::write(word));
    return join_words(words);
}

inspect::KnownTargets known_targets(const std::string& file, bool named) {
    inspect::KnownTargets out;
    if (!named && !read_whole_file(file)) return out;
    try {
        for (const FoundEntry& entry : entries_of(file))
            out.targets.push_back({entry.name, entry.file, entry.entry.contains("url"), shown_entry(entry)});
        out.files.push_back(file);
    } catch (const Failure& failure) {
        out.problems.emplace_back(failure.what());
    }
    return out;
}

// An entry of a file that the user did not name on the command line must be allowed once.
inspect::Target find_entry(const std::string& file, bool named, const std::string& name, bool trusted) {
    for (const FoundEntry& entry : entries_of(file)) {
        if (entry.name != name) continue;
        TrustedEntries known;
        if (!named && needs_trust(entry) && !known.has(entry)) {
            if (!trusted) throw inspect::NeedsTrust{entry.entry};
            known.add(entry);
        }
        return inspected(target_of(entry));
    }
    throw usage_failure(file + " has no server `" + name + "`");
}

inspect::ReportTexts report_texts(const check::Report& report) {
    Assessment verdict = judge(report);
    verdict.date = date_now();
    return {report_as_json(verdict), report_as_html(verdict)};
}

template <class Make>
auto if_possible(Make make) -> decltype(make()) {
    try {
        return make();
    } catch (const std::exception&) {
        return nullptr;  // there is no folder, or other users may write to it: nothing is remembered
    }
}

// The page asks for what these options say.
void refuse_unused(const CommandLine& line) {
    for (const char* option : {"answer", "client-id", "client-secret-env", "client-key", "issuer", "scope", "json"})
        if (line.has(option))
            throw usage_failure("--" + std::string(option) + " is not used by `tenon inspect`",
                                "answer questions and sign in on the page");
}

inspect::Options options_of(const CommandLine& line, Console& console) {
    refuse_unused(line);
    const Settings settings = settings_of(line);
    inspect::Options out;
    std::vector<std::string> words = line.words;
    if (line.server || !words.empty()) {
        Target target = take_target(line, words, approval(line, console));
        if (line.server) target.label.clear();  // the page shows the whole command: many servers are run by `node`
        if (!words.empty()) throw usage_failure("there is one argument too many: " + words.front());
        out.target = inspected(std::move(target));
    }
    out.era = settings.era;
    out.timeout = settings.timeout;
    out.port = number_in<std::uint16_t>(line, "port", 0, 65535, 0);
    out.version = TENON_VERSION;
    out.roots = settings.roots;
    out.decisions = if_possible([] { return consent_files(); });
    out.tokens = if_possible([] { return auth::file_store(); });
    const std::string file = config_file(line);
    const bool named = line.has("config");
    out.known_targets = [file, named] { return known_targets(file, named); };
    out.find_target = [file, named](const std::string& name, bool trusted) {
        return find_entry(file, named, name, trusted);
    };
    out.identity = identity;
    out.shell_line = join_words;
    out.write_report = report_texts;
    if (!settings.sample_command.empty())
        out.sampler = [command = settings.sample_command](const SampleRequest& request, const std::stop_token& stop) {
            return sample_by_command(command, request, stop);
        };
    return out;
}

void open_page(const inspect::Inspector& inspector, const CommandLine& line, Console& console) {
    if (line.has("no-open") || auth::open_browser(inspector.url()) || line.has("quiet")) return;
    console.note([](Out& out) { out << "No browser could be started. Open the link above; it works once.\n"; });
}

// The client reads the standard output of a tap, so the link goes to standard error.
Status run_stdio_tap(inspect::Inspector& inspector, const Interrupt& interrupt, const CommandLine& line,
                     Console& console) {
    console.note([&](Out& out) { out << safe_line(inspector.url()) << "\n"; });
    if (!line.has("no-open")) auth::open_browser(inspector.url());
    try {
        return static_cast<Status>(inspector.tap(interrupt.token()));
    } catch (const std::exception& e) {
        throw Failure(Status::connection, std::string("the server cannot be started: ") + e.what());
    }
}

Status run_page(inspect::Inspector& inspector, const Interrupt& interrupt, const CommandLine& line, Console& console) {
    const std::string tapped = inspector.tap_address();
    console.print([&](Out& out) {
        out << safe_line(inspector.url()) << "\n";
        if (!tapped.empty()) out << safe_line(tapped) << "\n";
    });
    if (!tapped.empty() && !line.has("quiet"))
        console.note([](Out& out) {
            out << "The first link is the page. Let the client connect to the second one in place of the server.\n";
        });
    open_page(inspector, line, console);
    const StopFd stop(interrupt.token());
    pollfd fd{stop.fd(), POLLIN, 0};
    while (!interrupt.happened()) ::poll(&fd, 1, -1);
    return Status::ok;
}

}  // namespace

Status run_inspect(const CommandLine& line, Console& console) {
    inspect::Options options = options_of(line, console);
    options.tap = line.has("tap");
    if (options.tap && !options.target)
        throw usage_failure("--tap needs a server",
                            "write `tenon inspect --tap -- COMMAND` or `tenon inspect --tap URL`");
    const bool by_stdio = options.tap && options.target->url.empty();
    const Interrupt interrupt;
    std::optional<inspect::Inspector> inspector;
    try {
        inspector.emplace(std::move(options));
    } catch (const Exception& e) {
        throw usage_failure(e.what());
    }
    return by_stdio ? run_stdio_tap(*inspector, interrupt, line, console)
                    : run_page(*inspector, interrupt, line, console);
}

}  // namespace tenon::program
