// Building blocks of mutants: small changes of messages.
#pragma once

#include <utility>

#include "check/mutant.hpp"

namespace tenon::check::mutant {

using json::array;
using json::object;
using json::value;

/// Returns whether this is an answer to the method. An empty method matches every answer.
inline bool answers(const Passing& p, std::string_view method) {
    return p.is_answer() && (method.empty() || p.method == method);
}

/// Changes the message of an answer.
inline Change answer(std::string_view method, std::function<void(object&)> edit) {
    return [method, edit = std::move(edit)](Passing& p, Memory&) {
        if (!answers(p, method)) return;
        edit(p.message);
        p.write();
    };
}
/// Changes the result of an answer.
inline Change result(std::string_view method, std::function<void(object&)> edit) {
    return answer(method, [edit = std::move(edit)](object& message) {
        if (value* r = message.if_contains("result"); r && r->is_object()) edit(r->get_object());
    });
}
/// Changes the error of an answer.
inline Change error(std::string_view method, std::function<void(object&)> edit) {
    return answer(method, [edit = std::move(edit)](object& message) {
        if (value* e = message.if_contains("error"); e && e->is_object()) edit(e->get_object());
    });
}
/// Changes the text of an answer.
inline Change text(std::string_view method, std::function<void(std::string&)> edit) {
    return [method, edit = std::move(edit)](Passing& p, Memory&) {
        if (answers(p, method)) edit(p.line);
    };
}
inline std::function<void(std::string&)> replaced(std::string from, std::string to) {
    return [from = std::move(from), to = std::move(to)](std::string& line) {
        if (const auto at = line.find(from); at != line.npos) line.replace(at, from.size(), to);
    };
}
/// Sends another line after each answer to a method.
inline Change then_say(std::string_view method, std::string line) {
    return [method, line = std::move(line)](Passing& p, Memory&) {
        if (answers(p, method)) p.after.push_back(line);
    };
}
/// Ignores matching messages.
inline Change deaf_to(std::function<bool(const Passing&)> which) {
    return [which = std::move(which)](Passing& p, Memory&) {
        if (which(p)) p.line.clear();
    };
}
inline std::string result_line(const Passing& p, object what) {
    return json::write(object{{"jsonrpc", "2.0"}, {"id", p.message.at("id")}, {"result", std::move(what)}});
}
inline std::string error_line(const value& id, int code, std::string_view text = "no") {
    return json::write(object{{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", text}}}});
}
/// Answers matching requests itself.
inline Change instead(std::function<bool(const Passing&)> which, std::function<std::string(const Passing&)> say) {
    return [which = std::move(which), say = std::move(say)](Passing& p, Memory&) {
        if (p.line.empty() || !which(p)) return;
        p.before.push_back(say(p));
        p.line.clear();
    };
}
inline std::function<bool(const Passing&)> asks(std::string_view method) {
    return [method](const Passing& p) {
        const value *id = p.message.if_contains("id"), *version = p.message.if_contains("jsonrpc");
        return p.method == method && id && !id->is_null() && version && *version == value("2.0") &&
               json::parse(p.line).has_value();  // otherwise valid
    };
}
inline std::function<std::string(const Passing&)> refusal(int code) {
    return [code](const Passing& p) { return error_line(p.message.at("id"), code); };
}
inline std::function<std::string(const Passing&)> giving(object what) {
    return [what = std::move(what)](const Passing& p) { return result_line(p, what); };
}
/// Changes a request.
inline Change request(std::string_view method, std::function<void(object&)> edit_params) {
    return [method, edit = std::move(edit_params)](Passing& p, Memory&) {
        if (p.method != method) return;
        if (!p.message.contains("params")) p.message["params"] = object();
        if (!p.message["params"].is_object()) return;
        edit(p.message["params"].get_object());
        p.write();
    };
}
/// Returns whether the call, read or get names this tool, resource or prompt.
inline bool names(const Passing& p, std::string_view name) {
    for (const std::string_view key : {"name", "uri"})
        if (const value* v = p.params.if_contains(key); v && v->is_string() && v->get_string() == name) return true;
    return false;
}

}  // namespace tenon::check::mutant
