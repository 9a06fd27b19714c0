#include "inspect/commands.hpp"

#include <tenon/schema.hpp>

namespace tenon::inspect {
namespace {

constexpr std::size_t max_validate_violations = 50;

json::value validate(const Arguments& arguments) {
    schema::Options options;
    options.assert_formats = arguments.flag("formats", true);
    const auto compiled = schema::Schema::compile(arguments.any("schema"), options);
    if (!compiled)
        return json::object{
            {"valid", false}, {"violations", json::array()}, {"schema_error", compiled.error().message}};
    json::array violations;
    const std::string root = arguments.text_or("root", "");
    for (const schema::Violation& v : compiled->check(arguments.any("value"), max_validate_violations, root))
        violations.push_back(json::object{
            {"path", v.instance_path}, {"keyword", v.keyword}, {"message", v.message}, {"schema_path", v.schema_path}});
    return json::object{{"valid", violations.empty()}, {"violations", std::move(violations)}};
}

}  // namespace

CommandAnswer refused(const Refusal& refusal) {
    json::object error = {{"message", refusal.message}, {"remedy", refusal.remedy}};
    if (refusal.code != 0) error["code"] = refusal.code;
    if (!refusal.data.is_null()) error["data"] = refusal.data;
    return {refusal.status, {{"error", std::move(error)}}};
}

Commands::Commands(Parts parts) : parts_(parts) {
    add_connection();
    add_lists();
    add_calls();
    add_live();
    add_questions();
    add_history();
    add_check();
    add("validate", true, validate);
}

void Commands::add(std::string name, bool waits, std::function<json::value(const Arguments&)> run) {
    commands_.insert_or_assign(std::move(name), Command{waits, std::move(run)});
}

const Commands::Command* Commands::find(std::string_view name) const {
    const auto found = commands_.find(name);
    return found == commands_.end() ? nullptr : &found->second;
}

CommandAnswer Commands::run(const Command& command, const json::object& arguments) noexcept {
    try {
        return {200, {{"result", command.run(Arguments(arguments))}}};
    } catch (const Refusal& refusal) {
        return refused(refusal);
    } catch (const Exception& e) {
        return refused(refusal_of(e.error()));
    } catch (const std::exception& e) {
        return refused({500, std::string("The inspector could not do this: ") + e.what()});
    }
}

json::object Commands::status() const {
    // Read before everything else: a page ignores events up to this number, because the status contains them.
    const std::uint64_t last_event = parts_.recorder.last_event();
    json::object out = parts_.session.status();
    out["mode"] = "inspect";
    out["tool_version"] = parts_.options.version;
    out["sampler"] = static_cast<bool>(parts_.options.sampler);
    out["last_event"] = last_event;
    out["open"] = json::object{{"questions", parts_.questions.open()},
                               {"consents", parts_.desk.open()},
                               {"held", json::array()},
                               {"calls", parts_.calls.open()}};
    for (const auto& member : extra_status) out[member.key()] = member.value();
    if (more_status) more_status(out);
    return out;
}

void Commands::add_check() {
    add("check", false, [this](const Arguments& a) {
        const auto [target, era] = parts_.session.last_target();
        check::Options options;
        options.target = {target.command, target.environment, target.directory, target.url, target.headers};
        options.allow_writes = a.flag("allow_writes");
        options.security = a.flag("security");
        options.all_revisions = a.flag("all_revisions");
        options.trust_hints = a.flag("trust_hints");
        options.only = a.texts("only");
        options.call = a.texts("call");
        options.skip = a.texts("skip");
        options.cases = static_cast<std::size_t>(a.number_or("cases", options.cases));
        parts_.check.start(std::move(options), era);
        return json::object{{"check", "1"}};
    });
    add("check_stop", false, [this](const Arguments&) {
        parts_.check.stop();
        return json::object();
    });
    add("check_report", true, [this](const Arguments&) { return parts_.check.report(); });
    add("rule", false, [](const Arguments& a) { return rule_json(a.text("id")); });
}

void Commands::add_questions() {
    add("answer", false, [this](const Arguments& a) {
        parts_.questions.answer(a.all());
        return json::object();
    });
    add("sample", true, [this](const Arguments& a) {
        return json::object{{"result", parts_.questions.run_sampler(a.text("question"), stopping_.get_token())}};
    });
    add("roots", false, [this](const Arguments&) { return roots(); });
    add("set_roots", false, [this](const Arguments& a) {
        parts_.questions.set_roots(a.array("roots"));
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
        if (const auto link = parts_.session.link()) link->client->roots_changed();
#pragma GCC diagnostic pop
        return roots();
    });
    add("decide", false, [this](const Arguments& a) {
        const auto decision = decision_named(a.text("decision"));
        if (!decision) throw Refusal{400, "`decision` must be once, session, always, refuse or never."};
        const auto decided = parts_.desk.decide(a.text("consent"), *decision);
        if (!decided.found) throw Refusal{404, "This decision is no longer needed."};
        return json::object{{"saved", decided.saved}};
    });
    add("decisions", false, [this](const Arguments&) {
        return json::object{{"decisions", parts_.permissions.list()}};
    });
    add("revoke", false, [this](const Arguments& a) {
        if (!parts_.permissions.revoke(a.text("decision_id"))) throw Refusal{404, "There is no such decision."};
        parts_.recorder.tell("decisions", {});
        return json::object();
    });
}

json::object Commands::roots() const {
    const auto link = parts_.session.link();
    json::array out;
    for (const Root& root : parts_.questions.roots()) {
        json::object one = {{"uri", root.uri}, {"decision", nullptr}};
        if (!root.name.empty()) one["name"] = root.name;
        const auto known =
            link ? parts_.permissions.known_and_listed(plain_subject(Subject::Kind::root, link->identity, root.uri))
                 : std::nullopt;
        if (known) one["decision"] = to_string(*known);
        out.push_back(std::move(one));
    }
    return {{"roots", std::move(out)}};
}

}  // namespace tenon::inspect
