// Elicitation: a server asks the user, with a form or with a web page.
// https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <tenon/json.hpp>

#pragma GCC visibility push(default)

namespace tenon {

enum class ElicitAction { accept, decline, cancel };

/// The user's reaction to a question. After `accept` of a form, `content` has the answers and matches the form.
struct ElicitResult {
    ElicitAction action = ElicitAction::cancel;
    json::object content = {};
};

/// A form for the user, as a client's handler receives it. Tenon adds the `default` of members that the answer leaves
/// out.
struct ElicitRequest {
    std::string message;
    json::object requestedSchema = {};  ///< an object with primitive members
    json::object meta = {};
};

/// A web page for the user. Show the whole URL, and ask before you open it. From 2025-11-25 on.
struct ElicitUrlRequest {
    std::string message;
    std::string url;
    std::string elicitationId = {};  ///< until 2025-11-25
    json::object meta = {};
};

/// The user's reaction to a form, with the answers as a struct. `value` is set after `accept`:
/// `if (auto login = ctx.elicit<Login>("Which account?")) use(login->name);`
template <class T>
struct Elicited {
    ElicitAction action = ElicitAction::cancel;
    std::optional<T> value = {};

    explicit operator bool() const { return value.has_value(); }
    const T* operator->() const { return &value.value(); }
    const T& operator*() const { return value.value(); }
};

/// Makes the error that tells a client of 2025-11-25 to send the user to a page and then call again. Throw it from a
/// tool handler. In other revisions it is an ordinary tool error.
Exception url_elicitation_required(std::string_view message, std::string_view url, std::string_view elicitation_id);

}  // namespace tenon

#pragma GCC visibility pop
