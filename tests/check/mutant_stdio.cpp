// A mutant over stdio: one thread, one Session, and the changes of input and output.
#include <unistd.h>

#include <cstdlib>
#include <iostream>

#include <tenon/session.hpp>
#include <tenon/tenon.hpp>

#include "check/good_server.hpp"
#include "check/mutations.hpp"
#include "check/wire/reading.hpp"

namespace tenon::check::mutant {
namespace {

class Stdio {
 public:
    explicit Stdio(const Mutant& mutant) : mutant_(mutant), server_(good_server()), session_(server_) {}

    int serve() {
        if (mutant_.at_start) mutant_.at_start();
        std::array<char, 64 * 1024> buffer;
        std::string rest;
        for (;;) {
            const ssize_t n = ::read(STDIN_FILENO, buffer.data(), buffer.size());
            if (n <= 0) break;
            rest.append(buffer.data(), static_cast<std::size_t>(n));
            if (mutant_.rule == "INT-6.pieces") lose_pieces(rest);
            memory_.in_read = 0;
            for (std::size_t end; (end = rest.find('\n')) != rest.npos; rest.erase(0, end + 1)) {
                ++memory_.in_read;
                take(rest.substr(0, end));
            }
        }
        if (mutant_.at_end) {
            Passing last{rest};
            mutant_.at_end(last, memory_);
            for (const std::string& line : last.after) put(line);  // sent without a newline
            if (!last.line.empty() && last.line != rest) take(last.line);
        }
        session_.end_of_input();
        flush();
        return 0;
    }

 private:
    // Drops a line that does not arrive in one piece. Long lines are exempt, because they cannot arrive in one piece.
    void lose_pieces(std::string& rest) {
        const std::size_t end = rest.find('\n');
        if (!losing_ && rest.size() > 1000) return;
        if (losing_ || end == rest.npos) rest.erase(0, end == rest.npos ? end : end + 1);
        losing_ = end == rest.npos;
    }

    void take(std::string line) {
        Passing p = passing(std::move(line));
        if (!p.method.empty())
            memory_.introduced = memory_.introduced || p.method == "initialize" || p.method == "server/discover";
        if (const value* id = p.message.if_contains("id")) memory_.asked[json::write(*id)] = {p.method, p.params};
        as_revision(p, mutant_.revision);
        if (mutant_.in && !p.line.empty()) mutant_.in(p, memory_);
        if (p.method == "notifications/initialized") memory_.initialized = true;
        for (const std::string& said : p.before) put(said + "\n");
        if (!p.line.empty()) session_.feed(p.line + "\n");
        for (const std::string& said : p.after) put(said + "\n");
        flush();
    }

    void flush() {
        const std::string output = session_.take_output();
        std::string_view rest = output;
        while (!rest.empty()) {
            const std::size_t end = rest.find('\n');
            say(std::string(rest.substr(0, end)));
            rest.remove_prefix(end + 1);
        }
    }

    void say(std::string line) {
        Passing p = passing(std::move(line));
        if (p.is_answer())
            if (const value* id = p.message.if_contains("id"))
                std::tie(p.method, p.params) = memory_.asked[json::write(*id)];
        if (mutant_.out) mutant_.out(p, memory_);
        for (const std::string& said : p.before) put(said + "\n");
        if (!p.line.empty()) put(p.line + "\n");
        for (const std::string& said : p.after) put(said + "\n");
    }

    static Passing passing(std::string line) {
        Passing p{std::move(line)};
        const auto read = read_patiently(p.line);
        if (!read.value || !read.value->is_object()) return p;
        p.message = read.value->get_object();
        if (const value* method = p.message.if_contains("method"); method && method->is_string())
            p.method = method->get_string();
        if (const value* params = p.message.if_contains("params"); params && params->is_object())
            p.params = params->get_object();
        return p;
    }

    static void put(std::string_view bytes) {
        while (!bytes.empty()) {
            const ssize_t n = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
            if (n <= 0) ::_exit(1);
            bytes.remove_prefix(static_cast<std::size_t>(n));
        }
    }

    const Mutant& mutant_;
    Server server_;
    Session session_;
    Memory memory_;
    bool losing_ = false;
};

}  // namespace

int serve_stdio(const Mutant& mutant) { return Stdio(mutant).serve(); }

}  // namespace tenon::check::mutant
