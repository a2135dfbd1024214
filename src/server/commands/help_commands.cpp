// SPDX-License-Identifier: MIT
// The help command.
#include "base/markdown.hpp"
#include "base/text.hpp"
#include "server/commands/helpers.hpp"

namespace pbm {
namespace {

constexpr int kHelpColumns = 76;

// A subject of help that is not a command: its names, the commands that belong to it, and a text
// with what their rows leave open.
struct Subject {
  std::string_view names, commands, text;
};
constexpr Subject kSubjects[] = {
    {"rules", "", "Type help and the name of a game for its rules."},
    {"draw", "propose accept reject",
     "All players who have not resigned must accept a draw. The others have lost. You can offer it "
     "once between two of your moves."},
    {"undo", "accept reject",
     "The server takes a move back when all players who have not resigned accept. You can ask once "
     "between two of your moves."},
    {"time nagtime", "vacation",
     "A challenge sets the time in days, or none. After --nagtime, the server reminds the player. "
     "After --forfeittime, the player loses. --totaltime is for all moves of a player together. "
     "The defaults are 7, 21 and none."},
    {"computer", "",
     "list shows which userids are computers. Games against them are unrated, unless the owner of "
     "the server rates them."},
    {"password", "login signup signoff",
     "A password has 8 to 64 bytes. If you lose it, ask the owner of the server for a new one."},
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
  out.push_back("GAME is " + list_game_names() + ". Type help and its name for its rules.");
  out.push_back("There is also help on " + join_with_and(subjects) + ".");
  out.push_back("After login userid password, leave out userid and password.");
  out.push_back("move#7 is played only as move 7, so you can send it twice.");
  return out;
}

Lines tutorial() {
  const GameType& game = all_games().front();
  const std::string name(game.name), ply = game.start({}, game.min_seats)->legal_plies().front();
  Lines out{"Your first game, one line at a time. Use your own userid and password."};
  const auto step = [&](const std::string& line, std::string_view about) {
    out.push_back("    " + pad(line, 34) + std::string(about));
  };
  step("signup fred top.secret", "create an account");
  step("login fred top.secret", "sign in");
  step("list", "list all userids");
  step(name + " challenge wilma", "start a game; it gets a number");
  step(name + " show 101", "show the board");
  step(name + " 101 " + ply, "play a move");
  step("tell wilma good luck", "send a message");
  step("games next", "list your games where it is your turn");
  step("watch", "see events as they happen");
  out.push_back("Type help " + name + " for its rules, and help for all commands.");
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
  return Refusal{"There is no help on " + fit(word, 30) + ". " +
                 suggest_word(word, known, "Type help for the list.")};
}

Reply run_help(Request& r) {
  if (r.words.empty()) return Reply("The commands.", help_on_commands(r));
  if (r.words.size() > kMaxAsked)
    return Refusal{"You can name at most " + std::to_string(kMaxAsked) + " subjects at once."};
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
  return Reply("Help on " + fit(join(r.words), 60) + ".", std::move(out));
}

}  // namespace

std::span<const CommandRow> help_rows() {
  static const CommandRow rows[] = {
      {"help", "[subject...]", "show help on all commands, one command or a game", run_help},
  };
  return rows;
}

}  // namespace pbm
