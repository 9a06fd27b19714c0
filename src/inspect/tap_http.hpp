// A tap over HTTP: real clients speak to an address of this machine, and their requests go to the server with a URL.
#pragma once

#include <memory>
#include <string>

#include <tenon/inspect.hpp>

#include "inspect/tap_gate.hpp"

namespace tenon::inspect {

/// Serves from the constructor to the destructor, on threads of its own. Thread-safe.
class HttpTap {
 public:
    /// The parameters must outlive this object. Throws tenon::Exception when the URL, a header or the port cannot be
    /// used.
    HttpTap(const Target& target, TapGate& gate, Recorder& recorder);
    ~HttpTap();
    HttpTap(const HttpTap&) = delete;
    HttpTap& operator=(const HttpTap&) = delete;

    /// Returns the address for clients. A part of it cannot be guessed.
    const std::string& address() const;

 private:
    class Impl;
    std::shared_ptr<Impl> impl_;
};

}  // namespace tenon::inspect
