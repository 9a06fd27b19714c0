#include "form.hpp"

#include <algorithm>
#include <charconv>

#include <tenon/schema.hpp>

#include "schema_words.hpp"
#include "status.hpp"
#include "typed_arguments.hpp"

namespace tenon::program {
namespace {

enum class Step { done, skipped, declined, cancelled };

std::string trimmed(std::string_view text) {
    const auto begin = text.find_first_not_of(" \t");
    if (begin == std::string_view::npos) return {};
    return std::string(text.substr(begin, text.find_last_not_of(" \t") - begin + 1));
}

struct Choice {
    json::value value;
    std::string label;
};

// The label of a choice is the `title` next to its `const`, or its entry in `enumNames` next to `enum`.
std::vector<Choice> labelled_choices(const json::value& schema, const json::object& root) {
    std::vector<Choice> out;
    for (const std::string_view key : {"oneOf", "anyOf"})
        if (const json::value* parts = member(schema, key); parts && parts->is_array())
            for (const json::value& part : parts->get_array())
                if (const json::value* only = member(part, "const")) {
                    const json::value* title = member(part, "title");
                    out.push_back({*only, title ? plain(*title) : plain(*only)});
                }
    if (!out.empty()) return out;
    const json::value* names = member(schema, "enumNames");
    const auto values = choices_of(schema, root);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const bool named = names && names->is_array() && i < names->get_array().size();
        out.push_back({values[i], named ? plain(names->get_array()[i]) : plain(values[i])});
    }
    return out;
}

class FormDialogue {
 public:
    FormDialogue(Asker& asker, const ElicitRequest& request) : asker_(asker), root_(request.requestedSchema) {}

    ElicitResult run() {
        for (;;) {
            for (const Argument& field : arguments_of(root_)) {
                const Step step = ask_field(field);
                if (step == Step::declined) return {ElicitAction::decline};
                if (step == Step::cancelled) return {ElicitAction::cancel};
            }
            const auto verdict = review();
            if (verdict) return *verdict;
        }
    }

 private:
    Step ask_field(const Argument& field) {
        const json::value& schema = resolve(field.schema, root_);
        explain(field, schema);
        const json::value* fallback = fallback_of(field, schema);
        for (;;) {
            const auto typed = asker_.ask(question(field, fallback));
            if (!typed || trimmed(*typed) == "!cancel") return Step::cancelled;
            const std::string text = trimmed(*typed);
            if (text == "!decline") return Step::declined;
            if (text.empty() && fallback) return keep(field, *fallback);
            if (text.empty() && !field.required) return leave_out(field);
            if (text.empty() && !allows_empty(schema)) {
                asker_.say({{Look::yellow, "An answer is needed. !decline or !cancel end the form."}});
            } else if (auto value = fitting(field, schema, text)) {
                return keep(field, *std::move(value));
            }
        }
    }

    Step keep(const Argument& field, json::value value) {
        content_[field.name] = std::move(value);
        return Step::done;
    }
    Step leave_out(const Argument& field) {
        content_.erase(field.name);
        return Step::skipped;
    }

    bool allows_empty(const json::value& schema) const {
        return types_of(schema, root_).string && !member(schema, "format") && choices_of(schema, root_).empty();
    }

    // Returns the user's earlier answer when the form is asked again, otherwise the server's default.
    const json::value* fallback_of(const Argument& field, const json::value& schema) const {
        const json::value* before = content_.if_contains(field.name);
        return before ? before : member(schema, "default");
    }

    void explain(const Argument& field, const json::value& schema) {
        const json::value* title = member(schema, "title");
        std::vector<Styled> line = {{Look::bold, safe_line(title ? plain(*title) : field.name)}};
        SafeText rest =
            ": " + safe_line(choices_of(schema, root_).empty() ? type_words(schema, root_) : "one of these");
        for (const std::string& phrase : bound_words(schema, root_))
            if (!phrase.starts_with("default ")) rest += ", " + safe_line(phrase);
        if (!field.required) rest += SafeText(", may be left out");
        line.push_back({Look::dim, rest});
        asker_.say(line);
        if (const json::value* about = member(schema, "description")) asker_.say("  " + safe_line(plain(*about)));
        show_choices(schema);
    }

    void show_choices(const json::value& schema) {
        std::int64_t at = 0;
        for (const Choice& choice : choices_for(schema)) {
            SafeText line = "  " + number(++at) + ") " + safe_line(choice.label);
            if (choice.label != plain(choice.value)) line += " (" + safe_line(plain(choice.value)) + ")";
            asker_.say(line);
        }
    }

    // Returns the choices of the value itself, or of its items when several may be chosen.
    std::vector<Choice> choices_for(const json::value& schema) const {
        auto out = labelled_choices(schema, root_);
        const json::value* items = member(schema, "items");
        return out.empty() && items ? labelled_choices(resolve(*items, root_), root_) : out;
    }

    SafeText question(const Argument& field, const json::value* fallback) const {
        SafeText out = "  " + safe_line(field.name);
        if (fallback) out += " [" + safe_line(plain(*fallback)) + "]";
        return out + "> ";
    }

    // The user may type the number of a choice instead of the choice.
    static std::string by_number(const std::string& text, const std::vector<Choice>& choices) {
        std::size_t n = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
        const bool names_one = std::ranges::any_of(choices, [&](const Choice& c) { return plain(c.value) == text; });
        if (names_one || error != std::errc() || end != text.data() + text.size() || n < 1 || n > choices.size())
            return text;
        return plain(choices[n - 1].value);
    }

    std::string meant(const json::value& schema, const std::string& text) const {
        const auto choices = choices_for(schema);
        if (choices.empty()) {
            const Types types = types_of(schema, root_);
            if (!types.boolean || types.string) return text;
            if (text == "y" || text == "yes") return "true";
            return text == "n" || text == "no" ? "false" : text;
        }
        if (!types_of(schema, root_).array) return by_number(text, choices);
        std::string out;
        for (std::size_t begin = 0; begin <= text.size();) {
            const std::size_t comma = std::min(text.find(',', begin), text.size());
            out += (out.empty() ? "" : ",") + by_number(trimmed(text.substr(begin, comma - begin)), choices);
            begin = comma + 1;
        }
        return out;
    }

    std::optional<json::value> fitting(const Argument& field, const json::value& schema, const std::string& text) {
        try {
            json::value value = typed_value(field.name, meant(schema, text), schema, root_);
            schema::Options strictly;
            strictly.assert_formats = true;
            const auto compiled = schema::Schema::compile(schema, strictly);
            const auto wrong = compiled ? compiled->check(value, 1, field.name) : std::vector<schema::Violation>{};
            if (wrong.empty()) return value;
            asker_.say({{Look::yellow, safe_line(wrong.front().message)}});
        } catch (const Failure& failure) {
            asker_.say({{Look::yellow, safe_line(std::string(failure.what()) + "; " + failure.fix)}});
        }
        return std::nullopt;
    }

    // Asks whether to send the form. Returns nothing when the form must be asked again.
    std::optional<ElicitResult> review() {
        for (const auto& [name, value] : content_) asker_.say("  " + safe_line(name) + " = " + safe_line(plain(value)));
        for (;;) {
            const auto typed = asker_.ask("Send this? [Y]es, [e]dit, [d]ecline, [c]ancel ");
            if (!typed) return ElicitResult{ElicitAction::cancel};
            const std::string answer = trimmed(*typed);
            if (answer.empty() || answer == "y" || answer == "Y" || answer == "yes")
                return ElicitResult{ElicitAction::accept, content_};
            if (answer == "e" || answer == "edit") return std::nullopt;
            if (answer == "d" || answer == "decline" || answer == "!decline")
                return ElicitResult{ElicitAction::decline};
            if (answer == "c" || answer == "cancel" || answer == "!cancel") return ElicitResult{ElicitAction::cancel};
        }
    }

    Asker& asker_;
    const json::object& root_;
    json::object content_;
};

}  // namespace

ElicitResult ask_form(Asker& asker, const ElicitRequest& request, std::string_view who) {
    asker.say({{Look::bold, "The server "}, {Look::bold, safe_line(who)}, {Look::bold, " asks:"}});
    say_quoted(asker, request.message);
    asker.say({{Look::dim, "Enter keeps the value in [brackets]. !decline or !cancel end the form."}});
    return FormDialogue(asker, request).run();
}

ElicitResult ask_page(Asker& asker, const ElicitUrlRequest& request, std::string_view who) {
    const UrlParts url = url_parts(request.url);
    asker.say({{Look::bold, "The server "}, {Look::bold, safe_line(who)}, {Look::bold, " wants you to visit a page:"}});
    say_quoted(asker, request.message);
    asker.say({{Look::plain, "  " + safe_line(url.before)},
               {Look::bold, safe_line(url.host)},
               {Look::plain, safe_line(url.after)}});
    asker.say({{Look::plain, "Its host is "}, {Look::bold, safe_line(url.host)}, {Look::plain, "."}});
    if (!url.warning.empty()) asker.say({{Look::red, "Careful: " + safe_line(url.warning)}});
    for (;;) {
        const auto typed = asker.ask("Open it yourself if you trust it. [y] I will, [d]ecline, [c]ancel ");
        if (!typed) return {ElicitAction::cancel};
        const std::string answer = trimmed(*typed);
        if (answer == "y" || answer == "yes") return {ElicitAction::accept};
        if (answer == "d" || answer == "decline" || answer == "n") return {ElicitAction::decline};
        if (answer == "c" || answer == "cancel") return {ElicitAction::cancel};
    }
}

UrlParts url_parts(std::string_view url) {
    const std::size_t scheme = url.find("://");
    if (scheme == std::string_view::npos) return {std::string(url), "", "", "this is not a valid URL of a page"};
    const std::size_t begin = scheme + 3;
    const std::size_t end = std::min(url.find_first_of("/?#\\", begin), url.size());
    const std::string_view authority = url.substr(begin, end - begin);
    const std::size_t at = authority.rfind('@');
    const std::size_t host = begin + (at == std::string_view::npos ? 0 : at + 1);
    UrlParts out{std::string(url.substr(0, host)), std::string(url.substr(host, end - host)),
                 std::string(url.substr(end)), ""};
    const bool ascii = std::ranges::all_of(out.host, [](char c) { return c > 0x20 && c < 0x7F; });
    if (at != std::string_view::npos) {
        out.warning = "the part before the @ is not the host";
    } else if (!ascii || out.host.find("xn--") != std::string::npos) {
        out.warning = "the host has letters that can look like others";
    } else if (!url.starts_with("https://")) {
        out.warning = "the page is not encrypted";
    }
    return out;
}

}  // namespace tenon::program
