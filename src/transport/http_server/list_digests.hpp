// Digests of the lists of a node. Nodes may have different tools; a session that moves between them must notice it.
#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <string>

#include "core/server/features.hpp"

namespace tenon {

/// A digest for each core::ListKind: of the tools, of the resources and their templates, and of the prompts.
using ListDigests = std::array<std::string, 3>;

/// Computes the digests. Entries in another order are another list.
ListDigests digests_of(const core::Features& features);

/// Keeps the digests until the features change. Thread-safe.
class KnownDigests {
 public:
    ListDigests of(const std::shared_ptr<const core::Features>& features) {
        const std::lock_guard lock(mutex_);
        if (features_ != features) digests_ = digests_of(*features), features_ = features;
        return digests_;
    }

 private:
    std::mutex mutex_;  // guards the members below
    std::shared_ptr<const core::Features> features_;
    ListDigests digests_;
};

}  // namespace tenon
