#include <tenon/encrypt_states.hpp>

#include "jose/request_state_seal.hpp"

namespace tenon {
namespace {

class EncryptedStates final : public StateSeal {
 public:
    explicit EncryptedStates(std::vector<StateKey> keys) : seal_(std::move(keys)) {}

    Result<std::string> close(std::string_view state, std::string_view binding, WallTime expires) const override {
        return seal_.close(state, binding, expires);
    }
    Result<std::string> open(std::string_view sealed, std::string_view binding, WallTime now) const override {
        auto opened = seal_.open(sealed, binding, now);
        if (opened.state) return *std::move(opened.state);
        return Error{code::invalid_params, opened.why};
    }

 private:
    const jose::Seal seal_;
};

}  // namespace

std::shared_ptr<const StateSeal> encrypt_states(std::vector<StateKey> keys) {
    if (keys.empty()) throw Exception({code::invalid_params, "encrypt_states() needs at least one key"});
    return std::make_shared<EncryptedStates>(std::move(keys));
}

}  // namespace tenon
