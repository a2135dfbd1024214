// SPDX-License-Identifier: MIT
#include "server/session/command_line.hpp"

#include "base/text.hpp"

namespace pbm {
namespace {

bool control(char32_t c) { return (c < 0x20 && c != '\t') || (c >= 0x7F && c < 0xA0); }

// The next word of `rest`, which loses it; "" at the end.
std::string_view next_word(std::string_view& rest) {
  while (!rest.empty() && (rest.front() == ' ' || rest.front() == '\t')) rest.remove_prefix(1);
  std::size_t n = 0;
  while (n < rest.size() && rest[n] != ' ' && rest[n] != '\t') ++n;
  const std::string_view word = rest.substr(0, n);
  rest.remove_prefix(n);
  return word;
}

}  // namespace

Result<std::string> read_text_line(std::string_view line) {
  if (line.size() > kMaxLine)
    return Refusal{
        "That line is too long: a line has at most " + std::to_string(kMaxLine) + " bytes.",
        kMaxLine};
  std::string out;
  out.reserve(line.size());
  for (std::size_t at = 0; at < line.size();) {
    if (line[at] >= ' ' && line[at] < 0x7F) {
      out += line[at++];
      continue;
    }
    const Decoded d = decode_utf8(line.substr(at));
    if (!d.valid) return Refusal{"That line is not UTF-8 text.", at};
    if (control(d.c))
      return Refusal{"That line has a control character, which no command needs.", at};
    out += d.c == '\t' ? std::string_view(" ") : line.substr(at, d.bytes);
    at += d.bytes;
  }
  return out;
}

Result<CommandLine> read_command_line(std::string_view line) {
  auto clean = read_text_line(line);
  if (!clean) return clean.refusal();
  CommandLine out;
  std::string_view rest = *clean;
  for (std::string_view word = next_word(rest); !word.empty(); word = next_word(rest)) {
    const bool told = out.words.size() == 2 && same_ignoring_case(out.words[0], "tell");
    if (word == ":" || told) {
      if (word != ":") rest = {word.data(), word.size() + rest.size()};
      out.text.emplace_back(trim(rest));
      break;
    }
    if (word == "**") continue;                  // what mail programs made of a bold command
    if (word.front() == '-' && word.size() > 1)  // one by itself stands in a move
      out.options.emplace_back(word);
    else out.words.emplace_back(word);
  }
  return out;
}

}  // namespace pbm
