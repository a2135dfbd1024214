// SPDX-License-Identifier: MIT
// Reads YAML safely into a small tree with line numbers. The only user of yaml-cpp, for saves,
// themes and settings. Leaves the meaning of the keys to its callers.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.hpp"
#include "base/result.hpp"

namespace pbm {

struct YamlNode {
  enum class Kind : std::uint8_t { null, scalar, list, map };
  struct Entry;

  Kind kind = Kind::null;
  bool is_flow = false;    // [a, b] or {a: b}
  std::size_t line = 1;    // the first line is 1
  std::size_t offset = 0;  // bytes before it in the text
  std::string text;        // the value of a scalar
  std::vector<YamlNode> items;
  std::vector<Entry> entries;

  // Returns the value of `key` in a map, or nullptr.
  const YamlNode* find(std::string_view key) const;
};
struct YamlNode::Entry {
  YamlNode key, value;
};

// Reads the only document in `text`. Refuses all but a map at the top level, repeated keys, more
// than eight levels and more than 200,000 keys and values. Refuses anchors and aliases, with which
// small files become large, and tags other than plain types. Refuses a piece over 64 KiB that the
// library must read at once, which takes much memory. The sentence of a refusal starts with
// "line N: "; its offset is into `text`.
Result<YamlNode> read_yaml(std::string_view text);

// Reads a line `- {key: value, key: "value"}`, the usual form in saves, a hundred times faster than
// the library. Returns nothing for other lines and for those that the library might refuse. The
// result is the same as the library's. The line has the given `number` and `offset`.
std::optional<YamlNode> read_flow_line(std::string_view line, std::size_t number = 1,
                                       std::size_t offset = 0);

// Return the value of `key` in a map, for callers that tolerate mistakes: "", 0 or nothing if it is
// missing or of another type. A time must have the form that this program writes.
std::string get_text(const YamlNode& map, std::string_view key);
std::size_t get_number(const YamlNode& map, std::string_view key);
Time get_time(const YamlNode& map, std::string_view key);
std::vector<std::string> get_texts(const YamlNode& map, std::string_view key);

// Parses a time in a form of YAML, to the second: "2026-11-21T11:35:10Z", "2026-11-21",
// "2026-11-21 12:35:10.25 +1". Without a zone it is UTC. Returns nothing for other texts.
std::optional<Time> read_yaml_time(std::string_view text);

// Makes a refusal about `node`: "line 7: ...".
Refusal yaml_refusal(const YamlNode& node, const std::string& why);

// Formats `text` as a YAML scalar on one line: without quotes if that is safe, else quoted, with
// control characters escaped.
std::string yaml_scalar(std::string_view text);
// Formats a list: "[toot, \"two words\"]".
std::string yaml_list(const std::vector<std::string>& items);

}  // namespace pbm
