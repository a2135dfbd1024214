// SPDX-License-Identifier: MIT
// Decides which player to notify and when, while they are not connected. Leaves the content to its
// caller, who collects it only when it sends the notification. By then the player may have done
// some of it.
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

// The notifications that a user wants: none, only challenges, everything that waits for them, or
// everything once a day.
struct NotificationChoice {
  enum class Kind : std::uint8_t { never, challenges, turns, digest };
  Kind kind = Kind::turns;
  int minute = 0;  // of the day, in the server's time zone, for a digest

  friend bool operator==(const NotificationChoice&, const NotificationChoice&) = default;
};
// Reads "never", "challenges", "turns" or "digest 18:30", in any case; else returns nothing.
std::optional<NotificationChoice> read_notification_choice(std::string_view text);
std::string to_string(const NotificationChoice& wish);

// The kinds of mail: a notification, the code of an address, the userids of an address, and a
// notice to the server's owner. The limits count all but the last. The table `mailed` has 3 for
// something else.
enum class MailKind : std::uint8_t { notification, code, userids, owner_notice = 4 };

// A run of the program that notifies a player; a worker thread calls run().
struct NotificationJob {
  std::string program, userid;
  std::string receiver;  // the address, or else the userid, that the mail is counted for
  MailKind kind = MailKind::notification;
  std::vector<std::string> variables;  // "NAME=text"
  std::string text;
  int stop_descriptor = -1;     // a descriptor: run() ends when it becomes readable
  std::string error = {};       // the result of run(): an error message, or "" on success
  std::size_t last_letter = 0;  // the number of the last letter in the user's mail

  void run();
};

// Counts a failure and returns when to try again: after 1, 5 and 25 minutes. After that returns
// nothing, and sets `failures` to 0.
std::optional<Time> next_retry(std::size_t& failures, Time now);

class Notifications {
 public:
  // The least time between two notifications of a user who does nothing. The first challenge within
  // it goes out at once.
  static constexpr std::chrono::minutes kMinInterval{10};

  explicit Notifications(Database& database) : database_(database) {}

  // Schedules a notification about a board or "". While the user is connected (`here`), holds it
  // back until they disconnect.
  void schedule(const std::string& userid, const NotificationChoice& wish, const std::string& board,
                bool challenge, bool here, Time now);
  // Records that the user has acted, at a screen or by mail. The next notification goes out at
  // once.
  void record_action(const std::string& userid, Time now);
  // Notes a disconnection. If `told`, the screen showed everything: drops what was held back.
  void disconnected(const std::string& userid, bool told);
  void rename(const std::string& userid, const std::string& now);
  // Returns the boards that the current notification was scheduled for.
  const std::set<std::string>& current_boards() const { return current_boards_; }
  // Removes a user without a connection whose notification is due, and makes it the current one.
  // Returns "" if there is none. Pre: no notification is current, or it will not be sent.
  std::string take_due(Time now, const std::function<bool(const std::string&)>& here);
  // True if the current notification is a digest.
  bool is_current_digest() const { return current_digest_minute_.has_value(); }
  // Schedules the current notification again: a digest for its next hour, others in an hour.
  void postpone(Time now);
  // Returns when the next notification is due.
  std::optional<Time> next_due() const;
  // Returns when a user was last notified, or nothing for never.
  std::optional<Time> last_sent_at(const std::string& userid);
  // Records that the current notification succeeded; `letter` is its last letter. Throws Error.
  void record_success(std::size_t letter);
  // Records that it failed. Returns when it is tried again, or nothing if it is not.
  std::optional<Time> record_failure(Time now);

 private:
  struct DueTime {
    Time time;
    bool is_challenge;                      // for a challenge only
    std::optional<int> digest_minute = {};  // of the day, for a digest
  };
  // A user's schedule since their last notification. `held_back` waits until they disconnect.
  struct UserState {
    std::optional<DueTime> due, held_back;
    std::set<std::string> boards;
    bool has_acted = false;  // since the last notification
    std::size_t failures = 0;
    std::optional<Time> last_challenge;  // the last notification for a challenge only
  };
  // Replaces `known` if `due` is earlier, or as early and not for a challenge only. True if it did.
  static bool replace_if_earlier(std::optional<DueTime>& known, DueTime due);
  void enqueue(const std::string& userid, DueTime due);
  // Ends the current notification, which ran at `at`, and returns its userid.
  std::string end_current(Time at);

  Database& database_;
  std::map<std::string, UserState> users_;
  std::set<std::pair<Time, std::string>> queue_;
  std::string current_user_;  // the user of the current notification, or ""
  std::set<std::string> current_boards_;
  Time current_time_{};
  bool is_challenge_only_ = false;  // the current notification is for a challenge only
  std::optional<int> current_digest_minute_;
  bool has_current_acted_ = false;  // its user had acted since the one before
};

}  // namespace pbm
