// SPDX-License-Identifier: MIT
// Commands for saves without a screen: create, show, play.
#include <iostream>

#include "base/files.hpp"
#include "cli/command.hpp"
#include "cli/paths.hpp"
#include "cli/run_functions.hpp"
#include "cli/shared.hpp"
#include "protocol/match_description.hpp"
#include "protocol/record.hpp"
#include "save/save.hpp"
#include "ui/match_picture.hpp"

namespace pbm {
namespace {

void print_position(const Match& match, std::size_t ply, const View& view) {
  for (const std::string& row : match.draw(ply, view).rows) std::cout << row << '\n';
  for (const std::string& line : terms_text(match)) std::cout << line << '\n';
  if (const std::string left = match.holdings_after(ply); !left.empty()) std::cout << left << '\n';
  std::cout << match.status_after(ply) << '\n';
}

// The game and the move of "FILE#12".
struct ShownMatch {
  Match match;
  std::optional<std::string> ply;  // as typed
  View view;
  std::size_t read_ply() const {
    return ply ? need(match.read_ply_number(*ply), kExitRefused) : match.plies().size();
  }
};

// A # in the name of an existing file stays.
ShownMatch open_shown_match(const Arguments& arguments) {
  std::string name = arguments.words[1];
  std::optional<std::string> ply;
  std::error_code error;
  if (const std::size_t hash = name.rfind('#');
      hash != std::string::npos && !std::filesystem::exists(name, error)) {
    ply = name.substr(hash + 1);
    name.resize(hash);
  }
  LocalBoards boards = open_own_boards(arguments);
  Match match = open_board(boards, name).match;
  const View view = read_view(arguments, &match.game(), Settings(user_paths().settings));
  return {std::move(match), std::move(ply), view};
}

// Writes `text` to the new file of --output, or else to standard output.
int write_output(const Arguments& arguments, const std::string& text) {
  const std::string output = arguments.option_text("output");
  if (output.empty()) std::cout << text;
  else if (!create_file(output, text))
    return print_error(kExitRefused, safe_text(output) + " exists already. Choose another name.");
  return kExitSuccess;
}

Match read_recorded_match(const std::string& source) {
  if (source != "-")
    return need(read_record(need(read_file(source, kMaxSave), kExitRefused), safe_text(source)),
                kExitRefused);
  std::string text;
  for (char c = 0; text.size() <= kMaxSave && std::cin.get(c);) text += c;
  if (text.size() > kMaxSave) throw CommandExit{kExitRefused, "The text is too long for a record."};
  return need(read_record(text, "standard input"), kExitRefused);
}

}  // namespace

int run_new(const Arguments& arguments) {
  const std::vector<std::string>& words = arguments.words;
  const bool has_game = words.size() > 2;
  if (arguments.has("from") ? has_game || !arguments.game_options.empty() : !has_game)
    return report_wrong_use(arguments);
  if (has_game && !find_game(words[2])) throw refuse_unknown_game(words[2]);
  const Match match = has_game ? new_match(arguments, *find_game(words[2]), 3)
                               : read_recorded_match(arguments.option_text("from"));
  if (save_text(match).size() > kMaxSave - kEndReserve)
    throw CommandExit{kExitRefused, "This game is too long for a save."};
  need(write_new_save(words[1], match), kExitRefused);
  return kExitSuccess;
}

int run_picture(const Arguments& arguments) {
  const ShownMatch shown = open_shown_match(arguments);
  const Settings settings(user_paths().settings);
  const std::string theme = arguments.option_text("theme");
  return write_output(
      arguments,
      draw_match_picture(shown.match, shown.read_ply(), shown.view,
                         theme_or_default(theme.empty() ? settings.preferences().theme : theme),
                         arguments.has("moves")));
}

int run_show(const Arguments& arguments) {
  const ShownMatch shown = open_shown_match(arguments);
  if (arguments.has("output") && !arguments.has("record"))
    return print_error(kExitUsage, "--output works only with --record. Write --record too.");
  if (arguments.has("record")) {
    if (shown.ply)
      return print_error(kExitUsage,
                         "--record prints the whole game. Leave out #" + fit(*shown.ply, 12) + ".");
    return write_output(arguments, record_text(shown.match, shown.view));
  }
  print_position(shown.match, shown.read_ply(), shown.view);
  return kExitSuccess;
}

int run_move(const Arguments& arguments) {
  LocalBoards boards = open_own_boards(arguments);
  Board board = open_board(boards, arguments.words[1]);
  const View view = read_view(arguments, &board.match.game(), Settings(user_paths().settings));
  std::vector<MoveRequest> turns;
  // Judges each move after those before it, on a copy: either all are played or none.
  Match trial = board.match;
  for (std::size_t i = 2, n = 0; i < arguments.words.size(); i += n) {
    n = trial.count_ply_words(arguments.words, i);
    const std::string typed = join_words(arguments.words, i, n);
    const std::vector<MoveRequest> meant = shared_keyboard_requests(trial, typed);
    if (const auto entries = validate_requests(trial, meant); !entries)
      return print_refusal(entries.refusal(), typed);
    turns.insert(turns.end(), meant.begin(), meant.end());
  }
  play_and_report(boards, board, turns);
  print_position(board.match, board.match.plies().size(), view);
  return kExitSuccess;
}

int run_legal(const Arguments& arguments) {
  LocalBoards boards = open_own_boards(arguments);
  const Match match = open_board(boards, arguments.words[1]).match;
  if (match.ending()) return kExitSuccess;
  for (const std::string& ply : match.position().legal_plies()) std::cout << ply << '\n';
  return kExitSuccess;
}

}  // namespace pbm
