// SPDX-License-Identifier: MIT
// Chooses which connection gets the loop's time next: the one that used least of it. It compares
// parties first (a userid, or the login or address of a connection that is not signed in), then the
// connections of one party. A party with many connections gets no more time than one with a single
// connection. Leaves the work in a turn to connection.hpp.
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

// A queue with the member first that has used least time. Absence earns nothing: a new member
// starts with at least the time of the member served last.
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
  // A connection, named by its number, belongs to one party from enter() to leave(). belong() moves
  // it to another party.
  void enter(std::uint64_t connection, const std::string& party);
  void belong(std::uint64_t connection, const std::string& party);
  void leave(std::uint64_t connection);
  // Returns how many connections belong to the party.
  std::size_t count(const std::string& party) const;
  // Returns the party with most connections, and their number.
  std::pair<std::string, std::size_t> largest() const;

  // Queues a connection that has work: next() returns it once.
  void ask(std::uint64_t connection);
  bool empty() const { return waiting_.empty(); }
  // Returns nothing if the queue is empty.
  std::optional<std::uint64_t> next();
  // Adds `time` to what the connection has used; does nothing if it has left.
  void spend(std::uint64_t connection, Spent time);

 private:
  // A connection in the queue.
  struct Seat {
    std::uint64_t connection = 0;
    std::string party;
    Spent spent{};
    bool asked = false;  // it is in its party's queue
  };
  struct Party {
    std::size_t connections = 0;
    Spent spent{};
    FairQueue<Seat> waiting;  // while it has any, the party itself is in `waiting_`
  };
  void line_up(Party& party, Seat& seat);
  void step_back(Party& party, Seat& seat);

  std::unordered_map<std::string, Party> parties_;
  std::unordered_map<std::uint64_t, Seat> seats_;
  FairQueue<Party> waiting_;
};

}  // namespace pbm
