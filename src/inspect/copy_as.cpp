#include "inspect/copy_as.hpp"

#include <tenon/wire_tap.hpp>

#include "jsonrpc/codec.hpp"

#include "inspect/members.hpp"

namespace tenon::inspect {
namespace {

json::object arguments_of(const CopiedCall& call) {
    const json::value* v = call.params.if_contains("arguments");
    return v && v->is_object() ? v->get_object() : json::object();
}

// A single-quoted word is the same in every shell.
std::string quoted(std::string_view word) {
    std::string out = "'";
    for (const char c : word) c == '\'' ? out += "'\\''" : out += c;
    return out + "'";
}

std::string line_of(const CopiedCall& call, const std::vector<std::string>& words) {
    if (call.shell_line) return call.shell_line(words);
    std::string out;
    for (const std::string& word : words) out += (out.empty() ? "" : " ") + quoted(word);
    return out;
}

// Appends the target at the end, where every command accepts it.
void add_target(std::vector<std::string>& words, const Target& target) {
    if (!target.url.empty()) {
        words.insert(words.begin() + 2, mask_secrets(target.url));
        return;
    }
    words.emplace_back("--");
    words.insert(words.end(), target.command.begin(), target.command.end());
}

std::string transport_code(const Target& target) {
    if (!target.url.empty()) return "tenon::http({.url = " + cpp_literal(mask_secrets(target.url)) + "})";
    std::string words;
    for (const std::string& word : target.command) words += (words.empty() ? "" : ", ") + cpp_literal(word);
    return "tenon::process({.command = {" + words + "}})";
}

std::string call_code(const CopiedCall& call) {
    const std::string json_of_arguments = mask_secrets(json::write(arguments_of(call)));
    const std::string arguments =
        "    const auto arguments = tenon::json::parse(" + cpp_literal(json_of_arguments) + ").value().as_object();\n";
    if (call.method == "tools/call")
        return arguments + "    const tenon::ToolResult result = client.call_tool(" +
               cpp_literal(text_of_member(call.params, "name")) +
               ", arguments);\n    for (const tenon::Content& part : result.content)\n"
               "        if (const auto* text = std::get_if<tenon::TextContent>(&part)) std::cout << text->text << "
               "'\\n';\n";
    if (call.method == "resources/read")
        return "    for (const auto& part : client.read_resource(" + cpp_literal(text_of_member(call.params, "uri")) +
               ").contents) std::cout << part.text << '\\n';\n";
    const std::string params = mask_secrets(json::write(call.params));
    return "    const auto params = tenon::json::parse(" + cpp_literal(params) +
           ").value().as_object();\n    std::cout << tenon::json::write(client.request(" + cpp_literal(call.method) +
           ", params)) << '\\n';\n";
}

}  // namespace

std::string cpp_literal(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (c == '\n') {
            out += "\\n";
        } else if (byte < 0x20 || byte == 0x7F) {
            constexpr std::string_view digits = "01234567";  // octal: a hexadecimal escape would not end
            out += '\\';
            out += digits[byte >> 6];
            out += digits[(byte >> 3) & 7];
            out += digits[byte & 7];
        } else {
            out += c;
        }
    }
    return out + '"';
}

std::string as_command(const CopiedCall& call) {
    std::vector<std::string> words = {"tenon"};
    if (call.method == "tools/call") {
        words.insert(words.end(), {"call", text_of_member(call.params, "name")});
        words.push_back(mask_secrets(json::write(arguments_of(call))));
    } else if (call.method == "resources/read") {
        words.insert(words.end(), {"read", text_of_member(call.params, "uri")});
    } else if (call.method == "prompts/get") {
        words.insert(words.end(), {"prompt", text_of_member(call.params, "name")});
        for (const auto& [key, value] : arguments_of(call))
            words.push_back(std::string(key) + "=" +
                            (value.is_string() ? std::string(value.get_string()) : json::write(value)));
    } else {
        return {};
    }
    add_target(words, call.target);
    return line_of(call, words);
}

std::string as_cpp(const CopiedCall& call) {
    return "#include <iostream>\n#include <tenon/tenon.hpp>\n\nint main() {\n    tenon::Client client(" +
           transport_code(call.target) + ");\n" + call_code(call) + "}\n";
}

std::string as_curl(const CopiedCall& call) {
    std::string params = mask_secrets(json::write(call.params));
    const std::string body =
        jsonrpc::encode_request(jsonrpc::Id(std::int64_t{1}), call.method, {std::move(params)}).json;
    std::string out;
    if (!call.modern)
        out = "# This server has sessions: send initialize first, and copy the Mcp-Session-Id of its response.\n";
    out += "curl -sS " + quoted(mask_secrets(call.target.url)) +
           " \\\n  -H 'Content-Type: application/json' \\\n  -H 'Accept: application/json, text/event-stream'";
    if (!call.revision.empty()) out += " \\\n  -H " + quoted("MCP-Protocol-Version: " + call.revision);
    if (!call.modern) out += " \\\n  -H 'Mcp-Session-Id: SESSION'";
    if (call.modern) {
        out += " \\\n  -H " + quoted("Mcp-Method: " + call.method);
        const std::string name =
            call.method == "resources/read" ? text_of_member(call.params, "uri") : text_of_member(call.params, "name");
        if (!name.empty()) out += " \\\n  -H " + quoted("Mcp-Name: " + name);
    }
    for (const auto& header : call.target.headers) out += " \\\n  -H " + quoted(header.first + ": ***");
    return out + " \\\n  --data " + quoted(body) + "\n";
}

}  // namespace tenon::inspect
