// SPDX-License-Identifier: MIT
#include "server/connections.hpp"

#include <algorithm>
#include <utility>

namespace pbm {

std::uint64_t Connections::enter(Client& client) {
  all_[++last_] = &client;
  return last_;
}

void Connections::leave(std::uint64_t number) {
  all_.erase(number);
  std::erase_if(late_, [&](const auto& answer) { return answer.second == number; });
}

Client* Connections::find(std::uint64_t number) const {
  const auto found = all_.find(number);
  return found == all_.end() ? nullptr : found->second;
}

std::set<std::string> Connections::userids() const {
  std::set<std::string> out;
  for (const auto& [number, client] : all_)
    if (!client->userid().empty()) out.insert(client->userid());
  return out;
}

std::size_t Connections::of(const std::string& userid) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(all_, [&](const auto& c) { return c.second->userid() == userid; }));
}

void Connections::sign_out(const std::string& userid, const std::string& why, std::uint64_t but) {
  for (const auto& [number, client] : all_)
    if (number != but && client->userid() == userid && client->trusted() != userid)
      client->sign_out(why);
}

void Connections::unwatch(const std::string& userid, std::uint64_t number) {
  const auto found = watchers_.find(userid);
  if (found->second.erase(number) > 0 && found->second.empty()) watchers_.erase(found);
}

std::vector<std::string> Connections::watchers() const {
  std::vector<std::string> out;
  for (const auto& [userid, clients] : watchers_) out.push_back(userid);
  return out;
}

void Connections::send_events() {
  for (const auto& [number, text] : std::exchange(events_, {}))
    if (Client* client = find(number)) client->event(text);
}

void Connections::end_turn(const std::string& lost) {
  for (const std::uint64_t number : std::exchange(waiting_, {}))
    if (Client* client = find(number)) client->end_turn(lost);
}

void Connections::answer_late(Moment now, bool all) {
  while (!late_.empty() && (all || late_.begin()->first <= now)) {
    const std::uint64_t number = late_.begin()->second;
    late_.erase(late_.begin());
    all_.at(number)->answer_late();
  }
}

}  // namespace pbm
