// One plain TCP connection to this machine. Every wait ends at a deadline.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace attack {

using Clock = std::chrono::steady_clock;
using TimePoint = Clock::time_point;
using std::chrono::milliseconds;
using std::chrono::seconds;

struct Answer {
    int status = 0;  ///< 0: the connection ended, or the time was over
    std::string head = {}, body = {};

    /// Returns the value of a header field. `name` is in lower case.
    std::string field(std::string_view name) const;
};

class Wire {
 public:
    /// Connects from `source`, an address of this machine; empty: any. `receive_buffer`: bytes that the kernel stores
    /// for us; a small one makes the sender wait soon.
    explicit Wire(std::uint16_t port, TimePoint until, int receive_buffer = 0, const std::string& source = "");
    ~Wire() { close(); }
    Wire(Wire&& other) noexcept;
    Wire& operator=(Wire&& other) noexcept;

    bool is_open() const { return fd_ >= 0; }
    /// Sends everything, or closes the connection and returns false.
    bool send(std::string_view bytes, TimePoint until);
    /// Sends as much as possible without waiting. Returns the number of bytes, or -1 when the connection is gone.
    long send_some(std::string_view bytes);
    /// Reads one answer with its body.
    Answer read(TimePoint until);
    Answer ask(std::string_view bytes, TimePoint until) { return send(bytes, until) ? read(until) : Answer{}; }
    /// Reads and drops the bytes that have arrived. Returns false when the connection is gone.
    bool discard();
    /// Waits until bytes have arrived or the connection has ended. Returns false if the time is over.
    bool wait_for_bytes(TimePoint until) const;
    /// The same for several connections: waits for the first of them. Those that are closed do not count.
    static bool wait_for_bytes(const std::vector<Wire>& wires, TimePoint until);
    void close();
    /// Closes with a reset, like a process that is killed.
    void reset();

 private:
    bool wait(short events, TimePoint until) const;
    bool receive(TimePoint until);
    bool fill(std::size_t size, TimePoint until);
    bool read_chunks(std::string& body, TimePoint until);

    int fd_ = -1;
    std::string in_;
};

/// Returns a port that was free a moment ago.
std::uint16_t free_port();

}  // namespace attack
