// The mutants of the client. Each breaks one rule and is correct otherwise.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/json.hpp>

#include "client_mutant_wire.hpp"

namespace tenon::mutant {

class Client;

/// The places where a mutant can change the behaviour of the small client.
struct Bend {
    /// Changes a message before it is sent. `modern` is true in 2026-07-28.
    std::function<void(json::object&, bool modern)> message = {};
    std::function<void(std::string&, bool modern)> text = {};  ///< changes its text
    std::function<void(Fields&, const std::string& method, bool modern)> head = {};
    std::function<void(Client&)> before_initialize = {}, after_initialized = {}, at_the_end = {}, in_modern = {};
    /// Changes an answer to the server.
    std::function<void(json::object& answer, const std::string& method)> answer = {};
    bool no_initialized = false, late_initialized = false, does_not_wait = false, speaks_anything = false;
    bool ignores_capabilities = false, twice = false;
    bool dies_of_strays = false, dies_of_notifications = false, dies_of_spelling = false, dies_of_streams = false;
    bool dies_of_405 = false, dies_of_404 = false;
    bool answers_notifications = false, kills = false, no_delete = false, same_ids = false;
    bool no_resume = false, hurries = false, old_header = false;
    bool never_tasks = false, always_tasks = false, keeps_headers = false;
};

struct Mutation {
    std::string_view rule;
    enum class On { both, stdio, http } on;
    std::function<void(Bend&)> bend;
};

const std::vector<Mutation>& mutations();

}  // namespace tenon::mutant
