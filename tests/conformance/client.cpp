// The client that the official conformance suite runs. The environment names the scenario, and the last argument is the
// URL.
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>

#include <tenon/client.hpp>
#include <tenon/skills_client.hpp>
#include <tenon/transport/http_client.hpp>

#include "client_auth.hpp"

namespace {

using tenon::Client;
using tenon::json::object;
using tenon::json::value;

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

tenon::ClientOptions options() {
    tenon::ClientOptions out;
    out.info = {"tenon-conformance-client", "1.0.0"};
    // The content is empty, so the client sends the defaults of the form.
    out.on_elicit = [](const tenon::ElicitRequest&, std::stop_token) {
        tenon::ElicitResult yes;
        yes.action = tenon::ElicitAction::accept;
        return yes;
    };
    out.on_sample = [](const tenon::SampleRequest&, std::stop_token) { return tenon::SampleResult{}; };
    out.on_roots = [](std::stop_token) { return std::vector<tenon::Root>(); };
    out.log = [](const tenon::LogRecord& r) { std::cerr << r.message << '\n'; };
    return out;
}

void connect(Client& client) { client.connect(); }

// For a server without any features.
void introduce_and_ask_again(Client& client) {
    client.connect();
    client.ping();
}

void list(Client& client) { client.list_tools().all(); }

// Returns arguments for a tool: a value for each property.
object arguments_for(const tenon::Tool& tool) {
    object out;
    const value* properties = tool.inputSchema.if_contains("properties");
    if (!properties || !properties->is_object()) return out;
    for (const auto& [name, schema] : properties->get_object()) {
        const value* type = schema.is_object() ? schema.get_object().if_contains("type") : nullptr;
        const std::string kind = type && type->is_string() ? std::string(type->get_string()) : "string";
        if (kind == "number" || kind == "integer") out.emplace(name, 5);
        if (kind == "boolean") out.emplace(name, true);
        if (kind == "string") out.emplace(name, "x");
    }
    return out;
}

void call_every_tool(Client& client) {
    for (const tenon::Tool& tool : client.list_tools().all()) client.call_tool(tool.name, arguments_for(tool));
}

void use_everything(Client& client) {
    call_every_tool(client);
    for (const tenon::Resource& resource : client.list_resources().all()) client.read_resource(resource.uri);
    for (const tenon::Prompt& prompt : client.list_prompts().all()) client.get_prompt(prompt.name);
}

object context() {
    const std::string text = variable("MCP_CONFORMANCE_CONTEXT");
    return text.empty() ? object() : tenon::json::parse(text).value().as_object();
}

// Makes the calls that the suite names, after listing the tools to learn which headers they need.
void make_the_calls_of_the_context(Client& client) {
    list(client);
    const object wanted = context();
    for (const value& call : wanted.at("toolCalls").as_array())
        client.call_tool(std::string(call.at("name").as_string()), call.at("arguments").as_object());
}

void echo_the_schema(Client& client) {
    for (const tenon::Tool& tool : client.list_tools().all())
        if (tool.name == "json_schema_2020_12_tool")
            client.call_tool("json_schema_echo", {{"schema", tool.inputSchema}});
}

void list_skills(Client& client) { tenon::SkillsClient(client).list().all(); }

// Each skill of these scenarios fails its verification. A client that continued would read the other files.
void load_skills(Client& client) {
    tenon::SkillsClient skills(client);
    for (const tenon::Skill& skill : skills.list()) {
        tenon::LoadedSkill loaded = skills.load(skill);
        for (const std::string& file : loaded.files()) loaded.read(file);
    }
}

using Scenario = std::function<void(Client&)>;
const std::map<std::string, Scenario> scenarios = {
    {"initialize", connect},
    {"tools_call", call_every_tool},
    {"elicitation-sep1034-client-defaults", call_every_tool},
    {"sse-retry", call_every_tool},
    {"request-metadata", introduce_and_ask_again},
    {"sep-2322-client-request-state", call_every_tool},
    {"http-standard-headers", use_everything},
    {"http-custom-headers", make_the_calls_of_the_context},
    {"http-invalid-tool-headers", call_every_tool},
    {"json-schema-ref-no-deref", list},
    {"json-schema-2020-12-preservation", echo_the_schema},
    {"sep-2640-client-no-prefetch", list_skills},
    {"sep-2640-client-verify-digest", load_skills},
    {"sep-2640-client-verify-size", load_skills},
    {"sep-2640-client-verify-frontmatter", load_skills},
};

}  // namespace

int main(int argc, char** argv) {
    const std::string name = variable("MCP_CONFORMANCE_SCENARIO");
    const bool signs_in = name.starts_with("auth/");
    const auto scenario = scenarios.find(signs_in ? "tools_call" : name);
    if (argc < 2 || scenario == scenarios.end()) {
        std::cerr << "usage: MCP_CONFORMANCE_SCENARIO=NAME conformance-client URL; it knows no `" << name << "`\n";
        return 2;
    }
    try {
        tenon::HttpClientOptions http{.url = argv[argc - 1]};
        if (signs_in) http.auth = authoriser_for(name, context());
        Client client(tenon::http(std::move(http)), options());
        scenario->second(client);
        client.close();
        return 0;
    } catch (const std::exception& e) {
        std::cerr << name << ": " << e.what() << '\n';
        return 1;
    }
}
