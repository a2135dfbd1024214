// SPDX-License-Identifier: MIT
#include "server/tables/mail.hpp"

namespace pbm {

void Mail::keep(const std::string& userid, const std::string& what, Time at) {
  database_.run("INSERT INTO letter (userid, at, what) VALUES (?, ?, ?)", userid, at, what);
  if (count(userid) > kMaxKept)
    database_.run(
        "DELETE FROM letter WHERE number = (SELECT min(number) FROM letter WHERE userid = ?)",
        userid);
}

std::size_t Mail::count(const std::string& userid) {
  return static_cast<std::size_t>(
      database_.number("SELECT count(*) FROM letter WHERE userid = ?", userid));
}

std::vector<Mail::Letter> Mail::letters(const std::string& userid) {
  std::vector<Letter> out;
  for (auto row = database_.ask(
           "SELECT what, at, number FROM letter WHERE userid = ? ORDER BY number", userid);
       row.next();)
    out.push_back({row.text(0), row.time(1), row.size(2)});
  return out;
}

void Mail::read(const std::string& userid, std::size_t last) {
  database_.run("DELETE FROM letter WHERE userid = ? AND number <= ?", userid, last);
}

}  // namespace pbm
