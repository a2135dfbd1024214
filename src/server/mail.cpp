// SPDX-License-Identifier: MIT
#include "server/mail.hpp"

namespace pbm {

namespace {
Record record_of(const std::string& userid, const Mail::Letter& letter) {
  return Record().put("to", userid).put("at", iso_time(letter.at)).put("what", letter.what);
}
}  // namespace

Mail::Mail(Disk& disk, const std::filesystem::path& directory)
    : journal_(disk, directory / "mail.yaml", "What waits for users who were not here.",
               {[this] { letters_.clear(); }, [this](const Record& r) { take(r); },
                [this] {
                  std::vector<Record> out;
                  for (const auto& [userid, letters] : letters_)
                    for (const Letter& letter : letters) out.push_back(record_of(userid, letter));
                  return out;
                }}) {}

void Mail::take(const Record& r) {
  const std::string& userid = r.get("to");
  if (r.has("read")) {
    letters_.erase(userid);
    return;
  }
  auto& letters = letters_[userid];
  letters.push_back({r.get("what"), read_iso_time(r.get("at")).value_or(Time{})});
  if (letters.size() > kMostKept) letters.erase(letters.begin());
}

void Mail::keep(const std::string& userid, const std::string& what, Time at) {
  const Record record = record_of(userid, {what, at});
  journal_.add(record);
  take(record);
}

std::size_t Mail::count(const std::string& userid) {
  const auto found = letters_.find(userid);
  if (found == letters_.end()) return 0;
  journal_.touch();
  return found->second.size();
}

std::vector<Mail::Letter> Mail::fetch(const std::string& userid) {
  if (count(userid) == 0) return {};
  const Record record = Record().put("to", userid).put("read", "yes");
  journal_.add(record);
  std::vector<Letter> out = letters_[userid];
  take(record);
  return out;
}

}  // namespace pbm
