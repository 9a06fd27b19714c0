// Questions of a handler to the client in the middle of a call.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <tenon/protocol/sampling.hpp>
#include <tenon/protocol/tasks.hpp>
#include <tenon/reply.hpp>

#include "core/server/call.hpp"

namespace tenon::core {

/// The span of a question, for observers. Shared by the question and the code that waits for its answer. Changed only
/// before that code runs.
struct QuestionSpan {
    TraceContext trace;  // with the id of this span: the question carries it
    std::string parent;  // the span of the call
    WallTime began;
    bool sent = false;     // false: the question was refused, or answered in an earlier round; it has no record
    bool earlier = false;  // an earlier round of the call asked the question (2026-07-28)
};

/// One question, encoded for the revision of the call.
struct Question {
    std::string key;  // names the question in an `input_required` result or a task; empty: the engine chooses a name
    std::string_view method;  // elicitation/create, sampling/createMessage or roots/list
    Encoded params;
    Reply<json::value> reply;
    std::string needs = {};           // "url" or "tools" when the client must have declared that part of the capability
    std::optional<Error> wrong = {};  // why the question must not be sent; its handler gets this error
    std::shared_ptr<QuestionSpan> span = {};  // null: operations are not observed
};

Question elicit_question(const Call& call, std::string key, std::string_view message, const json::object& form,
                         Reply<json::value> reply);
Question elicit_url_question(const Call& call, std::string key, std::string_view message, std::string_view url,
                             std::string_view elicitation_id, Reply<json::value> reply);
Question sample_question(const Call& call, std::string key, const SampleRequest& request, Reply<json::value> reply);
Question roots_question(std::string key, Reply<json::value> reply);

/// Returns an error unless the question is valid, the revision has such questions, and the client declared the
/// capability.
Result<void> client_can_answer(const Peer& peer, const Question& question);

}  // namespace tenon::core
