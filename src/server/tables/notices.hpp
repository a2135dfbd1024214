// SPDX-License-Identifier: MIT
// Decides which player to notify and when, while they are not connected. Leaves the content to its
// caller, who collects it only when the notification is sent. It then has nothing that the player
// has settled before.
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

// A user's wish: no notifications, challenges at once, whatever waits for them too, or all of it
// once a day.
struct NoticeWish {
  enum class Of : std::uint8_t { never, challenges, turns, digest };
  Of of = Of::turns;
  int minute = 0;  // of the day, in the server's time zone, for a digest

  friend bool operator==(const NoticeWish&, const NoticeWish&) = default;
};
// Reads "never", "challenges", "turns" or "digest 18:30", in any case; else returns nothing.
std::optional<NoticeWish> read_notice_wish(std::string_view text);
std::string to_string(const NoticeWish& wish);

// The kinds of mail: a notification, the code of an address, the userids of an address.
enum class NoticeKind : std::uint8_t { news, code, userids };

// A run of the program that notifies a player; a worker thread calls run().
struct NoticeJob {
  std::string program, userid;
  std::string to;  // the address, or else the userid, that the mail is counted for
  NoticeKind kind = NoticeKind::news;
  std::vector<std::string> variables;  // "NAME=text"
  std::string text;
  int stop = -1;            // a descriptor: run() ends when it becomes readable
  std::string failed = {};  // the result of run(): an error message, or "" on success
  std::size_t letter = 0;   // the number of the last letter in the user's mail

  void run();
};

// Counts a failure and returns when to try again: after 1, 5 and 25 minutes. After that returns
// nothing, and sets `failures` to 0.
std::optional<Time> tried_again(std::size_t& failures, Time now);

class Notices {
 public:
  // The least time between two notifications of a user; the first challenge within it goes at once.
  static constexpr std::chrono::minutes kBetween{10};

  explicit Notices(Database& database) : database_(database) {}

  // Schedules a notification about a board or "". While the user is connected (`here`), it is held
  // back until they disconnect.
  void stir(const std::string& userid, const NoticeWish& wish, const std::string& board,
            bool challenge, bool here, Time now);
  // Notes a sign-in: the next notification need not wait for kBetween.
  void came(const std::string& userid) { of_[userid].came = true; }
  // Notes a disconnection. If `told`, the screen showed everything: drops what was held back.
  void left(const std::string& userid, bool told);
  void rename(const std::string& userid, const std::string& now);
  // Returns the boards that the current notification was scheduled for.
  const std::set<std::string>& boards() const { return taken_; }
  // Removes a user without a connection whose notification is due, and makes it the current one.
  // Returns "" if there is none. Pre: no notification is current, or it will not be sent.
  std::string take(Time now, const std::function<bool(const std::string&)>& here);
  // Schedules the current notification again for `until`.
  void put_off(Time until);
  // Returns when the next notification is due.
  std::optional<Time> due() const;
  // Returns when a user was last notified, or nothing for never.
  std::optional<Time> told_at(const std::string& userid);
  // Records that the current notification succeeded; `letter` is its last letter. Throws Error.
  void told(std::size_t letter);
  // Records that it failed. Returns when it is tried again, or nothing if it is not.
  std::optional<Time> failed(Time now);

 private:
  struct Due {
    Time at;
    bool challenge;  // for a challenge only
  };
  // A user's schedule since their last notification. `held` waits until they disconnect.
  struct Pending {
    std::optional<Due> due, held;
    std::set<std::string> boards;
    bool came = false;
    std::size_t failures = 0;
    std::optional<Time> by_challenge;  // the last notification for a challenge only
  };
  // Replaces `known` if `due` is earlier, or as early and not for a challenge only. True if it did.
  static bool bring_forward(std::optional<Due>& known, Due due);
  void await(const std::string& userid, Due due);
  // Ends the current notification, which ran at `at`, and returns its userid.
  std::string ran(Time at);

  Database& database_;
  std::map<std::string, Pending> of_;
  std::set<std::pair<Time, std::string>> order_;
  std::string out_;  // the user of the current notification, or ""
  std::set<std::string> taken_;
  Time taken_at_{};
  bool challenged_ = false;  // the current notification is for a challenge only
};

}  // namespace pbm
