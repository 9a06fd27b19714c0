#include "transport/http_server/metrics_response.hpp"

namespace tenon {
namespace {

web::Response text_page(int status, std::string body) {
    return {status, {{"Cache-Control", "no-store"}}, "text/plain; charset=utf-8", std::move(body) + "\n"};
}

web::Response metrics_page(const Metrics& metrics, const framing::HttpRequest& head) {
    const MetricsFormat format = metrics_format(head.fields.only("accept").value_or(""));
    return {200, {{"Cache-Control", "no-store"}}, content_type(format), write_metrics(metrics.snapshot(), format)};
}

web::Response readiness(const Metrics& metrics) {
    const auto why = metrics.not_ready();
    return why ? text_page(503, *why) : text_page(200, "ready");
}

}  // namespace

web::Response metrics_response(const Metrics& metrics, const framing::HttpRequest& head,
                               const web::OriginPolicy& policy) {
    if (auto refused = web::refuse_origin(head, policy)) return *std::move(refused);
    if (head.method != "GET") {
        web::Response refused = text_page(405, "only GET is allowed");
        refused.fields.emplace_back("Allow", "GET");
        return refused;
    }
    if (head.path == "/metrics") return metrics_page(metrics, head);
    if (head.path == "/healthz") return text_page(200, "ok");
    if (head.path == "/readyz") return readiness(metrics);
    return text_page(404, "there is nothing here: /metrics, /healthz and /readyz are served");
}

}  // namespace tenon
