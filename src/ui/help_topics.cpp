// SPDX-License-Identifier: MIT
#include "ui/help_topics.hpp"

#include <algorithm>

#include "game/game_type.hpp"

namespace pbm {

const std::vector<HelpTopic>& help_topics() {
  static const std::vector<HelpTopic> topics = [] {
    const std::string program = "man/pbmplay.6.md";
    std::vector<HelpTopic> out{
        {"pbmplay", "the program: commands, options, files", program, ""},
        {"keys", "the keys and words of every screen", "man/pbmplay-keys.7.md", ""},
        {"games", "the games that you can play", program, "The games"},
    };
    for (const GameType& game : all_games())
      out.push_back({std::string(game.name), "the rules: " + std::string(game.summary),
                     "rules/" + std::string(game.name) + ".md", ""});
    out.push_back({"saves", "the files that keep your games", "man/pbmplay-save.5.md", ""});
    out.push_back({"commands", "the commands of a server", "man/pbmplay-commands.7.md", ""});
    out.push_back({"server", "how to run a server for friends", "man/pbmplay-server.8.md", ""});
    out.push_back({"mail", "how to play by mail on a server", "man/pbmplay-mail.8.md", ""});
    out.push_back({"promises", "what later versions keep", "man/pbmplay-promises.7.md", ""});
    return out;
  }();
  return topics;
}

const HelpTopic* find_help_topic(std::string_view name) {
  std::vector<std::string> option;
  if (const GameType* game = find_game(name, option)) name = game->name;
  const auto found = std::ranges::find_if(
      help_topics(), [&](const HelpTopic& t) { return equals_ignoring_case(t.name, name); });
  return found == help_topics().end() ? nullptr : &*found;
}

}  // namespace pbm
