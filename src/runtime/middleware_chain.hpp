// Passes a request through the middleware to its handler.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include <tenon/context.hpp>
#include <tenon/middleware.hpp>

#include "base/memory_budget.hpp"
#include "core/server/action.hpp"
#include "runtime/shared_rates.hpp"

namespace tenon {

using Middlewares = std::shared_ptr<const std::vector<Middleware>>;
using core::Job;

/// Runs the middlewares, the first one outermost, and then the job. Calls `failed` before an exception of middleware
/// becomes the answer, unless it is a tenon::Exception: that refuses the request on purpose.
void pass(const Middlewares& middlewares, Context context, const core::CallPtr& call, Job job,
          Reply<core::HandlerResult> reply, std::function<void()> failed);

/// Like the public function. `charge` pays for the table of counts. `shared` returns what also counts the calls on
/// other nodes, or null.
Middleware limit_rates(RateLimits limits, base::MemoryCharge charge, std::function<SharedRates*()> shared = {});

}  // namespace tenon
