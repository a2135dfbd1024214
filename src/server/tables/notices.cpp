// SPDX-License-Identifier: MIT
#include "server/tables/notices.hpp"

#include <algorithm>
#include <ctime>
#include <iterator>
#include <utility>

#include "base/program.hpp"
#include "base/text.hpp"

namespace pbm {

namespace {

constexpr std::pair<std::string_view, NoticeWish::Of> kWishes[]{
    {"never", NoticeWish::Of::never},
    {"challenges", NoticeWish::Of::challenges},
    {"turns", NoticeWish::Of::turns}};
constexpr std::string_view kDigest = "digest ";

// Returns the next time when the local clock shows that minute of the day.
Time next_at(int minute, Time now) {
  std::time_t seconds = std::chrono::system_clock::to_time_t(now);
  std::tm local{};
  ::localtime_r(&seconds, &local);
  const auto at = [&](int days) {
    std::tm then = local;
    then.tm_mday += days;
    then.tm_hour = minute / 60;
    then.tm_min = minute % 60;
    then.tm_sec = 0;
    then.tm_isdst = -1;
    return std::chrono::time_point_cast<Time::duration>(
        std::chrono::system_clock::from_time_t(std::mktime(&then)));
  };
  const Time today = at(0);
  return today > now ? today : at(1);
}

}  // namespace

std::optional<NoticeWish> read_notice_wish(std::string_view text) {
  const std::string wish = lower(text);
  for (const auto& [word, of] : kWishes)
    if (wish == word) return NoticeWish{of};
  if (!wish.starts_with(kDigest) || wish.size() != kDigest.size() + 5) return std::nullopt;
  const std::string_view clock = std::string_view(wish).substr(kDigest.size());
  const auto hour = read_whole_number<int>(clock.substr(0, 2)),
             minute = read_whole_number<int>(clock.substr(3));
  if (clock[2] != ':' || !hour || !minute || *hour > 23 || *minute > 59) return std::nullopt;
  return NoticeWish{NoticeWish::Of::digest, *hour * 60 + *minute};
}

std::string to_string(const NoticeWish& wish) {
  const auto two = [](int n) { return (n < 10 ? "0" : "") + std::to_string(n); };
  for (const auto& [word, of] : kWishes)
    if (of == wish.of) return std::string(word);
  return std::string(kDigest) + two(wish.minute / 60) + ":" + two(wish.minute % 60);
}

std::optional<Time> tried_again(std::size_t& failures, Time now) {
  constexpr std::chrono::minutes kAgain[]{std::chrono::minutes(1), std::chrono::minutes(5),
                                          std::chrono::minutes(25)};
  if (failures < std::size(kAgain)) return now + kAgain[failures++];
  failures = 0;
  return std::nullopt;
}

void NoticeJob::run() {
  auto run = RunningProgram::start(program, variables, text);
  failed = run ? (*run)->wait(stop) : run.refusal().why;
}

bool Notices::bring_forward(std::optional<Due>& known, Due due) {
  if (known && (known->at < due.at || (known->at == due.at && due.challenge))) return false;
  known = due;
  return true;
}

void Notices::await(const std::string& userid, Due due) {
  std::optional<Due>& known = of_[userid].due;
  const auto before = known;
  if (!bring_forward(known, due)) return;
  if (before) order_.erase({before->at, userid});
  order_.insert({due.at, userid});
}

void Notices::stir(const std::string& userid, const NoticeWish& wish, const std::string& board,
                   bool challenge, bool here, Time now) {
  using Of = NoticeWish::Of;
  constexpr std::size_t kMaxBoards = 100;  // named in one notification; the rest are only counted
  if (wish.of == Of::never || (wish.of == Of::challenges && !challenge)) return;
  Pending& his = of_[userid];
  if (!board.empty() && his.boards.size() < kMaxBoards) his.boards.insert(board);
  // A failed notification keeps its time of the next try.
  if (his.due && his.failures > 0) return;
  his.failures = 0;
  Due due{now, challenge};
  if (wish.of == Of::digest) due = {next_at(wish.minute, now), false};
  else if (out_ == userid) due = {now + kBetween, false};
  else if (const auto told = told_at(userid);
           told && !his.came &&
           !(challenge && (!his.by_challenge || *his.by_challenge + kBetween <= now)))
    due.at = std::max(now, *told + kBetween);
  if (here) bring_forward(his.held, due);
  else await(userid, due);
}

std::string Notices::take(Time now, const std::function<bool(const std::string&)>& here) {
  while (!order_.empty() && order_.begin()->first <= now) {
    const std::string userid = order_.extract(order_.begin()).value().second;
    Pending& his = of_.at(userid);
    const Due due = *std::exchange(his.due, std::nullopt);
    if (here(userid)) {
      bring_forward(his.held, due);
      continue;
    }
    out_ = userid;
    challenged_ = due.challenge;
    taken_ = std::exchange(his.boards, {});
    taken_at_ = now;
    his.came = false;
    return userid;
  }
  out_.clear();
  return "";
}

void Notices::left(const std::string& userid, bool told) {
  const auto found = of_.find(userid);
  if (found == of_.end()) return;
  const auto held = std::exchange(found->second.held, std::nullopt);
  if (told && !found->second.due) found->second.boards.clear();
  if (held && !told) await(userid, *held);
}

void Notices::rename(const std::string& userid, const std::string& now) {
  if (out_ == userid) out_ = now;
  auto his = of_.extract(userid);
  if (!his) return;
  if (const auto& due = his.mapped().due) {
    order_.erase({due->at, userid});
    order_.insert({due->at, now});
  }
  his.key() = now;
  of_.insert(std::move(his));
}

void Notices::put_off(Time until) {
  of_[out_].boards.merge(taken_);
  await(out_, {until, false});
}

std::optional<Time> Notices::due() const {
  return order_.empty() ? std::nullopt : std::optional(order_.begin()->first);
}

std::optional<Time> Notices::told_at(const std::string& userid) {
  auto row = database_.ask("SELECT told FROM account WHERE userid = ?", userid);
  return row.next() ? row.maybe<Time>(0) : std::nullopt;
}

std::string Notices::ran(Time at) {
  if (std::exchange(challenged_, false)) of_[out_].by_challenge = at;
  return std::exchange(out_, "");
}

void Notices::told(std::size_t letter) {
  const std::string userid = ran(taken_at_);
  of_[userid].failures = 0;
  database_.run("UPDATE account SET told = ?, heard = max(heard, ?) WHERE userid = ?", taken_at_,
                letter, userid);
}

std::optional<Time> Notices::failed(Time now) {
  const std::string userid = ran(now);
  Pending& his = of_[userid];
  his.boards.merge(taken_);
  const auto again = tried_again(his.failures, now);
  if (!again) return std::nullopt;
  await(userid, {*again, false});
  return his.due->at;
}

}  // namespace pbm
