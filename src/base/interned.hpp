// SPDX-License-Identifier: MIT
// A value of which many are the same and none is changed: each is kept once, for as long as it is
// used, and costs a pointer where it is. Any thread may make and copy them.
#pragma once

#include <atomic>
#include <concepts>
#include <initializer_list>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace pbm {

// Pre: T is a string or a vector of what std::hash takes; T{} costs nothing.
template <class T>
class Interned {
 public:
  Interned() = default;
  Interned(T value) : kept_(value.empty() ? nullptr : keep(std::move(value))) {}
  Interned(std::initializer_list<typename T::value_type> items) : Interned(T(items)) {}
  Interned(std::string_view text)
    requires std::same_as<T, std::string>
      : Interned(std::string(text)) {}
  Interned(const char* text)
    requires std::same_as<T, std::string>
      : Interned(std::string(text)) {}
  Interned(const Interned& other) : kept_(other.kept_) {
    if (kept_) ++kept_->second;
  }
  Interned(Interned&& other) noexcept : kept_(std::exchange(other.kept_, nullptr)) {}
  Interned& operator=(Interned other) noexcept {
    std::swap(kept_, other.kept_);
    return *this;
  }
  ~Interned() { release(); }

  const T& get() const {
    static const T none{};
    return kept_ ? kept_->first : none;
  }
  operator const T&() const { return get(); }
  operator std::string_view() const
    requires std::same_as<T, std::string>
  {
    return get();
  }
  auto begin() const { return get().begin(); }
  auto end() const { return get().end(); }
  auto size() const { return get().size(); }
  bool empty() const { return !kept_; }
  decltype(auto) operator[](std::size_t i) const { return get()[i]; }

  friend bool operator==(const Interned& a, const Interned& b) { return a.kept_ == b.kept_; }

 private:
  struct Hash {
    std::size_t operator()(const T& value) const {
      if constexpr (std::same_as<T, std::string>) {
        return std::hash<T>{}(value);
      } else {
        std::size_t out = value.size();
        for (const auto& item : value)
          out = out * 1'000'003 + std::hash<typename T::value_type>{}(item);
        return out;
      }
    }
  };
  using Pool = std::unordered_map<T, std::atomic<std::size_t>, Hash>;  // by how many it is used
  using Kept = typename Pool::value_type;
  // Never destroyed: what uses it may be destroyed last.
  static Pool& pool() {
    static Pool& values = *new Pool;
    return values;
  }
  static std::mutex& mutex() {
    static std::mutex& one = *new std::mutex;
    return one;
  }

  static Kept* keep(T value) {
    const std::lock_guard lock(mutex());
    Kept& kept = *pool().try_emplace(std::move(value), 0).first;
    ++kept.second;
    return &kept;
  }
  // The last user goes under the lock: nobody can become another one meanwhile.
  void release() {
    if (!kept_) return;
    for (std::size_t users = kept_->second; users > 1;)
      if (kept_->second.compare_exchange_weak(users, users - 1)) return;
    const std::lock_guard lock(mutex());
    if (--kept_->second == 0) pool().erase(pool().find(kept_->first));
  }

  Kept* kept_ = nullptr;
};

}  // namespace pbm
