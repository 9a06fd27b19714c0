// Where a client is played to: it is started, and what it connects to is here. The thin edge of the client check.
#pragma once

#include <memory>
#include <string>

#include "check/client_record.hpp"
#include "io/fd.hpp"

namespace tenon::check::client {

/// A folder that nobody else can read, with the program that clients start as their server. Removed at its end.
class PrivateFolder {
 public:
    /// `relay`: the words that start the relay, which gets the path of a socket. Throws std::system_error.
    explicit PrivateFolder(const std::vector<std::string>& relay);
    ~PrivateFolder();
    PrivateFolder(const PrivateFolder&) = delete;
    PrivateFolder& operator=(const PrivateFolder&) = delete;

    std::string server() const { return path_ + "/server"; }
    std::string socket() const { return path_ + "/socket"; }

 private:
    std::string path_;
};

/// For one thread, which starts the clients and waits for them.
class Stage {
 public:
    /// Throws std::system_error.
    Stage(const Options& options, bool http);
    ~Stage();

    /// Starts the client, plays the scene until the client ends or has nothing more to say, and ends it.
    /// Throws std::system_error when it cannot be started.
    Record play(Scene scene, TimePoint until);

 private:
    class Run;
    const Options& options_;
    const bool http_;
    std::unique_ptr<PrivateFolder> folder_;  // stdio
    io::Fd listener_;
    std::string url_;  // HTTP
};

}  // namespace tenon::check::client
