// SPDX-License-Identifier: MIT
// The state of a server under one directory: boards as ordinary saves, and all else in a database
// in its .server. Has no socket, thread or clock of its own: its owner calls it from one thread. It
// blocks only at its start, while another process writes or recovers there. Leaves the permissions
// of users to the commands.
//
// How to drive it: call Session::line() and whatever else this transaction needs, then
//   service.end_turn()                       commits the transaction and sends the replies
// and also, each in a transaction, whenever something has happened:
//   if (auto job = service.take_hash())      on a worker, one at a time: job->run();
//                                            then here: service.finish(std::move(job))
//   if (auto sync = service.take_sync())     on a worker: sync->run();
//                                            then here: service.finish(std::move(sync))
//   if (auto n = service.messenger.take())   on a worker, one at a time: n->run();
//                                            then here: service.finish(std::move(n))
//   service.connections.answer_late(...), service.look_at_clocks()   what is due by now
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
#include "server/messenger.hpp"
#include "server/minute_count.hpp"
#include "server/tables/history.hpp"
#include "server/tables/mail.hpp"
#include "server/tables/premoves.hpp"
#include "server/tables/seeks.hpp"
#include "server/timekeeper.hpp"
#include "store/board_store.hpp"
#include "store/database.hpp"

namespace pbm {

struct ServiceOptions {
  std::filesystem::path directory;
  std::function<Time()> clock = OwnClock();                         // for times that are stored
  std::function<Moment()> moment = std::chrono::steady_clock::now;  // for durations
  // Returns the text of rules/NAME.md for `help`, or why it cannot be read.
  std::function<Result<std::string>(const std::string& game)> rules;
  PasswordCost cost;
  SyncFile sync_file;                     // syncs saves, on the worker thread; nullptr: fdatasync
  std::size_t signups_a_minute = 20;      // of all together; a quarter of them from one source
  std::size_t texts_a_minute = 30;        // lines of chat, messages, broadcasts of one user
  std::size_t challenges_a_minute = 120;  // by one user
  std::size_t boards_a_user = 200;        // running boards of one user on which all have played
  std::size_t unplayed_between_two = 10;  // boards of two users on which not everybody has played
  std::size_t unplayed_begun = 200;       // the same, begun by one user
  std::size_t entries_a_board = 3'000;    // plies, and as many offers: each slows down replaying
  std::size_t accounts = 100'000;
  std::size_t connections_a_user = 50;  // of a userid; of a login or address before it signs in
  std::size_t shortest_password = kShortestPassword;  // bytes of a new one
  bool signup = true;                                 // anybody may take a userid
  std::string login;                                  // the login that the server runs as
  bool rate_computers = false;                        // games against computers are rated
  // Logs one line, which is harmless to a terminal and has no line end.
  std::function<void(const std::string&)> log;
  std::string notify;  // the program that notifies players, with its arguments, or ""
};

// The refusal of a command whose changes could not be saved. Members read it: no path is in it.
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
  void end_turn();
  std::unique_ptr<SavesSync> take_sync(bool all = false) { return store.take_sync(moment(), all); }
  void finish(std::unique_ptr<SavesSync> sync) { store.finish(std::move(sync)); }
  std::unique_ptr<HashJob> take_hash();
  void finish(std::unique_ptr<HashJob> job);
  void finish(std::unique_ptr<NoticeJob> job);
  // Returns when answer_late() or take_hash() has work, or nothing if that needs another event.
  // `hashing` is true while a job of take_hash() runs.
  std::optional<Moment> due(bool hashing) const;
  std::optional<Moment> notice_due() const;
  std::optional<Moment> sync_due() const { return store.sync_due(); }
  Moment next_look() const { return next_look_; }
  // Does what is due by the clocks of the boards, at most once a minute.
  void look_at_clocks();
  // Does all the due work on this thread; with `all`, also syncs the saves that are not due.
  void settle(bool all = false);

  // Returns an error message if the server must end, else "". It must when its database can save
  // nothing any more, for example as somebody deleted the file.
  std::string must_end() const;
  // Returns the errors since the last call: failed notifications and failed writes.
  std::vector<std::string> take_troubles();
  // Returns an error message for each file that could not be read at the start.
  const std::vector<std::string>& warnings() const { return warnings_; }

  // --- for sessions and commands ---
  Time time() const { return options.clock(); }
  Moment moment() const { return options.moment(); }
  // Forgets a closed connection and the password it waits for.
  void leave(std::uint64_t number);
  // A point in the transaction. undo_to() undoes the changes to boards made after it, and drops the
  // events queued after it.
  struct Mark {
    std::size_t changes, events;
  };
  Mark mark() const { return {store.done(), connections.events()}; }
  void undo_to(const Mark& mark);

  // The counters that `admin stats` shows to the owner.
  struct Counts {
    Moment since{};
    std::size_t entries = 0, replies = 0, refusals = 0, wrong_passwords = 0, not_written = 0;
  };
  // Counts a failed write, and reports the same error to the owner at most every ten minutes.
  void not_written(const std::string& why);
  // Writes to the log, if there is one.
  void note(const std::string& what) const {
    if (options.log) options.log(safe_text(what));
  }
  // Starts or stops draining: no game begins, and only the owner may connect.
  static constexpr auto kDrainedFor = std::chrono::hours(24);
  void drain(bool on) { draining_ = on ? std::optional(moment()) : std::nullopt; }
  bool draining() const { return draining_.has_value(); }
  // True if the server drains, and no person is signed in or kDrainedFor is over.
  bool drained();
  // Returns the userids of people, not computers, that are signed in.
  std::set<std::string> people_here();
  // Refuses a banned userid; may_begin() refuses a new game while the server drains.
  Result<Done> may_use(const std::optional<Account>& account) const;
  Result<Done> may_begin() const;
  // Refuses a new account if the server has as many as it holds.
  Result<Done> has_room_for_account();
  // Refuses if `userid` has its maximum of connections, unless `client` is one of them.
  Result<Done> may_come_in(const std::string& userid, const Client& client) const;
  // The limits for each minute.
  struct MinuteCounts {
    MinuteCount signups;       // of all together, counted for ""
    MinuteCount signups_from;  // by source: Session::asker()
    MinuteCount texts;         // by userid, in lines
    MinuteCount challenges;    // by userid
  };
  // Sends an event to the watching connections of `users`, but not to connection `but`. With `keep`
  // the other users find it in their mail. Schedules notifications. Pre: no user is there twice.
  void tell(const std::vector<std::string>& users, const Event& event, bool keep,
            std::uint64_t but = 0);
  // Sends programs the state of a board and the actions just `done` on it.
  void tell_now(const std::vector<std::string>& users, const BoardSummary& board,
                const std::vector<Action>& done, std::uint64_t but = 0);
  // Returns the clock of a board as its players see it.
  BoardClock clock_of(const BoardSummary& board) { return timekeeper.clock_of(board, time()); }
  // Recalculates the clocks of the boards of `userid` after a vacation began or ended, and informs
  // their players and watchers, but not connection `but`.
  void clocks_changed(const std::string& userid, std::uint64_t but);
  // Returns `board` with what only its reader sees; `userid` is the reader, "" for anybody.
  BoardSummary summary_for(const std::string& userid, const BoardSummary& board);
  // Returns the players and watchers of a board, each once. A player's block excludes a watcher.
  std::vector<std::string> audience(const BoardSummary& board);

 private:
  void catch_up(const std::vector<BoardKey>& changed);
  void sweep();

  UniqueFd lock_;  // of the directory: released last
  std::vector<std::string> warnings_, troubles_;
  Moment next_look_{};
  std::optional<Moment> draining_;            // since when
  std::map<std::string, Moment> complained_;  // the last report of each write error

 public:
  const ServiceOptions options;
  Database database;
  Accounts accounts;
  History history;
  Mail mail;
  Premoves queue;
  Seeks seeks;
  Timekeeper timekeeper;
  Chats chats;
  BoardStore store;
  Messenger messenger;
  Connections connections;
  Counts counts;
  HashQueue passwords;
  MinuteCounts in_a_minute;
};

}  // namespace pbm
