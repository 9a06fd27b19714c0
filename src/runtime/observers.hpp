// The observers of a server or client: its own, and its audit.
#pragma once

#include <memory>
#include <vector>

#include <tenon/audit.hpp>
#include <tenon/log.hpp>
#include <tenon/operation.hpp>

#include "base/memory_budget.hpp"
#include "observe/span_ids.hpp"

namespace tenon {

/// Returns random ids for an operation. Thread-safe.
observe::SpanIds new_span_ids();

/// Tells all observers of each operation. Thread-safe, except add() and set_audit().
class Observers {
 public:
    Observers(std::vector<OperationObserver> own, std::shared_ptr<AuditLog> audit)
        : own_(std::move(own)), audit_(std::move(audit)), uses_traces_(!own_.empty()) {}

    /// Adds an observer. Not thread-safe.
    void add(OperationObserver observer) {
        own_.push_back(std::move(observer));
        uses_traces_ = true;
    }
    /// Adds an observer that does not read Operation::trace. Not thread-safe.
    void add_without_traces(OperationObserver observer) { own_.push_back(std::move(observer)); }
    /// Sets the audit, and charges its queue to the budget. Not thread-safe.
    void set_audit(std::shared_ptr<AuditLog> audit, const std::shared_ptr<base::MemoryBudget>& budget) {
        audit_ = std::move(audit);
        if (audit_) audit_->charge_to(std::make_shared<base::MemoryAccount>(budget));
    }

    bool audited() const { return audit_ != nullptr; }
    bool any() const { return audit_ || !own_.empty(); }
    /// Returns whether an operation needs a span. Making one costs more than counting the operation.
    bool use_traces() const { return audit_ || uses_traces_; }
    /// Returns whether requests must be refused, because the audit cannot be written.
    bool refuse() const { return audit_ && audit_->refuses(); }
    void flush(Duration time) const {
        if (audit_) audit_->flush(time);
    }
    /// Calls all observers. Their exceptions go to `note`.
    void report(const Operation& operation, const LogNote& note) const noexcept;

 private:
    std::vector<OperationObserver> own_;
    std::shared_ptr<AuditLog> audit_;
    bool uses_traces_;  // one of own_ does
};

}  // namespace tenon
