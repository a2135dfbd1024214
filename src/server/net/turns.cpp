// SPDX-License-Identifier: MIT
#include "server/net/turns.hpp"

namespace pbm {

void Turns::line_up(Party& party, Seat& seat) {
  seat.asked = true;
  if (party.waiting.empty()) waiting_.add(&party);
  party.waiting.add(&seat);
}

void Turns::step_back(Party& party, Seat& seat) {
  seat.asked = false;
  party.waiting.remove(&seat);
  if (party.waiting.empty()) waiting_.remove(&party);
}

void Turns::enter(std::uint64_t connection, const std::string& party) {
  seats_[connection] = Seat{connection, party};
  ++parties_[party].connections;
}

void Turns::belong(std::uint64_t connection, const std::string& party) {
  const auto found = seats_.find(connection);
  if (found == seats_.end() || found->second.party == party) return;
  const bool asked = found->second.asked;
  leave(connection);
  enter(connection, party);
  if (asked) ask(connection);
}

void Turns::leave(std::uint64_t connection) {
  const auto found = seats_.find(connection);
  if (found == seats_.end()) return;
  const auto party = parties_.find(found->second.party);
  if (found->second.asked) step_back(party->second, found->second);
  if (--party->second.connections == 0) parties_.erase(party);
  seats_.erase(found);
}

std::size_t Turns::count(const std::string& party) const {
  const auto found = parties_.find(party);
  return found == parties_.end() ? 0 : found->second.connections;
}

std::pair<std::string, std::size_t> Turns::largest() const {
  std::pair<std::string, std::size_t> out;
  for (const auto& [name, party] : parties_)
    if (party.connections > out.second) out = {name, party.connections};
  return out;
}

void Turns::ask(std::uint64_t connection) {
  Seat& seat = seats_.at(connection);
  if (!seat.asked) line_up(parties_.at(seat.party), seat);
}

std::optional<std::uint64_t> Turns::next() {
  if (waiting_.empty()) return std::nullopt;
  Party& party = *waiting_.take();
  Seat& seat = *party.waiting.take();
  seat.asked = false;
  if (!party.waiting.empty()) waiting_.add(&party);
  return seat.connection;
}

void Turns::spend(std::uint64_t connection, Spent time) {
  const auto found = seats_.find(connection);
  if (found == seats_.end()) return;
  Seat& seat = found->second;
  Party& party = parties_.at(seat.party);
  // The order in a queue depends on the time used, so both leave their queues first.
  const bool asked = seat.asked;
  if (asked) step_back(party, seat);
  if (!party.waiting.empty()) waiting_.remove(&party);
  seat.spent += time;
  party.spent += time;
  if (!party.waiting.empty()) waiting_.add(&party);
  if (asked) line_up(party, seat);
}

}  // namespace pbm
