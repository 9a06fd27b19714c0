#include "command_line.hpp"

#include <algorithm>

#include "near.hpp"

namespace tenon::program {
namespace {

bool is_listed(std::string_view list, std::string_view word) {
    while (!list.empty()) {
        const std::size_t end = std::min(list.find(' '), list.size());
        if (list.substr(0, end) == word) return true;
        list.remove_prefix(std::min(end + 1, list.size()));
    }
    return false;
}

std::vector<std::string> listed(std::string_view list) {
    std::vector<std::string> out;
    while (!list.empty()) {
        const std::size_t end = std::min(list.find(' '), list.size());
        out.emplace_back(list.substr(0, end));
        list.remove_prefix(std::min(end + 1, list.size()));
    }
    return out;
}

std::string form(const OptionSpec& option) {
    std::string out = "--" + std::string(option.name);
    if (!option.value.empty()) out += (option.value_is_optional() ? "" : " ") + std::string(option.value);
    return out;
}

Failure unknown_option(std::string_view word) {
    std::vector<std::string> names;
    for (const OptionSpec& option : options()) names.push_back("--" + std::string(option.name));
    const auto meant = nearest(word, names);
    return usage_failure("there is no option " + std::string(word),
                         meant ? "did you mean " + *meant + "?" : "`tenon help` lists them");
}

const OptionSpec& find_option(std::string_view word) {
    const bool is_long = word.starts_with("--");
    const std::string_view name = word.substr(is_long ? 2 : 1);
    for (const OptionSpec& option : options())
        if (is_long ? option.name == name : name.size() == 1 && option.letter == name.front()) return option;
    throw unknown_option(word);
}

class Reader {
 public:
    explicit Reader(const std::vector<std::string>& words) : words_(words) {}

    CommandLine read() {
        for (; at_ < words_.size(); ++at_) {
            const std::string& word = words_[at_];
            if (word == "--") {
                out_.server.emplace(words_.begin() + static_cast<std::ptrdiff_t>(at_) + 1, words_.end());
                break;
            }
            if (word.size() > 1 && word.front() == '-') {
                option(word);
            } else if (!out_.command) {
                command(word);
            } else {
                out_.words.push_back(word);
            }
        }
        check_options();
        return std::move(out_);
    }

 private:
    void command(const std::string& word) {
        out_.command = find_command(word);
        if (out_.command) return;
        std::vector<std::string> names;
        for (const CommandSpec& spec : commands()) names.emplace_back(spec.name);
        throw usage_failure("there is no command `" + word + "`", suggestion(word, names));
    }

    void option(const std::string& word) {
        const std::size_t equals = word.starts_with("--") ? word.find('=') : std::string::npos;
        const OptionSpec& spec = find_option(std::string_view(word).substr(0, equals));
        if (spec.value.empty()) {
            if (equals != std::string::npos) throw usage_failure("--" + std::string(spec.name) + " takes no value");
            add(spec, "");
        } else if (equals != std::string::npos) {
            add(spec, word.substr(equals + 1));
        } else if (spec.value_is_optional()) {
            add(spec, "");
        } else if (at_ + 1 < words_.size() && words_[at_ + 1] != "--") {
            add(spec, words_[++at_]);
        } else {
            throw usage_failure("--" + std::string(spec.name) + " needs a value", "write " + form(spec));
        }
    }

    void add(const OptionSpec& spec, std::string value) {
        if (!spec.choices.empty() && !is_listed(spec.choices, value))
            throw usage_failure("--" + std::string(spec.name) + " cannot be `" + value + "`",
                                suggestion(value, listed(spec.choices)));
        if (!spec.repeats) out_.values.erase(spec.name);
        out_.values.emplace(spec.name, std::move(value));
    }

    void check_options() const {
        if (!out_.command) return;
        for (const auto& [name, value] : out_.values) {
            const auto& spec = *std::ranges::find(options(), name, &OptionSpec::name);
            if (!spec.belongs_to(out_.command->name))
                throw usage_failure(
                    "`tenon " + std::string(out_.command->name) + "` has no option --" + std::string(name),
                    "`tenon help " + std::string(out_.command->name) + "` lists those it has");
        }
        if (out_.server && !out_.command->speaks)
            throw usage_failure("`tenon " + std::string(out_.command->name) + "` does not connect to a server");
    }

    const std::vector<std::string>& words_;
    std::size_t at_ = 0;
    CommandLine out_;
};

}  // namespace

bool OptionSpec::belongs_to(std::string_view command) const {
    if (name == "help" || name == "version") return true;
    if (name == "json" && command == "top") return true;  // it reads metrics, and connects to no server
    if (!commands.empty()) return is_listed(commands, command);
    const CommandSpec* spec = find_command(command);
    return spec && spec->speaks;
}

const CommandSpec* find_command(std::string_view name) {
    const auto all = commands();
    const auto it = std::ranges::find(all, name, &CommandSpec::name);
    return it == all.end() ? nullptr : &*it;
}

std::string CommandLine::last(std::string_view option) const {
    const auto it = values.upper_bound(option);
    return it != values.begin() && std::prev(it)->first == option ? std::prev(it)->second : std::string();
}

std::vector<std::string> CommandLine::all(std::string_view option) const {
    std::vector<std::string> out;
    for (auto [it, end] = values.equal_range(option); it != end; ++it) out.push_back(it->second);
    return out;
}

CommandLine read_command_line(const std::vector<std::string>& words) { return Reader(words).read(); }

bool asks_for_json(const std::vector<std::string>& words) {
    const auto end = std::ranges::find(words, "--");
    return std::find_if(words.begin(), end, [](const std::string& w) { return w == "--json" || w == "-j"; }) != end;
}

std::vector<std::string> split_words(std::string_view line) {
    std::vector<std::string> out;
    std::string word;
    bool inside = false;  // a word has begun, perhaps only with a quote
    char quote = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (c == '\\' && quote != '\'' && i + 1 < line.size()) {
            word += line[++i], inside = true;
        } else if (quote != 0) {
            if (c == quote)
                quote = 0;
            else
                word += c;
        } else if (c == '\'' || c == '"') {
            quote = c, inside = true;
        } else if (c != ' ' && c != '\t') {
            word += c, inside = true;
        } else if (inside) {
            out.push_back(std::exchange(word, {})), inside = false;
        }
    }
    if (quote != 0) throw usage_failure("a quote is not closed in `" + std::string(line) + "`");
    if (inside) out.push_back(word);
    return out;
}

std::string join_words(const std::vector<std::string>& words) {
    constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+=:,./_-";
    std::string out;
    for (const std::string& word : words) {
        if (!out.empty()) out += ' ';
        if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) {
            out += word;
            continue;
        }
        out += '\'';
        for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
        out += '\'';
    }
    return out;
}

}  // namespace tenon::program
