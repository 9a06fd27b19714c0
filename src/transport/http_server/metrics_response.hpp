// Answers the requests of MetricsListener. Has no sockets.
#pragma once

#include <tenon/metrics.hpp>

#include "framing/http_request.hpp"
#include "web/origin_rules.hpp"
#include "web/response_writer.hpp"

namespace tenon {

/// Returns the response to a request. `policy` says which hosts are accepted.
web::Response metrics_response(const Metrics& metrics, const framing::HttpRequest& head,
                               const web::OriginPolicy& policy);

}  // namespace tenon
