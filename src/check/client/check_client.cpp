// check_client(): plays the scenes and judges the results. The client is started once for each scene.
#include <algorithm>
#include <array>
#include <memory>
#include <system_error>

#include "check/client/client_runner.hpp"
#include "check/client/judge.hpp"
#include "check/client/needed_scenes.hpp"

namespace tenon::check {
namespace client {
namespace {

bool has(const std::vector<std::string>& words, std::string_view part) {
    return std::ranges::any_of(words, [&](const std::string& word) { return word.find(part) != std::string::npos; });
}

std::string joined(const std::vector<std::string>& words) {
    std::string out;
    for (const std::string& word : words) out += (out.empty() ? "" : " ") + word;
    return out;
}

// The scenes for a client that uses a handshake. The plain scene comes before them.
constexpr std::array legacy_scenes = {
    Scene::bare,         Scene::questions,         Scene::stray_response, Scene::unknown_notification,
    Scene::odd_spelling, Scene::no_common_version, Scene::other_version};
constexpr std::array web_scenes = {Scene::event_streams, Scene::polling, Scene::lost_session};
constexpr std::array modern_scenes = {Scene::modern, Scene::modern_questions};

class Check {
 public:
    explicit Check(const Options& options)
        : options_(options),
          http_(has(options.target.command, "{url}")),
          began_(Clock::now()),
          until_(later(began_, options.time)) {
        report_.target = joined(options.target.command);
        report_.transport = http_ ? "http" : "stdio";
    }

    Report run() {
        if (const std::string why = unusable(); !why.empty())
            report_.incomplete = why;
        else
            play_all();
        report_.took = Clock::now() - began_;
        return std::move(report_);
    }

 private:
    std::string unusable() const {
        const bool stdio = has(options_.target.command, "{server}");
        if (options_.target.command.empty()) return "there is no client to start";
        if (http_ == stdio) return "the client command must contain either {server} or {url}";
        if (stdio && options_.relay.empty()) return "Options::relay is missing";
        return {};
    }

    void play_all() {
        try {
            runner_.emplace(options_, http_);
            if (play(Scene::plain)) play_the_rest();
        } catch (const std::system_error& e) {
            report_.incomplete = e.what();
        }
        if (!dialogues_.empty() && !dialogues_.at(Scene::plain).texts.empty()) finish();
    }

    void play_the_rest() {
        const Dialogue& plain = dialogues_.at(Scene::plain);
        if (plain.texts.empty()) {
            report_.incomplete = "the client sent nothing";
            const auto& errors = plain.record.errors;
            if (!errors.empty()) report_.incomplete += "; its stderr ends with: " + errors;
            return;
        }
        std::vector<Scene> scenes;
        const auto add = [&scenes](const auto& more) { scenes.insert(scenes.end(), more.begin(), more.end()); };
        if (plain.introduction()) add(legacy_scenes);
        const bool newest = plain.asked_revision == protocol::Rules(protocol::legacy_revisions().front()).name();
        if (!plain.asked_revision.empty() && !newest) scenes.push_back(Scene::newest_version);
        if (plain.introduction() && http_) add(web_scenes);
        if (plain.speaks_modern) add(modern_scenes);
        if (plain.introduction() && plain.rules().has(protocol::Trait::task_requests) && calls_tools(Scene::plain))
            scenes.push_back(Scene::tasks);
        std::erase_if(scenes, [&](Scene scene) { return !is_needed(scene, options_.only); });
        of_ = scenes.size() + 1;
        for (const Scene scene : scenes)
            if (!play(scene)) return;
        if (http_ && is_needed(Scene::changed_headers, options_.only) && calls_tools(Scene::modern))
            play(Scene::changed_headers);
    }

    bool calls_tools(Scene scene) const {
        const auto it = dialogues_.find(scene);
        return it != dialogues_.end() && it->second.methods.contains("tools/call");
    }

    // Returns false when the check was interrupted or its time is over.
    bool play(Scene scene) {
        if (options_.progress) options_.progress(to_string(scene), records_.size(), of_);
        if (options_.stop.stop_requested())
            report_.incomplete = "it was interrupted";
        else if (Clock::now() >= until_)
            report_.incomplete = "the time ran out";
        if (!report_.incomplete.empty()) return false;
        records_.push_back(std::make_unique<Record>(runner_->play(scene, until_)));
        dialogues_.emplace(scene, *records_.back());
        return true;
    }

    void finish() {
        const Dialogue& plain = dialogues_.at(Scene::plain);
        for (Finding& finding : judge(dialogues_, options_.max_evidence_bytes))
            if (is_selected(finding.rule->id, options_.only)) report_.findings.push_back(std::move(finding));
        if (plain.speaks_modern) report_.revisions.emplace_back(protocol::Rules(protocol::modern_revision()).name());
        if (!plain.revision.empty()) report_.revisions.push_back(plain.revision);
        introduce(plain);
    }

    void introduce(const Dialogue& plain) {
        for (const Message& m : plain.messages) {
            const json::object& info = m.is_request("initialize")
                                           ? object_member(m.params(), "clientInfo")
                                           : object_member(m.meta(), "io.modelcontextprotocol/clientInfo");
            if (info.empty()) continue;
            report_.name = string_member(info, "name");
            report_.version = string_member(info, "version");
            return;
        }
    }

    const Options& options_;
    const bool http_;
    const TimePoint began_, until_;
    Report report_;
    std::optional<ClientRunner> runner_;
    std::vector<std::unique_ptr<Record>> records_;
    Dialogues dialogues_;
    std::size_t of_ = legacy_scenes.size() + modern_scenes.size() + 1;
};

}  // namespace
}  // namespace client

Report check_client(const Options& options) { return client::Check(options).run(); }

}  // namespace tenon::check
