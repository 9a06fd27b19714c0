// Elicitation: a server asks the user, by a form or by sending them to a page.
// https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <tenon/json.hpp>

namespace tenon {

enum class ElicitAction { accept, decline, cancel };

/// What the user did with a question. `content` is there when it was accepted, and fits the form that was asked.
struct ElicitResult {
    ElicitAction action = ElicitAction::cancel;
    json::object content = {};
};

/// A form for the user, as a client's handler sees it. What the user leaves out has its `default` in the answer.
struct ElicitRequest {
    std::string message;
    json::object requestedSchema = {};  ///< an object with primitive members
    json::object meta = {};
};

/// A page for the user. Show the whole address and ask before it is opened. From 2025-11-25 on.
struct ElicitUrlRequest {
    std::string message;
    std::string url;
    std::string elicitationId = {};  ///< until 2025-11-25
    json::object meta = {};
};

/// What the user did with a question, as a struct: `if (auto login = ctx.elicit<Login>("Which account?"))
/// use(login->name);`
template <class T>
struct Elicited {
    ElicitAction action = ElicitAction::cancel;
    std::optional<T> value = {};

    explicit operator bool() const { return value.has_value(); }
    const T* operator->() const { return &value.value(); }
    const T& operator*() const { return value.value(); }
};

/// The error that tells a client of 2025-11-25 to send the user to a page and then call again: throw it from a tool.
/// For other revisions it is an ordinary tool error.
Exception url_elicitation_required(std::string_view message, std::string_view url, std::string_view elicitation_id);

}  // namespace tenon
