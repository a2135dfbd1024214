// SPDX-License-Identifier: MIT
// YAML read defensively: a small tree with places, out of yaml-cpp's events. The only user of
// yaml-cpp; saves, themes and settings are read through it. Leaves what keys mean to its callers.
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
  bool flow = false;       // [a, b] or {a: b}
  std::size_t line = 1;    // counted from 1
  std::size_t offset = 0;  // bytes before it
  std::string text;        // of a scalar
  std::vector<YamlNode> items;
  std::vector<Entry> entries;

  // The value of `key` in a map, or null.
  const YamlNode* find(std::string_view key) const;
};
struct YamlNode::Entry {
  YamlNode key, value;
};

// The one document in `text`; nothing but a map at the top, keys once each, at most eight levels
// and 200,000 keys and values, no anchors or aliases (a save needs none, and they are how a small
// file becomes a large one), no tags but those of plain types, and nothing to be read in one go of
// more than 64 KiB (the library would need much memory for it). A refusal's sentence starts with
// "line N: "; its offset is into `text`.
Result<YamlNode> read_yaml(std::string_view text);

// A line `- {key: value, key: "value"}` as this program writes nearly all of them, read without the
// library, which takes a hundred times as long. Nothing when it is anything else, or the library
// might refuse it; what is given the library would give, too. `number` and `offset` say where the
// line stands.
std::optional<YamlNode> read_flow_line(std::string_view line, std::size_t number = 1,
                                       std::size_t offset = 0);

// What stands under `key` in a map, for whoever takes what he can use: "", 0 or nothing where it is
// missing or something else. A time is one as this program writes it.
std::string text_in(const YamlNode& map, std::string_view key);
std::size_t number_in(const YamlNode& map, std::string_view key);
Time time_in(const YamlNode& map, std::string_view key);
std::vector<std::string> texts_in(const YamlNode& map, std::string_view key);

// A moment as YAML writes it, to the second: "2026-11-21T11:35:10Z", "2026-11-21 12:35:10.25 +1",
// "2026-11-21"; without a zone it is UTC. Nothing when `text` is none.
std::optional<Time> read_yaml_time(std::string_view text);

// A refusal about `node`: "line 7: ...".
Refusal yaml_refusal(const YamlNode& node, const std::string& why);

// `text` as a YAML scalar on one line: plain where that is safe, else quoted, control characters
// escaped.
std::string yaml_scalar(std::string_view text);
// "[toot, \"two words\"]".
std::string yaml_list(const std::vector<std::string>& items);

}  // namespace pbm
