// Helpers shared by the readers of a server's messages. Private to this module.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <tenon/protocol/content.hpp>
#include <tenon/protocol/tools.hpp>

#include "json/reader.hpp"

namespace tenon::protocol {

/// The first error in a message, in any of its parts.
class Problem {
 public:
    void take(std::string what) {
        if (!what_) what_ = std::move(what);
    }
    bool found() const { return what_.has_value(); }
    /// Returns the error for an invalid result.
    Error of_answer() const { return {code::invalid_answer, "The server's answer is invalid: " + *what_}; }
    /// Returns the error for invalid parameters of a question.
    Error of_params() const { return {code::invalid_params, "Invalid params: " + *what_}; }

 private:
    std::optional<std::string> what_;
};

/// Reads one object of a message like json::Reader, and reports its error to the Problem.
class Part : public json::Reader {
 public:
    Part(const json::value& v, const std::string& path, Problem& problem);
    Part(const json::object& o, const std::string& path, Problem& problem)
        : json::Reader(o, path), problem_(problem), object_(o), path_(path) {}
    ~Part();
    Part(const Part&) = delete;
    Part& operator=(const Part&) = delete;

    const json::object& members() const { return object_; }
    Problem& problem() { return problem_; }
    std::string text(std::string_view name) { return optional_string(name).value_or(""); }
    json::object meta();
    std::optional<std::uint64_t> optional_size(std::string_view name);
    std::string base64(std::string_view name);
    Role role(std::string_view name);
    std::vector<std::string> strings(std::string_view name);

    /// Reads each element of an optional array with `read(element, path, problem)`.
    template <class F>
    auto optional_list(std::string_view name, F read) {
        std::vector<decltype(read(json::value(), path_, problem_))> out;
        if (const json::array* all = optional_array(name)) fill(out, *all, name, read);
        return out;
    }
    template <class F>
    auto list(std::string_view name, F read) {
        std::vector<decltype(read(json::value(), path_, problem_))> out;
        fill(out, array(name), name, read);
        return out;
    }

 private:
    template <class T, class F>
    void fill(std::vector<T>& out, const json::array& all, std::string_view name, F read) {
        out.reserve(all.size());
        for (std::size_t i = 0; i < all.size() && !problem_.found(); ++i)
            out.push_back(read(all[i], path(name) + "[" + std::to_string(i) + "]", problem_));
    }

    Problem& problem_;
    const json::object& object_;
    std::string path_;
};

Annotations read_annotations(Part& of);
std::vector<Icon> read_icons(Part& of);
Implementation read_implementation(const json::value& v, const std::string& path, Problem& problem);
ResourceContents read_resource_contents(const json::value& v, const std::string& path, Problem& problem);
Content read_content(const json::value& v, const std::string& path, Problem& problem);
Tool read_tool(const json::value& v, const std::string& path, Problem& problem);

template <class F>
using ReadBy = Result<std::invoke_result_t<F, Part&>>;

/// Reads a result, which must be an object.
template <class F>
ReadBy<F> read_answer(const json::value& result, F read) {
    Problem problem;
    auto out = [&] {
        Part part(result, "result", problem);
        return read(part);
    }();
    if (problem.found()) return problem.of_answer();
    return out;
}

template <class F>
ReadBy<F> read_params(const json::object& params, F read) {
    Problem problem;
    auto out = [&] {
        Part part(params, "params", problem);
        return read(part);
    }();
    if (problem.found()) return problem.of_params();
    return out;
}

}  // namespace tenon::protocol
