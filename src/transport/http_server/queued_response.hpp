// Carries a response from the thread that produces it to the thread of the connection.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>

#include "base/memory_budget.hpp"
#include "runtime/wire.hpp"
#include "transport/http_server/output_counts.hpp"
#include "web/response_writer.hpp"

namespace tenon {

/// A queue of response bytes. Thread-safe.
class QueuedResponse final : public web::ResponseWriter {
 public:
    struct Options {
        web::Fields fields = {};  ///< added to every response
        bool keep_alive = true;
        bool chunks = true;                         ///< false for HTTP/1.0: a stream then ends with its connection
        std::size_t max_queued = 64 * 1024 * 1024;  ///< bytes of a stream that its reader has not taken
        OutputCountsPtr counts = {};                ///< null: the output is not counted
        Wire wire = {};                             ///< of the connection
    };
    /// The consumer of the queue. wake() is called on any thread when the queue is no longer empty.
    class Taker {
     public:
        virtual ~Taker() = default;
        virtual void wake() noexcept = 0;
    };
    /// Reuses the buffer `memory` for the queue; `charge` accounts for that buffer.
    QueuedResponse(Options options, std::weak_ptr<Taker> taker, std::string memory = {}, base::MemoryCharge charge = {})
        : options_(std::move(options)),
          taker_(std::move(taker)),
          queue_(std::move(memory)),
          charge_(std::move(charge)),
          account_(charge_.account()),
          count_(options_.counts) {
        queue_.clear();
    }

    void respond(web::Response response) override;
    void begin_stream(web::Fields fields) override;
    void write(std::string bytes) override;
    void end() override;
    void fail() noexcept override;
    void wait_for_reader(base::LateStop& stop) override;

    // Called by the connection.
    enum class State { open, done, overflow };
    /// Takes all output since the last call: first `out`, then `body`, a large body that is not copied. `charge`
    /// accounts for both. `overflow` means that the reader was too slow; nothing more will come.
    State take(std::string& out, std::string& body, base::MemoryCharge& charge);
    /// Drops the queue and ignores all further output.
    void abandon();
    bool overflowed() const;
    /// Returns the limit that caused the overflow; none: memory is short.
    LimitName limit_hit() const;
    /// Wakes the taker, also if there is no output.
    void wake_taker() noexcept;

 private:
    //     phase       call             next phase
    //     waiting     respond()        done
    //     waiting     begin_stream()   streaming
    //     streaming   end()            done
    //     any         too much output  overflowed: the reader is too slow, so the queue was dropped
    //     any         fail()           overflowed
    //     any         abandon()        abandoned: the client has left
    // Calls that the table does not list have no effect.
    enum class Phase { waiting, streaming, done, overflowed, abandoned };

    void append(std::string_view bytes);
    bool grow_for(std::size_t bytes);
    bool pay_for(std::size_t bytes);
    bool fits();
    bool reader_is_behind() const;
    void queued(std::unique_lock<std::mutex>& lock, Phase next);
    void overflow(std::unique_lock<std::mutex>& lock) noexcept;
    void wake(std::unique_lock<std::mutex>& lock) noexcept;
    void count() noexcept { count_.set(phase_ == Phase::streaming, queue_.size() + body_.size()); }

    const Options options_;
    mutable std::mutex mutex_;           // guards the members below
    std::condition_variable caught_up_;  // notified when reader_is_behind() may have become false
    std::weak_ptr<Taker> taker_;
    std::string queue_, body_;
    base::MemoryCharge charge_;  // memory of queue_ and body_
    const base::MemoryAccountPtr account_;
    OutputCount count_;
    Phase phase_ = Phase::waiting;
    LimitName limit_ = LimitName::none;  // that caused the overflow
    bool woken_ = false;                 // the taker was told, and has not taken the output yet
};

}  // namespace tenon
