// Features that the protocol deprecates: sampling, roots, logging, the transport HTTP+SSE, and dynamic client
// registration. They work, and stay as long as clients and servers use them. New servers should not use them.
//
// Define TENON_WARN_DEPRECATED_FEATURES before you include Tenon, to get a compiler warning where you use one.
#pragma once

#ifdef TENON_WARN_DEPRECATED_FEATURES
#define TENON_DEPRECATED_FEATURE(instead) [[deprecated("tenon: the protocol deprecates this feature: " instead)]]
#else
#define TENON_DEPRECATED_FEATURE(instead)
#endif

#define TENON_DEPRECATED_SAMPLING TENON_DEPRECATED_FEATURE("call the API of a model provider instead of sampling")
#define TENON_DEPRECATED_ROOTS TENON_DEPRECATED_FEATURE("take folders as arguments of tools or as configuration")
#define TENON_DEPRECATED_LOGGING TENON_DEPRECATED_FEATURE("write to stderr, or use OpenTelemetry")
