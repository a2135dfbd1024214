// SPDX-License-Identifier: MIT
// Three kinds of failure: a user's mistake is a Refusal in a Result, a failing system throws Error,
// a fault of this program throws Bug. Leaves catching them to the caller that ends a piece of work.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

namespace pbm {

// A fault of this program.
class Bug : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

// Throws Bug with the text `broken` unless `holds`. Never compiled out.
inline void check(bool holds, const char* broken) {
  if (!holds) [[unlikely]]
    throw Bug(std::string("this program has a fault: ") + broken);
}

// A failure of the system, such as a full disk or a lost terminal. what() is one sentence for the
// owner, with the file or device. Each front end catches it in one place.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& sentence, std::string reason = "")
      : runtime_error(sentence), reason_(std::move(reason)) {}

  // Returns the system's reason without a path, "No space left on device", or "".
  const std::string& reason() const { return reason_; }

 private:
  std::string reason_;
};

// A refused request: `reason` is a sentence for the user, `offset` the byte offset of the mistake
// in the text that they typed.
struct Refusal {
  std::string reason;
  std::size_t offset = 0;

  friend bool operator==(const Refusal&, const Refusal&) = default;
};

// Either a T or a Refusal.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : content_(std::in_place_index<0>, std::move(value)) {}
  Result(Refusal refusal) : content_(std::in_place_index<1>, std::move(refusal)) {}

  bool ok() const { return content_.index() == 0; }
  explicit operator bool() const { return ok(); }

  // Returns the value. Throws Bug if there is a refusal.
  const T& operator*() const& { return checked_value(); }
  T& operator*() & { return const_cast<T&>(checked_value()); }
  T&& operator*() && { return std::move(const_cast<T&>(checked_value())); }
  const T* operator->() const { return &checked_value(); }
  T* operator->() { return const_cast<T*>(&checked_value()); }

  // Returns the refusal. Throws Bug if there is a value.
  const Refusal& refusal() const {
    check(!ok(), "a result that holds a value was asked for its refusal");
    return std::get<1>(content_);
  }

 private:
  const T& checked_value() const {
    check(ok(), "a refusal was used as a value");
    return std::get<0>(content_);
  }

  std::variant<T, Refusal> content_;
};

// The value of a Result that has nothing to return.
struct Success {};

// Returns the value or throws the Refusal. The caller that runs a whole command or loads a file
// catches it.
template <class T>
T value_or_throw(Result<T> result) {
  if (!result) throw result.refusal();
  return *std::move(result);
}

}  // namespace pbm
