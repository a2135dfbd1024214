// SPDX-License-Identifier: MIT
// Conditional plies: a tree of a player's answers to possible plies of the opponent. Its text is
// "CO:DT BO:AT.CT:DT *:DO": the opponent's ply, a colon, the answer; a dot continues the line. A
// star, or no ply before an answer, means any other ply. Leaves storing and playing to server/.
#pragma once

#include "game/match.hpp"

namespace pbm {

class AnswerTree {
 public:
  static constexpr std::size_t kMaxPlies = 60;  // of a whole tree

  // True if a text is a tree, not a single ply that answers any ply.
  static bool is_tree(std::string_view text) { return text.find(':') != std::string_view::npos; }

  // Reads a tree without checking its plies on a board.
  static Result<AnswerTree> read(std::string_view text);
  // Reads a tree for `seat`; it must be the opponent's turn. Checks that each ply is legal, and
  // spells it as the game does. A refusal has the offset of the mistake.
  static Result<AnswerTree> read(std::string_view text, const Match& match, Seat seat);

  // Reads a tree on the player's own turn. Each word begins with the ply to play now: "BT.CO:DT
  // BT.AO:CT" is the ply BT and the tree "CO:DT AO:CT", with blanks instead of each "BT.".
  struct PlyWithAnswers;
  static Result<PlyWithAnswers> read_after_ply(std::string_view text, const Match& match,
                                               Seat seat);

  bool empty() const { return nodes_.empty(); }
  // Formats the tree as text, a word for each line of it.
  std::string to_string() const;
  // Formats one line for each answer, deeper ones indented: "CO: DT".
  std::vector<std::string> format_lines() const;

  // Returns the answer to `plies` and the rest of the tree. `plies` were played since the tree was
  // queued, alternately by the opponent and the player. Refuses if the tree has no answer.
  Result<PlyWithAnswers> find_answer(const std::vector<std::string>& plies) const;

  // Adds a line and replaces other answers on it. The line alternates the opponent's plies and the
  // player's answers; an answer is last.
  void add_line(const std::vector<std::string>& line);

  // A ply of the opponent ("*": any), the answer, and the nodes after that.
  struct Node {
    std::string ply, answer;
    std::vector<Node> children = {};
  };

 private:
  std::vector<Node> nodes_;
};

// A ply and the answers after it.
struct AnswerTree::PlyWithAnswers {
  std::string ply;
  AnswerTree answers;
};

}  // namespace pbm
