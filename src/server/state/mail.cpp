// SPDX-License-Identifier: MIT
#include "server/state/mail.hpp"

#include <algorithm>

namespace pbm {

namespace {
Record record_of(const std::string& userid, const Mail::Letter& letter) {
  return Record().put("to", userid).put("at", iso_time(letter.at)).put("what", letter.what);
}
}  // namespace

Mail::Mail(CommitLog& log)
    : journal_(log, "mail.yaml", "What waits for users who were not here.",
               {[this](const Record& r) { take(r); },
                [this](const Journal::Take& keep) {
                  for (const auto& [userid, letters] : letters_)
                    for (const Letter& letter : letters) keep(record_of(userid, letter));
                }}) {}

void Mail::take(const Record& r) {
  const std::string& userid = r.get("to");
  auto& letters = letters_[userid];
  if (r.has("read")) {
    // The oldest so many; a word in place of the number: all.
    const std::size_t n = r.number("read");
    letters.erase(letters.begin(), n == 0 || n > letters.size()
                                       ? letters.end()
                                       : letters.begin() + static_cast<std::ptrdiff_t>(n));
    if (letters.empty()) letters_.erase(userid);
    return;
  }
  letters.push_back({r.get("what"), read_iso_time(r.get("at")).value_or(Time{}), ++last_number_});
  if (letters.size() > kMaxKept) letters.erase(letters.begin());
}

void Mail::keep(const std::string& userid, const std::string& what, Time at) {
  const Record record = record_of(userid, {what, at, 0});
  journal_.add(record);
  take(record);
}

std::size_t Mail::count(const std::string& userid) {
  const auto found = letters_.find(userid);
  if (found == letters_.end()) return 0;
  journal_.touch();
  return found->second.size();
}

std::vector<Mail::Letter> Mail::letters(const std::string& userid) {
  return count(userid) == 0 ? std::vector<Letter>{} : letters_[userid];
}

void Mail::read(const std::string& userid, std::size_t last) {
  const auto found = letters_.find(userid);
  if (found == letters_.end()) return;
  const auto n = std::count_if(found->second.begin(), found->second.end(),
                               [&](const Letter& letter) { return letter.number <= last; });
  if (n == 0) return;
  const Record record = Record().put("to", userid).put("read", static_cast<std::size_t>(n));
  journal_.add(record);
  take(record);
}

}  // namespace pbm
