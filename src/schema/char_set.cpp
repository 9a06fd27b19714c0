#include "schema/char_set.hpp"

#include <re2/re2.h>

#include <algorithm>

#include "schema/text.hpp"

namespace tenon::schema {
namespace {

// Returns false when too few steps are left.
bool spend(std::size_t& steps, std::size_t cost) {
    steps -= std::min(steps, cost);
    return steps > 0;
}

std::vector<std::string> without_duplicates(std::vector<std::string> names) {
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
}

}  // namespace

Property::Property(const std::string& re2_name) : re2_(std::make_unique<re2::RE2>(re2_name, re2::RE2::Quiet)) {
    for (char32_t c = 0; c < ascii_.size(); ++c) ascii_[c] = has(c);
}

Property::~Property() = default;

bool Property::known() const { return re2_->ok(); }

bool Property::has(char32_t c) const {
    std::string text;
    append_utf8(text, c);
    return re2::RE2::FullMatch(text, *re2_);
}

CharSet::CharSet(const CodePoints& set) : ranges_(set.ranges), negated_(set.negated) {
    for (const auto& range : ranges_) add_ascii(range);
}

Result<CharSet> CharSet::build(const CodePoints& set, Properties& known, std::size_t& steps) {
    constexpr std::size_t base_steps = 10;
    const Error too_expensive{code::invalid_params, "takes too many steps"};
    if (!spend(steps, base_steps + set.ranges.size() + set.properties.size())) return too_expensive;
    CharSet out(set);
    for (const std::string& name : without_duplicates(set.properties)) {
        auto& property = known[name];
        if (!property) {
            if (!spend(steps, Property::compile_steps)) return too_expensive;
            property = std::make_shared<Property>(name);
        }
        if (!property->known()) return Error{code::invalid_params, "an unknown Unicode property " + name};
        out.ascii_ |= property->ascii();
        out.properties_.push_back(property);
    }
    return out;
}

void CharSet::add_ascii(CodePoints::Range range) {
    for (char32_t c = range.first; c <= range.last && c < ascii_.size(); ++c) ascii_.set(c);
}

// The ranges do not overlap. So only the last range that begins at or before the character can contain it.
bool CharSet::contains_wide(char32_t c, Budget& budget) const {
    const auto after = std::upper_bound(ranges_.begin(), ranges_.end(), c,
                                        [](char32_t x, const CodePoints::Range& r) { return x < r.first; });
    if (after != ranges_.begin() && c <= std::prev(after)->last) return true;
    budget.spend(Property::question_steps * properties_.size());
    return std::any_of(properties_.begin(), properties_.end(), [c](const auto& p) { return p->has(c); });
}

}  // namespace tenon::schema
