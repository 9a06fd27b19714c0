// Arguments that are slow to check: long lists that must not repeat, long names, deep trees.
#include "attack/clients.hpp"

namespace attack {

void hostile_arguments(Field& field) {
    std::string set = "[";
    for (int i = 0; i < 100'000; ++i) set += (i == 0 ? "{\"k\":[" : ",{\"k\":[") + std::to_string(i) + "]}";
    std::string labels, tree, node;
    while (labels.size() < 60'000) labels += "\\u00fc\\u0e01\\u0634.";
    for (int i = 0; i < 100; ++i) tree += "{\"t\":";
    tree += "{}" + std::string(100, '}');
    for (int i = 0; i < 40; ++i) node += R"({"c":[{},{},{},{},{},{},{},{},)";  // 40 levels of $dynamicRef
    node += "{}";
    for (int i = 0; i < 40; ++i) node += "]}";
    const std::string arguments[] = {"{\"set\":" + set + "]}", "{\"host\":\"" + labels + "x\"}",
                                     "{\"word\":\"" + std::string(100'000, 'a') + "\"}", "{\"tree\":" + tree + "}",
                                     "{\"node\":" + node + "}"};
    field.in_parallel([&](int) {
        Wire wire = field.connect();
        for (std::size_t i = 0; !field.is_over(); ++i) {
            if (!wire.is_open()) wire = field.connect();
            if (wire.ask(modern_call("strict", arguments[i % 5], field.credentials), field.until).status) field.count();
        }
    });
}

}  // namespace attack
