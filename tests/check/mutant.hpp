// Mutants: a correct server with one rule broken each. What the checker must find, and nothing else.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/json.hpp>

namespace tenon::check::mutant {

/// A message on its way, and what is known of it.
struct Passing {
    std::string line;                                  ///< may be changed, or emptied: then it does not pass
    json::object message = {};                         ///< of the line, where it is one
    std::string method = {};                           ///< of the request; of an answer, what it answers
    json::object params = {};                          ///< the same
    std::vector<std::string> before = {}, after = {};  ///< lines that go the other way first (in), or out as well

    bool is_answer() const { return message.contains("result") || message.contains("error"); }
    void write() { line = json::write(message); }
};

/// What one process remembers.
struct Memory {
    std::size_t count = 0;     ///< for whatever a mutant counts
    bool initialized = false;  ///< notifications/initialized came
    bool introduced = false;   ///< initialize, or server/discover came
    std::string kept = {};
    std::map<std::string, std::pair<std::string, json::object>> asked = {};  ///< by the text of an id
};

using Change = std::function<void(Passing&, Memory&)>;

/// An HTTP request on its way to the correct server, and its answer on the way back.
struct Web {
    std::string method = {}, target = {};
    std::vector<std::pair<std::string, std::string>> fields = {};  ///< names in small letters
    std::string body = {};
    int status = 0;  ///< of the answer; set in a change of a request: the answer is given at once
    std::map<std::string, std::string> answer_fields = {};
    std::string answer = {};

    std::string field(std::string_view name) const;
    void set(std::string_view name, std::string value);
    void remove(std::string_view name);
};
using WebChange = std::function<void(Web&, Memory&)>;

struct Mutant {
    std::string_view rule;
    std::string_view revision = "2025-11-25";
    Change in = {}, out = {};
    Change at_end = {};                   ///< of input: `line` is what came without a newline
    WebChange request = {}, answer = {};  ///< set: it is served over HTTP
    bool silent = false;                  ///< it lets the checker wait: less patience is needed
    bool http = false;                    ///< the change is of messages, but over HTTP

    bool over_http() const { return request || answer || http; }
    bool security() const;  ///< the rule is one of --security
};

std::vector<Mutant> all_mutants();
std::vector<Mutant> rpc_mutants();
std::vector<Mutant> lifecycle_mutants();
std::vector<Mutant> feature_mutants();
std::vector<Mutant> http_mutants();
/// Rules without a mutant, and why.
const std::map<std::string_view, std::string_view>& without_mutant();

/// The control, in a revision: nothing is broken.
Mutant control(std::string_view revision, bool http);

int serve_stdio(const Mutant& mutant);
int serve_web(const Mutant& mutant);

}  // namespace tenon::check::mutant
