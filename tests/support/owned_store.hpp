// A real store that ends before its test.
#pragma once

#include <memory>
#include <thread>

#include <tenon/store.hpp>

namespace tenon::test {

/// The last owner of a store. Without it, the last owner may be an operation that ends on a thread of the store. Then
/// that thread ends by itself, perhaps after the program, and a sanitizer reports its memory as leaked.
struct OwnedStore {
    explicit OwnedStore(std::shared_ptr<Store> to) : store(std::move(to)) {}
    ~OwnedStore() {
        while (store.use_count() > 1) std::this_thread::yield();
    }
    OwnedStore(const OwnedStore&) = delete;
    OwnedStore& operator=(const OwnedStore&) = delete;

    const std::shared_ptr<Store> store;
};

}  // namespace tenon::test
