// Judges calls of tools as tasks (2025-11-25).
#include "check/client/judge.hpp"

namespace tenon::check::client {
namespace {

// In Scene::tasks the tool `greet` requires a task. A client that did not list the tools cannot know that.
void judge_required_task(const Dialogue& dialogue, Sheet& sheet) {
    bool listed = false;
    for (const Message& m : dialogue.messages) {
        listed = listed || m.is_request("tools/list");
        if (!listed || !m.is_request("tools/call") || string_member(m.params(), "name") != "greet") continue;
        sheet.expect(m.params().contains("task"), "TOOL-5.client-task", dialogue, m.event,
                     "a tool that requires a task is called without `task`");
    }
}

void judge_undeclared_task(const Dialogue& dialogue, Sheet& sheet) {
    if (!dialogue.rules().has(protocol::Trait::task_requests)) return;
    for (const Message& m : dialogue.messages)
        if (m.is_request("tools/call"))
            sheet.expect(!m.params().contains("task"), "TOOL-5.client-no-task", dialogue, m.event,
                         "a tool is called as a task, but the server does not declare tasks");
}

}  // namespace

void judge_tasks(const Dialogues& dialogues, Sheet& sheet) {
    for (const auto& [scene, dialogue] : dialogues) {
        if (is_modern(scene)) continue;
        if (scene == Scene::tasks)
            judge_required_task(dialogue, sheet);
        else
            judge_undeclared_task(dialogue, sheet);
    }
}

}  // namespace tenon::check::client
