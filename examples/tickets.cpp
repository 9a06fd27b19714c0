// A ticket tracker in SQLite. Each user has tickets that no other user can learn of, by any method of the protocol.
//   build/bin/tickets --http 8080     then: http://127.0.0.1:8080/mcp, with the header Authorization: Bearer wonderland
// TICKETS=file.db keeps the tickets. tests/integration/tickets_test.cpp shows that users do not see each other.
#include <sqlite3.h>

#include <cstdlib>
#include <mutex>

#include <tenon/tenon.hpp>

using tenon::arg, tenon::args, tenon::Context;

class Database {
 public:
    explicit Database(const char* file) {
        sqlite3* db = nullptr;
        if (sqlite3_open(file, &db) != SQLITE_OK) throw std::runtime_error("cannot open the database");
        db_.reset(db);
        run("CREATE TABLE IF NOT EXISTS tickets(owner TEXT, number INTEGER, title TEXT, state TEXT)");
        run("CREATE TABLE IF NOT EXISTS audit(owner TEXT, method TEXT, name TEXT, outcome TEXT)");
    }

    template <class... Text>
    std::vector<std::vector<std::string>> run(const char* sql, const Text&... values) {
        const std::lock_guard lock(mutex_);
        sqlite3_stmt* statement = nullptr;
        sqlite3_prepare_v2(db_.get(), sql, -1, &statement, nullptr);
        [[maybe_unused]] int at = 0;
        (sqlite3_bind_text(statement, ++at, std::string(values).c_str(), -1, SQLITE_TRANSIENT), ...);
        std::vector<std::vector<std::string>> rows;
        while (sqlite3_step(statement) == SQLITE_ROW) {
            rows.emplace_back();
            for (int i = 0; i < sqlite3_column_count(statement); ++i)
                rows.back().emplace_back(reinterpret_cast<const char*>(sqlite3_column_text(statement, i)));
        }
        if (!statement || sqlite3_finalize(statement) != SQLITE_OK) throw std::runtime_error("database error");
        return rows;
    }

 private:
    std::mutex mutex_;
    std::unique_ptr<sqlite3, decltype(&sqlite3_close)> db_{nullptr, &sqlite3_close};
};

struct Ticket {
    std::string uri, title, state;
};
BOOST_DESCRIBE_STRUCT(Ticket, (), (uri, title, state))

struct Answer {
    bool really;
};
BOOST_DESCRIBE_STRUCT(Answer, (), (really))

// The owner is part of the URI. A subscription of one user can never be about a ticket of another, and the numbers of
// one user say nothing about the number of tickets of others.
constexpr const char* uri_template = "ticket://{owner}/{number}";
std::string owner_of(std::string_view principal) { return principal.empty() ? "me" : std::string(principal); }
std::string owner_of(const Context& ctx) { return owner_of(ctx.principal()); }
std::string uri_of(const std::string& owner, const std::string& number) { return "ticket://" + owner + "/" + number; }

std::vector<Ticket> tickets_of(Database& db, const std::string& owner, const std::string& number = "") {
    std::vector<Ticket> out;
    constexpr const char* sql =
        "SELECT number, title, state FROM tickets WHERE owner = ?1 "
        "AND ?2 IN ('', CAST(number AS TEXT)) ORDER BY number";
    for (const auto& row : db.run(sql, owner, number)) out.push_back({uri_of(owner, row[0]), row[1], row[2]});
    return out;
}

Ticket add_ticket(Database& db, tenon::Server& server, const std::string& owner, const std::string& title) {
    constexpr const char* sql =
        "INSERT INTO tickets SELECT ?1, COALESCE(MAX(number), 0) + 1, ?2, 'open' FROM tickets "
        "WHERE owner = ?1 RETURNING number";
    const auto rows = db.run(sql, owner, title);
    server.resource_list_changed(uri_of(owner, rows.at(0).at(0)));
    return tickets_of(db, owner, rows[0][0]).at(0);
}

void add_tickets(tenon::Server& server, Database& db) {
    server.use([&db](Context& ctx, const tenon::Request& request, tenon::Next next) {  // the audit log
        std::move(next).run([&db, owner = owner_of(ctx), method = std::string(request.method),
                             name = std::string(request.name)](const tenon::Outcome& outcome) {
            db.run("INSERT INTO audit VALUES(?, ?, ?, ?)", owner, method, name, outcome.error ? "refused" : "done");
        });
    });
    server.use(tenon::authorise([](std::string_view principal, const tenon::Request& request) {
        return request.method != "resources/read" || request.name == uri_template ||
               request.name.starts_with(uri_of(owner_of(principal), ""));
    }));

    server.tool("open_ticket", "Opens a ticket", args(arg<std::string>("title", "What is wrong").max_length(200)),
                [&](Context& ctx, std::string title) { return add_ticket(db, server, owner_of(ctx), title); });
    server.tool("list_tickets", "Your tickets", [&](Context& ctx) { return tickets_of(db, owner_of(ctx)); });
    server.tool("close_ticket", "Closes a ticket of yours, after a question", args(arg<int>("number")),
                [&](Context& ctx, int number) -> std::string {
                    const auto owner = owner_of(ctx), digits = std::to_string(number);
                    const auto found = tickets_of(db, owner, digits);
                    if (found.empty()) throw std::invalid_argument("you have no ticket " + digits);
                    const auto answer = ctx.elicit<Answer>("Close \"" + found[0].title + "\"?");
                    if (!answer || !answer->really) return "left open";
                    db.run("UPDATE tickets SET state = 'closed' WHERE owner = ? AND number = ?", owner, digits);
                    server.resource_updated(found[0].uri);
                    return "closed";
                });
    server.tool("import_tickets", "Opens many tickets", args(arg<std::vector<std::string>>("titles")),
                [&](Context& ctx, std::vector<std::string> titles) {
                    double done = 0;
                    for (const std::string& title : titles) {
                        add_ticket(db, server, owner_of(ctx), title);
                        ctx.progress(++done, static_cast<double>(titles.size()), title);
                    }
                    return "imported " + std::to_string(titles.size());
                },
                {.task = tenon::TaskSupport::optional});

    const auto own_numbers = [&db](Context& ctx, const tenon::CompletionRequest& request) {
        tenon::Completion out;
        constexpr const char* sql = "SELECT number FROM tickets WHERE owner = ? AND number LIKE ? ORDER BY number";
        for (const auto& row : db.run(sql, owner_of(ctx), request.value + "%")) out.values.push_back(row[0]);
        return out;
    };
    const auto read = [&db](std::string owner, int number) {  // the rule above has checked the owner
        const auto found = tickets_of(db, owner, std::to_string(number));
        return found.empty() ? std::nullopt : std::optional(found[0]);
    };
    const auto list = [&db](Context& ctx, const std::string&) {
        tenon::ResourcePage page;
        for (const Ticket& t : tickets_of(db, owner_of(ctx))) page.resources.push_back({.uri = t.uri, .name = t.title});
        return page;
    };
    server.resource_template(uri_template, "ticket", read, {.complete = {{"number", own_numbers}}, .list = list});
    server.prompt("summary", "Summarises a ticket", args(arg<std::string>("number")),
                  [&db](Context& ctx, std::string number) {
                      const auto found = tickets_of(db, owner_of(ctx), number);
                      return found.empty() ? "Say that there is no such ticket." : "Summarise: " + found[0].title;
                  },
                  {.complete = {{"number", own_numbers}}});
}

int main(int argc, char** argv) {
    const char* file = std::getenv("TICKETS");
    Database db(file ? file : ":memory:");
    tenon::Server server{"tickets", "1.0.0"};
    add_tickets(server, db);
    const tenon::auth::StaticTokens tokens{{"alice", tenon::auth::hash_token("wonderland")},
                                           {"bob", tenon::auth::hash_token("can-we-fix-it")}};
    return tenon::serve(server, argc, argv, {.auth = tokens});
}
