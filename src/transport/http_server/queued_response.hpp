// An answer on its way from whoever gives it, on any thread, to the connection, on its own.
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "base/memory_budget.hpp"
#include "web/response_writer.hpp"

namespace tenon {

class QueuedResponse final : public web::ResponseWriter {
 public:
    struct Options {
        web::Fields fields = {};  ///< that every answer has
        bool keep_alive = true;
        bool chunks = true;                         ///< HTTP/1.0 has none: there a stream ends with its connection
        std::size_t max_queued = 64 * 1024 * 1024;  ///< bytes of a stream that its reader has not taken
    };
    /// Who is told, from any thread, when there is something to take and nothing was untaken before.
    class Taker {
     public:
        virtual ~Taker() = default;
        virtual void wake() = 0;
    };
    /// `memory` is for what will be said, and `charge` pays for it.
    QueuedResponse(Options options, std::weak_ptr<Taker> taker, std::string memory = {}, base::MemoryCharge charge = {})
        : options_(std::move(options)),
          taker_(std::move(taker)),
          queue_(std::move(memory)),
          charge_(std::move(charge)),
          account_(charge_.account()) {
        queue_.clear();
    }

    void respond(web::Response response) override;
    void begin_stream(web::Fields fields) override;
    void write(std::string bytes) override;
    void end() override;

    // For the connection.
    enum class State { open, done, overflow };
    /// Takes everything that was said since the last time: `out`, and then `body`, a large one, which is not copied.
    /// `charge` pays for both. Overflow: the reader is too slow, and nothing more will come.
    State take(std::string& out, std::string& body, base::MemoryCharge& charge);
    /// Says something that means nothing, so that a client that is gone is noticed.
    void probe();
    /// Nobody listens any more.
    void abandon();
    bool overflowed() const;

 private:
    void begin(web::Fields fields);
    void append(std::string_view bytes);
    void append_end();
    bool fits();
    void queued(std::unique_lock<std::mutex>& lock);

    const Options options_;
    mutable std::mutex mutex_;  // guards what follows
    std::weak_ptr<Taker> taker_;
    std::string queue_, body_;
    base::MemoryCharge charge_;  // for both
    const base::MemoryAccountPtr account_;
    bool woken_ = false, begun_ = false, done_ = false, abandoned_ = false, overflow_ = false;
};

}  // namespace tenon
