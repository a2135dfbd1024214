// SPDX-License-Identifier: MIT
#include "store/records.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/text.hpp"
#include "base/unique_fd.hpp"
#include "save/yaml.hpp"

namespace pbm {
namespace {

constexpr std::size_t kPiece = std::size_t{64} << 10;  // bytes read at a time; no record is longer

}  // namespace

Record& Record::put(std::string_view key, std::string_view value) {
  fields_.emplace_back(key, value);
  return *this;
}

const std::string* Record::find(std::string_view key) const {
  const auto found = std::find_if(fields_.begin(), fields_.end(),
                                  [&](const auto& field) { return field.first == key; });
  return found == fields_.end() ? nullptr : &found->second;
}

const std::string& Record::get(std::string_view key) const {
  static const std::string nothing;
  const std::string* found = find(key);
  return found ? *found : nothing;
}

Record& Record::put_list(std::string_view key, const std::vector<std::string>& values) {
  for (std::size_t i = 0; i < values.size(); ++i)
    put(std::string(key) + std::to_string(i + 1), values[i]);
  return *this;
}

std::vector<std::string> Record::list(std::string_view key) const {
  std::vector<std::string> out;
  const auto nth = [&] { return find(std::string(key) + std::to_string(out.size() + 1)); };
  for (const std::string* value = nth(); value; value = nth()) out.push_back(*value);
  return out;
}

std::size_t Record::number(std::string_view key) const {
  return read_whole_number<std::size_t>(get(key)).value_or(0);
}

std::string Record::line() const {
  std::string out = "- {";
  for (const auto& [key, value] : fields_)
    out += (out.size() > 3 ? ", " : "") + key + ": " + yaml_scalar(value);
  return out + "}\n";
}

std::optional<Record> read_record(std::string_view line) {
  Record record;
  if (const auto pairs = split_flow_line(line); !pairs.empty()) {
    record.reserve(pairs.size());
    for (const FlowPair& pair : pairs) record.put(pair.key, pair.value);
    return record;
  }
  if (line.substr(0, 2) != "- ") return std::nullopt;
  const auto map = read_yaml(line.substr(2));
  if (!map) return std::nullopt;
  for (const YamlNode::Entry& e : map->entries) record.put(e.key.text, e.value.text);
  return record;
}

Result<RecordsRead> read_records(const std::filesystem::path& file, std::string_view head,
                                 const std::function<void(const Record&)>& take) {
  const auto cannot = [&](const char* why) {
    return Refusal{safe_text(file.string()) + " cannot be read: " + why + "."};
  };
  const UniqueFd fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
  if (!fd.open()) return cannot(std::strerror(errno));
  RecordsRead out;
  std::string text;  // what is read and not yet taken: at most a line that has not ended
  bool begun = false;
  std::size_t skipped = 0;  // bytes of a line that is longer than any record
  // Lines with zeros in them, so far the last ones: an unfinished write, unless a good line
  // follows.
  std::size_t torn = 0, torn_bytes = 0;
  bool zeros = false;  // in the line that has not ended
  const auto has_zero = [](std::string_view bytes) {
    return bytes.find('\0') != std::string_view::npos;
  };
  const auto take_line = [&](std::string_view line) {
    if (line.empty() || line.front() == '#' || is_letter(line.front())) return;  // the head
    const auto record = read_record(line);
    ++(record ? out.records : out.damaged);
    if (record) take(*record);
  };
  for (;;) {
    const std::size_t had = text.size();
    text.resize(had + kPiece);
    const ssize_t n = ::read(fd.get(), text.data() + had, kPiece);
    if (n < 0 && errno != EINTR) return cannot(std::strerror(errno));
    text.resize(had + static_cast<std::size_t>(std::max<ssize_t>(n, 0)));
    if (n < 0) continue;
    if (!std::exchange(begun, true) && text.substr(0, head.size()) != head)
      return cannot("it starts with something else");
    if (n == 0) {
      out.zeros = torn > 0 || zeros || has_zero(text);
      return out;
    }
    std::size_t at = 0;
    for (std::size_t end; (end = text.find('\n', at)) != std::string::npos; at = end + 1) {
      const std::string_view line = std::string_view(text).substr(at, end - at);
      const std::size_t before = std::exchange(skipped, 0), bytes = before + line.size() + 1;
      if (std::exchange(zeros, false) || has_zero(line)) {
        ++torn;
        torn_bytes += bytes;
        continue;
      }
      out.used += std::exchange(torn_bytes, 0) + bytes;
      out.damaged += std::exchange(torn, 0) + (before > 0);
      if (before == 0) take_line(line);
    }
    text.erase(0, at);
    if (text.size() < kPiece) continue;
    skipped += text.size();
    zeros = zeros || has_zero(text);
    text.clear();
  }
}

std::string records_head(std::string_view about) {
  return "# " + std::string(about) + "\nformat: 1\nrecords:\n";
}

}  // namespace pbm
