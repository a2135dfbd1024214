// SPDX-License-Identifier: MIT
// Conditional plies: what one will answer to what the other may play, as a tree. Written as
// "CO:DT BO:AT.CT:DT *:DO": behind the other's ply stands the answer, a dot goes on from there, and
// a star is any other ply, as is nothing before an answer. Leaves keeping and playing them to
// server/.
#pragma once

#include "game/match.hpp"

namespace pbm {

class Answers {
 public:
  static constexpr std::size_t kMaxPlies = 60;  // in all of a tree

  // Whether a text is meant as such a tree, and not as one ply that waits for whatever comes.
  static bool is_tree(std::string_view text) { return text.find(':') != std::string_view::npos; }

  // Reads a tree without looking at any board.
  static Result<Answers> read(std::string_view text);
  // The same for `seat` of this match, where it is the other's turn: each ply in it can be played
  // there, and has the game's own spelling. Refusals have the offset of what cannot be.
  static Result<Answers> read(std::string_view text, const Match& match, Seat seat);

  // On one's own turn the tree stands behind the ply that is played now, in each of its words:
  // "BT.CO:DT BT.AO:CT" is BT, and "CO:DT AO:CT" with blanks in place of that.
  struct Behind;
  static Result<Behind> read_begun(std::string_view text, const Match& match, Seat seat);

  bool empty() const { return nodes_.empty(); }
  // As it is written, shortest first.
  std::string to_string() const;
  // A line each, deeper ones indented: "CO: DT".
  std::vector<std::string> in_lines() const;

  // What is answered when these plies were played since, by turns, one's own among them. Refuses
  // what the tree has no answer to.
  Result<Behind> after(const std::vector<std::string>& plies) const;

  // Puts a line in place of what the tree says there: plies by turns, the other's first, an own one
  // last.
  void put(const std::vector<std::string>& line);

  // The other's ply, "*" for any, what is answered, and what is behind that.
  struct Node {
    std::string ply, answer;
    std::vector<Node> next = {};
  };

 private:
  std::vector<Node> nodes_;
};

// A ply, and the answers behind it.
struct Answers::Behind {
  std::string ply;
  Answers answers;
};

}  // namespace pbm
