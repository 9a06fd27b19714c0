#include "check/property/generate_case.hpp"

#include <algorithm>
#include <array>
#include <boost/json/parse.hpp>
#include <cstdlib>
#include <functional>
#include <utility>

#include "check/property/generate_json.hpp"

namespace tenon::check {
namespace {

using namespace std::string_view_literals;
using Kind = TestMessage::Kind;

constexpr std::uint32_t max_letters = 8;

bool is_id(const json::value* id) { return id && (id->is_string() || id->is_int64() || id->is_uint64()); }

constexpr std::size_t max_id_bytes = 256;  // a server may refuse a longer one, without its id
bool is_long(const json::value* id) { return id && id->is_string() && id->get_string().size() > max_id_bytes; }

// Numbers that a double cannot hold have their own rule (RPC-4). No rule is about ids with fractions.
bool is_odd_number(const json::value* id) {
    constexpr std::int64_t exact = 9007199254740991;
    return id && (id->is_double() || id->is_uint64() || (id->is_int64() && std::abs(id->as_int64() / 2) > exact / 2));
}

class Writer {
 public:
    Writer(const Vocabulary& vocabulary, Choices& choices, std::int64_t first_id)
        : vocabulary_(vocabulary), choices_(choices), ids_(first_id) {}

    TestMessage request() {
        constexpr std::array kinds = {
            &Writer::plain, &Writer::plain,  &Writer::unknown_method, &Writer::call,         &Writer::broken_call,
            &Writer::read,  &Writer::prompt, &Writer::unknown_tool,   &Writer::wrong_params, &Writer::plain};
        return std::invoke(choices_.pick(kinds), *this);
    }

    TestMessage notification() {
        const auto method = vocabulary_.notifications.empty() || choices_.below(2) == 1
                                ? "notifications/" + any_string(choices_)
                                : choices_.pick(vocabulary_.notifications);
        TestMessage test_message{.kind = Kind::notification, .about = "the notification " + method};
        json::object message{{"jsonrpc", "2.0"}, {"method", method}};
        if (choices_.below(2) == 1) message["params"] = json::object{{"x", any_value(choices_)}};
        test_message.bytes = json::write(message);
        return test_message;
    }

    TestMessage malformed() {
        constexpr std::array texts = {"{"sv,
                                      "nonsense"sv,
                                      R"({"jsonrpc":"2.0","id":1,"method":"ping")"sv,
                                      "42"sv,
                                      "\"ping\""sv,
                                      "null"sv,
                                      "true"sv,
                                      R"({"jsonrpc":"2.0",,"id":1})"sv,
                                      "{}"sv,
                                      R"({"id":1})"sv,
                                      R"({'a':1})"sv};
        if (choices_.below(2) == 0) return classified(std::string(choices_.pick(texts)), vocabulary_);
        json::object message = json::parse(plain().bytes).value().get_object();
        switch (choices_.below(4)) {
            case 0: message["jsonrpc"] = any_value(choices_, 0); break;
            case 1: message["method"] = any_value(choices_, 1); break;
            case 2: message["id"] = any_value(choices_, 1); break;
            default: message.erase("jsonrpc"); break;
        }
        return classified(json::write(message), vocabulary_);
    }

    // Changes some bytes of a message. Uses only harmless messages, so no change can make one with side effects.
    TestMessage mutated() {
        auto bytes = (choices_.below(2) == 0 ? plain() : read()).bytes;
        constexpr auto printable = " !\"#$%&'()*+,-./0123456789:;<=>?@AZ[\\]^_`az{|}~"sv;
        for (auto n = choices_.below(3) + 1; n > 0 && !bytes.empty(); --n) {
            const auto at = choices_.below(static_cast<std::uint32_t>(bytes.size()));
            switch (choices_.below(4)) {
                case 0: bytes.erase(at, 1); break;
                case 1: bytes[at] = choices_.pick(printable); break;
                case 2: bytes.insert(at, 1, choices_.pick(printable)); break;
                default: bytes.resize(at); break;
            }
        }
        return classified(std::move(bytes), vocabulary_);
    }

 private:
    // Returns an id that is unique in this case. All kinds of ids occur.
    json::value fresh_id() {
        const auto n = ++ids_;
        switch (choices_.below(6)) {
            case 0: return n;
            case 1: return json::value(std::to_string(n));
            case 2: return -n;
            case 3: return 9007199254740991 - n;
            case 4: return json::value(short_string() + "#" + std::to_string(n));
            default: return json::value(std::string(200, 'i') + std::to_string(n));
        }
    }

    std::string short_string() {
        std::string text = any_string(choices_);
        return text.size() > max_id_bytes ? std::string(max_id_bytes, 'x') : text;
    }

    TestMessage made(std::string_view method, json::value params, std::string about, std::string_view duty = {}) {
        TestMessage test_message{.id = fresh_id(), .duty = duty, .about = std::move(about)};
        if (!vocabulary_.meta.empty() && params.is_null()) params = json::object();
        if (!vocabulary_.meta.empty() && params.is_object()) params.as_object()["_meta"] = vocabulary_.meta;
        json::object message{{"jsonrpc", "2.0"}, {"id", test_message.id}, {"method", method}};
        if (!params.is_null()) message["params"] = std::move(params);
        test_message.bytes = json::write(message);
        return test_message;
    }

    static TestMessage running(const std::string& handler, TestMessage test_message) {
        test_message.handler = handler;
        return test_message;
    }

    TestMessage plain() {
        if (vocabulary_.methods.empty()) return unknown_method();
        const auto& method = choices_.pick(vocabulary_.methods);
        return made(method, nullptr, method);
    }
    TestMessage unknown_method() {
        return made("nobody/knows/" + any_string(choices_), nullptr, "an unknown method", "RPC-7");
    }
    TestMessage wrong_params() {
        if (vocabulary_.methods.empty()) return unknown_method();
        const auto& method = choices_.pick(vocabulary_.methods);
        json::value params = any_value(choices_, 1);
        if (params.is_object() || params.is_null()) params = json::array{1, 2};
        return made(method, std::move(params), method + " with parameters that are not an object", "RPC-11");
    }

    TestMessage call() {
        if (vocabulary_.tools.empty()) return plain();
        const auto& tool = choices_.pick(vocabulary_.tools);
        if (!tool.may_run || !tool.schema) return broken_call();
        auto arguments = conforming(*tool.schema, choices_);
        if (!arguments) return plain();
        return running(tool.name,
                       made("tools/call", json::object{{"name", tool.name}, {"arguments", *std::move(arguments)}},
                            "tools/call of " + tool.name));
    }
    // A server that does not validate would run the tool, so a tool that may not run is never named.
    TestMessage broken_call() {
        if (vocabulary_.tools.empty()) return plain();
        const auto& tool = choices_.pick(vocabulary_.tools);
        if (!tool.may_run) return unknown_tool();
        auto broken = tool.schema ? breaking(*tool.schema, choices_) : std::nullopt;
        if (!broken) return plain();
        return running(
            tool.name,
            made("tools/call", json::object{{"name", tool.name}, {"arguments", std::move(broken->arguments)}},
                 "tools/call of " + tool.name + " with arguments that break `" + broken->keyword + "`", "TOOL-5"));
    }
    TestMessage unknown_tool() {
        if (vocabulary_.tools.empty()) return plain();
        return made("tools/call",
                    json::object{{"name", "no such tool " + any_string(choices_)}, {"arguments", json::object()}},
                    "tools/call of an unknown tool", "TOOL-8");
    }
    TestMessage read() {
        if (vocabulary_.resources.empty()) return plain();
        const auto& uri = choices_.pick(vocabulary_.resources);
        return running(uri, made("resources/read", json::object{{"uri", uri}}, "resources/read of " + uri));
    }
    TestMessage prompt() {
        if (vocabulary_.prompts.empty()) return plain();
        const auto& name = choices_.pick(vocabulary_.prompts);
        return running(name, made("prompts/get", json::object{{"name", name}}, "prompts/get of " + name));
    }

    const Vocabulary& vocabulary_;
    Choices& choices_;
    std::int64_t ids_;
};

TestMessage any_test_message(Property property, Writer& writer, Choices& choices) {
    if (property == Property::one_answer) return choices.once_in(5) ? writer.notification() : writer.request();
    switch (choices.below(property == Property::conformance ? 4 : 3)) {
        case 0: return writer.request();
        case 1: return writer.mutated();
        case 2: return property == Property::integrity ? writer.request() : writer.malformed();
        default: return writer.notification();
    }
}

// Two messages with the same id are left out: the right responses to them are not clear.
bool shares_id(const Case& test_messages, const TestMessage& test_message) {
    return !test_message.id.is_null() && std::ranges::count(test_messages, test_message.id, &TestMessage::id) > 0;
}

// Returns whether a lenient parser accepts the bytes. The strict parser refuses more than other parsers.
bool is_json_to_anybody(std::string_view bytes) {
    boost::json::parse_options lenient;
    lenient.allow_invalid_utf8 = true;
    boost::system::error_code failed;
    boost::json::parse(bytes, failed, {}, lenient);
    return !failed;
}

void classify_object(TestMessage& test_message, const json::object& message) {
    const auto* version = message.if_contains("jsonrpc");
    const auto* method = message.if_contains("method");
    const auto* id = message.if_contains("id");
    const auto* params = message.if_contains("params");
    if (is_id(id) && !is_odd_number(id)) test_message.id = *id;
    const bool answers = !method && (message.contains("result") || message.contains("error"));
    const bool well_formed = version && *version == "2.0" && method && method->is_string() && !answers;
    if (answers || is_odd_number(id) || is_long(id))
        test_message.kind = Kind::unclear;
    else if (!well_formed || (id && !is_id(id)))
        test_message.kind = Kind::malformed;
    else if (!id)
        test_message.kind = params && !params->is_object() ? Kind::unclear : Kind::notification;
    else
        test_message.kind = Kind::request;
}

}  // namespace

void Vocabulary::forget(std::string_view handler) {
    for (Tool& tool : tools)
        if (tool.name == handler) tool.may_run = false;
    std::erase(resources, handler);
    std::erase(prompts, handler);
}

TestMessage classified(std::string bytes, const Vocabulary& vocabulary) {
    TestMessage test_message{.kind = Kind::malformed, .bytes = std::move(bytes), .about = "an altered message"};
    const auto parsed = json::parse(test_message.bytes);
    if (!parsed)
        test_message.kind = is_json_to_anybody(test_message.bytes) ? Kind::unclear : Kind::malformed;
    else if (const auto* message = parsed->if_object())
        classify_object(test_message, *message);
    else if (parsed->is_array() && vocabulary.batches)
        test_message.kind = Kind::unclear;
    return test_message;
}

Case any_case(Property property, const Vocabulary& vocabulary, Choices& choices, std::int64_t first_id) {
    Writer writer(vocabulary, choices, first_id);
    const auto wanted = property == Property::conformance ? 1 : 1 + choices.below(max_letters);
    Case test_messages;
    for (std::uint32_t i = 0; i < wanted; ++i) {
        auto test_message = any_test_message(property, writer, choices);
        if (test_message.bytes.find_first_not_of(" \t\r\n") == std::string::npos ||
            shares_id(test_messages, test_message))
            continue;
        test_messages.push_back(std::move(test_message));
    }
    return test_messages;
}

}  // namespace tenon::check
