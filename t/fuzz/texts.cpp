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
  Preferences wanted = settings.preferences();
  wanted.field = wanted.field == 'a' ? 'b' : 'a';
  if (settings.change([&](Preferences& p) { p = wanted; }).ok()) {
    const Settings again(file);
    REQUIRE(again.preferences().field == wanted.field);
    REQUIRE(again.preferences().player_name == wanted.player_name);
  }
}

void try_line(const std::string& line) {
  if (const auto event = decode_event(line)) {
    REQUIRE(decode_event(encode(*event)) == event);
    if (const auto news = to_notification(*event)) REQUIRE(safe_text(news->text) == news->text);
  }
  if (const auto board = decode_board(line, "fred")) {
    REQUIRE((is_sentence(board->id) && safe_text(board->title()) == board->title()));
    // decode_board() shortens long sentences, so only short ones read back the same.
    if (board->load_error.empty() && board->queued_ply.size() < 300)
      REQUIRE(decode_board(encode(*board), "fred") == board);
  }
  if (const auto update = decode_update(line, "fred")) {
    REQUIRE(decode_update(encode(*update), "fred").has_value());
  }
  REQUIRE(safe_text(sanitize(line)) == sanitize(line));
  if (const auto address = read_server_address(line); !address)
    REQUIRE(is_sentence(address.refusal().reason));
  // Blanks separate words, as in a shell.
  const auto arguments = read_arguments(split_words(line));
  if (!arguments) REQUIRE(is_sentence(arguments.refusal().reason));
  for (const GameType& game : all_games()) {
    const auto options = read_options(game, split_words(line));
    if (!options) REQUIRE(is_sentence(options.refusal().reason));
  }
}

}  // namespace

void try_input(std::string_view input) {
  const std::string text(input);
  if (const auto theme = read_theme(text, "fuzz.yaml"); !theme)
    REQUIRE(is_sentence(theme.refusal().reason));
  if (const auto tree = read_yaml(text)) {
    for (const auto& entry : tree->entries) {
      REQUIRE(is_valid_utf8(entry.key.text));
      const auto again = read_yaml("key: " + yaml_scalar(entry.key.text) + "\n");
      REQUIRE(again.ok());
      REQUIRE(get_text(*again, "key") == entry.key.text);
    }
  } else {
    REQUIRE(tree.refusal().reason.starts_with("line "));
    REQUIRE(tree.refusal().offset <= text.size());
  }
  try_settings(text);
  for (const int width : {1, 20, 80}) format_markdown(text, width);
  const auto lines = split_input(text);
  for (std::size_t i = 0; i < std::min<std::size_t>(lines.size(), 40); ++i) {
    strip_marks(lines[i]);
    try_line(lines[i]);
    if (lines[i].starts_with("#")) find_markdown_section(text, trim(lines[i].substr(1)));
  }
}

}  // namespace pbm::test
