// SPDX-License-Identifier: MIT
// Who is to be told by another program that something waits for him while he is not here, and when.
// Leaves what waits to its caller, which asks at the moment somebody is told: whatever was settled
// by then is not told of.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "store/database.hpp"

namespace pbm {

// Of what somebody wants to be told: of nothing, of challenges at once, of whatever waits too, or
// of all of it once a day.
struct NoticeWish {
  enum class Of : std::uint8_t { never, challenges, turns, digest };
  Of of = Of::turns;
  int minute = 0;  // of the day, by the server's clock, for a digest

  friend bool operator==(const NoticeWish&, const NoticeWish&) = default;
};
// "never", "challenges", "turns", "digest 18:30"; nothing when it is none of these.
std::optional<NoticeWish> read_notice_wish(std::string_view text);
std::string to_string(const NoticeWish& wish);

// What goes out: what waits; the code for an address; which userids are at one.
enum class NoticeKind : std::uint8_t { news, code, userids };

// The program that tells somebody, run on a thread of its own.
struct NoticeJob {
  std::string program, userid;
  std::string to;  // what it is counted for
  NoticeKind kind = NoticeKind::news;
  std::vector<std::string> variables;  // "NAME=text"
  std::string text;
  int stop = -1;            // it ends when this becomes readable
  std::string failed = {};  // then: why, a sentence; "" when it was told
  std::size_t letter = 0;   // the last that was there when it was written

  void run();
};

class Notices {
 public:
  // Between two of somebody, unless it is a challenge, the first within that time.
  static constexpr std::chrono::minutes kBetween{10};
  // Behind the first, second and third failure; after the next it is given up.
  static constexpr std::chrono::minutes kAgain[] = {
      std::chrono::minutes(1), std::chrono::minutes(5), std::chrono::minutes(25)};

  explicit Notices(Database& database) : database_(database) {}

  // Something waits for somebody who is not here, on a board or "".
  void stir(const std::string& userid, const NoticeWish& wish, const std::string& board,
            bool challenge, Time now);
  // He came, and so may be told at once of what is next.
  void came(const std::string& userid) { came_.insert(userid); }
  // The boards of which whoever was taken last was stirred since he was told.
  const std::set<std::string>& boards() const { return taken_; }
  // Somebody whose time has come, who is not waited for any more; "" for nobody.
  std::string take(Time now);
  // Whoever was taken last is not told.
  void drop() { out_.clear(); }
  // He is told no sooner.
  void put_off(const std::string& userid, Time until);
  // When somebody's time comes next.
  std::optional<Time> due() const;
  // When somebody was told last; nothing for never.
  std::optional<Time> told_at(const std::string& userid);
  // Whoever was taken last was told, of letters up to that number; that is kept. Throws Error.
  void told(const std::string& userid, std::size_t letter);
  // He could not be told. When it is tried again; nothing where it is not.
  std::optional<Time> failed(const std::string& userid, Time now);

 private:
  struct Due {
    Time at;
    bool challenge;  // and nothing else
  };
  void await(const std::string& userid, Due due);
  // He was told, or it was tried.
  void ran(const std::string& userid, Time at);

  Database& database_;
  std::map<std::string, Due> due_;
  std::map<std::string, std::set<std::string>> boards_;
  std::set<std::string> came_;  // since they were told
  std::string out_;             // who was taken last, until it is known whether he was told
  std::set<std::string> taken_;
  Time taken_at_{};
  std::map<std::string, Time> by_challenge_;  // had them told last
  bool challenged_ = false;                   // whoever was taken last, and nothing else
  std::set<std::pair<Time, std::string>> order_;
  std::map<std::string, std::size_t> failures_;
};

}  // namespace pbm
