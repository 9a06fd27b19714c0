// One plain TCP connection to this machine. Every wait ends at a deadline.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace attack {

using Clock = std::chrono::steady_clock;
using TimePoint = Clock::time_point;
using std::chrono::milliseconds;
using std::chrono::seconds;

struct Answer {
    int status = 0;  ///< 0: the connection ended, or the time was over
    std::string head = {}, body = {};

    /// The value of a header field of the answer; its name in small letters.
    std::string field(std::string_view name) const;
};

class Wire {
 public:
    /// Connects. `receive_buffer`: bytes that the kernel keeps for us; a small one makes the sender wait soon.
    explicit Wire(std::uint16_t port, TimePoint until, int receive_buffer = 0);
    ~Wire() { close(); }
    Wire(Wire&& other) noexcept;
    Wire& operator=(Wire&& other) noexcept;

    bool is_open() const { return fd_ >= 0; }
    /// Sends everything, or closes the connection and returns false.
    bool send(std::string_view bytes, TimePoint until);
    /// Sends what the kernel takes at once. Returns how much that was; -1 when the connection is gone.
    long send_some(std::string_view bytes);
    /// Reads one answer with its body.
    Answer read(TimePoint until);
    Answer ask(std::string_view bytes, TimePoint until) { return send(bytes, until) ? read(until) : Answer{}; }
    /// Reads and forgets what has come. False when the connection is gone.
    bool discard();
    void close();
    /// Closes with a reset, as a process that was killed does.
    void reset();

 private:
    bool wait(short events, TimePoint until) const;
    bool receive(TimePoint until);
    bool fill(std::size_t size, TimePoint until);
    bool read_chunks(std::string& body, TimePoint until);

    int fd_ = -1;
    std::string in_;
};

/// A port that was free a moment ago.
std::uint16_t free_port();

}  // namespace attack
