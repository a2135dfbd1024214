// SPDX-License-Identifier: MIT
// What a person chose once and wants to find again: settings.yaml, one
// `key: value` a line. Leaves what the values mean to who uses them.
#pragma once

#include <filesystem>

#include "base/result.hpp"

namespace pbm {

class Settings {
 public:
  // Reads `file`; one that is not there means nothing was chosen yet.
  explicit Settings(std::filesystem::path file);

  const std::string& theme() const { return theme_; }  // name or file; "" for the standard one
  char field() const { return field_; }

  // Why the file could not be read, or "". It is left alone then.
  const std::string& warning() const { return warning_; }

  // Remembers the field from now on. Comments and other keys of the file stay.
  // Does nothing when the file could not be read. Throws Error.
  void set_field(char field);

 private:
  Result<Done> read(const std::string& text);

  std::filesystem::path file_;
  std::string theme_;
  char field_ = 'a';
  std::string warning_;
};

}  // namespace pbm
