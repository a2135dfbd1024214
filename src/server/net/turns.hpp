// SPDX-License-Identifier: MIT
// Who gets the loop's time next: whoever has had least of it, first among the parties (a userid; or
// a login or address of which no more is known), then among the connections of one. So many
// connections of one get no more than a single one of another. Leaves what is done in a turn to
// connection.hpp.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>

namespace pbm {

using Spent = std::chrono::steady_clock::duration;

// A queue in which whoever has spent least is first. Nobody saves up by staying away: who comes has
// spent as much as whoever was served last, or more.
template <class Who>
class FairQueue {
 public:
  bool empty() const { return order_.empty(); }
  void add(Who* who) {
    who->spent = std::max(who->spent, floor_);
    order_.emplace(who->spent, who);
  }
  Who* take() {
    const auto first = order_.begin();
    Who* const out = first->second;
    floor_ = first->first;
    order_.erase(first);
    return out;
  }
  void remove(Who* who) {
    const auto [from, to] = order_.equal_range(who->spent);
    if (const auto found =
            std::find_if(from, to, [who](const auto& entry) { return entry.second == who; });
        found != to)
      order_.erase(found);
  }

 private:
  std::multimap<Spent, Who*> order_;
  Spent floor_{};
};

class Turns {
 public:
  // A connection, by its number, belongs to one party from enter() to leave(); belong() changes
  // which.
  void enter(std::uint64_t connection, const std::string& party);
  void belong(std::uint64_t connection, const std::string& party);
  void leave(std::uint64_t connection);
  // How many connections belong to it.
  std::size_t count(const std::string& party) const;
  // Who has most of them, and how many.
  std::pair<std::string, std::size_t> largest() const;

  // It has something to do: next() will give it, once.
  void ask(std::uint64_t connection);
  bool empty() const { return waiting_.empty(); }
  // Nothing when nobody has asked.
  std::optional<std::uint64_t> next();
  // What it did took so long; nothing for one that has left.
  void spend(std::uint64_t connection, Spent time);

 private:
  // A connection here.
  struct Seat {
    std::uint64_t connection = 0;
    std::string party;
    Spent spent{};
    bool asked = false;  // so it is in its party's queue
  };
  struct Party {
    std::size_t connections = 0;
    Spent spent{};
    FairQueue<Seat> waiting;  // unless it is empty the party is in the queue of parties
  };
  void line_up(Party& party, Seat& seat);
  void step_back(Party& party, Seat& seat);

  std::unordered_map<std::string, Party> parties_;
  std::unordered_map<std::uint64_t, Seat> seats_;
  FairQueue<Party> waiting_;
};

}  // namespace pbm
