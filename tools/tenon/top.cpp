// tenon top: shows what a server does, from its metrics.
#include <poll.h>
#include <unistd.h>

#include <chrono>

#include <tenon/scrape.hpp>
#include <tenon/wire_tap.hpp>

#include "commands.hpp"
#include "interrupt.hpp"
#include "json_text.hpp"
#include "settings.hpp"
#include "top_table.hpp"

namespace tenon::program {
namespace {

using namespace std::chrono_literals;

constexpr Duration scrape_time = 10s;

std::string metrics_url(const CommandLine& line) {
    if (line.words.size() != 1)
        throw usage_failure("write the URL of the metrics of one server", "tenon top http://127.0.0.1:9464/metrics");
    std::string url = line.words.front();
    if (url.find("://") == std::string::npos) url = "http://" + url;
    const std::size_t path = url.find('/', url.find("://") + 3);
    if (path == std::string::npos) return url + "/metrics";
    return path + 1 == url.size() ? url + "metrics" : url;
}

MetricsPage load_page(const std::string& url) {
    auto text = scrape(url, scrape_time);
    if (!text)
        throw Failure(Status::connection, "cannot read " + mask_secrets(url) + ": " + text.error().message,
                      "start the server with --metrics ADDRESS:PORT, or set HttpOptions::metrics");
    MetricsPage page = MetricsPage::read(*text);
    if (page.empty()) throw Failure(Status::protocol, mask_secrets(url) + " has no metrics");
    return page;
}

// Shows the table on the whole screen, and below it why the newest page is missing, if it is.
void show(Console& console, const TopTable& table, const std::string& url, const std::string& problem) {
    constexpr std::size_t other_lines =
        9;  // the head, the titles, the count of what is left out, the problem, the cursor
    console.print([&](Out& out) {
        out.set_facts(facts_of(STDOUT_FILENO));
        const std::size_t height = out.facts().height;
        out.clear_screen();
        write_top(out, table, mask_secrets(url), height > other_lines ? height - other_lines : 1);
        if (!problem.empty()) out << Styled(Look::yellow, safe_line(problem + "; trying again")) << "\n";
    });
}

// Waits for the time, or for Ctrl-C. Returns whether to go on.
bool wait_for_next(const Interrupt& interrupt, Duration time) {
    const StopFd stop(interrupt.token());
    pollfd fd{stop.fd(), POLLIN, 0};
    ::poll(&fd, 1, static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(time).count()));
    return !interrupt.happened();
}

}  // namespace

Status run_top(const CommandLine& line, Console& console) {
    const std::string url = metrics_url(line);
    const Duration interval = line.has("interval") ? seconds_in("interval", line.last("interval")) : Duration(1s);
    const Interrupt interrupt;
    MetricsPage page = load_page(url);
    TimePoint when = Clock::now();
    TopTable table = TopTable::make(page);
    bool live = false;
    console.print([&](Out& out) {
        live = out.facts().terminal && !line.has("once") && !line.has("json");
        if (live) return;
        line.has("json") ? void(out << pretty_json(top_json(table)) << "\n") : write_top(out, table, mask_secrets(url));
    });
    if (!live) return Status::ok;
    for (std::string problem; show(console, table, url, problem), wait_for_next(interrupt, interval);) {
        problem.clear();
        try {
            MetricsPage next = load_page(url);
            const TimePoint now = Clock::now();
            table = TopTable::make(next, &page, std::chrono::duration<double>(now - when).count());
            page = std::move(next);
            when = now;
        } catch (const Failure& failure) {  // the server may be starting again
            problem = failure.what();
        }
    }
    return Status::ok;
}

}  // namespace tenon::program
