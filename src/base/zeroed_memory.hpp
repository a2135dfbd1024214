// SPDX-License-Identifier: MIT
// Large tables of zeroed memory, of which only some parts are read. Leaves their content to the
// owner.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>

namespace pbm {

// Zeroed bytes. Memory is used only where it is touched, so that a large table costs no time at
// first. Uses huge pages, if the system has them, to make random access cheap. Throws Error if
// there is no room.
class ZeroedBytes {
 public:
  ZeroedBytes() = default;
  explicit ZeroedBytes(std::size_t bytes);
  void* get() const { return memory_.get(); }

 private:
  struct Unmap {
    std::size_t bytes;
    void operator()(void* at) const;
  };
  std::unique_ptr<void, Unmap> memory_;
};

// A table of `size` zeroed elements. T must be valid if all its bytes are zero.
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
