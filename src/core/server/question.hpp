// What a handler asks the client in the middle of its work.
#pragma once

#include <string>
#include <string_view>

#include <tenon/protocol/sampling.hpp>
#include <tenon/reply.hpp>

#include "core/server/call.hpp"

namespace tenon::core {

/// One question, in the words of the call's revision.
struct Question {
    std::string key;          // its name where questions travel in a result; made up when empty
    std::string_view method;  // elicitation/create, sampling/createMessage or roots/list
    Encoded params;
    Reply<json::value> reply;
    std::string needs = {};  // a part of the capability, "url" or "tools", when the whole is not enough
};

Question elicit_question(const Call& call, std::string key, std::string_view message, const json::object& form,
                         Reply<json::value> reply);
Question elicit_url_question(const Call& call, std::string key, std::string_view message, std::string_view url,
                             std::string_view elicitation_id, Reply<json::value> reply);
Question sample_question(const Call& call, std::string key, const SampleRequest& request, Reply<json::value> reply);
Question roots_question(std::string key, Reply<json::value> reply);

/// Whether the client said that it can, in a revision that has such questions.
Result<void> client_can_answer(const Peer& peer, const Question& question);

}  // namespace tenon::core
