// Forward declarations, for headers that only name Tenon's types.
#pragma once

#pragma GCC visibility push(default)

namespace tenon {

class AuditLog;
class Client;
class ClientTransport;
class Context;
class Exception;
class Server;
class Session;
struct ClientOptions;
struct Error;
struct Limits;
struct ServerOptions;
struct Tool;
struct ToolResult;
template <class T>
class Reply;

}  // namespace tenon

#pragma GCC visibility pop
