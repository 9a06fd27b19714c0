// Shows the contents of tools, resources and prompts to people, and saves binary contents to files.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <tenon/protocol/resources.hpp>
#include <tenon/protocol/tools.hpp>

#include "command_line.hpp"
#include "files.hpp"
#include "out.hpp"

namespace tenon::program {

/// Saves contents to the folder or file of --save.
class Keeper {
 public:
    /// Throws Failure when --save cannot be used.
    explicit Keeper(const CommandLine& line);

    bool wanted() const { return wanted_; }
    /// Saves bytes and returns the path of the new file, or nothing without --save. `name` is the server's name for it.
    std::optional<std::string> keep(const std::string& name, const std::string& mime_type, const std::string& bytes);

 private:
    std::string keep_in_folder(const std::string& file_name, const std::string& bytes) const;
    std::string keep_as_file(const std::string& bytes);

    bool wanted_ = false;
    bool folder_ = false;
    bool used_ = false;
    Existing existing_ = Existing::refuse;
    std::string path_;
};

/// Shows contents, and passes binary ones to a Keeper.
class ContentWriter {
 public:
    ContentWriter(Out& out, Keeper& keeper, std::string name) : out_(out), keeper_(keeper), name_(std::move(name)) {}

    void write(const Content& content);
    void write(const ResourceContents& contents);
    /// Writes pretty JSON.
    void write(const json::value& structured);
    /// Returns whether binary contents were not saved.
    bool dropped_bytes() const { return dropped_; }

 private:
    void text(const std::string& text);
    void bytes(const std::string& name, const std::string& mime_type, const std::string& data);
    void link(const ResourceLink& link);

    Out& out_;
    Keeper& keeper_;
    std::string name_;
    bool dropped_ = false;
};

}  // namespace tenon::program
