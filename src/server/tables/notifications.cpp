// SPDX-License-Identifier: MIT
#include "server/tables/notifications.hpp"

#include <algorithm>
#include <ctime>
#include <iterator>
#include <utility>

#include "base/child_process.hpp"
#include "base/text.hpp"

namespace pbm {
namespace {

constexpr std::pair<std::string_view, NotificationChoice::Kind> kChoices[]{
    {"never", NotificationChoice::Kind::never},
    {"challenges", NotificationChoice::Kind::challenges},
    {"turns", NotificationChoice::Kind::turns}};
constexpr std::string_view kDigestPrefix = "digest ";

// Returns the next time when the local clock shows that minute of the day.
Time next_wall_time(int minute, Time now) {
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

std::optional<NotificationChoice> read_notification_choice(std::string_view text) {
  const std::string wish = lower(text);
  for (const auto& [word, of] : kChoices)
    if (wish == word) return NotificationChoice{of};
  if (!wish.starts_with(kDigestPrefix) || wish.size() != kDigestPrefix.size() + 5)
    return std::nullopt;
  const std::string_view clock = std::string_view(wish).substr(kDigestPrefix.size());
  const auto hour = read_whole_number<int>(clock.substr(0, 2)),
             minute = read_whole_number<int>(clock.substr(3));
  if (clock[2] != ':' || !hour || !minute || *hour > 23 || *minute > 59) return std::nullopt;
  return NotificationChoice{NotificationChoice::Kind::digest, *hour * 60 + *minute};
}

std::string to_string(const NotificationChoice& wish) {
  const auto two = [](int n) { return (n < 10 ? "0" : "") + std::to_string(n); };
  for (const auto& [word, of] : kChoices)
    if (of == wish.kind) return std::string(word);
  return std::string(kDigestPrefix) + two(wish.minute / 60) + ":" + two(wish.minute % 60);
}

std::optional<Time> next_retry(std::size_t& failures, Time now) {
  constexpr std::chrono::minutes kAgain[]{std::chrono::minutes(1), std::chrono::minutes(5),
                                          std::chrono::minutes(25)};
  if (failures < std::size(kAgain)) return now + kAgain[failures++];
  failures = 0;
  return std::nullopt;
}

void NotificationJob::run() { error = run_child(program, variables, text, stop_descriptor); }

bool Notifications::replace_if_earlier(std::optional<DueTime>& known, DueTime due) {
  if (known && (known->time < due.time || (known->time == due.time && due.is_challenge)))
    return false;
  known = due;
  return true;
}

void Notifications::enqueue(const std::string& userid, DueTime due) {
  std::optional<DueTime>& known = users_[userid].due;
  const auto before = known;
  if (!replace_if_earlier(known, due)) return;
  if (before) queue_.erase({before->time, userid});
  queue_.insert({due.time, userid});
}

void Notifications::schedule(const std::string& userid, const NotificationChoice& wish,
                             const std::string& board, bool challenge, bool here, Time now) {
  using Of = NotificationChoice::Kind;
  constexpr std::size_t kMaxBoards = 100;  // named in one notification; the rest are only counted
  if (wish.kind == Of::never || (wish.kind == Of::challenges && !challenge)) return;
  UserState& user = users_[userid];
  if (!board.empty() && user.boards.size() < kMaxBoards) user.boards.insert(board);
  // A failed notification keeps its time of the next try.
  if (user.due && user.failures > 0) return;
  user.failures = 0;
  DueTime due{now, challenge};
  if (wish.kind == Of::digest) due = {next_wall_time(wish.minute, now), false, wish.minute};
  else if (!user.has_acted && current_user_ == userid) due = {now + kMinInterval, false};
  else if (const auto last = last_sent_at(userid);
           last && !user.has_acted &&
           !(challenge && (!user.last_challenge || *user.last_challenge + kMinInterval <= now)))
    due.time = std::max(now, *last + kMinInterval);
  if (here) replace_if_earlier(user.held_back, due);
  else enqueue(userid, due);
}

void Notifications::record_action(const std::string& userid, Time now) {
  UserState& user = users_[userid];
  user.has_acted = true;
  if (user.failures > 0) return;
  if (user.due && !user.due->digest_minute) enqueue(userid, {now, user.due->is_challenge});
  if (user.held_back && !user.held_back->digest_minute)
    replace_if_earlier(user.held_back, {now, user.held_back->is_challenge});
}

std::string Notifications::take_due(Time now, const std::function<bool(const std::string&)>& here) {
  if (std::exchange(has_current_acted_, false)) users_[current_user_].has_acted = true;
  while (!queue_.empty() && queue_.begin()->first <= now) {
    const std::string userid = queue_.extract(queue_.begin()).value().second;
    UserState& user = users_.at(userid);
    const DueTime due = *std::exchange(user.due, std::nullopt);
    if (here(userid)) {
      replace_if_earlier(user.held_back, due);
      continue;
    }
    current_user_ = userid;
    is_challenge_only_ = due.is_challenge;
    current_digest_minute_ = due.digest_minute;
    current_boards_ = std::exchange(user.boards, {});
    current_time_ = now;
    has_current_acted_ = std::exchange(user.has_acted, false);
    return userid;
  }
  current_user_.clear();
  return "";
}

void Notifications::disconnected(const std::string& userid, bool told) {
  const auto found = users_.find(userid);
  if (found == users_.end()) return;
  const auto held = std::exchange(found->second.held_back, std::nullopt);
  if (told && !found->second.due) found->second.boards.clear();
  if (held && !told) enqueue(userid, *held);
}

void Notifications::rename(const std::string& userid, const std::string& now) {
  if (current_user_ == userid) current_user_ = now;
  auto user = users_.extract(userid);
  if (!user) return;
  // An account of the new name may have been here once.
  if (const auto old = users_.extract(now); old && old.mapped().due)
    queue_.erase({old.mapped().due->time, now});
  if (const auto& due = user.mapped().due) {
    queue_.erase({due->time, userid});
    queue_.insert({due->time, now});
  }
  user.key() = now;
  users_.insert(std::move(user));
}

void Notifications::postpone(Time now) {
  users_[current_user_].boards.merge(current_boards_);
  const auto minute = current_digest_minute_;
  enqueue(current_user_,
          {minute ? next_wall_time(*minute, now) : now + std::chrono::hours(1), false, minute});
}

std::optional<Time> Notifications::next_due() const {
  return queue_.empty() ? std::nullopt : std::optional(queue_.begin()->first);
}

std::optional<Time> Notifications::last_sent_at(const std::string& userid) {
  auto row = database_.query("SELECT told FROM account WHERE userid = ?", userid);
  return row.next() ? row.get_optional<Time>(0) : std::nullopt;
}

std::string Notifications::end_current(Time at) {
  if (std::exchange(is_challenge_only_, false)) users_[current_user_].last_challenge = at;
  return std::exchange(current_user_, "");
}

void Notifications::record_success(std::size_t letter) {
  const std::string userid = end_current(current_time_);
  has_current_acted_ = false;
  users_[userid].failures = 0;
  database_.run("UPDATE account SET told = ?, heard = max(heard, ?) WHERE userid = ?",
                current_time_, letter, userid);
}

std::optional<Time> Notifications::record_failure(Time now) {
  const std::string userid = end_current(now);
  UserState& user = users_[userid];
  user.boards.merge(current_boards_);
  if (std::exchange(has_current_acted_, false)) user.has_acted = true;
  const auto again = next_retry(user.failures, now);
  if (!again) return std::nullopt;
  // News since the start of the program wait for the retry, too.
  if (user.due) queue_.erase({user.due->time, userid});
  user.due.reset();
  enqueue(userid, {*again, false});
  return user.due->time;
}

}  // namespace pbm
