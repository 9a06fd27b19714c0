#include "stores/store_url.hpp"

#include <gtest/gtest.h>

#include <tenon/store/open.hpp>

namespace {

using namespace tenon;
using stores::parse_store_url;

redis::Address redis_at(std::string_view url) {
    const auto parsed = parse_store_url(url);
    if (!parsed) ADD_FAILURE() << url << ": " << parsed.error().message;
    return parsed ? std::get<redis::Address>(*parsed) : redis::Address{};
}

TEST(StoreUrl, redis_urls_have_all_parts) {
    const auto plain = redis_at("redis://cache.example");
    EXPECT_EQ(plain.host, "cache.example");
    EXPECT_EQ(plain.port, 6379);
    EXPECT_FALSE(plain.tls);
    const auto full = redis_at("rediss://me:p%40ss%3A@[::1]:7000/4?prefix=app&ca=/etc/ca.pem");
    EXPECT_EQ(full.host, "::1");
    EXPECT_EQ(full.port, 7000);
    EXPECT_EQ(full.user, "me");
    EXPECT_EQ(full.password, "p@ss:");
    EXPECT_EQ(full.database, 4U);
    EXPECT_EQ(full.prefix, "app");
    EXPECT_EQ(full.ca_file, "/etc/ca.pem");
    EXPECT_TRUE(full.tls);
    EXPECT_EQ(redis_at("redis://:secret@h").user, "");
    EXPECT_EQ(redis_at("redis://:secret@h").password, "secret");
    EXPECT_EQ(redis_at("redis+unix:/run/redis.sock?database=2").unix_path, "/run/redis.sock");
}

TEST(StoreUrl, sqlite_and_memory_are_known) {
    EXPECT_TRUE(std::holds_alternative<stores::MemoryUrl>(*parse_store_url("memory:")));
    const auto file = std::get<stores::SqliteUrl>(*parse_store_url("sqlite:a%20b.db?durable=power"));
    EXPECT_EQ(file.path, "a b.db");
    EXPECT_TRUE(file.survives_power_failure);
    EXPECT_FALSE(std::get<stores::SqliteUrl>(*parse_store_url("sqlite:/var/x.db")).survives_power_failure);
}

TEST(StoreUrl, wrong_urls_say_what_is_allowed_and_hide_secrets) {
    for (const auto* url : {"",
                            "redis",
                            "http://secret@h",
                            "redis:secret",
                            "redis://",
                            "redis://secret@",
                            "redis://u:secret@h:0",
                            "redis://u:secret@h:x",
                            "redis://u:secret@h:99999",
                            "redis://u:secret@h/db",
                            "redis://u:secret@h?x=1",
                            "redis://u:secret@h?prefix={a}",
                            "redis://u:secret@h?ca=/x",
                            "redis://u:%zzsecret@h",
                            "redis://u:secret@[::1",
                            "redis://u:secret@h:",
                            "sqlite:",
                            "sqlite:x?durable=no",
                            "redis+unix:",
                            "memory:x",
                            "redis://u:@h",
                            "redis://u:secret@h?prefix=a&prefix=b"}) {
        const auto parsed = parse_store_url(url);
        ASSERT_FALSE(parsed) << url;
        EXPECT_EQ(parsed.error().code, code::store_misconfigured);
        EXPECT_NE(parsed.error().message.find("sqlite:PATH"), std::string::npos) << parsed.error().message;
        EXPECT_EQ(parsed.error().message.find("secret"), std::string::npos) << parsed.error().message;
    }
}

TEST(StoreUrl, a_url_is_shown_without_its_password) {
    EXPECT_EQ(without_password("redis://u:secret@h:1/2"), "redis://***@h:1/2");
    EXPECT_EQ(without_password("rediss://u:se@cret@h"), "rediss://***@h");
    EXPECT_EQ(without_password("secret@h"), "***@h");
    EXPECT_EQ(without_password("sqlite:state.db"), "sqlite:state.db");
}

}  // namespace
