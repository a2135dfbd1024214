// SPDX-License-Identifier: MIT
// Commands for saves without a screen: create, show, play.
#include <iostream>

#include "base/files.hpp"
#include "cli/paths.hpp"
#include "cli/runs.hpp"
#include "cli/shared.hpp"
#include "protocol/telling.hpp"

namespace pbm {
namespace {

void print_position(const Match& match, std::size_t ply, const View& view) {
  for (const std::string& row : match.draw(ply, view).rows) std::cout << row << '\n';
  for (const std::string& line : terms_text(match)) std::cout << line << '\n';
  if (const std::string left = match.holdings_after(ply); !left.empty()) std::cout << left << '\n';
  std::cout << match.standing_after(ply) << '\n';
}

}  // namespace

int run_new(const Arguments& arguments) {
  const Match match = described_match(arguments, *find_game(arguments.words[2]), 3);
  need(write_new_save(arguments.words[1], match), kRefused);
  return kDone;
}

int run_show(const Arguments& arguments) {
  // Splits "FILE#12". A # in the name of an existing file stays.
  std::string name = arguments.words[1];
  std::optional<std::string> ply;
  std::error_code error;
  if (const std::size_t hash = name.rfind('#');
      hash != std::string::npos && !std::filesystem::exists(name, error)) {
    ply = name.substr(hash + 1);
    name.resize(hash);
  }
  LocalBoards boards = own_boards(arguments);
  const Match match = opened(boards, name).match;
  const View view = view_of(arguments, &match.game(), Settings(paths_of().settings));
  if (arguments.has("output") && !arguments.has("record"))
    return complain(kUsage, "--output is where a record goes: write --record too.");
  if (arguments.has("record")) {
    if (ply)
      return complain(kUsage,
                      "A record is of the whole game: write it without #" + fit(*ply, 12) + ".");
    const std::string text = record_text(match, view), output = arguments.text("output");
    if (output.empty()) std::cout << text;
    else if (!create_file(output, text))
      return complain(kRefused, safe_text(output) + " is there already: choose another name.");
    return kDone;
  }
  print_position(match, ply ? need(match.ply_named(*ply), kRefused) : match.plies().size(), view);
  return kDone;
}

int run_move(const Arguments& arguments) {
  LocalBoards boards = own_boards(arguments);
  Board board = opened(boards, arguments.words[1]);
  const View view = view_of(arguments, &board.match.game(), Settings(paths_of().settings));
  std::vector<MoveRequest> turns;
  // Judges each move after those before it, on a copy: either all are played or none.
  Match trial = board.match;
  for (std::size_t i = 2, n = 0; i < arguments.words.size(); i += n) {
    n = trial.words_of_a_ply(arguments.words, i);
    const std::string typed = joined(arguments.words, i, n);
    const std::vector<MoveRequest> meant = turns_at_one_keyboard(trial, typed);
    if (const auto entries = judge_turns(trial, meant); !entries)
      return refuse_typed(entries.refusal(), typed);
    turns.insert(turns.end(), meant.begin(), meant.end());
  }
  play_told(boards, board, turns);
  print_position(board.match, board.match.plies().size(), view);
  return kDone;
}

int run_legal(const Arguments& arguments) {
  LocalBoards boards = own_boards(arguments);
  const Match match = opened(boards, arguments.words[1]).match;
  if (match.ending()) return kDone;
  for (const std::string& ply : match.position().legal()) std::cout << ply << '\n';
  return kDone;
}

}  // namespace pbm
