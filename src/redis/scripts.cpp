// Each script returns a status (see scripts.hpp), and then its results. Times come from the clock of the server: TIME.
// Expired keys vanish by PEXPIREAT. Names in keys are percent-encoded, so they have no space and no brace.
#include "redis/scripts.hpp"

#include <openssl/evp.h>
#include <array>

namespace tenon::redis {
namespace {

constexpr const char* clock_of_server = R"lua(
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
)lua";

// KEYS: the session.
constexpr const char* session_create = R"lua(
if redis.call('EXISTS', KEYS[1]) == 1 then return {-2} end
redis.call('HSET', KEYS[1], 'd', ARGV[1], 'v', 1)
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return {0, 1}
)lua";
constexpr const char* session_load = R"lua(
local h = redis.call('HMGET', KEYS[1], 'd', 'v')
if not h[2] then return {redis.call('EXISTS', KEYS[1]) == 1 and -4 or -1} end
return {0, h[1] or '', tonumber(h[2]) or 0, redis.call('PTTL', KEYS[1])}
)lua";
constexpr const char* session_update = R"lua(
local v = redis.call('HGET', KEYS[1], 'v')
if not v then return {-1} end
if v ~= ARGV[2] then return {-2} end
redis.call('HSET', KEYS[1], 'd', ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return {0, redis.call('HINCRBY', KEYS[1], 'v', 1)}
)lua";
constexpr const char* session_touch = R"lua(
return {redis.call('PEXPIRE', KEYS[1], ARGV[1]) == 1 and 0 or -1}
)lua";

// KEYS: the set of the streams of a group, and its prefix of streams and of their states. The keys of a group have the
// same hash tag, so a script may build their names.
constexpr const char* drop_group = R"lua(
local function drop_group(set, streams, states)
    local dropped = 0
    for _, name in ipairs(redis.call('SMEMBERS', set)) do
        dropped = dropped + redis.call('DEL', states .. name)
        redis.call('DEL', streams .. name)
    end
    redis.call('DEL', set)
    return dropped
end
)lua";
constexpr const char* session_remove = R"lua(
local existed = redis.call('DEL', KEYS[1])
drop_group(KEYS[2], KEYS[3], KEYS[4])
return {0, existed}
)lua";
constexpr const char* remove_group = R"lua(
return {0, drop_group(KEYS[1], KEYS[2], KEYS[3])}
)lua";
// KEYS: the stream, its state, the set. ARGV: the name.
constexpr const char* remove_stream = R"lua(
redis.call('DEL', KEYS[1])
redis.call('SREM', KEYS[3], ARGV[1])
return {0, redis.call('DEL', KEYS[2])}
)lua";

// The state of a stream: l is the last id, n the first one that is kept, b the kept bytes, o the time of the oldest
// event, f says whether it is finished, x the time when the keys expire. Removes old events, and returns their number.
constexpr const char* trim_stream = R"lua(
local function trim(s, max_events, max_bytes, max_age)
    local removed = 0
    while s.l > s.n and (s.l - s.n + 1 > max_events or s.b > max_bytes or s.o + max_age <= now) do
        local two = redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', 2)
        if #two < 2 then break end
        s.b = s.b - #two[1][2][2]
        s.n = s.n + 1
        s.o = tonumber(two[2][2][4])
        redis.call('XDEL', KEYS[1], two[1][1])
        removed = removed + 1
    end
    return removed
end
local h = redis.call('HMGET', KEYS[2], 'l', 'n', 'b', 'o', 'f', 'x')
local s = {l = tonumber(h[1] or 0), n = tonumber(h[2] or 1), b = tonumber(h[3] or 0), o = tonumber(h[4] or now)}
)lua";
// KEYS: the stream, its state, the set of its group. ARGV: whether there is an event, the event, whether it is the last
// one, max_events, max_bytes, max_age, the name, the channel. Each command costs time, so the keys expire up to an eighth
// of max_age late: then not every event must set their times.
constexpr const char* append = R"lua(
if h[5] == '1' then return {-2} end
if ARGV[1] == '1' then
    s.l = s.l + 1
    if s.l == s.n then s.o = now end
    s.b = s.b + #ARGV[2]
    redis.call('XADD', KEYS[1], string.format('%.0f-1', s.l), 'd', ARGV[2], 't', now)
end
local age, expires = tonumber(ARGV[6]), tonumber(h[6] or 0)
trim(s, tonumber(ARGV[4]), tonumber(ARGV[5]), age)
local slack = age < 60000 and 0 or math.floor(age / 8)
local renews = expires < now + age or expires > now + age + slack
if renews then expires = now + age + slack end
redis.call('HSET', KEYS[2], 'l', s.l, 'n', s.n, 'b', s.b, 'o', s.o, 'f', ARGV[3], 'x', expires)
if renews then
    redis.call('SADD', KEYS[3], ARGV[7])
    redis.call('PEXPIREAT', KEYS[1], expires)
    redis.call('PEXPIREAT', KEYS[2], expires)
    if redis.call('PTTL', KEYS[3]) < expires - now then redis.call('PEXPIREAT', KEYS[3], expires) end
end
redis.call('PUBLISH', ARGV[8], '')
return {0, s.l}
)lua";
constexpr const char* trim = R"lua(
if not h[1] then return {-1} end
local removed = trim(s, tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]))
redis.call('HSET', KEYS[2], 'n', s.n, 'b', s.b, 'o', s.o)
return {0, removed}
)lua";
// ARGV: after, max_events, max_bytes. Reads in steps, because COUNT bounds the events but not their bytes.
constexpr const char* read = R"lua(
local h = redis.call('HMGET', KEYS[2], 'l', 'n', 'f')
if not h[1] then return {-1} end
local after, max_events, max_bytes = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local out = {0, tonumber(h[1]), tonumber(h[3]), after + 1 < tonumber(h[2]) and 1 or 0}
local bytes, events, from = 0, 0, '(' .. ARGV[1] .. '-2'
while events < max_events do
    local some = redis.call('XRANGE', KEYS[1], from, '+', 'COUNT', math.min(16, max_events - events))
    if #some == 0 then return out end
    for _, event in ipairs(some) do
        bytes = bytes + #event[2][2]
        if bytes > max_bytes and events > 0 then return out end
        events = events + 1
        out[#out + 1] = event[1]
        out[#out + 1] = event[2][2]
        from = '(' .. event[1]
    end
end
return out
)lua";

// KEYS: the prefix of all keys of tasks. They share a hash tag. For an id i and an owner w:
//   t:i  the task: o owner, d record, n order, h holder, k token, u end of the lease, x whether it is over
//   o:w  ids by order     x  "i w" by the time when the task expires     l  ids by the end of the lease     n  last
//   order
constexpr const char* tasks = R"lua(
local p = KEYS[1]
local function sweep(most)
    while true do
        local gone = redis.call('ZRANGEBYSCORE', p .. 'x', '-inf', now, 'LIMIT', 0, 100)
        for _, entry in ipairs(gone) do
            local id, owner = string.match(entry, '^(%S+) (%S*)$')
            redis.call('DEL', p .. 't:' .. id)
            redis.call('ZREM', p .. 'o:' .. owner, id)
            redis.call('ZREM', p .. 'l', id)
            redis.call('ZREM', p .. 'x', entry)
        end
        if #gone < 100 or most == 1 then return end
    end
end
local function row(id)
    local h = redis.call('HMGET', p .. 't:' .. id, 'o', 'd', 'h', 'n', 'k', 'u')
    local left = math.max(0, tonumber(h[6]) - now)
    return {0, id, h[1], h[2], h[3], tonumber(h[4]), tonumber(h[5]), left}
end
local function set_lease(id, ends)
    redis.call('HSET', p .. 't:' .. id, 'u', ends)
    if redis.call('HGET', p .. 't:' .. id, 'x') == '1' then
        redis.call('ZREM', p .. 'l', id)
    else
        redis.call('ZADD', p .. 'l', ends, id)
    end
end
local function has(id) return redis.call('EXISTS', p .. 't:' .. id) == 1 end
local function token(id) return redis.call('HGET', p .. 't:' .. id, 'k') end
)lua";
// ARGV: id, owner, record, over, ttl, holder, lease.
constexpr const char* task_create = R"lua(
sweep(1)
local id, key = ARGV[1], p .. 't:' .. ARGV[1]
if has(id) then return {-2} end
local order, ends = redis.call('INCR', p .. 'n'), now + tonumber(ARGV[5])
redis.call('HSET', key, 'o', ARGV[2], 'd', ARGV[3], 'n', order, 'h', ARGV[6], 'k', 1, 'x', ARGV[4])
redis.call('PEXPIREAT', key, ends)
redis.call('ZADD', p .. 'o:' .. ARGV[2], order, id)
redis.call('ZADD', p .. 'x', ends, id .. ' ' .. ARGV[2])
set_lease(id, now + tonumber(ARGV[7]))
return row(id)
)lua";
constexpr const char* task_load = R"lua(
if not has(ARGV[1]) then return {-1} end
return row(ARGV[1])
)lua";
// ARGV: id, record, over, token.
constexpr const char* task_update = R"lua(
if not has(ARGV[1]) then return {-1} end
if token(ARGV[1]) ~= ARGV[4] then return {-3} end
redis.call('HSET', p .. 't:' .. ARGV[1], 'd', ARGV[2], 'x', ARGV[3])
set_lease(ARGV[1], redis.call('HGET', p .. 't:' .. ARGV[1], 'u'))
return {0}
)lua";
// ARGV: id, token, lease.
constexpr const char* task_extend = R"lua(
if not has(ARGV[1]) then return {-1} end
if token(ARGV[1]) ~= ARGV[2] then return {-3} end
set_lease(ARGV[1], now + tonumber(ARGV[3]))
return {0}
)lua";
// ARGV: id, holder, lease.
constexpr const char* task_take_over = R"lua(
if not has(ARGV[1]) then return {-1} end
if tonumber(redis.call('HGET', p .. 't:' .. ARGV[1], 'u')) > now then return {-2} end
redis.call('HINCRBY', p .. 't:' .. ARGV[1], 'k', 1)
redis.call('HSET', p .. 't:' .. ARGV[1], 'h', ARGV[2])
set_lease(ARGV[1], now + tonumber(ARGV[3]))
return row(ARGV[1])
)lua";
constexpr const char* task_remove = R"lua(
local owner = redis.call('HGET', p .. 't:' .. ARGV[1], 'o')
if not owner then return {0, 0} end
redis.call('DEL', p .. 't:' .. ARGV[1])
redis.call('ZREM', p .. 'o:' .. owner, ARGV[1])
redis.call('ZREM', p .. 'l', ARGV[1])
redis.call('ZREM', p .. 'x', ARGV[1] .. ' ' .. owner)
return {0, 1}
)lua";
// ARGV: owner, after, max.
constexpr const char* task_list = R"lua(
sweep(0)
local out = {0}
local ids = redis.call('ZRANGEBYSCORE', p .. 'o:' .. ARGV[1], '(' .. ARGV[2], '+inf', 'LIMIT', 0, ARGV[3])
for _, id in ipairs(ids) do
    if has(id) then out[#out + 1] = row(id) end
end
return out
)lua";
constexpr const char* task_count = R"lua(
sweep(0)
return {0, redis.call('ZCARD', p .. 'o:' .. ARGV[1])}
)lua";
constexpr const char* task_size = R"lua(
sweep(0)
return {0, redis.call('ZCARD', p .. 'x')}
)lua";
constexpr const char* task_orphans = R"lua(
sweep(0)
return {0, redis.call('ZRANGEBYSCORE', p .. 'l', '-inf', now, 'LIMIT', 0, ARGV[1])}
)lua";

// ARGV: whether a value is expected, the expected one, the new one, ttl.
constexpr const char* value_replace = R"lua(
local v = redis.call('GET', KEYS[1])
if ARGV[1] == '1' then
    if v ~= ARGV[2] then return {0, 0} end
elseif v then
    return {0, 0}
end
redis.call('SET', KEYS[1], ARGV[3], 'PX', ARGV[4])
return {0, 1}
)lua";
// ARGV: amount, ttl. The sum is text: Lua's numbers have 53 bits.
constexpr const char* counter_add = R"lua(
local is_new = redis.call('EXISTS', KEYS[1]) == 0
local sum = redis.pcall('INCRBY', KEYS[1], ARGV[1])
if type(sum) == 'table' then
    local most = string.sub(ARGV[1], 1, 1) == '-' and '-9223372036854775808' or '9223372036854775807'
    redis.call('SET', KEYS[1], most, 'KEEPTTL')
end
if is_new then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return {0, redis.call('GET', KEYS[1])}
)lua";
// ARGV: holder, ttl, how long the token is remembered after that.
constexpr const char* lease_acquire = R"lua(
local u = redis.call('HGET', KEYS[1], 'u')
if u and tonumber(u) > now then return {-2} end
local k = redis.call('HINCRBY', KEYS[1], 'k', 1)
local ends = now + tonumber(ARGV[2])
redis.call('HSET', KEYS[1], 'h', ARGV[1], 'u', ends)
redis.call('PEXPIREAT', KEYS[1], ends + tonumber(ARGV[3]))
return {0, k}
)lua";
// ARGV: token, ttl, memory.
constexpr const char* lease_extend = R"lua(
local k = redis.call('HGET', KEYS[1], 'k')
if not k then return {-1} end
if k ~= ARGV[1] then return {-3} end
local ends = now + tonumber(ARGV[2])
redis.call('HSET', KEYS[1], 'u', ends)
redis.call('PEXPIREAT', KEYS[1], ends + tonumber(ARGV[3]))
return {0}
)lua";
constexpr const char* lease_look_up = R"lua(
local h = redis.call('HMGET', KEYS[1], 'h', 'k', 'u')
if not h[2] then return {-1} end
return {0, h[1], tonumber(h[2]), math.max(0, tonumber(h[3]) - now)}
)lua";

std::string sha1(const std::string& text) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned size = 0;
    EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_sha1(), nullptr);
    std::string out;
    for (unsigned i = 0; i < size; ++i)
        out += "0123456789abcdef"[digest[i] >> 4], out += "0123456789abcdef"[digest[i] & 15];
    return out;
}

std::vector<LoadedScript> make_scripts() {
    const std::string time = clock_of_server, stream = time + trim_stream, task = time + tasks;
    const std::vector<std::string> texts = {session_create,
                                            session_load,
                                            session_update,
                                            session_touch,
                                            std::string(drop_group) + session_remove,
                                            stream + append,
                                            read,
                                            stream + trim,
                                            remove_stream,
                                            std::string(drop_group) + remove_group,
                                            task + task_create,
                                            task + task_load,
                                            task + task_update,
                                            task + task_extend,
                                            task + task_take_over,
                                            task + task_remove,
                                            task + task_list,
                                            task + task_count,
                                            task + task_size,
                                            task + task_orphans,
                                            value_replace,
                                            counter_add,
                                            time + lease_acquire,
                                            time + lease_extend,
                                            time + lease_look_up};
    std::vector<LoadedScript> out;
    for (const auto& text : texts) out.push_back({text, sha1(text)});
    return out;
}

}  // namespace

const std::vector<LoadedScript>& scripts() {
    static const std::vector<LoadedScript> all = make_scripts();
    return all;
}

}  // namespace tenon::redis
