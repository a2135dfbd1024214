// SPDX-License-Identifier: MIT
// The help command.
#include "base/markdown.hpp"
#include "base/text.hpp"
#include "game/options.hpp"
#include "protocol/hello.hpp"
#include "server/commands/handlers.hpp"

namespace pbm {
namespace {

constexpr int kHelpColumns = 76;

Lines help_on_commands() {
  Lines out;
  for (const CommandRow& row : command_rows()) {
    out.push_back(command_syntax(row));
    out.push_back("    " + std::string(row.about));
  }
  out.emplace_back();
  out.push_back("GAME is " + game_names() + ": help and its name show how it is played.");
  out.push_back("After login userid password, * stands for the password. Text follows ' : '.");
  out.push_back("move#7 is played as ply 7 or not at all, and never twice.");
  return out;
}

Lines tutorial() {
  const GameType& game = all_games().front();
  const std::string name(game.name), ply = game.start({}, game.min_seats)->legal().front();
  Lines out{"Your first game, a line at a time. Write your own userid and password."};
  const auto step = [&](const std::string& line, std::string_view about) {
    out.push_back("    " + pad(line, 34) + std::string(about));
  };
  step("signup fred top.secret", "take a userid");
  step("login fred top.secret", "from now on * is your password");
  step("list", "who is here");
  step(name + " challenge fred wilma", "a board, which gets a number");
  step(name + " show 101", "how it stands");
  step(name + " move 101 fred * " + ply, "play");
  step("all show fred next", "where it is your turn");
  step("watch", "be told of what happens");
  out.push_back("help " + name + " shows how that is played, help lists every command.");
  return out;
}

Lines help_on_command(std::string_view name) {
  Lines out;
  for (const CommandRow& row : command_rows())
    if (same_ignoring_case(row.name, name))
      out = {command_syntax(row), "    " + std::string(row.about)};
  return out;
}

Lines help_on_game(const Request& r, const GameType& game) {
  Lines out{std::string(game.title) + ": " + std::string(game.about),
            "A move is " + std::string(game.move_syntax) + "."};
  out.push_back("    " + std::string(game.name) + " move board userid password move");
  std::string challenge = "    " + std::string(game.name) + " challenge", closed;
  for (int seat = 1; seat <= game.max_seats; ++seat) {
    challenge += seat > game.min_seats ? " [userid" : " userid";
    challenge += std::to_string(seat);
    if (seat > game.min_seats) closed += ']';
  }
  challenge += closed;
  for (const OptionSpec& option : game.options) challenge += " [" + option_syntax(option) + "]";
  out.push_back(challenge);
  if (!r.service->options().rules) return out;
  const auto rules = r.service->options().rules(std::string(game.name));
  if (!rules) return out;
  out.emplace_back();
  for (const TextLine& line : layout_markdown(*rules, kHelpColumns)) out.push_back(line.text);
  return out;
}

}  // namespace

Reply run_hello(Request& r) {
  if (!r.words.empty()) {
    const auto version = read_whole_number<unsigned>(r.words[0]);
    if (!version || *version == 0)
      return Refusal{"'" + fit(r.words[0], 20) + "' is no version: it is a number."};
    if (*version >= kProtocol) r.session->begin_program();
  }
  Hello hello{kProtocol};
  for (const CommandRow& row : command_rows()) hello.commands.emplace_back(row.name);
  return Reply("This server speaks version " + std::to_string(kProtocol) + ".", {encode(hello)});
}

Reply run_help(Request& r) {
  if (r.words.empty()) return Reply("The commands.", help_on_commands());
  if (r.words.size() > kMaxAsked)
    return Refusal{"At most " + std::to_string(kMaxAsked) + " subjects of help are shown at once."};
  Lines out;
  std::string name;
  for (std::size_t i = 0; i < r.words.size(); ++i) {
    Lines more;
    if (const GameType* game = find_game(r.words[i])) more = help_on_game(r, *game);
    else if (same_ignoring_case(r.words[i], "commands")) more = help_on_commands();
    else if (same_ignoring_case(r.words[i], "tutorial")) more = tutorial();
    // "change password" and "set computer" are two words, and there is a "set".
    for (std::size_t n = std::min<std::size_t>(3, r.words.size() - i); more.empty() && n > 0; --n) {
      more = help_on_command(joined(r.words, i, n));
      if (!more.empty()) i += n - 1;
    }
    if (more.empty())
      return Refusal{"There is no help on '" + fit(r.words[i], 30) +
                     "': write help alone, or with a command or " + game_names() + "."};
    if (!out.empty()) out.emplace_back();
    out.insert(out.end(), more.begin(), more.end());
  }
  for (const std::string& word : r.words) name += (name.empty() ? "" : " ") + word;
  return Reply("Help on " + fit(name, 60) + ".", std::move(out));
}

}  // namespace pbm
