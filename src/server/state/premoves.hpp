// SPDX-License-Identifier: MIT
// Plies that wait: queued ones, and trees of them, until their player's turn comes, submitted ones until they are
// confirmed. Nobody but their owner sees them. Also which plies were played from here, to be marked
// (Auto). Leaves playing them to board_actions.hpp.
#pragma once

#include <map>
#include <set>
#include <tuple>

#include "base/clock.hpp"
#include "server/state/journal.hpp"

namespace pbm {

// Where one ply may wait.
struct Place {
  std::string board;  // "toot-101"
  std::string user;
  friend auto operator<=>(const Place&, const Place&) = default;
};

struct Queued {
  std::string move;                // as typed; or a tree of answers
  std::optional<std::size_t> ply;  // the number it must become, if its owner said one
  std::size_t entries = 0;         // things done on the board when it was queued
  bool tree = false;
  // "CO#4".
  std::string to_string() const { return move + (ply ? "#" + std::to_string(*ply) : ""); }
};

class Premoves {
 public:
  static constexpr std::size_t kMaxSubmitted = 20;  // of one user; the oldest is forgotten

  explicit Premoves(CommitLog& log);
  std::string load() { return journal_.load(); }
  void tidy() { journal_.tidy(); }

  // nullptr when nothing is queued.
  const Queued* find(const Place& place);
  // Replaces what was queued there. Throws Error with nothing changed.
  void put(const Place& place, const Queued& queued);
  void drop(const Place& place);
  // Forgets it for now. drop() writes that down once its ply is on disk; bring_back() takes it back
  // when the ply was not played.
  void take_out(const Place& place) {
    if (auto node = queued_.extract(place)) taken_.insert(std::move(node));
  }
  void bring_back() { queued_.merge(taken_); }
  // Boards on which anything is queued.
  std::set<std::string> boards() const;

  // Notes that the ply of that number, played at that time, was queued.
  void mark_auto(const std::string& board, std::size_t ply, Time at);
  bool is_auto(const std::string& board, std::size_t ply, Time at) const {
    return auto_.count({board, ply, at}) > 0;
  }

  // Submitted plies are not kept on disk: who has not confirmed starts again.
  void submit(const Place& place, const Queued& submitted);
  const Queued* submitted(const Place& place) const;
  void confirm(const Place& place);

 private:
  void take(const Record& record);
  void live(const Journal::Take& keep) const;

  std::map<Place, Queued> queued_;
  std::map<Place, Queued> taken_;  // out: written down still
  std::set<std::tuple<std::string, std::size_t, Time>> auto_;
  std::vector<std::pair<Place, Queued>> submitted_;  // the oldest first
  Journal journal_;
};

}  // namespace pbm
