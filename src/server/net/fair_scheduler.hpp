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

using TimeSpent = std::chrono::steady_clock::duration;

// A queue with the member first that has used least time. Absence earns nothing: a new member
// starts with at least the time of the member served last.
template <class Who>
class FairQueue {
 public:
  bool empty() const { return order_.empty(); }
  void add(Who* who) {
    who->spent = std::max(who->spent, min_spent_);
    order_.emplace(who->spent, who);
  }
  Who* take() {
    const auto first = order_.begin();
    Who* const out = first->second;
    min_spent_ = first->first;
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
  std::multimap<TimeSpent, Who*> order_;
  TimeSpent min_spent_{};
};

class FairScheduler {
 public:
  // A connection, named by its number, belongs to one party from add() to remove(). set_party()
  // moves it to another party.
  void add(std::uint64_t connection, const std::string& party);
  void set_party(std::uint64_t connection, const std::string& party);
  void remove(std::uint64_t connection);
  // Returns how many connections belong to the party.
  std::size_t count(const std::string& party) const;
  // Returns the party with most connections, and their number.
  std::pair<std::string, std::size_t> largest_party() const;

  // Queues a connection that has work: next() returns it once.
  void schedule(std::uint64_t connection);
  bool empty() const { return waiting_parties_.empty(); }
  // Returns nothing if the queue is empty.
  std::optional<std::uint64_t> next();
  // Adds `time` to what the connection has used; does nothing if it has left.
  void add_time(std::uint64_t connection, TimeSpent time);

 private:
  // A connection in the queue.
  struct Entry {
    std::uint64_t connection = 0;
    std::string party;
    TimeSpent spent{};
    bool is_queued = false;  // it is in its party's queue
  };
  struct Party {
    std::size_t connection_count = 0;
    TimeSpent spent{};
    FairQueue<Entry> waiting;  // while it has any, the party itself is in `waiting_parties_`
  };
  void enqueue(Party& party, Entry& seat);
  void dequeue(Party& party, Entry& seat);

  std::unordered_map<std::string, Party> parties_;
  std::unordered_map<std::uint64_t, Entry> entries_;
  FairQueue<Party> waiting_parties_;
};

}  // namespace pbm
