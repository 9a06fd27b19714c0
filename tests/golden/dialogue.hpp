// The file format of a golden dialogue. This part does not know what the lines do.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace golden {

struct Line {
    int number = 0;
    std::vector<std::string> revisions = {};  ///< empty: all revisions
    std::string mark;                         ///< ">", "<", "<<", ">bytes", "<raw", "=", "~", "!" or "%"
    std::string text;

    bool is_for(std::string_view revision) const;
};

struct Dialogue {
    std::string behaviour;                      ///< the first line of the header
    std::map<std::string, std::string> header;  ///< the "# name: value" lines
    std::vector<Line> lines;

    std::string field(const std::string& name, std::string otherwise = "") const;
    std::vector<std::string> revisions() const;
};

/// Throws std::runtime_error when the file is not a dialogue.
Dialogue read_dialogue(const std::string& path);

std::vector<std::string> words(std::string_view text, std::string_view separators = " ");

/// Replaces the escapes \n \r \t \\ and \xNN.
std::string unescape(std::string_view text);

/// Replaces $repeat{text}{count} and $name with their values.
std::string expand(std::string text, const std::map<std::string, std::string>& names);

}  // namespace golden
