// SPDX-License-Identifier: MIT
// What a person chose once and wants to find again: settings.yaml, one
// `key: value` a line. Leaves what the values mean to who uses them.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "ui/preferences.hpp"

namespace pbm {

// What can be chosen: a line of the file, and a row of the form. Those without `about` have none
// there, and come last.
struct Setting {
  std::string_view key, about;
  std::string_view form;  // what a value should be; "" for one of `values`
  // What there is to choose from, beside these themes; null where a text is typed.
  std::vector<std::string> (*values)(const std::vector<std::string>& themes);
  std::string (*text)(const Preferences&);
  bool (*take)(Preferences&, const std::string& text);  // false where it is no value
};
// In the order they are listed.
const std::vector<Setting>& all_settings();

class Settings {
 public:
  // Reads `file`; one that is not there means nothing was chosen yet.
  explicit Settings(std::filesystem::path file);

  // As things are now; whoever holds on to it sees every change.
  const Preferences& chosen() const { return chosen_; }

  // Why the file, or a value in it, could not be used, or "". A value that
  // could not is the usual one; a file that could not is left alone.
  const std::string& warning() const { return warning_; }

  // Things are so for this run, and nothing is remembered: the command line's word.
  void use(const Preferences& wanted) { chosen_ = wanted; }

  // Things are so from now on. What differs is remembered; comments and other
  // keys of the file stay. A refusal says why it holds for this run only.
  // Throws Error, with nothing changed. Pre: values that the file may hold.
  Result<Done> set(const Preferences& wanted);

 private:
  std::filesystem::path file_;
  Preferences chosen_;
  std::string warning_;
  bool readable_ = true;
};

}  // namespace pbm
