// SPDX-License-Identifier: MIT
// The state of a server under one directory: boards as ordinary saves, and all else in a database
// in its .server. Has no socket, thread or clock of its own: its owner calls it from one thread. It
// blocks only at its start, while another process writes or recovers there. Leaves the permissions
// of users to the commands.
//
// How to drive it: call Session::line() and whatever else this transaction needs, then
//   service.commit()                         commits the transaction and sends the replies
// and also, each in a transaction, whenever something has happened:
//   if (auto job = service.take_hash())      on a worker, one at a time: job->run();
//                                            then here: service.finish(std::move(job))
//   if (auto sync = service.take_sync())     on a worker: sync->run();
//                                            then here: service.finish(std::move(sync))
//   if (auto n = service.notifier.take_due())   on a worker, one at a time: n->run();
//                                            then here: service.finish(std::move(n))
//   service.connections.send_late_replies(...), service.check_clocks()   what is due by now
// Destroy the sessions first.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <set>

#include "base/clock.hpp"
#include "base/text.hpp"
#include "protocol/events.hpp"
#include "protocol/userid.hpp"
#include "server/tables/accounts.hpp"
#include "server/connections.hpp"
#include "server/tables/chats.hpp"
#include "server/hash_queue.hpp"
#include "server/notifier.hpp"
#include "server/minute_limit.hpp"
#include "server/tables/history.hpp"
#include "server/tables/ladders.hpp"
#include "server/tables/login_keys.hpp"
#include "server/tables/mail.hpp"
#include "server/tables/queued_plies.hpp"
#include "server/tables/seeks.hpp"
#include "server/tables/tournaments.hpp"
#include "server/timekeeper.hpp"
#include "store/board_store.hpp"
#include "store/database.hpp"

namespace pbm {

// The people who may create an account: all, those with an invitation, or only the owner.
enum class Signup : std::uint8_t { open, invited, closed };
inline const std::string kSignupModes[]{"open", "invited", "closed"};

struct ServiceOptions {
  std::filesystem::path directory;
  std::function<Time()> clock = StableClock();                          // for times that are stored
  std::function<SteadyTime()> moment = std::chrono::steady_clock::now;  // for durations
  // Returns the text of rules/NAME.md for `help`, or why it cannot be read.
  std::function<Result<std::string>(const std::string& game)> read_rules;
  PasswordCost password_cost;
  SyncFunction sync_file;                 // syncs saves, on the worker thread; nullptr: fdatasync
  std::size_t signups_a_minute = 20;      // of all together; a quarter of them from one source,
                                          // and five times as many a day
  std::size_t signups_a_day = 1'000;      // of all together
  std::size_t texts_a_minute = 30;        // lines of chat, messages, broadcasts of one user
  std::size_t challenges_a_minute = 120;  // by one user
  std::size_t boards_a_user = 200;        // running boards of one user on which all have played
  std::size_t unplayed_between_two = 10;  // boards of two users on which not everybody has played
  std::size_t unplayed_begun = 200;       // the same, begun by one user
  std::size_t entries_a_board = 3'000;    // plies, and as many offers: each slows down replaying
  std::size_t max_accounts = 100'000;
  std::size_t connections_a_user = 50;  // of a userid; of a login or address before it signs in
  std::size_t min_password_bytes = kMinPasswordLength;  // bytes of a new one
  Signup signup = Signup::open;                         // who may take a userid
  bool members_make_tournaments = true;                 // else only the owner does
  std::string server_login;                             // the login that the server runs as
  std::string host;                                     // the name of the machine in invitations
  bool rate_computers = false;                          // games against computers are rated
  // Logs one line, which is harmless to a terminal and has no line end.
  std::function<void(const std::string&)> log;
  std::string notify_program;  // the program that notifies players, with its arguments, or ""
};

// The refusal of a command that cannot be saved. The server tells its owner.
inline constexpr const char* kCannotSave =
    "The server cannot save right now. Nothing was changed. The owner has been told.";

// The refusal of a command that failed for another reason. Members read it: it has no path.
Refusal not_saved(const std::string& reason);

class Service {
 public:
  // Throws Error if the directory cannot be used or another server uses it.
  explicit Service(ServiceOptions given);
  ~Service();
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  // --- for the event loop: see the top of this file ---

  // Commits the transaction and sends its replies. If the commit fails, undoes everything and
  // answers each line of the transaction with the error.
  void commit();
  std::unique_ptr<SyncJob> take_sync(bool all = false) {
    return store.take_sync_job(moment(), all);
  }
  void finish(std::unique_ptr<SyncJob> sync) { store.finish_sync(std::move(sync)); }
  std::unique_ptr<HashJob> take_hash() { return password_queue.take(moment()); }
  void finish(std::unique_ptr<HashJob> job);
  void finish(std::unique_ptr<NotificationJob> job);
  // Returns when send_late_replies() or take_hash() has work, or nothing if that needs another
  // event. `hashing` is true while a job of take_hash() runs.
  std::optional<SteadyTime> next_due(bool hashing) const;
  std::optional<SteadyTime> next_notification_due() const;
  std::optional<SteadyTime> sync_due() const { return store.next_sync_due(); }
  SteadyTime next_clock_check() const { return next_clock_check_; }
  // Does what is due by the clocks of the boards, at most once a minute.
  void check_clocks();
  // Does all the due work on this thread; with `all`, also syncs the saves that are not due.
  void run_due_work(bool all = false);

  // Returns an error message if the server must end, else "". It must when its database can save
  // nothing any more, for example as somebody deleted the file.
  std::string fatal_error() const;
  // Returns the errors since the last call: failed notifications and failed writes.
  std::vector<std::string> take_errors();
  // Returns an error message for each file that could not be read at the start.
  const std::vector<std::string>& warnings() const { return warnings_; }

  // --- for sessions and commands ---
  // True if the next commit has anything to save.
  bool has_changes() const { return database.has_changes() || store.change_count() > 0; }
  Time time() const { return options.clock(); }
  SteadyTime moment() const { return options.moment(); }
  // Forgets a closed connection and the password it waits for.
  void remove_connection(std::uint64_t number);
  // A point in the transaction. undo_to() undoes the changes to boards made after it, and drops the
  // events and lines of the log queued after it.
  struct Savepoint {
    std::size_t change_count, event_count, log_count;
  };
  Savepoint savepoint() const {
    return {store.change_count(), connections.queued_count(), commit_log_.size()};
  }
  void undo_to(const Savepoint& mark);

  // The counters that `admin stats` shows to the owner.
  struct Counters {
    SteadyTime started{};
    std::size_t entries = 0, replies = 0, refusals = 0, wrong_passwords = 0, write_errors = 0;
  };
  // Counts a failed write, and logs the same error at most every ten minutes. Tells the owner of a
  // full disk. `reason` is the reason without a path, or "". Returns the refusal for members.
  Refusal report_write_error(const std::string& why, const std::string& reason);
  // Writes to the log, if there is one.
  void log_event(const std::string& what) const {
    if (options.log) options.log(safe_text(what));
  }
  // Counts a line that may repeat often. Returns false if the last ten minutes had the same one.
  bool may_log(const std::string& line) {
    return minute_limits.log_lines.check_and_add(line, moment()).ok();
  }
  // Writes to the log after the commit, if it succeeds.
  // If `is_repeated`, asks may_log() then.
  void log_on_commit(std::string what, bool is_repeated = false) {
    commit_log_.emplace_back(std::move(what), is_repeated);
  }
  // Returns the owner's welcome from the file "motd", at most ten harmless lines.
  std::vector<std::string> welcome();
  // Refuses a banned userid.
  Result<Success> check_ban(const std::optional<Account>& account) const;
  // Refuses a new account if the server has as many as it holds.
  Result<Success> check_account_limit();
  // Refuses if `userid` has its maximum of connections, unless `client` is one of them.
  Result<Success> check_connection_limit(const std::string& userid, const Client& client) const;
  // Returns who may create an account now: the owner may have closed sign-up for a while.
  Signup signup_mode() { return accounts.has_open_signups() ? options.signup : Signup::closed; }
  // The limits for each minute, and one for each day.
  struct MinuteLimits {
    MinuteLimit signups;                                       // of all together, counted for ""
    MinuteLimit signups_by_source;                             // by source: Session::limit_source()
    MinuteLimit daily_signups_by_source;                       // the same, for a day
    MinuteLimit signups_by_network, daily_signups_by_network;  // by network_of_source()
    MinuteLimit texts;                                         // by userid, in lines
    MinuteLimit challenges;                                    // by userid
    MinuteLimit log_lines;                                     // by line: see may_log()
  };
  // Sends an event to the watching connections of `users`, but not to connection `but`. With `keep`
  // the other users find it in their mail. Schedules notifications. Pre: no user is there twice.
  void send_event(const std::vector<std::string>& users, const Event& event, bool keep,
                  std::uint64_t but = 0);
  // Sends programs the state of a board and the actions just `done` on it.
  void send_board_state(const std::vector<std::string>& users, const BoardSummary& board,
                        const std::vector<LogEntry>& done, std::uint64_t but = 0);
  // Returns "Round 2 of autumn" or "Ladder of Toot" for a board of a tournament or a ladder, else
  // "". Players cannot refuse such a board.
  const std::string& describe_contest(const std::string& board) {
    const std::string& round = tournaments.describe_board(board);
    return round.empty() ? ladders.describe_board(board) : round;
  }
  // Runs work within the transaction. If it throws, undoes its changes and throws on.
  void attempt(const std::function<void()>& work);
  // Returns the clock of a board as its players see it.
  BoardClock board_clock(const BoardSummary& board) {
    return timekeeper.board_clock(board, time());
  }
  // Recalculates the clocks of the boards of `userid` after a vacation began or ended, and informs
  // their players and watchers, but not connection `but`.
  void update_clocks(const std::string& userid, std::uint64_t but);
  // Returns `board` with what only its reader sees; `userid` is the reader, "" for anybody.
  BoardSummary summary_for(const std::string& userid, const BoardSummary& board);
  // Writes the userids of today. The save of a finished board keeps the earlier ones.
  void update_names(BoardSummary& board);
  // Returns the userids of the players of a board, each once, or if a userid is one of them.
  std::vector<std::string> players(const BoardSummary& board);
  bool is_player(const BoardSummary& board, const std::string& userid);
  // Returns the players and watchers, each once. A player's block excludes a watcher.
  std::vector<std::string> audience(const BoardSummary& board);

 private:
  std::string current_userid(const BoardSummary& board, const std::string& name);
  void recover_boards(const std::vector<BoardKey>& changed);
  void delete_orphans();
  void note_failed_save(const std::string& reason);
  void note_save();
  void tell_owner();

  UniqueFd directory_lock_;  // of the directory: released last
  std::vector<std::string> warnings_, errors_;
  SteadyTime next_clock_check_{};
  // From a failed save until nothing has failed for an hour.
  struct SavingTrouble {
    SteadyTime last_failure{};
    std::optional<SteadyTime> told_at = {};  // when the owner was told, the last time
  };
  std::optional<SavingTrouble> saving_trouble_;
  std::string owner_notice_;                              // to send after the transaction, or ""
  std::vector<std::pair<std::string, bool>> commit_log_;  // by log_on_commit()

 public:
  const ServiceOptions options;
  Database database;
  Accounts accounts;
  LoginKeys keys;
  History history;
  Mail mail;
  QueuedPlies queued_plies;
  Seeks seeks;
  Tournaments tournaments;
  Ladders ladders;
  Timekeeper timekeeper;
  Chats chats;
  BoardStore store;
  Notifier notifier;
  Connections connections;
  Counters counts;
  HashQueue password_queue;
  MinuteLimits minute_limits;
};

}  // namespace pbm
