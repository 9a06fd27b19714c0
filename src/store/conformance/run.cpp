#include <array>
#include <atomic>

#include "io/random.hpp"
#include "store/conformance/subject.hpp"

namespace tenon {
namespace store::conformance {
namespace {

std::string random_name() {
    std::string out = "-";
    for (const auto byte : io::random_bytes<8>())
        out += "0123456789abcdef"[byte >> 4], out += "0123456789abcdef"[byte & 15];
    return out;
}

std::vector<Check> all_checks() {
    std::vector<Check> out;
    for (const auto part : {session_checks, event_checks, task_checks, bus_checks, value_checks, common_checks})
        for (const auto& check : part()) out.push_back(check);
    return out;
}

}  // namespace

Run::Run(const StoreConformance& subject) : subject_(subject), unique_(random_name()), a_(subject.open({})) {
    if (!a_) throw Failed{"the store was not opened"};
    b_ = a_->is_shared() ? subject.open({}) : a_;
}

void Run::on_threads(int count, const std::function<void(int)>& work) const {
    std::mutex mutex;
    std::optional<Failed> failed;
    std::vector<std::thread> threads;
    for (int i = 0; i < count; ++i)
        threads.emplace_back([&, i] {
            try {
                work(i);
            } catch (const Failed& failure) {
                const std::lock_guard lock(mutex);
                failed = failure;
            }
        });
    for (auto& thread : threads) thread.join();
    if (failed) throw *failed;
}

std::vector<std::string> hostile_names() {
    using namespace std::string_literals;
    return {"{",
            "}",
            "{}",
            "{a}b",
            "a{b",
            "a:b",
            ":",
            "a",
            "A",
            "%41",
            "a%",
            "a b",
            " a",
            "a ",
            "*",
            "?",
            "[a-z]",
            "a*",
            "'",
            "\"",
            "\\",
            "'; DROP TABLE sessions; --",
            "\n",
            "\r\n",
            "a\r\nb",
            "\0"s,
            "a\0b"s,
            "a\0"s,
            "\xff\xfe"s,
            "\xc3\xa4",
            "a\xcc\x88",
            "$5\r\n",
            "../a",
            "/",
            "-1",
            "0",
            "00",
            "1e0",
            std::string(1024, 'k'),
            std::string(1023, 'k')};
}

std::string all_bytes() {
    std::string out;
    for (int i = 0; i < 256; ++i) out += static_cast<char>(i);
    return out;
}

}  // namespace store::conformance

std::vector<std::string_view> store_checks() {
    std::vector<std::string_view> out;
    for (const auto& check : store::conformance::all_checks()) out.push_back(check.name);
    return out;
}

std::string run_store_check(std::string_view name, const StoreConformance& subject) {
    for (const auto& check : store::conformance::all_checks()) {
        if (check.name != name) continue;
        try {
            store::conformance::Run run(subject);
            check.run(run);
            return {};
        } catch (const store::conformance::Failed& failure) {
            return failure.text.empty() ? "it failed" : failure.text;
        }
    }
    return "there is no such check";
}

}  // namespace tenon
