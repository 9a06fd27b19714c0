// The Lua scripts of the Redis store: one for each operation that needs several atomic steps.
#pragma once

#include <string>
#include <vector>

namespace tenon::redis {

enum class Script : unsigned char {
    session_create,
    session_load,
    session_update,
    session_touch,
    session_remove,
    append,
    read,
    trim,
    remove_stream,
    remove_group,
    task_create,
    task_load,
    task_update,
    task_extend,
    task_take_over,
    task_remove,
    task_list,
    task_count,
    task_size,
    task_orphans,
    value_replace,
    counter_add,
    lease_acquire,
    lease_extend,
    lease_look_up,
    count_of_scripts
};

struct LoadedScript {
    std::string text, sha;
};
/// Returns the scripts, in the order of Script.
const std::vector<LoadedScript>& scripts();

// The first item that a script returns.
inline constexpr int script_ok = 0, script_not_found = -1, script_conflict = -2, script_fenced = -3,
                     script_corrupt = -4;

}  // namespace tenon::redis
