// SPDX-License-Identifier: MIT
// Who is to be told by another program that something waits for him while he is not here, and when.
// Leaves what waits to its caller, which asks at the moment somebody is told: whatever was settled
// by then is not told of.
#pragma once

#include <chrono>
#include <functional>
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

// When what has failed so often, and now once more, is tried again: a minute later, 5 and 25; then
// no more, nothing, and it counts anew.
std::optional<Time> tried_again(std::size_t& failures, Time now);

class Notices {
 public:
  // Between two of somebody, unless it is a challenge, the first within that time.
  static constexpr std::chrono::minutes kBetween{10};

  explicit Notices(Database& database) : database_(database) {}

  // Something waits for somebody, on a board or "". While he is here that is held back until he
  // leaves, as is what becomes due.
  void stir(const std::string& userid, const NoticeWish& wish, const std::string& board,
            bool challenge, bool here, Time now);
  // He came, and so may be told at once of what is next.
  void came(const std::string& userid) { of_[userid].came = true; }
  // He left. `told`: on the screen, of all that was held back while he was here.
  void left(const std::string& userid, bool told);
  // He is called otherwise.
  void rename(const std::string& userid, const std::string& now);
  // The boards of which whoever was taken last was stirred since he was told.
  const std::set<std::string>& boards() const { return taken_; }
  // Somebody whose time has come, who is not here and not waited for any more; "" for nobody. Pre:
  // none is out.
  std::string take(Time now, const std::function<bool(const std::string&)>& here);
  // Whoever was taken last is told no sooner.
  void put_off(Time until);
  // When somebody's time comes next.
  std::optional<Time> due() const;
  // When somebody was told last; nothing for never.
  std::optional<Time> told_at(const std::string& userid);
  // Whoever was taken last was told, of letters up to that number; that is kept. Throws Error.
  void told(std::size_t letter);
  // He could not be told. When it is tried again; nothing where it is not.
  std::optional<Time> failed(Time now);

 private:
  struct Due {
    Time at;
    bool challenge;  // and nothing else
  };
  // What is known of somebody since he was told last.
  struct Pending {
    std::optional<Due> due, held;
    std::set<std::string> boards;
    bool came = false;
    std::size_t failures = 0;
    std::optional<Time> by_challenge;  // had him told last
  };
  // Whether it is sooner than what is known, or as soon and no mere challenge: then it is that.
  static bool bring_forward(std::optional<Due>& known, Due due);
  void await(const std::string& userid, Due due);
  // Whoever was taken last was told, or it was tried; who that is.
  std::string ran(Time at);

  Database& database_;
  std::map<std::string, Pending> of_;
  std::set<std::pair<Time, std::string>> order_;
  std::string out_;  // who was taken last, until it is known whether he was told
  std::set<std::string> taken_;
  Time taken_at_{};
  bool challenged_ = false;  // by a challenge, and nothing else
};

}  // namespace pbm
