// The entrance of a simulated node. Everything that happens in a node comes through it.
#pragma once

#include <deque>
#include <functional>
#include <utility>

namespace tenon::test {

/// Lets work into a node, keeps it back while the node is paused, and drops it when the node is gone.
class Door {
 public:
    using Work = std::function<void()>;
    void pass(Work work) {
        if (gone_) return;
        if (paused_) return waiting_.push_back(std::move(work));
        work();
    }
    void pause() { paused_ = true; }
    void resume() {
        paused_ = false;
        while (!paused_ && !waiting_.empty()) {
            const Work next = std::move(waiting_.front());
            waiting_.pop_front();
            next();
        }
    }
    void close() {
        gone_ = true;
        while (!waiting_.empty()) {
            const auto dropped = std::exchange(waiting_, {});
        }
    }
    bool gone() const { return gone_; }
    bool paused() const { return paused_; }

 private:
    bool paused_ = false, gone_ = false;
    std::deque<Work> waiting_;
};

}  // namespace tenon::test
