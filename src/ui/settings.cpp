// SPDX-License-Identifier: MIT
#include "ui/settings.hpp"

#include "base/files.hpp"
#include "base/text.hpp"
#include "save/yaml.hpp"

namespace pbm {
namespace {

constexpr std::size_t kLargest = 64U << 10;  // bytes

// `text` with its line `key: ...` made `key: value`, or that line added.
std::string with_line(const std::string& text, const std::string& key, const std::string& value) {
  const std::string line = key + ": " + value;
  for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (text.compare(at, key.size() + 1, key + ":") == 0) return text.substr(0, at) + line + text.substr(end);
    if (end == text.size()) break;
  }
  return text + (text.empty() || text.back() == '\n' ? "" : "\n") + line + "\n";
}

}  // namespace

Settings::Settings(std::filesystem::path file) : file_(std::move(file)) {
  std::error_code error;
  if (!std::filesystem::exists(file_, error)) return;
  auto text = read_file(file_, kLargest);
  Result<Done> done = text ? read(*text) : Result<Done>(text.refusal());
  if (!done) warning_ = done.refusal().why;
}

Result<Done> Settings::read(const std::string& text) {
  if (trim(text).empty()) return Done{};
  const auto root = read_yaml(text);
  const std::string name = safe_text(file_.filename().string());
  if (!root) return Refusal{name + ", " + root.refusal().why};
  for (const auto& [key, value] : root->entries) {
    if (key.text == "theme") theme_ = value.text;
    if (key.text == "field") {
      if (value.text.size() != 1 || !is_letter(value.text[0])) return Refusal{name + ", " + yaml_refusal(value, "'field:' should be one letter").why};
      field_ = lower(value.text[0]);
    }
  }
  return Done{};
}

void Settings::set_field(char field) {
  field_ = field;
  if (!warning_.empty()) return;
  std::error_code error;
  const bool there = std::filesystem::exists(file_, error);
  const auto text = there ? read_file(file_, kLargest) : Result<std::string>(std::string());
  if (!text) return;
  const std::string then = with_line(*text, "field", std::string(1, field));
  if (there)
    replace_file(file_, then);
  else
    create_file(file_, then);
}

}  // namespace pbm
