// What a client did right and wrong, found in the records of it. Pure: records in, findings out.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "check/client_play.hpp"

namespace tenon::check::client {

/// What is known of each rule. A failure stays; a pass counts more than a reason why there is nothing to see.
class Sheet {
 public:
    explicit Sheet(std::size_t max_evidence_bytes) : max_bytes_(max_evidence_bytes) {}

    void pass(std::string_view rule, const Play& play);
    void fail(std::string_view rule, const Play& play, std::size_t event, std::string detail);
    void skip(std::string_view rule, std::string why);
    /// pass() or fail().
    void expect(bool right, std::string_view rule, const Play& play, std::size_t event, std::string_view detail);
    bool failed(std::string_view rule) const;

    /// One for each rule of clients, in the order of the catalogue.
    std::vector<Finding> findings() const;

 private:
    std::map<std::string_view, Finding> found_;
    std::size_t max_bytes_;
};

using Plays = std::map<Scene, Play>;

/// All findings, one for each row.
std::vector<Finding> judge(const Plays& plays, std::size_t max_evidence_bytes);

// The parts of it, one file each. The first two look at every record.
void judge_messages(const Play& play, Sheet& sheet);
void judge_lifecycle(const Play& play, Sheet& sheet);
void judge_answers(const Play& play, Sheet& sheet);
void judge_modern(const Play& play, Sheet& sheet);
void judge_http(const Play& play, Sheet& sheet);
void judge_scenes(const Plays& plays, Sheet& sheet);

}  // namespace tenon::check::client
