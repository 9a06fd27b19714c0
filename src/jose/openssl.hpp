// Owning pointers and helpers for OpenSSL's objects.
#pragma once

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tenon::jose {

template <auto release>
struct Releaser {
    template <class T>
    void operator()(T* p) const {
        release(p);
    }
};
template <class T, auto release>
using Owned = std::unique_ptr<T, Releaser<release>>;

using OwnedPkey = Owned<EVP_PKEY, EVP_PKEY_free>;
using OwnedPkeyContext = Owned<EVP_PKEY_CTX, EVP_PKEY_CTX_free>;
using OwnedDigestContext = Owned<EVP_MD_CTX, EVP_MD_CTX_free>;
using OwnedNumber = Owned<BIGNUM, BN_clear_free>;
using OwnedSignature = Owned<ECDSA_SIG, ECDSA_SIG_free>;
using OwnedParameters = Owned<OSSL_PARAM, OSSL_PARAM_free>;
using OwnedBuilder = Owned<OSSL_PARAM_BLD, OSSL_PARAM_BLD_free>;
using OwnedBio = Owned<BIO, BIO_free>;

inline const unsigned char* octets(std::string_view s) { return reinterpret_cast<const unsigned char*>(s.data()); }
inline unsigned char* octets(std::string& s) { return reinterpret_cast<unsigned char*>(s.data()); }

/// Discards the OpenSSL errors that occur during its lifetime. Otherwise TLS on the same thread would report them as
/// its own.
class QuietErrors {
 public:
    QuietErrors() { ERR_set_mark(); }
    ~QuietErrors() { ERR_pop_to_mark(); }
    QuietErrors(const QuietErrors&) = delete;
    QuietErrors& operator=(const QuietErrors&) = delete;
};

/// Throws when `good` is false. For operations that fail only without memory, or if OpenSSL lacks the algorithm.
inline void must(bool good, const char* what) {
    if (!good) throw std::runtime_error(std::string("OpenSSL cannot do ") + what);
}

}  // namespace tenon::jose
