// A certificate authority for a test, and certificates signed by it, in temporary files.
#pragma once

#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <memory>
#include <string>

namespace tenon::test {

class Certificates {
    const std::string folder_ = new_folder();

 public:
    const std::string ca_file = folder_ + "/ca.crt";

    Certificates() : key_(new_key()), ca_(make("Test CA", nullptr, "", key_.get())) { write(ca_file, ca_.get()); }
    ~Certificates() { std::filesystem::remove_all(folder_); }
    Certificates(const Certificates&) = delete;
    Certificates& operator=(const Certificates&) = delete;

    struct Files {
        std::string certificate, key;
    };
    /// Signs a certificate. `names` has OpenSSL's format: "DNS:localhost,IP:127.0.0.1".
    Files sign(const std::string& names, long valid_from = 0) {
        const Key key = new_key();
        const auto certificate = make("server", ca_.get(), names, key.get(), valid_from);
        const std::string base = folder_ + "/" + std::to_string(++count_);
        write(base + ".crt", certificate.get());
        std::FILE* file = std::fopen((base + ".key").c_str(), "w");
        ::PEM_write_PrivateKey(file, key.get(), nullptr, nullptr, 0, nullptr, nullptr);
        std::fclose(file);
        return {base + ".crt", base + ".key"};
    }

 private:
    using Key = std::unique_ptr<EVP_PKEY, decltype(&::EVP_PKEY_free)>;
    using Certificate = std::unique_ptr<X509, decltype(&::X509_free)>;

    static Key new_key() { return {::EVP_PKEY_Q_keygen(nullptr, nullptr, "EC", "P-256"), ::EVP_PKEY_free}; }
    static std::string new_folder() {
        static std::atomic<int> folders = 0;
        std::string out =
            testing::TempDir() + "tenon_ca_" + std::to_string(::getpid()) + "_" + std::to_string(++folders);
        std::filesystem::create_directory(out);
        return out;
    }
    static void write(const std::string& path, X509* certificate) {
        std::FILE* file = std::fopen(path.c_str(), "w");
        ::PEM_write_X509(file, certificate);
        std::fclose(file);
    }
    static void extend(X509* certificate, X509* issuer, int id, const std::string& value) {
        X509V3_CTX context;
        ::X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
        X509_EXTENSION* extension = ::X509V3_EXT_conf_nid(nullptr, &context, id, value.c_str());
        ::X509_add_ext(certificate, extension, -1);
        ::X509_EXTENSION_free(extension);
    }
    Certificate make(const std::string& name, X509* issuer, const std::string& names, EVP_PKEY* key,
                     long valid_from = 0) {
        Certificate out(::X509_new(), ::X509_free);
        X509* c = out.get();
        ::X509_set_version(c, 2);
        ::ASN1_INTEGER_set(::X509_get_serialNumber(c), ++serial_);
        ::X509_gmtime_adj(::X509_getm_notBefore(c), valid_from - 60);
        ::X509_gmtime_adj(::X509_getm_notAfter(c), valid_from + 3600);
        ::X509_set_pubkey(c, key);
        X509_NAME* subject = ::X509_get_subject_name(c);
        ::X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>(name.c_str()),
                                     -1, -1, 0);
        ::X509_set_issuer_name(c, issuer ? ::X509_get_subject_name(issuer) : subject);
        extend(c, issuer ? issuer : c, NID_basic_constraints, issuer ? "critical,CA:FALSE" : "critical,CA:TRUE");
        if (!names.empty()) extend(c, issuer, NID_subject_alt_name, names);
        ::X509_sign(c, key_.get(), ::EVP_sha256());
        return out;
    }

    int count_ = 0;
    long serial_ = 0;
    Key key_;
    Certificate ca_;
};

}  // namespace tenon::test
