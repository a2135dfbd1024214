// SPDX-License-Identifier: MIT
// All the server keeps and knows, under one directory: boards as ordinary saves, and in its .server
// a database of all else. Has no socket, thread or clock of its own; whoever owns it calls it from
// one thread. Only when it starts it waits: a moment for others who write or recover there. Leaves
// who may do what to the commands.
//
// How to drive it: call Session::line() and what else is to be done in this turn, then
//   service.end_turn()                       what was done is on disk, and is answered
// and whenever something was done
//   if (auto job = service.take_hash())      on a worker, one at a time: job->run();
//                                            then here: service.finish(std::move(job))
//   if (auto sync = service.take_sync())     on a worker: sync->run();
//                                            then here: service.finish(std::move(sync))
//   if (auto n = service.messenger.take()) on a worker, one at a time: n->run();
//                                            then here: service.finish(std::move(n))
//   service.connections.answer_late(...), look_at_clocks()  what is due by now
// each of them in a turn. Destroy the sessions first.
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
  std::function<Time()> clock = OwnClock();                         // for what is written down
  std::function<Moment()> moment = std::chrono::steady_clock::now;  // for how long something takes
  // The text of rules/NAME.md, for help; or why it cannot be read.
  std::function<Result<std::string>(const std::string& game)> rules;
  PasswordCost cost;
  SyncFile sync_file;                     // of saves, on the thread that syncs; nullptr: fdatasync
  std::size_t signups_a_minute = 20;      // by everybody together; a quarter of them by one asker
  std::size_t texts_a_minute = 30;        // lines of chat, messages, broadcasts of one user
  std::size_t challenges_a_minute = 120;  // by one user
  std::size_t boards_a_user = 200;        // running, on which everybody has played, of all games
  std::size_t unplayed_between_two = 10;  // boards on which not everybody has
  std::size_t unplayed_begun = 200;       // the same, begun by one user
  std::size_t entries_a_board =
      3'000;  // plies and offers: to read a board again takes longer the more there are
  std::size_t accounts = 100'000;
  std::size_t connections_a_user =
      50;  // of a userid; and of a login or address that has not said who it is
  std::size_t shortest_password = kShortestPassword;  // bytes of a new one
  bool signup = true;                                 // whether anybody may take a userid
  std::string login;                                  // whom the server runs as, a name
  bool rate_computers = false;                        // whether games against them count
  // Takes an event, harmless to any terminal, without a line end.
  std::function<void(const std::string&)> log;
  std::string notify;  // the program that tells who is away, and its words; "" for none
};

// The refusal of a command whose changes could not be saved. Members read it: no path is in it.
Refusal not_saved(const std::string& reason);

class Service {
 public:
  // Throws Error when the directory cannot be used or another server has it.
  explicit Service(ServiceOptions given);
  ~Service();
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  // --- how it is driven: see above ---

  // Commits what was changed and sends what was said in this turn; or, where that cannot be kept,
  // undoes it and answers each line of the turn with the reason.
  void end_turn();
  std::unique_ptr<SavesSync> take_sync(bool all = false) { return store.take_sync(moment(), all); }
  void finish(std::unique_ptr<SavesSync> sync) { store.finish(std::move(sync)); }
  std::unique_ptr<HashJob> take_hash();
  void finish(std::unique_ptr<HashJob> job);
  void finish(std::unique_ptr<NoticeJob> job);
  // When there is more of answer_late() and take_hash(), nothing: not before something else
  // happens. `hashing`: a job of take_hash() is out.
  std::optional<Moment> due(bool hashing) const;
  std::optional<Moment> notice_due() const;
  std::optional<Moment> sync_due() const { return store.sync_due(); }
  Moment next_look() const { return next_look_; }
  // Does what is due by the boards' clocks, a minute after the last time or later.
  void look_at_clocks();
  // Runs all of it here until nothing is left that is due; with `all` saves are made safe, too.
  void settle(bool all = false);

  // Why the server must end, a sentence; "" while it need not. What it keeps can no longer be found
  // again: somebody took its own files away.
  std::string must_end() const;
  // What went wrong since the last call with telling who is away, or could not be kept, a sentence
  // each.
  std::vector<std::string> take_troubles();
  // Files that could not be read when the server started, a sentence each.
  const std::vector<std::string>& warnings() const { return warnings_; }

  // --- for sessions and commands ---
  Time time() const { return options.clock(); }
  Moment moment() const { return options.moment(); }
  // A connection is gone, and so is the password it waits for.
  void leave(std::uint64_t number);
  // How much was done in this turn so far; and undoes on boards what was done since, and tells
  // nobody.
  struct Mark {
    std::size_t changes, events;
  };
  Mark mark() const { return {store.done(), connections.events()}; }
  void undo_to(const Mark& mark);

  // What the owner is told in numbers.
  struct Counts {
    Moment since{};
    std::size_t entries = 0, replies = 0, refusals = 0, wrong_passwords = 0, not_written = 0;
  };
  // Something could not be written, which the owner is told now and then.
  void not_written(const std::string& why);
  // Into the log, where there is one.
  void note(const std::string& what) const {
    if (options.log) options.log(safe_text(what));
  }
  // No game begins any more, and nobody else is let in; or again.
  static constexpr auto kDrainedFor = std::chrono::hours(24);
  void drain(bool on) { draining_ = on ? std::optional(moment()) : std::nullopt; }
  bool draining() const { return draining_.has_value(); }
  // Whether it is drained, and no person is here any more or has been for too long.
  bool drained();
  // Userids of persons that connections speak for.
  std::set<std::string> people_here();
  // Refuses a userid that the owner lets in no more, and a new game where none is begun any more.
  Result<Done> may_use(const std::optional<Account>& account) const;
  Result<Done> may_begin() const;
  // Whether there is room for one more userid.
  Result<Done> has_room_for_account();
  // Whether one more connection may speak for `userid`, or `session` does already.
  Result<Done> may_come_in(const std::string& userid, const Client& client) const;
  // How often somebody did that within a minute, and may do it once more.
  struct MinuteCounts {
    MinuteCount signups;       // everybody together, as ""
    MinuteCount signups_from;  // by who asks
    MinuteCount texts;         // by userid, in lines
    MinuteCount challenges;    // by userid
  };
  // Has an event sent to those of `users` who watch, but not to the connection `but`. With `keep`
  // the others find it in their mail. Pre: each is there once.
  void tell(const std::vector<std::string>& users, const Event& event, bool keep,
            std::uint64_t but = 0);
  // The same to programs: how a board stands, and what was just done there.
  void tell_now(const std::vector<std::string>& users, const BoardSummary& board,
                const std::vector<Action>& done, std::uint64_t but = 0);
  // What players are told of its clock.
  BoardClock clock_of(const BoardSummary& board) { return timekeeper.clock_of(board, time()); }
  // Somebody's vacation begins or ends: all who play with him are told, but not the connection
  // `but`.
  void clocks_changed(const std::string& userid, std::uint64_t but);
  // A board with what `userid`, "" for nobody, is told of it.
  BoardSummary summary_for(const std::string& userid, const BoardSummary& board);
  // The players of a board and who subscribed to it, each once.
  std::vector<std::string> audience(const BoardSummary& board);

 private:
  void catch_up(const std::vector<BoardKey>& changed);
  void sweep();

  UniqueFd lock_;  // of the directory: let go of last
  std::vector<std::string> warnings_, troubles_;
  Moment next_look_{};
  std::optional<Moment> draining_;            // since then
  std::map<std::string, Moment> complained_;  // by why something could not be written

 public:
  // All that it has, each by itself.
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
