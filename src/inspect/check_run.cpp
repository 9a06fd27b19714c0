#include "inspect/check_run.hpp"

#include "inspect/refusal.hpp"
#include "inspect/session.hpp"
#include "io/last_resort.hpp"

namespace tenon::inspect {
namespace {

constexpr double progress_pause_ms = 50;  // between two events

}  // namespace

CheckRun::~CheckRun() {
    stop();
    if (thread_.joinable()) thread_.join();
}

void CheckRun::start(check::Options check, Era era) {
    const std::lock_guard lock(mutex_);
    if (running_) throw Refusal{409, "A check is running already.", "Stop it, or wait for its end."};
    if (thread_.joinable()) thread_.join();
    running_ = true;
    thread_ = std::jthread([this, era, check = std::move(check)](const std::stop_token& stop) mutable {
        check.stop = stop;
        run(std::move(check), era);
    });
}

void CheckRun::run(check::Options check, Era era) {
    check.progress = [this, last = 0.0](std::string_view what, std::size_t done, std::size_t of) mutable {
        const double now = wall_clock();
        if (now - last < progress_pause_ms && done < of) return;
        last = now;
        recorder_.tell("check_progress", {{"what", what}, {"done", done}, {"of", of}});
    };
    const check::Report report = check::check_server(check);
    std::optional<ReportTexts> texts;
    io::survives(
        [&] {
            if (options_.write_report) texts = options_.write_report(report);
        },
        [](const char*) {});
    {
        const std::lock_guard lock(mutex_);
        if (texts) {
            texts_ = std::move(texts);
            era_ = era;
        }
        running_ = false;
    }
    recorder_.tell("check_done", {{"passed", report.count(check::Outcome::pass)},
                                  {"failed", report.count(check::Outcome::fail)},
                                  {"warnings", report.count(check::Outcome::warning)},
                                  {"incomplete", report.incomplete}});
}

void CheckRun::stop() {
    const std::lock_guard lock(mutex_);
    thread_.request_stop();
}

json::object CheckRun::report() const {
    const std::lock_guard lock(mutex_);
    if (!texts_) throw Refusal{404, "There is no report yet.", "Run a check first."};
    return {{"report", texts_->json}, {"html", texts_->html}, {"era", name_of(era_)}};
}

json::object rule_json(std::string_view id) {
    const check::Rule* rule = check::find_rule(id);
    if (!rule) throw Refusal{404, "There is no rule `" + std::string(id) + "`."};
    json::array sources;
    for (const check::Clause& clause : rule->clauses)
        if (clause.level != check::Level::none)
            sources.push_back(json::object{
                {"revision", clause.revision}, {"level", check::to_string(clause.level)}, {"url", clause.source()}});
    return {{"id", rule->id},
            {"title", rule->title},
            {"side", check::to_string(rule->side)},
            {"severity", check::to_string(rule->severity)},
            {"text", rule->text},
            {"remedy", rule->remedy},
            {"right", rule->right},
            {"wrong", rule->wrong},
            {"sources", std::move(sources)}};
}

}  // namespace tenon::inspect
