// JSON that is sent often, encoded once for each revision.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "protocol/write.hpp"

namespace tenon::protocol {

/// The encodings of one value in all revisions. Immutable. Neighbouring revisions with the same encoding share it.
class Spellings {
 public:
    Spellings() = default;
    template <class T>
    explicit Spellings(const T& value) {
        for (const Revision revision : revisions()) keep(revision, encode(value, Rules(revision)));
    }

    const std::string& of(const Rules& rules) const { return texts_[which_[index(rules.revision())]]; }

 private:
    static std::size_t index(Revision revision) { return static_cast<std::size_t>(revision); }
    void keep(Revision revision, jsonrpc::Encoded text) {
        if (texts_.empty() || texts_.back() != text.json) texts_.push_back(std::move(text.json));
        which_[index(revision)] = static_cast<std::uint8_t>(texts_.size() - 1);
    }

    std::vector<std::string> texts_;
    std::array<std::uint8_t, 5> which_ = {};
};

}  // namespace tenon::protocol
