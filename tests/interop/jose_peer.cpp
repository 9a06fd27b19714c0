// The program that jose.mjs talks to, for comparing the module `jose` with npm's `jose`. It reads one JSON object per
// line and answers each with one line.
#include <iostream>
#include <string>

#include "jose/jws.hpp"
#include "jose/key.hpp"

using namespace tenon;

namespace {

jose::PrivateKey private_key(const json::object& ask) {
    if (const json::value* pem = ask.if_contains("pem"))
        return jose::PrivateKey::from_pem(pem->as_string(), jose::algorithm_named(ask.at("alg").as_string())).value();
    return jose::PrivateKey::from_jwk(ask.at("key").as_object()).value();
}

json::object answer(const json::object& ask) {
    const json::value& what = ask.at("do");
    if (what == "generate") {
        const auto key = jose::PrivateKey::generate(jose::algorithm_named(ask.at("alg").as_string()).value());
        return {{"key", key.jwk()}, {"thumbprint", key.public_key().thumbprint()}};
    }
    if (what == "sign")
        return {{"token", jose::sign(private_key(ask), ask.at("header").as_object(), ask.at("payload").as_string())}};
    const auto key = jose::PublicKey::from_jwk(ask.at("key").as_object()).value();
    const auto token = jose::UnverifiedJws::parse(ask.at("token").as_string()).value();
    return {{"payload", jose::verify(key, token).value()}, {"thumbprint", key.thumbprint()}};
}

}  // namespace

int main() {
    for (std::string line; std::getline(std::cin, line);) {
        json::object out;
        try {
            out = answer(json::parse(line).value().as_object());
        } catch (const std::exception& e) {
            out["error"] = e.what();
        }
        std::cout << json::write(std::move(out)) << std::endl;
    }
}
