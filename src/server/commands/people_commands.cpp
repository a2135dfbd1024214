// SPDX-License-Identifier: MIT
// Commands about people, beside those of ratings_commands.cpp: what programs show of them in lists.
#include <cmath>
#include <set>

#include "base/text.hpp"
#include "server/commands/handlers.hpp"

namespace pbm {
namespace {

Standing standing_of(const Rating& x) {
  return {std::lround(x.value), x.provisional(), x.won, x.lost, x.tied};
}

// What changes while people look on, and is asked for every now and then: it costs as much as there
// are connections, not userids.
Reply run_lobby(Request& r) {
  Service& service = *r.service;
  Lines lines;
  const auto seeks = seeks_for(service, r.user);
  for (const Seek& seek : seeks) lines.push_back(encode(seek));
  const std::set<std::string> here = service.connections.userids();
  for (const std::string& userid : here) {
    const auto account = service.accounts.find(userid);
    if (!account || lines.size() == kMaxLines) continue;
    Person person{userid, true, account->computer};
    lines.push_back(encode(person));
  }
  return Reply(count_of(seeks.size(), "seek", "seeks") + ", and " +
                   count_of(here.size(), "userid", "userids") + " here.",
               std::move(lines));
}

Reply run_people(Request& r) {
  Service& service = *r.service;
  std::map<std::string, Person> people;
  const std::set<std::string> here = service.connections.userids();
  for (const Account& account : service.accounts.all())
    if (people.size() < kMaxLines)
      people[account.userid] = {account.userid, here.count(account.userid) > 0, account.computer};
  for (const auto& [name, boards] : service.store.rows().running_by_name())
    if (const auto found = people.find(lower(name)); found != people.end())
      found->second.boards += boards;
  for (const GameType& game : all_games())
    for (const auto& [userid, rating] : service.history.ratings(game.name))
      if (const auto found = people.find(userid); found != people.end())
        found->second.standings[std::string(game.name)] = standing_of(rating);
  Lines lines;
  for (const auto& [userid, person] : people) lines.push_back(encode(person));
  const std::string said = count_of(lines.size(), "userid", "userids") + ".";
  return Reply(said, std::move(lines));
}

Reply run_hello(Request& r) {
  if (!r.words.empty()) {
    const auto version = read_whole_number<unsigned>(r.words[0]);
    if (!version || *version == 0)
      return Refusal{"'" + fit(r.words[0], 20) + "' is no version: it is a number."};
    if (*version >= kProtocol) r.session->begin_program();
  }
  std::string commands;
  for (const CommandRow& row : command_rows())
    if (row.known_to(r.session->owner()))
      commands += (commands.empty() ? "" : ", ") + std::string(row.verb());
  const std::string version = std::to_string(kProtocol);
  return Reply("This server speaks version " + version + ".",
               {"{protocol: " + version + ", commands: [" + commands + "]}"});
}

}  // namespace

std::span<const CommandRow> people_rows() {
  static const CommandRow rows[] = {
      {"lobby", "", "for programs: the open challenges and who is here, as such lines", run_lobby},
      {"people", "", "for programs: who has a userid, with ratings, as such lines", run_people},
      {"hello", "[version]",
       "for programs: what this server can; lines for programs in place of drawings", run_hello},
  };
  return rows;
}

}  // namespace pbm
