// Everything that a server or a client needs. See server.hpp or client.hpp to begin.
#pragma once

#include <tenon/apps.hpp>
#include <tenon/auth/client.hpp>
#include <tenon/client.hpp>
#include <tenon/consent.hpp>
#include <tenon/context.hpp>
#include <tenon/encrypt_states.hpp>
#include <tenon/error.hpp>
#include <tenon/json.hpp>
#include <tenon/limits.hpp>
#include <tenon/log.hpp>
#include <tenon/middleware.hpp>
#include <tenon/options.hpp>
#include <tenon/safe_path.hpp>
#include <tenon/server.hpp>
#include <tenon/session.hpp>
#include <tenon/skills.hpp>
#include <tenon/skills_client.hpp>
#include <tenon/tasks.hpp>
#include <tenon/transport/http_client.hpp>
#include <tenon/transport/http_server.hpp>
#include <tenon/transport/memory.hpp>
#include <tenon/transport/process.hpp>
#include <tenon/transport/serve.hpp>
#include <tenon/transport/stdio.hpp>
#include <tenon/typed.hpp>
