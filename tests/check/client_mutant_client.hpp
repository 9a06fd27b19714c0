// A small client of both eras. It lists the tools on two pages and the prompts if there are some, calls a tool, and
// ends.
#pragma once

#include <optional>
#include <string>

#include "client_mutants.hpp"

namespace tenon::mutant {

class Client {
 public:
    Client(Wire& wire, Bend bend);
    void run();

    // Used by the mutants.
    std::optional<json::object> ask(const std::string& method, json::object params);
    void send_text(std::string text, bool answered);
    Wire& wire() { return wire_; }
    static json::object introduction();
    inline static std::int64_t asked_id = 0;  ///< id of the last request that was answered with questions

 private:
    bool find_era();
    bool shake_hands();
    void work();
    void call_tool();
    bool learn_header();
    void end();

    std::int64_t send_request(const std::string& method, json::object params);
    std::optional<json::object> wait_for(const json::value& id);
    void send(json::object message, bool answered);
    void take_question(const json::object& question);
    void take_notification(const std::string& method);
    std::optional<json::object> begin_again(const std::string& method, const json::object& params);
    Fields fields(const std::string& http_method, const json::object& message);
    json::object answer_to(const std::string& method) const;
    json::object meta() const;

    Wire& wire_;
    Bend bend_;
    bool modern_ = false, agreed_ = false, wants_stream_ = true;
    std::string revision_, session_, header_ = "Mcp-Param-Whom";
    json::object server_;  // the server's capabilities
    std::int64_t next_id_ = 1;
    std::vector<json::value> waiting_;
};

}  // namespace tenon::mutant
