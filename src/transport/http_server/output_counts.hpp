// Counts the output of an HTTP server, for its metrics.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>

namespace tenon {

/// The responses of one server that are not sent yet. Thread-safe.
struct OutputCounts {
    std::atomic<std::size_t> streams{0};       ///< streams of server-sent events that have not ended
    std::atomic<std::size_t> queued_bytes{0};  ///< bytes that their connections have not taken
};
using OutputCountsPtr = std::shared_ptr<OutputCounts>;

/// The part of one response in these counts. Without counts it does nothing. Not thread-safe.
class OutputCount {
 public:
    explicit OutputCount(OutputCountsPtr counts) : counts_(std::move(counts)) {}
    ~OutputCount() { set(false, 0); }
    OutputCount(const OutputCount&) = delete;
    OutputCount& operator=(const OutputCount&) = delete;

    void set(bool streams, std::size_t bytes) noexcept {
        if (!counts_) return;
        if (streams != streams_) streams ? ++counts_->streams : --counts_->streams;
        if (bytes != bytes_) counts_->queued_bytes += bytes - bytes_;  // wraps around, also when it is less
        streams_ = streams;
        bytes_ = bytes;
    }

 private:
    const OutputCountsPtr counts_;
    bool streams_ = false;
    std::size_t bytes_ = 0;
};

}  // namespace tenon
