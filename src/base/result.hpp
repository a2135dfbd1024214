// SPDX-License-Identifier: MIT
// What goes wrong, of three kinds: somebody's mistake is a value, as a Result holds what was asked
// for, or the one sentence that says why not; the world's failures and our own mistakes are thrown.
// Leaves catching them to whoever ends a piece of work.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

namespace pbm {

// This program broke a promise to itself.
class Bug : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

// Throws Bug with `broken` unless `holds`; always on.
inline void check(bool holds, const char* broken) {
  if (!holds) [[unlikely]]
    throw Bug(std::string("this program has a fault: ") + broken);
}

// A failure of the world: a full disk, a lost terminal. what() is one sentence for the owner of the
// machine that names the file or device. Each front end catches it once.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& sentence, std::string reason = "")
      : runtime_error(sentence), reason_(std::move(reason)) {}

  // Returns the system's reason without a path, "No space left on device", or "".
  const std::string& reason() const { return reason_; }

 private:
  std::string reason_;
};

// Why something was not done: a whole sentence for the person who asked, and the byte offset in
// what they wrote at which it went wrong.
struct Refusal {
  std::string why;
  std::size_t at = 0;

  friend bool operator==(const Refusal&, const Refusal&) = default;
};

// Either a T or a Refusal; never neither.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : held_(std::in_place_index<0>, std::move(value)) {}
  Result(Refusal refusal) : held_(std::in_place_index<1>, std::move(refusal)) {}

  bool ok() const { return held_.index() == 0; }
  explicit operator bool() const { return ok(); }

  // The value. Asking a refusal for it is our bug.
  const T& operator*() const& { return need(); }
  T& operator*() & { return const_cast<T&>(need()); }
  T&& operator*() && { return std::move(const_cast<T&>(need())); }
  const T* operator->() const { return &need(); }
  T* operator->() { return const_cast<T*>(&need()); }

  // The refusal. Asking a value for it is our bug.
  const Refusal& refusal() const {
    check(!ok(), "a result that holds a value was asked for its refusal");
    return std::get<1>(held_);
  }

 private:
  const T& need() const {
    check(ok(), "a refusal was used as a value");
    return std::get<0>(held_);
  }

  std::variant<T, Refusal> held_;
};

// A Result with nothing to hand over when all went well.
struct Done {};

// The value; or throws the Refusal, for who catches it where a whole piece of work ends: a command
// that is run, a file that is loaded.
template <class T>
T need(Result<T> result) {
  if (!result) throw result.refusal();
  return *std::move(result);
}

}  // namespace pbm
