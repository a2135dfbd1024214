// SPDX-License-Identifier: MIT
#include "server/connections.hpp"

#include <algorithm>
#include <utility>

namespace pbm {

std::uint64_t Connections::add(Client& client) {
  by_number_[++last_number_] = &client;
  return last_number_;
}

void Connections::remove(std::uint64_t number) {
  by_number_.erase(number);
  std::erase_if(late_replies_, [&](const auto& answer) { return answer.second == number; });
}

Client* Connections::find(std::uint64_t number) const {
  const auto found = by_number_.find(number);
  return found == by_number_.end() ? nullptr : found->second;
}

std::set<std::string> Connections::userids() const {
  std::set<std::string> out;
  for (const auto& [number, client] : by_number_)
    if (!client->userid().empty()) out.insert(client->userid());
  return out;
}

std::size_t Connections::count(const std::string& userid) const {
  return static_cast<std::size_t>(std::ranges::count_if(
      by_number_, [&](const auto& c) { return c.second->userid() == userid; }));
}

void Connections::sign_out(const std::string& userid, const std::string& why, std::uint64_t but) {
  for (const auto& [number, client] : by_number_)
    if (number != but && client->userid() == userid && client->trusted_userid() != userid)
      client->sign_out(why);
}

void Connections::remove_watcher(const std::string& userid, std::uint64_t number) {
  const auto found = watchers_.find(userid);
  if (found->second.erase(number) > 0 && found->second.empty()) watchers_.erase(found);
}

std::vector<std::string> Connections::watching_userids() const {
  std::vector<std::string> out;
  for (const auto& [userid, clients] : watchers_) out.push_back(userid);
  return out;
}

void Connections::send_events() {
  for (const auto& [number, text] : std::exchange(queued_events_, {}))
    if (Client* client = find(number)) client->send_event(text);
}

void Connections::end_transaction(const std::string& lost) {
  for (const std::uint64_t number : std::exchange(waiting_for_commit_, {}))
    if (Client* client = find(number)) client->end_transaction(lost);
}

void Connections::send_late_replies(SteadyTime now, bool all) {
  while (!late_replies_.empty() && (all || late_replies_.begin()->first <= now)) {
    const std::uint64_t number = late_replies_.begin()->second;
    late_replies_.erase(late_replies_.begin());
    by_number_.at(number)->send_late_reply();
  }
}

}  // namespace pbm
