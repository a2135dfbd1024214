// SPDX-License-Identifier: MIT
#include "server/net/fair_scheduler.hpp"

namespace pbm {

void FairScheduler::enqueue(Party& party, Entry& seat) {
  seat.is_queued = true;
  if (party.waiting.empty()) waiting_parties_.add(&party);
  party.waiting.add(&seat);
}

void FairScheduler::dequeue(Party& party, Entry& seat) {
  seat.is_queued = false;
  party.waiting.remove(&seat);
  if (party.waiting.empty()) waiting_parties_.remove(&party);
}

void FairScheduler::add(std::uint64_t connection, const std::string& party) {
  entries_[connection] = Entry{connection, party};
  ++parties_[party].connection_count;
}

void FairScheduler::set_party(std::uint64_t connection, const std::string& party) {
  const auto found = entries_.find(connection);
  if (found == entries_.end() || found->second.party == party) return;
  const bool asked = found->second.is_queued;
  remove(connection);
  add(connection, party);
  if (asked) schedule(connection);
}

void FairScheduler::remove(std::uint64_t connection) {
  const auto found = entries_.find(connection);
  if (found == entries_.end()) return;
  const auto party = parties_.find(found->second.party);
  if (found->second.is_queued) dequeue(party->second, found->second);
  if (--party->second.connection_count == 0) parties_.erase(party);
  entries_.erase(found);
}

std::size_t FairScheduler::count(const std::string& party) const {
  const auto found = parties_.find(party);
  return found == parties_.end() ? 0 : found->second.connection_count;
}

std::pair<std::string, std::size_t> FairScheduler::largest_party() const {
  std::pair<std::string, std::size_t> out;
  for (const auto& [name, party] : parties_)
    if (party.connection_count > out.second) out = {name, party.connection_count};
  return out;
}

void FairScheduler::schedule(std::uint64_t connection) {
  Entry& seat = entries_.at(connection);
  if (!seat.is_queued) enqueue(parties_.at(seat.party), seat);
}

std::optional<std::uint64_t> FairScheduler::next() {
  if (waiting_parties_.empty()) return std::nullopt;
  Party& party = *waiting_parties_.take();
  Entry& seat = *party.waiting.take();
  seat.is_queued = false;
  if (!party.waiting.empty()) waiting_parties_.add(&party);
  return seat.connection;
}

void FairScheduler::add_time(std::uint64_t connection, TimeSpent time) {
  const auto found = entries_.find(connection);
  if (found == entries_.end()) return;
  Entry& seat = found->second;
  Party& party = parties_.at(seat.party);
  // The order in a queue depends on the time used, so both leave their queues first.
  const bool asked = seat.is_queued;
  if (asked) dequeue(party, seat);
  if (!party.waiting.empty()) waiting_parties_.remove(&party);
  seat.spent += time;
  party.spent += time;
  if (!party.waiting.empty()) waiting_parties_.add(&party);
  if (asked) enqueue(party, seat);
}

}  // namespace pbm
