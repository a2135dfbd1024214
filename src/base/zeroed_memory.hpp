// SPDX-License-Identifier: MIT
// A lot of memory that is all zero, for a table that is read here and there.
// Leaves what lies in it to its owner.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>

namespace pbm {

// Costs nothing until it is touched, so that a large table is no wait; in pages as large
// as the system has, for a look at one place and another costs little else. Throws Error
// where there is no room.
class ZeroedBytes {
 public:
  ZeroedBytes() = default;
  explicit ZeroedBytes(std::size_t bytes);
  void* get() const { return at_.get(); }

 private:
  struct Unmap {
    std::size_t bytes;
    void operator()(void* at) const;
  };
  std::unique_ptr<void, Unmap> at_;
};

// So many of what is nothing but bytes and means something when they are zero.
template <class T>
class ZeroedTable {
 public:
  static_assert(std::is_trivially_copyable_v<T>);
  explicit ZeroedTable(std::size_t size) : bytes_(size * sizeof(T)) {}
  T& operator[](std::size_t i) const { return static_cast<T*>(bytes_.get())[i]; }

 private:
  ZeroedBytes bytes_;
};

}  // namespace pbm
