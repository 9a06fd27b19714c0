// Mutants: correct servers that each break one rule. The checker must find this rule, and no other.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/json.hpp>

namespace tenon::check::mutant {

/// A message between client and server, and what is known about it.
struct Passing {
    std::string line;                                  ///< may be changed; when it is emptied, it is not passed on
    json::object message = {};                         ///< the parsed line, when it is an object
    std::string method = {};                           ///< of the request, or of the request that an answer answers
    json::object params = {};                          ///< parameters of the same request
    std::vector<std::string> before = {}, after = {};  ///< in: answers sent at once; out: further lines

    bool is_answer() const { return message.contains("result") || message.contains("error"); }
    void write() { line = json::write(message); }
};

/// The state of one process.
struct Memory {
    std::size_t count = 0;     ///< for mutants that count
    std::size_t in_read = 0;   ///< lines so far of those that arrived at once
    bool initialized = false;  ///< notifications/initialized was received
    bool introduced = false;   ///< initialize or server/discover was received
    std::string kept = {};
    std::map<std::string, std::pair<std::string, json::object>> asked = {};  ///< method and parameters by id
};

using Change = std::function<void(Passing&, Memory&)>;

/// An HTTP request on its way to the correct server, and its response on the way back.
struct Web {
    std::string method = {}, target = {};
    std::vector<std::pair<std::string, std::string>> fields = {};  ///< names in lower case
    std::string body = {};
    int status = 0;  ///< of the response; when a request change sets it, the response is sent at once
    std::map<std::string, std::string> answer_fields = {};
    std::string answer = {};
    std::string raw = {};  ///< the bytes of the whole response; empty: they are made from the members above
    bool closes = false;   ///< the connection ends after the response

    std::string field(std::string_view name) const;
    void set(std::string_view name, std::string value);
    void remove(std::string_view name);
};
using WebChange = std::function<void(Web&, Memory&)>;

struct Mutant {
    std::string_view rule;
    std::string_view revision = "2025-11-25";
    Change in = {}, out = {};
    Change at_end = {};                   ///< at the end of input; `line` is the text after the last newline
    WebChange request = {}, answer = {};  ///< when set, the mutant is served over HTTP
    bool silent = false;  ///< the checker must wait for missing answers, so its answer time is shortened
    bool http = false;    ///< changes messages, but is served over HTTP
    std::function<void()> at_start = {};  ///< before anything is read

    bool over_http() const { return request || answer || http; }
    bool security() const;  ///< the rule is only checked with --security
};

std::vector<Mutant> all_mutants();
/// Servers that are unusual but correct. The checker must report nothing. `rule` is a name: "odd.null-id".
std::vector<Mutant> odd_servers();
std::vector<Mutant> odd_definitions();
/// A server that repeats the message of a stream that is resumed.
Mutant repeats_its_stream();
/// More of them, each like a server that tests/check/real runs.
std::vector<Mutant> odd_real_servers();
/// More of them, which write their messages in an unusual way.
std::vector<Mutant> odd_wires();
/// Servers for single tests.
std::vector<Mutant> special_servers();
std::vector<Mutant> rpc_mutants();
std::vector<Mutant> lifecycle_mutants();
std::vector<Mutant> feature_mutants();
std::vector<Mutant> http_mutants();
std::vector<Mutant> definition_and_change_mutants();
/// Rules without a mutant, and the reason.
const std::map<std::string_view, std::string_view>& without_mutant();

/// Returns the control: a server of this revision that breaks no rule.
Mutant control(std::string_view revision, bool http);

int serve_stdio(const Mutant& mutant);
int serve_web(const Mutant& mutant);

}  // namespace tenon::check::mutant
