#include "sampler.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "fd.hpp"
#include "interrupt.hpp"

namespace tenon::program {
namespace {

constexpr std::size_t longest_answer = 4 * 1024 * 1024;

std::string_view role_name(Role role) { return role == Role::user ? "user" : "assistant"; }

json::object block(const TextContent& c) { return {{"type", "text"}, {"text", c.text}}; }
json::object block(const ImageContent& c) {
    return {{"type", "image"}, {"mimeType", c.mimeType}, {"bytes", c.bytes.size()}};
}
json::object block(const AudioContent& c) {
    return {{"type", "audio"}, {"mimeType", c.mimeType}, {"bytes", c.bytes.size()}};
}
json::object block(const ToolUse& c) {
    return {{"type", "tool_use"}, {"id", c.id}, {"name", c.name}, {"input", c.input}};
}
json::object block(const ToolUseResult& c) { return {{"type", "tool_result"}, {"toolUseId", c.toolUseId}}; }

json::array messages_json(const std::vector<SamplingMessage>& messages) {
    json::array out;
    for (const SamplingMessage& message : messages) {
        json::array content;
        for (const SamplingContent& part : message.content)
            content.push_back(std::visit([](const auto& c) { return block(c); }, part));
        out.push_back(json::object{{"role", role_name(message.role)}, {"content", std::move(content)}});
    }
    return out;
}

json::object preferences_json(const ModelPreferences& p) {
    json::object out;
    json::array hints;
    for (const std::string& name : p.hints) hints.push_back(json::object{{"name", name}});
    if (!hints.empty()) out.emplace("hints", std::move(hints));
    if (p.costPriority) out.emplace("costPriority", *p.costPriority);
    if (p.speedPriority) out.emplace("speedPriority", *p.speedPriority);
    if (p.intelligencePriority) out.emplace("intelligencePriority", *p.intelligencePriority);
    return out;
}

[[noreturn]] void fail(const std::string& command, const std::string& why) {
    throw std::runtime_error("the sample command `" + command + "` " + why);
}

struct Pipe {
    Fd read, write;
};

Pipe make_pipe() {
    std::array<int, 2> fds = {-1, -1};
    if (::pipe2(fds.data(), O_CLOEXEC) != 0) throw std::runtime_error(std::strerror(errno));
    return {Fd(fds[0]), Fd(fds[1])};
}

// A process in its own process group. The destructor ends it.
class Command {
 public:
    Command(const std::vector<std::string>& words, int input, int output) : name_(words.front()) {
        posix_spawn_file_actions_t files;
        ::posix_spawn_file_actions_init(&files);
        ::posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
        ::posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
        posix_spawnattr_t attributes;
        ::posix_spawnattr_init(&attributes);
        sigset_t none;
        sigemptyset(&none);
        ::posix_spawnattr_setsigmask(&attributes, &none);
        ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
        std::vector<std::string> copy = words;
        std::vector<char*> argv;
        argv.reserve(copy.size() + 1);
        for (std::string& word : copy) argv.push_back(word.data());
        argv.push_back(nullptr);
        const int error = ::posix_spawnp(&pid_, argv[0], &files, &attributes, argv.data(), environ);
        ::posix_spawn_file_actions_destroy(&files);
        ::posix_spawnattr_destroy(&attributes);
        if (error != 0) fail(name_, std::string("cannot be started: ") + std::strerror(error));
    }
    ~Command() {
        if (pid_ <= 0) return;
        ::kill(-pid_, SIGKILL);
        wait();
    }
    Command(const Command&) = delete;
    Command& operator=(const Command&) = delete;

    int wait() {
        int status = 0;
        while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
        }
        pid_ = -1;
        return status;
    }

 private:
    std::string name_;
    pid_t pid_ = -1;
};

// Writes and reads at the same time, so neither side blocks the other.
class PipedCall {
 public:
    PipedCall(std::string name, std::string request, Fd to, Fd from)
        : name_(std::move(name)), request_(std::move(request)), to_(std::move(to)), from_(std::move(from)) {
        ::fcntl(to_.get(), F_SETFL, O_NONBLOCK);
    }

    std::string run(const std::stop_token& stop) {
        const StopFd stopped(stop);
        while (from_) {
            std::array<pollfd, 3> fds = {pollfd{to_.get(), POLLOUT, 0}, pollfd{from_.get(), POLLIN, 0},
                                         pollfd{stopped.fd(), POLLIN, 0}};
            if (::poll(fds.data(), fds.size(), -1) < 0) continue;
            if (fds[2].revents != 0) fail(name_, "was stopped");
            if (fds[0].revents != 0) write_some();
            if (fds[1].revents != 0) read_some();
        }
        return std::move(answer_);
    }

 private:
    void write_some() {
        const ssize_t n = ::write(to_.get(), request_.data() + sent_, request_.size() - sent_);
        if (n > 0) sent_ += static_cast<std::size_t>(n);
        if (sent_ == request_.size() || (n < 0 && errno != EAGAIN && errno != EINTR)) to_.reset();
    }
    void read_some() {
        std::array<char, 65536> buffer;
        const ssize_t n = ::read(from_.get(), buffer.data(), buffer.size());
        if (n > 0) answer_.append(buffer.data(), static_cast<std::size_t>(n));
        if (answer_.size() > longest_answer) fail(name_, "wrote more than 4 MiB");
        if (n == 0 || (n < 0 && errno != EINTR)) from_.reset();
    }

    std::string name_, request_, answer_;
    std::size_t sent_ = 0;
    Fd to_, from_;
};

// Blocks SIGPIPE, because a command that does not read its input must not end this program.
class NoBrokenPipe {
 public:
    NoBrokenPipe() {
        sigset_t pipe;
        sigemptyset(&pipe);
        sigaddset(&pipe, SIGPIPE);
        ::pthread_sigmask(SIG_BLOCK, &pipe, nullptr);  // only for this thread, which answers questions
    }
};

}  // namespace

json::object sample_request_json(const SampleRequest& request) {
    json::object out{{"messages", messages_json(request.messages)}, {"maxTokens", request.maxTokens}};
    if (!request.systemPrompt.empty()) out.emplace("systemPrompt", request.systemPrompt);
    if (request.temperature) out.emplace("temperature", *request.temperature);
    if (!request.stopSequences.empty()) {
        json::array stops;
        for (const std::string& s : request.stopSequences) stops.emplace_back(s);
        out.emplace("stopSequences", std::move(stops));
    }
    if (request.modelPreferences) out.emplace("modelPreferences", preferences_json(*request.modelPreferences));
    if (!request.includeContext.empty()) out.emplace("includeContext", request.includeContext);
    if (!request.metadata.empty()) out.emplace("metadata", request.metadata);
    return out;
}

SampleResult sample_by_command(const std::vector<std::string>& command, const SampleRequest& request,
                               const std::stop_token& stop) {
    const NoBrokenPipe guard;
    Pipe in = make_pipe(), out = make_pipe();
    Command child(command, in.read.get(), out.write.get());
    in.read.reset(), out.write.reset();
    std::string text = PipedCall(command.front(), json::write(sample_request_json(request)) + "\n", std::move(in.write),
                                 std::move(out.read))
                           .run(stop);
    const int status = child.wait();
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) fail(command.front(), "failed");
    while (text.ends_with('\n')) text.pop_back();
    SampleResult result;
    result.content.emplace_back(TextContent{std::move(text)});
    result.model = command.front();
    result.stopReason = "endTurn";
    return result;
}

}  // namespace tenon::program
