#include "inspect/questions.hpp"

#include <algorithm>

#include <tenon/schema.hpp>

#include "protocol/read.hpp"
#include "protocol/write.hpp"
#include "protocol/write_client.hpp"

namespace tenon::inspect {
namespace {

constexpr std::size_t max_violations = 50;
constexpr int user_rejected = -1;  // the code that the specification's example of a refused sampling request has

const protocol::Rules newest{protocol::newest_revision};

template <class T>
json::object as_object(const T& v) {
    auto value = json::parse(protocol::encode(v, newest).json);
    return value && value->is_object() ? std::move(value->get_object()) : json::object();
}

ElicitResult elicit_result(const std::optional<json::object>& answer) {
    ElicitResult out;
    if (!answer) return out;
    const Arguments arguments(*answer);
    const std::string action = arguments.text_or("action", "cancel");
    if (action == "accept") out.action = ElicitAction::accept;
    if (action == "decline") out.action = ElicitAction::decline;
    if (out.action == ElicitAction::accept) out.content = arguments.object_or_empty("content");
    return out;
}

bool is_accepted(const std::optional<json::object>& answer) {
    return answer && Arguments(*answer).text_or("action", "cancel") == "accept";
}

json::array roots_json(const std::vector<Root>& roots) {
    json::array out;
    for (const Root& root : roots) {
        json::object one = {{"uri", root.uri}};
        if (!root.name.empty()) one["name"] = root.name;
        out.push_back(std::move(one));
    }
    return out;
}

std::vector<Root> read_roots(const json::array& roots) {
    std::vector<Root> out;
    for (const json::value& v : roots) {
        if (!v.is_object()) throw Refusal{400, "Each root must be an object with `uri`."};
        const Arguments root(v.get_object());
        out.push_back({root.text("uri"), root.text_or("name", "")});
        if (!out.back().uri.starts_with("file:///"))
            throw Refusal{400, "A root must be a file: URI.", "Write it as file:///home/me/project."};
    }
    return out;
}

Subject sampling_subject(const std::string& identity) {
    return plain_subject(Subject::Kind::sampling, identity, "sampling");
}

}  // namespace

json::array violations_json(const json::value& schema, const json::value& value, std::string_view root) {
    json::array out;
    const auto compiled = schema::Schema::compile(schema);
    if (!compiled) return out;
    for (const schema::Violation& v : compiled->check(value, max_violations, root))
        out.push_back(json::object{
            {"path", v.instance_path}, {"keyword", v.keyword}, {"message", v.message}, {"schema_path", v.schema_path}});
    return out;
}

Questions::Questions(const Options& options, Permissions& permissions, Recorder& recorder)
    : options_(options), permissions_(permissions), recorder_(recorder), roots_(options.roots) {}

std::optional<json::object> Questions::ask(Open question, const std::stop_token& stop) {
    std::string id;
    json::object data;
    {
        const std::lock_guard lock(mutex_);
        if (open_.size() >= max_open) return std::nullopt;
        id = "q" + std::to_string(next_++);
        question.data["question"] = id;
        data = question.data;
        open_.emplace(id, std::move(question));
    }
    recorder_.tell("question", std::move(data));
    std::optional<json::object> answer;
    {
        std::unique_lock lock(mutex_);
        answered_.wait(lock, stop, [&] { return open_.at(id).answer.has_value(); });
        answer = std::move(open_.at(id).answer);
        open_.erase(id);
    }
    const std::string outcome = answer ? Arguments(*answer).text_or("action", "cancel") : "gone";
    recorder_.tell("question_done", {{"question", id}, {"outcome", outcome}});
    return answer;
}

ElicitResult Questions::form(const Asker& asker, const ElicitRequest& request, const std::stop_token& stop) {
    json::object shown = {{"message", request.message}, {"requestedSchema", request.requestedSchema}};
    if (!request.meta.empty()) shown["_meta"] = request.meta;
    Open question{
        {{"kind", "form"}, {"server", asker.label}, {"request", std::move(shown)}, {"decision_allowed", false}}};
    return elicit_result(ask(std::move(question), stop));
}

ElicitResult Questions::page(const Asker& asker, const ElicitUrlRequest& request, const std::stop_token& stop) {
    json::object shown = {{"message", request.message}, {"url", request.url}, {"elicitationId", request.elicitationId}};
    Open question{
        {{"kind", "url"}, {"server", asker.label}, {"request", std::move(shown)}, {"decision_allowed", false}}};
    return elicit_result(ask(std::move(question), stop));
}

SampleResult Questions::sample(const Asker& asker, const SampleRequest& request, const std::stop_token& stop) {
    const Exception refused({user_rejected, "the user refused the sampling request"});
    const auto known = permissions_.use(sampling_subject(asker.identity), wall_clock());
    if (known == ConsentDecision::never) throw refused;
    if (known && options_.sampler) return options_.sampler(request, stop);
    Open question{{{"kind", "sampling"},
                   {"server", asker.label},
                   {"identity", asker.identity},
                   {"request", as_object(request)},
                   {"decision_allowed", true}},
                  request};
    const auto answer = ask(std::move(question), stop);
    if (!is_accepted(answer)) throw refused;
    return protocol::read_sample_result(answer->at("result")).value();
}

// Shares the roots that the user allows. Those with a decision are not asked about again.
std::vector<Root> Questions::share_roots(const Asker& asker, const std::stop_token& stop) {
    std::vector<Root> shared, unknown;
    for (const Root& root : roots()) {
        const auto known = permissions_.use(plain_subject(Subject::Kind::root, asker.identity, root.uri), wall_clock());
        if (!known)
            unknown.push_back(root);
        else if (*known != ConsentDecision::never)
            shared.push_back(root);
    }
    if (unknown.empty()) return shared;
    Open question{{{"kind", "roots"},
                   {"server", asker.label},
                   {"identity", asker.identity},
                   {"request", json::object()},
                   {"roots", roots_json(unknown)},
                   {"decision_allowed", true}}};
    const auto answer = ask(std::move(question), stop);
    if (!is_accepted(answer)) return shared;
    const std::vector<Root> chosen = answer->contains("roots") ? read_roots(answer->at("roots").as_array()) : unknown;
    for (const Root& root : unknown)
        if (std::ranges::find(chosen, root.uri, &Root::uri) != chosen.end()) shared.push_back(root);
    return shared;
}

// Stores the decision that came with an answer about sampling or roots.
void Questions::decide_about(const json::object& answer, const json::object& data) {
    const auto decision = decision_named(Arguments(answer).text_or("decision", "once"));
    if (!decision) throw Refusal{400, "`decision` must be once, session, always or never."};
    const Arguments question(data);
    const std::string identity = question.text_or("identity", "");
    if (question.text("kind") == "sampling") {
        permissions_.remember(sampling_subject(identity), *decision, wall_clock());
    } else {
        const json::array& asked = data.at("roots").as_array();
        for (const Root& root : read_roots(answer.contains("roots") ? Arguments(answer).array("roots") : asked))
            permissions_.remember(plain_subject(Subject::Kind::root, identity, root.uri), *decision, wall_clock());
    }
}

void Questions::answer(const json::object& answer) {
    const Arguments arguments(answer);
    const std::string id = arguments.text("question");
    const std::string action = arguments.text("action");
    if (action != "accept" && action != "decline" && action != "cancel")
        throw Refusal{400, "`action` must be accept, decline or cancel."};
    json::object data;
    {
        const std::lock_guard lock(mutex_);
        const auto found = open_.find(id);
        if (found == open_.end()) throw Refusal{404, "This question is no longer open."};
        data = found->second.data;
    }
    const std::string kind = Arguments(data).text("kind");
    if (kind == "form" && action == "accept") {
        const json::value& schema = data.at("request").as_object().at("requestedSchema");
        json::array wrong = violations_json(schema, arguments.object_or_empty("content"), "content");
        if (!wrong.empty())
            throw Refusal{400, "The answer does not fit the form.", "Correct the marked fields.", 0,
                          json::object{{"violations", std::move(wrong)}}};
    }
    if (kind == "sampling" && action == "accept") {
        const auto result = protocol::read_sample_result(arguments.any("result"));
        if (!result) throw Refusal{400, "The answer is not a sampling result: " + result.error().message};
    }
    if (kind == "roots" && arguments.has("roots")) read_roots(arguments.array("roots"));
    const bool decides = arguments.has("decision") && (kind == "sampling" || kind == "roots");
    if (decides) decide_about(answer, data);
    {
        const std::lock_guard lock(mutex_);
        const auto found = open_.find(id);
        if (found == open_.end() || found->second.answer) throw Refusal{404, "This question is no longer open."};
        found->second.answer = answer;
    }
    answered_.notify_all();
    if (decides) recorder_.tell("decisions", {});
}

json::object Questions::run_sampler(const std::string& question, const std::stop_token& stop) {
    if (!options_.sampler)
        throw Refusal{409, "There is no command for sampling.", "Start tenon inspect with --sample-command COMMAND."};
    std::optional<SampleRequest> request;
    {
        const std::lock_guard lock(mutex_);
        const auto found = open_.find(question);
        if (found != open_.end()) request = found->second.sampling;
    }
    if (!request) throw Refusal{404, "This question is no longer open, or does not ask a model."};
    try {
        return as_object(options_.sampler(*request, stop));
    } catch (const std::exception& e) {
        throw Refusal{409, std::string("The command failed: ") + e.what()};
    }
}

json::array Questions::open() const {
    const std::lock_guard lock(mutex_);
    json::array out;
    for (const auto& [id, question] : open_) out.push_back(question.data);
    return out;
}

std::vector<Root> Questions::roots() const {
    const std::lock_guard lock(mutex_);
    return roots_;
}

void Questions::set_roots(const json::array& roots) {
    if (roots.size() > max_roots) throw Refusal{413, "At most 100 roots are allowed."};
    std::vector<Root> read = read_roots(roots);
    const std::lock_guard lock(mutex_);
    roots_ = std::move(read);
}

}  // namespace tenon::inspect
