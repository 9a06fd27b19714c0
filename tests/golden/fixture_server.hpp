// The deterministic server of the golden dialogues. It has every feature, and handlers that misbehave in every way.
// Handlers that must wait park their Reply, and the dialogue decides when they continue.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/tenon.hpp>

namespace golden {

/// Registers features by the words of a dialogue's `offers`:
///   tools resources prompts           the working set (the default is all three)
///   show                              one of each, with every field that any revision has
///   pages                             five numbered entries of each list
///   nothing                           nothing at all
class FixtureServer {
 public:
    FixtureServer(const std::vector<std::string>& offers, tenon::ServerOptions options);

    tenon::Server& server() { return server_; }

    /// A handler that has not answered yet.
    struct Parked {
        tenon::Context context;
        tenon::Reply<std::string> reply;
    };
    Parked& parked(const std::string& name);
    int calls(const std::string& name) const;

    void add_tool(const std::string& name);
    void add_resource(const std::string& uri);
    void add_template(const std::string& uri_template);
    void add_prompt(const std::string& name);

 private:
    void add_show();
    void add_pages();
    void add_plain_tools();
    void add_failing_tools();
    void add_busy_tools();
    void add_tasks();
    void add_asking_tools();
    void add_resources();
    void add_prompts();
    void add_skills();
    void add_methods();

    tenon::Server server_;
    std::map<std::string, Parked> parked_;
    std::map<std::string, int> calls_;
};

}  // namespace golden
