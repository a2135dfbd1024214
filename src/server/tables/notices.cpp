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

// The next moment at which the clock on the wall shows that minute of the day.
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

void NoticeJob::run() {
  auto run = RunningProgram::start(program, variables, text);
  failed = run ? (*run)->wait(stop) : run.refusal().why;
}

void Notices::await(const std::string& userid, Due due) {
  const auto found = due_.find(userid);
  if (found != due_.end()) {
    if (found->second.at < due.at || (found->second.at == due.at && due.challenge)) return;
    order_.erase({found->second.at, userid});
  }
  due_[userid] = due;
  order_.insert({due.at, userid});
}

void Notices::stir(const std::string& userid, const NoticeWish& wish, const std::string& board,
                   bool challenge, Time now) {
  using Of = NoticeWish::Of;
  constexpr std::size_t kMaxBoards = 100;  // more are counted, and not told of one by one
  if (wish.of == Of::never || (wish.of == Of::challenges && !challenge)) return;
  if (auto& boards = boards_[userid]; !board.empty() && boards.size() < kMaxBoards)
    boards.insert(board);
  // What failed is tried again when its time comes, and not sooner.
  if (due_.count(userid) && failures_.count(userid)) return;
  failures_.erase(userid);
  if (wish.of == Of::digest) return await(userid, {next_at(wish.minute, now), false});
  const auto told = told_at(userid);
  if (out_ == userid) return await(userid, {now + kBetween, false});
  Time due = told && !came_.count(userid) ? std::max(now, *told + kBetween) : now;
  const auto before = by_challenge_.find(userid);
  if (challenge && (before == by_challenge_.end() || before->second + kBetween <= now)) due = now;
  await(userid, {due, challenge});
}

std::string Notices::take(Time now) {
  if (order_.empty() || order_.begin()->first > now) return "";
  const std::string userid = order_.begin()->second;
  order_.erase(order_.begin());
  challenged_ = due_.at(userid).challenge;
  due_.erase(userid);
  out_ = userid;
  taken_ = std::move(boards_[userid]);
  taken_at_ = now;
  boards_.erase(userid);
  came_.erase(userid);
  return userid;
}

void Notices::put_off(const std::string& userid, Time until) {
  boards_[userid].merge(taken_);
  out_.clear();
  await(userid, {until, false});
}

std::optional<Time> Notices::due() const {
  return order_.empty() ? std::nullopt : std::optional(order_.begin()->first);
}

std::optional<Time> Notices::told_at(const std::string& userid) {
  auto row = database_.ask("SELECT told FROM account WHERE userid = ?", userid);
  return row.next() ? row.maybe<Time>(0) : std::nullopt;
}

void Notices::ran(const std::string& userid, Time at) {
  out_.clear();
  if (std::exchange(challenged_, false)) by_challenge_[userid] = at;
}

void Notices::told(const std::string& userid, std::size_t letter) {
  ran(userid, taken_at_);
  failures_.erase(userid);
  database_.run("UPDATE account SET told = ?, heard = max(heard, ?) WHERE userid = ?", taken_at_,
                letter, userid);
}

std::optional<Time> Notices::failed(const std::string& userid, Time now) {
  ran(userid, now);
  const std::size_t before = failures_[userid]++;
  boards_[userid].merge(taken_);
  if (before == std::size(kAgain)) {
    failures_.erase(userid);
    return std::nullopt;
  }
  await(userid, {now + kAgain[before], false});
  return due_.at(userid).at;
}

}  // namespace pbm
