// The keywords $ref, $dynamicRef and $recursiveRef.
#include "schema/compiler.hpp"

namespace tenon::schema {

void Compiler::compile_references() {
    if (const auto* reference = text("$ref")) {
        auto target = registry_.resolve(current_.place, *reference);
        if (!target) {
            if (!error_) error_ = target.error();
            return;
        }
        emit(Op::ref, types::all, node_for(*target));
    }
    compile_dynamic_reference("$dynamicRef");
    compile_dynamic_reference("$recursiveRef");
}

// The reference is dynamic only if its initial target has a dynamic anchor of the same name.
void Compiler::compile_dynamic_reference(std::string_view name) {
    const auto* reference = text(name);
    if (!reference) return;
    const std::string_view uri = *reference;
    if (name == "$recursiveRef" && uri != "#") return fail(name, "must be \"#\"");
    auto target = registry_.resolve(current_.place, uri);
    if (!target) {
        if (!error_) error_ = target.error();
        return;
    }
    const NodeId initial = node_for(*target);
    const auto hash = uri.find('#');
    const std::string anchor(hash == uri.npos ? "" : uri.substr(hash + 1));
    const auto& dynamic = registry_.resource(target->resource).dynamic_anchors;
    const auto at = dynamic.find(anchor);
    if (at == dynamic.end() || at->second != target->schema) return emit(Op::ref, types::all, initial);
    program_.dynamic_refs.push_back({initial, anchor_id(anchor)});
    emit(Op::dynamic_ref, types::all, program_.dynamic_refs.size() - 1);
}

std::uint32_t Compiler::anchor_id(const std::string& name) {
    const auto [at, is_new] = anchors_.emplace(name, static_cast<std::uint32_t>(anchors_.size()));
    if (is_new) {
        program_.dynamic_anchors.emplace_back();
        anchor_sources_.push_back(&registry_.dynamic_anchors(name));
    }
    return at->second;
}

}  // namespace tenon::schema
