// SPDX-License-Identifier: MIT
// The help command.
#include "base/markdown.hpp"
#include "base/text.hpp"
#include "server/commands/helpers.hpp"

namespace pbm {
namespace {

constexpr int kHelpColumns = 76;

// A subject of help that is no command: its names, the commands that belong to it, and a text with
// what they leave open.
struct Subject {
  std::string_view names, commands, text;
};
constexpr Subject kSubjects[] = {
    {"rules", "", "help and the name of a game tell its rules."},
    {"draw", "propose accept reject",
     "A draw is agreed when everybody else who plays accepts it; who has resigned has lost. It is "
     "offered once between two of your moves."},
    {"undo", "accept reject",
     "The move is taken back when everybody else who plays accepts. It is asked for once between "
     "two of your moves."},
    {"time nagtime", "vacation",
     "A challenge or a seek says how much time there is, in days or none: --nagtime until whoever "
     "is to move is reminded, --forfeittime until his game is lost, --totaltime for all his moves "
     "together. Without these it is 7, 21 and none."},
    {"computer", "",
     "list says of each userid whether it is a computer. Games against one are not "
     "rated, unless the owner of the server has them count."},
    {"password", "login signup signoff",
     "It has 8 to 64 bytes. Who has lost it asks the owner of the server for another."},
};

bool has_words(std::string_view text, std::string_view said) {
  return (" " + std::string(text) + " ").find(" " + lower(said) + " ") != std::string::npos;
}

Lines help_on_row(const CommandRow& row) {
  return {command_syntax(row), "    " + std::string(row.description)};
}

void add_lines(Lines& out, const Lines& more) { out.insert(out.end(), more.begin(), more.end()); }

Lines help_on_commands(const Request& r) {
  Lines out;
  for (const CommandRow& row : command_rows())
    if (row.is_available(r.session->is_owner())) add_lines(out, help_on_row(row));
  std::vector<std::string> subjects;
  for (const Subject& subject : kSubjects) add_lines(subjects, split_words(subject.names));
  out.emplace_back();
  out.push_back("GAME is " + list_game_names() + ": help and its name show how it is played.");
  out.push_back("There is help on " + join_with_and(subjects) + ", too.");
  out.push_back("After login userid password nobody writes these two any more.");
  out.push_back("move#7 is played as move 7 or not at all, and never twice.");
  return out;
}

Lines tutorial() {
  const GameType& game = all_games().front();
  const std::string name(game.name), ply = game.start({}, game.min_seats)->legal_plies().front();
  Lines out{"Your first game, a line at a time. Write your own userid and password."};
  const auto step = [&](const std::string& line, std::string_view about) {
    out.push_back("    " + pad(line, 34) + std::string(about));
  };
  step("signup fred top.secret", "take a userid");
  step("login fred top.secret", "from now on you are fred here");
  step("list", "who plays here");
  step(name + " challenge wilma", "a board, which gets a number");
  step(name + " show 101", "how it stands");
  step(name + " 101 " + ply, "play");
  step("tell wilma good luck", "say something");
  step("games next", "where it is your turn");
  step("watch", "be told of what happens");
  out.push_back("help " + name + " shows how that is played, help lists every command.");
  return out;
}

// Returns help for the commands with `said` in their names, and for a subject of that name.
Lines help_on_words(const Request& r, const std::string& said) {
  Lines out;
  const auto subject = std::find_if(std::begin(kSubjects), std::end(kSubjects),
                                    [&](const Subject& s) { return has_words(s.names, said); });
  const bool any = subject != std::end(kSubjects);
  for (const CommandRow& row : command_rows())
    if (row.is_available(r.session->is_owner()) &&
        (has_words(row.verb(), said) || (any && has_words(subject->commands, row.verb()))))
      add_lines(out, help_on_row(row));
  if (any) add_lines(out, wrap(subject->text, kHelpColumns));
  return out;
}

Lines help_on_game(const Request& r, const GameType& game) {
  Lines out{std::string(game.title) + ": " + std::string(game.summary),
            "A move is " + std::string(game.move_syntax) + "."};
  out.push_back("    " + std::string(game.name) + " move board move");
  std::string challenge = "    " + std::string(game.name) + " challenge", closed;
  for (int seat = 1; seat <= game.max_seats; ++seat) {
    challenge += seat > game.min_seats ? " [userid" : " userid";
    challenge += std::to_string(seat);
    if (seat > game.min_seats) closed += ']';
  }
  challenge += closed;
  for (const OptionSpec& option : game.options) challenge += " [" + option_syntax(option) + "]";
  out.push_back(challenge);
  if (!r.service->options.read_rules) return out;
  const auto rules = r.service->options.read_rules(std::string(game.name));
  if (!rules) return out;
  out.emplace_back();
  for (const TextLine& line : format_markdown(*rules, kHelpColumns)) out.push_back(line.text);
  return out;
}

Refusal no_help_refusal(const Request& r, const std::string& word) {
  std::vector<std::string> known;
  for (const GameType& game : all_games()) known.emplace_back(game.name);
  for (const CommandRow& row : command_rows())
    if (row.is_available(r.session->is_owner())) known.emplace_back(row.verb());
  return Refusal{"There is no help on '" + fit(word, 30) +
                 "': " + suggest_word(word, known, "help alone lists what there is.")};
}

Reply run_help(Request& r) {
  if (r.words.empty()) return Reply("The commands.", help_on_commands(r));
  if (r.words.size() > kMaxAsked)
    return Refusal{"At most " + std::to_string(kMaxAsked) + " subjects of help are shown at once."};
  Lines out;
  for (std::size_t i = 0; i < r.words.size(); ++i) {
    Lines more;
    if (const GameType* game = find_game(r.words[i])) more = help_on_game(r, *game);
    else if (equals_ignoring_case(r.words[i], "commands")) more = help_on_commands(r);
    else if (equals_ignoring_case(r.words[i], "tutorial")) more = tutorial();
    // Tries three words first: "change password" is one command, and there is also a "set".
    for (std::size_t n = std::min<std::size_t>(3, r.words.size() - i); more.empty() && n > 0; --n) {
      more = help_on_words(r, join_words(r.words, i, n));
      if (!more.empty()) i += n - 1;
    }
    if (more.empty()) return no_help_refusal(r, r.words[i]);
    if (!out.empty()) out.emplace_back();
    add_lines(out, more);
  }
  return Reply("Help on " + fit(join_words(r.words, 0, r.words.size()), 60) + ".", std::move(out));
}

}  // namespace

std::span<const CommandRow> help_rows() {
  static const CommandRow rows[] = {
      {"help", "[subject...]", "the commands; a command, a game or its moves", run_help},
  };
  return rows;
}

}  // namespace pbm
