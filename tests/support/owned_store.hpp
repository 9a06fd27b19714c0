// A real store that ends before its test.
#pragma once

#include <memory>

#include <tenon/store.hpp>

namespace tenon::test {

/// Closes a store when the test has ended.
struct OwnedStore {
    explicit OwnedStore(std::shared_ptr<Store> to) : store(std::move(to)) {}
    ~OwnedStore() { store->close(); }
    OwnedStore(const OwnedStore&) = delete;
    OwnedStore& operator=(const OwnedStore&) = delete;

    const std::shared_ptr<Store> store;
};

}  // namespace tenon::test
