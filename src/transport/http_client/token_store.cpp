#include <tenon/auth/token_store.hpp>

#include <cstdlib>
#include <map>
#include <mutex>
#include <set>
#include <system_error>

#include <tenon/error.hpp>

#include "base/base64.hpp"
#include "io/secret_folder.hpp"
#include "jose/digest.hpp"

namespace tenon::auth {
namespace {

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

std::string usual_folder() {
    std::string state = variable("XDG_STATE_HOME");
    if (!state.starts_with('/')) {
        const std::string home = variable("HOME");
        if (!home.starts_with('/'))
            throw Exception({code::invalid_params,
                             "there is no folder for tokens: set HOME, or name one with tenon::auth::file_store"});
        state = home + "/.local/state";
    }
    return state + "/tenon/credentials";
}

class FileStore final : public TokenStore {
 public:
    explicit FileStore(std::string folder) : folder_(std::move(folder)) {}

    std::optional<std::string> load(const std::string& server) override { return folder_.read(file_of(server)); }
    void save(const std::string& server, const std::string& secret) override { folder_.write(file_of(server), secret); }
    void erase(const std::string& server) override { folder_.erase(file_of(server)); }
    std::shared_ptr<void> try_lock(const std::string& server) override { return folder_.try_lock(file_of(server)); }

 private:
    // Hashed, because a URL may contain characters that a file name must not have.
    static std::string file_of(const std::string& server) { return base::base64url_encode(jose::sha256(server)); }

    io::SecretFolder folder_;
};

class MemoryStore final : public TokenStore {
 public:
    std::optional<std::string> load(const std::string& server) override {
        const std::lock_guard lock(state_->mutex);
        const auto it = state_->secrets.find(server);
        return it == state_->secrets.end() ? std::nullopt : std::optional(it->second);
    }
    void save(const std::string& server, const std::string& secret) override {
        const std::lock_guard lock(state_->mutex);
        state_->secrets[server] = secret;
    }
    void erase(const std::string& server) override {
        const std::lock_guard lock(state_->mutex);
        state_->secrets.erase(server);
    }
    std::shared_ptr<void> try_lock(const std::string& server) override {
        const std::lock_guard lock(state_->mutex);
        if (!state_->locked.insert(server).second) return {};
        return {state_.get(), [state = state_, server](void*) {
                    const std::lock_guard over(state->mutex);
                    state->locked.erase(server);
                }};
    }

 private:
    struct State {
        std::mutex mutex;
        std::map<std::string, std::string> secrets;
        std::set<std::string> locked;
    };
    const std::shared_ptr<State> state_ = std::make_shared<State>();
};

}  // namespace

std::shared_ptr<TokenStore> file_store(std::string folder) {
    if (folder.empty()) folder = usual_folder();
    try {
        return std::make_shared<FileStore>(folder);
    } catch (const std::system_error& e) {
        throw Exception({code::invalid_params, std::string("cannot keep tokens: ") + e.what()});
    }
}

std::shared_ptr<TokenStore> memory_store() { return std::make_shared<MemoryStore>(); }

}  // namespace tenon::auth
