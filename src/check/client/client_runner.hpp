// ClientRunner: runs the client under test and the server that it connects to.
#pragma once

#include <memory>
#include <string>

#include "check/client/record.hpp"
#include "io/fd.hpp"

namespace tenon::check::client {

/// A private folder (0700) with the program that clients start as their server. The destructor removes it.
class PrivateFolder {
 public:
    /// `relay`: the command of the relay, to which the path of a socket is appended. Throws std::system_error.
    explicit PrivateFolder(const std::vector<std::string>& relay);
    ~PrivateFolder();
    PrivateFolder(const PrivateFolder&) = delete;
    PrivateFolder& operator=(const PrivateFolder&) = delete;

    std::string server() const { return path_ + "/server"; }
    std::string socket() const { return path_ + "/socket"; }

 private:
    std::string path_;
};

/// Starts clients and waits for them, on one thread.
class ClientRunner {
 public:
    /// Throws std::system_error.
    ClientRunner(const Options& options, bool http);
    ~ClientRunner();

    /// Starts the client, plays the scene until the client exits or sends nothing for a while, and then stops it.
    /// Throws std::system_error when the client cannot be started.
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
