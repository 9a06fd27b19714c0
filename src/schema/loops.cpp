#include "schema/loops.hpp"

namespace tenon::schema {
namespace {

// Returns the subschemas that a node applies to the same value, not to its children.
std::vector<NodeId> in_place(const Program& program, const Node& node) {
    std::vector<NodeId> out;
    const auto add = [&out](NodeId id) {
        if (id != no_node) out.push_back(id);
    };
    for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
        const Instruction& in = program.instructions[i];
        switch (in.op) {
            case Op::ref:
            case Op::negation: add(in.a); break;
            case Op::all_of:
            case Op::any_of:
            case Op::one_of:
                for (std::uint32_t c = 0; c < in.b; ++c) add(program.children[in.a + c]);
                break;
            case Op::condition:
                for (std::uint32_t c = 0; c < 3; ++c) add(program.children[in.a + c]);
                break;
            case Op::dependent_schemas:
                for (std::uint32_t d = 0; d < in.b; ++d) add(program.dependencies[in.a + d].node);
                break;
            default: break;
        }
    }
    return out;
}

enum class Mark : char { unseen, open, done };

struct Visit {
    NodeId node;
    std::vector<NodeId> edges;
    std::size_t next = 0;
};

}  // namespace

// A depth-first search. It does not recurse, because a chain of references may be as long as the schema.
NodeId find_endless_loop(const Program& program) {
    std::vector<Mark> marks(program.nodes.size(), Mark::unseen);
    for (NodeId start = 0; start < program.nodes.size(); ++start) {
        if (marks[start] != Mark::unseen) continue;
        std::vector<Visit> path;
        const auto open = [&](NodeId id) {
            marks[id] = Mark::open;
            path.push_back({id, in_place(program, program.nodes[id])});
        };
        open(start);
        while (!path.empty()) {
            Visit& visit = path.back();
            if (visit.next == visit.edges.size()) {
                marks[visit.node] = Mark::done;
                path.pop_back();
                continue;
            }
            const NodeId next = visit.edges[visit.next++];
            if (marks[next] == Mark::open) return next;
            if (marks[next] == Mark::unseen) open(next);
        }
    }
    return no_node;
}

}  // namespace tenon::schema
