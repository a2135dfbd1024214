// SPDX-License-Identifier: MIT
// Texts of users and servers. The same bytes go to every reader: themes, settings, manual pages,
// command lines, addresses, events, lists.
#include <fstream>

#include "base/markdown.hpp"
#include "protocol/address.hpp"
#include "boards/notifications.hpp"
#include "protocol/board_summary.hpp"
#include "protocol/framing.hpp"
#include "cli/arguments.hpp"
#include "save/yaml.hpp"
#include "target.hpp"
#include "ui/settings.hpp"
#include "ui/theme.hpp"

namespace pbm::test {

namespace {

void try_settings(const std::string& text) {
  static const TemporaryDirectory directory;
  const auto file = directory / "settings.yaml";
  std::ofstream(file, std::ios::binary) << text;
  Settings settings(file);
  if (!settings.warning().empty()) REQUIRE(is_sentence(settings.warning()));
  Preferences wanted = settings.chosen();
  wanted.field = wanted.field == 'a' ? 'b' : 'a';
  if (settings.set([&](Preferences& p) { p = wanted; }).ok()) {
    const Settings again(file);
    REQUIRE(again.chosen().field == wanted.field);
    REQUIRE(again.chosen().name == wanted.name);
  }
}

void try_line(const std::string& line) {
  if (const auto event = decode_event(line)) {
    REQUIRE(decode_event(encode(*event)) == event);
    if (const auto news = notification_of(*event)) REQUIRE(safe_text(news->text) == news->text);
  }
  if (const auto board = decode_board(line, "fred")) {
    REQUIRE((is_sentence(board->id) && safe_text(board->title()) == board->title()));
    // decode_board() shortens long sentences, so only short ones read back the same.
    if (board->broken.empty() && board->queued.size() < 300)
      REQUIRE(decode_board(encode(*board), "fred") == board);
  }
  if (const auto update = decode_update(line, "fred")) {
    REQUIRE(decode_update(encode(*update), "fred").has_value());
  }
  REQUIRE(safe_text(sanitize(line)) == sanitize(line));
  if (const auto address = read_server_address(line); !address)
    REQUIRE(is_sentence(address.refusal().why));
  // Blanks separate words, as in a shell.
  const auto arguments = read_arguments(words(line));
  if (!arguments) REQUIRE(is_sentence(arguments.refusal().why));
  for (const GameType& game : all_games()) {
    const auto options = read_options(game, words(line));
    if (!options) REQUIRE(is_sentence(options.refusal().why));
  }
}

}  // namespace

void try_input(std::string_view input) {
  const std::string text(input);
  if (const auto theme = read_theme(text, "fuzz.yaml"); !theme)
    REQUIRE(is_sentence(theme.refusal().why));
  if (const auto tree = read_yaml(text)) {
    for (const auto& entry : tree->entries) {
      REQUIRE(valid_utf8(entry.key.text));
      const auto again = read_yaml("key: " + yaml_scalar(entry.key.text) + "\n");
      REQUIRE(again.ok());
      REQUIRE(text_in(*again, "key") == entry.key.text);
    }
  } else {
    REQUIRE(tree.refusal().why.starts_with("line "));
    REQUIRE(tree.refusal().at <= text.size());
  }
  try_settings(text);
  for (const int width : {1, 20, 80}) layout_markdown(text, width);
  const auto lines = lines_of(text);
  for (std::size_t i = 0; i < std::min<std::size_t>(lines.size(), 40); ++i) {
    without_marks(lines[i]);
    try_line(lines[i]);
    if (lines[i].starts_with("#")) markdown_section(text, trim(lines[i].substr(1)));
  }
}

}  // namespace pbm::test
