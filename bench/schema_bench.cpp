// Measures how fast Tenon and valijson validate a typical tool call and a document of 100 KB. Parsing is not measured.
//
// schema_bench --write FOLDER writes the schemas and instances to files, so other programs can measure the same bytes.
#include <benchmark/benchmark.h>

#include <fstream>
#include <iostream>
#include <string>
#include <string_view>

#include <tenon/schema.hpp>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wold-style-cast"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wall"
#include <valijson/adapters/boost_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>
#pragma GCC diagnostic pop

namespace {

using namespace tenon;

constexpr std::string_view call_schema = R"({
  "type": "object",
  "properties": {
    "city": {"type": "string", "minLength": 1, "maxLength": 80},
    "country": {"type": "string", "pattern": "^[A-Z]{2}$"},
    "days": {"type": "integer", "minimum": 1, "maximum": 7},
    "unit": {"enum": ["celsius", "fahrenheit", "kelvin"]},
    "detailed": {"type": "boolean"}
  },
  "required": ["city", "days"],
  "additionalProperties": false
})";

constexpr std::string_view call = R"({"city":"Reykjavik","country":"IS","days":3,"unit":"celsius","detailed":true})";

constexpr std::string_view document_schema = R"({
  "type": "array",
  "items": {"$ref": "#/definitions/order"},
  "definitions": {
    "order": {
      "type": "object",
      "properties": {
        "id": {"type": "integer", "minimum": 1},
        "status": {"enum": ["open", "paid", "sent", "closed"]},
        "customer": {"$ref": "#/definitions/customer"},
        "lines": {"type": "array", "minItems": 1, "maxItems": 100, "items": {"$ref": "#/definitions/line"}},
        "note": {"type": ["string", "null"], "maxLength": 500},
        "paid": {"type": "boolean"}
      },
      "required": ["id", "status", "customer", "lines"],
      "additionalProperties": false
    },
    "customer": {
      "type": "object",
      "properties": {
        "name": {"type": "string", "minLength": 1, "maxLength": 100},
        "mail": {"type": "string", "pattern": "^[a-z0-9.]+@[a-z0-9.]+$"},
        "address": {"type": "object", "additionalProperties": {"type": "string"}}
      },
      "required": ["name", "mail"]
    },
    "line": {
      "type": "object",
      "properties": {
        "sku": {"type": "string", "pattern": "^[A-Z]{3}-[0-9]{4}$"},
        "amount": {"type": "integer", "minimum": 1, "maximum": 1000},
        "price": {"type": "number", "minimum": 0},
        "tags": {"type": "array", "items": {"type": "string"}}
      },
      "required": ["sku", "amount", "price"],
      "additionalProperties": false
    }
  }
})";

json::object make_line(int n) {
    const std::string sku = std::string("ABC-") + std::to_string(1000 + n % 9000);
    return {{"sku", sku},
            {"amount", 1 + n % 50},
            {"price", 0.25 + n % 400},
            {"tags", json::array{"blue", "large", "fragile"}}};
}

json::object make_order(int n) {
    json::array lines;
    for (int i = 0; i < 3; ++i) lines.push_back(make_line(n * 3 + i));
    const std::string name = "customer" + std::to_string(n);
    json::object address{{"street", "Main Street 12"}, {"town", "Springfield"}, {"zip", std::to_string(10000 + n)}};
    constexpr const char* status[] = {"open", "paid", "sent", "closed"};
    json::object order{{"id", n + 1}, {"status", status[n % 4]}};
    order["customer"] = json::object{{"name", name}, {"mail", name + "@example.com"}, {"address", std::move(address)}};
    order["lines"] = std::move(lines);
    order["note"] = n % 2 == 0 ? json::value(nullptr) : json::value("leave it at the door");
    order["paid"] = n % 3 == 0;
    return order;
}

std::string make_document() {
    json::array orders;
    for (int i = 0; i < 235; ++i) orders.push_back(make_order(i));
    return json::write(orders);
}

void with_tenon(benchmark::State& state, std::string_view schema_text, std::string_view text) {
    const auto compiled = schema::Schema::compile(json::parse(schema_text).value()).value();
    const json::value instance = json::parse(text).value();
    if (!compiled.accepts(instance)) state.SkipWithError("not valid");
    for (auto _ : state) benchmark::DoNotOptimize(compiled.accepts(instance));
}

void with_valijson(benchmark::State& state, std::string_view schema_text, std::string_view text) {
    const json::value schema_json = json::parse(schema_text).value(), instance = json::parse(text).value();
    const valijson::adapters::BoostJsonAdapter schema_adapter(schema_json), adapter(instance);
    valijson::Schema compiled;
    valijson::SchemaParser(valijson::SchemaParser::kDraft7).populateSchema(schema_adapter, compiled);
    valijson::Validator validator;
    if (!validator.validate(compiled, adapter, nullptr)) state.SkipWithError("not valid");
    for (auto _ : state) benchmark::DoNotOptimize(validator.validate(compiled, adapter, nullptr));
}

void compile_call(benchmark::State& state) {
    const json::value schema_json = json::parse(call_schema).value();
    for (auto _ : state) benchmark::DoNotOptimize(schema::Schema::compile(schema_json));
}

int write_files(const std::string& folder) {
    const auto write = [&folder](const char* name, std::string_view text) {
        std::ofstream(folder + "/" + name) << text;
    };
    write("call.schema.json", call_schema);
    write("call.json", call);
    write("document.schema.json", document_schema);
    write("document.json", make_document());
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc == 3 && std::string_view(argv[1]) == "--write") return write_files(argv[2]);
    const std::string document = make_document();
    benchmark::RegisterBenchmark("tenon/call", with_tenon, call_schema, call);
    benchmark::RegisterBenchmark("tenon/document", with_tenon, document_schema, document);
    benchmark::RegisterBenchmark("valijson/call", with_valijson, call_schema, call);
    benchmark::RegisterBenchmark("valijson/document", with_valijson, document_schema, document);
    benchmark::RegisterBenchmark("tenon/compile call", compile_call);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
