// The rules of 2026-07-28 for every request: LIFE-1 and LIFE-8 without a handshake.
#include <algorithm>

#include "check/server/checks.hpp"
#include "check/server/shapes.hpp"
#include "protocol/meta_keys.hpp"

namespace tenon::check::checks::modern {
namespace {

namespace key = protocol::meta_key;

// Sends a request with a changed `_meta`.
Answer ask_with_meta(Conversation& talk, void (*change)(json::object& meta), const Conversation::Tweak& tweak = {}) {
    json::object request = talk.request("server/discover");
    change(request["params"].as_object()["_meta"].as_object());
    return talk.answer(talk.send(request, tweak));
}

void unknown(json::object& meta) { meta[key::version] = "1999-01-01"; }

void say_unknown(web::ClientRequest& request) {
    for (auto& [name, value] : request.fields)
        if (name == "MCP-Protocol-Version") value = "1999-01-01";
}

}  // namespace

Verdict unsupported_version(Probe& probe) {
    const Verdict verdict =
        expect_error(ask_with_meta(probe.uninitialized(), unknown, say_unknown), {code::unsupported_version});
    return verdict;
}

Verdict unsupported_data(Probe& probe) {
    const Answer answer = ask_with_meta(probe.uninitialized(), unknown, say_unknown);
    if (answer.code() != code::unsupported_version) return not_applicable("it is not refused with -32022");
    const json::object* data = object_in(answer.message.at("error").as_object(), "data");
    const json::array* supported = data ? array_in(*data, "supported") : nullptr;
    const auto* requested = data ? string_in(*data, "requested") : nullptr;
    const bool names_itself = supported && std::ranges::any_of(*supported, [&](const json::value& v) {
                                  return v.is_string() && v.get_string() == probe.rules().name();
                              });
    return names_itself && requested && *requested == "1999-01-01"
               ? pass()
               : fail("its `data` does not have `supported` with its versions and `requested`");
}

Verdict no_version(Probe& probe) {
    // A new conversation: a server with both eras may treat the whole connection as legacy.
    const auto talk = probe.silent();
    return expect_error(ask_with_meta(*talk, [](json::object& meta) { meta.erase(key::version); }));
}

Verdict no_capabilities(Probe& probe) {
    const Answer answer =
        ask_with_meta(probe.uninitialized(), [](json::object& meta) { meta.erase(key::client_capabilities); });
    return expect_error(answer, {code::invalid_params});
}

Verdict stateless(Probe& probe) {
    if (!probe.declares("tools")) return not_applicable("the server does not declare tools");
    if (!probe.tools().why.empty()) return not_applicable(probe.tools().why);
    return expect_result(probe.uninitialized().ask("tools/list"));
}

// ---- subscriptions

Verdict acknowledges(Probe& probe) {
    const bool tells = probe.declares("tools", "listChanged") || probe.declares("resources", "listChanged") ||
                       probe.declares("prompts", "listChanged") || probe.declares("resources", "subscribe");
    if (!tells) return not_applicable("the server declares nothing that can be subscribed to");
    Conversation& talk = probe.uninitialized();
    const std::size_t before = talk.received().size();
    const std::size_t number =
        talk.send(talk.request("subscriptions/listen", {{"notifications", {{"toolsListChanged", true}}}}));
    const auto first = [&]() -> const Received* {
        const auto is_of_it = [&](const Received& received) {
            return received.object() && (!talk.http() || received.exchange == talk.find(number)->exchange);
        };
        const auto from = talk.received().begin() + static_cast<std::ptrdiff_t>(before);
        const auto it = std::find_if(from, talk.received().end(), is_of_it);
        return it == talk.received().end() ? nullptr : &*it;
    };
    talk.wait_until(probe.subject().patience(),
                    [&] { return first() || (talk.http() && talk.find(number)->exchange->ended()); });
    const Received* received = first();
    if (!received) return fail("subscriptions/listen has no answer");
    if (received->object()->contains("error"))
        return fail("subscriptions/listen is refused: " + received->text.substr(0, 200));
    const auto* method = string_in(*received->object(), "method");
    if (!method || *method != "notifications/subscriptions/acknowledged")
        return fail("the first message of a subscription does not acknowledge it");
    const json::object* params = object_in(*received->object(), "params");
    const json::object* meta = params ? object_in(*params, "_meta") : nullptr;
    const json::value* id = meta ? meta->if_contains(key::subscription) : nullptr;
    return id ? pass() : fail("the acknowledgement does not name its subscription in `_meta`");
}

}  // namespace tenon::check::checks::modern
