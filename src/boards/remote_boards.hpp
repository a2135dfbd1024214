// SPDX-License-Identifier: MIT
// Boards on a server, over a connection to it. Whoever is connected plays one seat of each; notes
// stay on this side (local_notes.hpp). A connection that breaks is made anew by itself, and a ply
// whose answer was lost with it is sent again; its number goes with it, so that it is played only
// once. Believes nothing that a server says. For a screen nothing here waits: what takes its time
// is done by ask(), and what is known is told at once. Leaves the connection's bytes to
// line_client.hpp, what is said to protocol/, and rules to the match.
#pragma once

#include <chrono>
#include <filesystem>
#include <map>

#include "base/wait_set.hpp"
#include "base/files.hpp"
#include "boards/background_tasks.hpp"
#include "boards/followed_boards.hpp"
#include "boards/repository.hpp"
#include "boards/local_notes.hpp"
#include "boards/notifications.hpp"
#include "boards/line_client.hpp"
#include "protocol/people.hpp"

namespace pbm {

// What a server says to a line of the command language; lines of it are harmless.
struct CommandAnswer {
  std::string summary;
  std::vector<std::string> lines;
  std::string board = {};  // the one that something was done on, or ""
  // All of it, to read.
  std::string text() const { return summary + (lines.empty() ? "" : "\n") + joined_lines(lines); }
};

class RemoteBoards final : public Repository {
 public:
  struct Setup {
    Dial dial;
    std::string place;                // for people: "/run/pbmplay.sock"
    std::filesystem::path notebooks;  // a directory a userid below it; empty: nothing is kept
    std::chrono::milliseconds first_wait{
        1000};            // before a broken line is tried again; then twice as long, and so on
    bool hears = true;    // else nothing is told, and what waits for him waits on
    bool screen = false;  // these are a screen's: whatever has to wait is done by ask()
    Waiter wait = wait_until();  // else; what it gives up is not asked again by itself
  };
  static constexpr std::size_t kMaxOthers = 2000;  // boards of others in the list
  // Without a `dial` there is no server, and whatever is asked of it is refused.
  explicit RemoteBoards(Setup setup);
  ~RemoteBoards() override;

  // Connects, as nobody; refuses when nobody listens there.
  Result<Done> connect();
  // Connects as `user`, whom the server believes without a password, because it knows who runs this
  // program. A userid that is not there yet is taken.
  Result<Done> connect_as(const std::string& user);
  // Where one of these was refused: goes on trying by itself, and tells why as news.
  void connect_later(const std::string& why);

  // For a screen: connects as `user`, or as nobody for "". Refuses if that is refused within
  // `patience`. If it takes longer it goes on, and should it fail then, that is told as news.
  Result<Done> connect_within(std::chrono::milliseconds patience, const std::string& user);

  // Does something that may wait, of a screen: the function `task` returns is called before ask()
  // returns, which returns null then, or else by take_changes(), if the handle is still held. Else
  // it is done at once.
  [[nodiscard]] Handle ask(Task task, Priority priority = Priority::person);
  // Whether something that the person wants has no answer yet; and how to wait for it no longer:
  // then it is refused.
  bool asking() const { return tasks_ && tasks_->asking(); }
  void give_up() {
    if (tasks_) tasks_->give_up();
  }

  // Ids are "toot-101", or the number alone where one board of his has it.
  std::vector<BoardSummary> list() override;
  Result<Board> open(const std::string& id) override;
  Result<Done> play(Board& board, const std::vector<MoveRequest>& turns) override;
  int changes() override;
  bool take_changes() override { return tasks_ ? tasks_->take() : look(); }
  std::string place() const override { return setup_.place; }

  // Whether there is somebody to take lines of the command language; then players are userids.
  bool takes_commands() const { return waits_ != nullptr; }
  // Who is connected; "" until somebody has signed in.
  std::string user() const { return user_; }
  NotificationQueue& news() { return news_; }
  // The last lines that were said, at most 200, the latest last.
  std::vector<std::string> talk() { return notebook().talk(); }
  // How many boards wait for whoever is connected, `but` not counted.
  std::size_t waiting(const std::string& but);
  // Why whoever was signed in has to sign in again, told once each time; "" for no reason. What he
  // has typed stays, and so does what is pending.
  std::string take_sign_out() { return std::exchange(asks_person_, false) ? no_line().why : ""; }
  // Why the server does not let in the person this program was started for; "" while it may.
  std::string turned_away() const { return turned_away_; }
  // A few words while there is no connection, else "".
  std::string trouble() const {
    return line_ ? "" : locked_out_.empty() ? "no connection" : "signed out";
  }
  // A ply whose answer was lost with the connection is sent again when that is back. Whether there
  // is one for this board; and how to have it sent no more.
  bool pending(const std::string& id) const { return pending_.count(id) > 0; }
  void forget(const std::string& id) { pending_.erase(id); }
  // By userid: those who are here, and all others that were asked for (look_around).
  std::vector<Person> people() const;
  // Whether the list has boards that only others play on.
  bool shows_others() const { return shows_others_; }

  // All below waits for the server's answer, and is refused while there is no connection.

  // Both answer with what the server says: "Hello, fred: 2 boards wait for you."
  Result<std::string> sign_in(const std::string& user, const std::string& password);
  Result<std::string> sign_up(const std::string& user, const std::string& password);

  // Sends a line of the command language.
  Result<CommandAnswer> command(std::string_view line);

  // Asks anew who is here and who seeks a player. `all`: everybody with a userid, too; `others`:
  // from now on the list has the boards of others that run.
  Result<Done> look_around(bool all, bool others);

  // A challenge to the same once more, with the seats swapped. Refuses what the server refuses.
  Result<Board> rematch(const Board& board);

  // What was said on a board, behind the line of that number; then it counts as read. Refuses where
  // the server keeps nothing of it.
  Result<std::vector<ChatLine>> said_on(const std::string& id, std::size_t behind);

  // chat() says something to all on a board; watch() begins to watch it, or ends; queue() has a
  // move played when one's turn comes ("none" forgets it, "" asks for it). All answer with what the
  // server says.
  Result<std::string> chat(const std::string& id, std::string_view text);
  Result<std::string> watch(const std::string& id, bool wanted);
  Result<std::string> queue(const Board& board, std::string_view move);

 private:
  // A ply that was sent and not answered.
  struct Pending {
    std::string text, command;
    std::chrono::steady_clock::time_point until;
  };

  Result<Done> played(Board& board, const Action& entry, const Reply& reply);
  Result<Match> match_of(const BoardKey& place, std::string& warning);

  // Sends a line and waits for its reply. With `tell` it is also news when the connection is lost
  // by that, for where nobody would see the refusal.
  Result<Reply> request(const std::string& line, bool tell = true);
  // request() for a command of the person: connects first if there is no connection, and refuses
  // what the server refuses.
  Result<Reply> order(const std::string& line);
  // The same for one about a board: "toot chat 101 : hello".
  Result<Reply> order_on(const std::string& id, std::string_view verb,
                         const std::string& more = "");
  // A new connection to the same server as before, with nobody on it.
  Result<Done> dial();
  // The connection ends, and only the person can go on from here.
  void sign_out(const std::string& why);
  // Says who one is on a new connection, and what follows that.
  Result<Done> enter();
  void begin();
  void disconnect(const std::string& why, bool tell = true);
  void retry_later();
  // Connects, if need be, for what the person wants now.
  void need_line();
  void send_pending();
  Refusal no_line() const;
  bool hear_events();  // false when nothing came
  // Takes in what came and does what is due. False when nothing was.
  bool look();
  void handle_event(const std::string& what);
  // Something was done by a command; `told`: its reply has told what, and that was absorbed.
  void changed_here(bool told) {
    list_is_old_ = list_is_old_ || !told;
    ring();
  }
  // What was said since this was last called is written down.
  void keep_talk();
  // How far a list of boards was read.
  struct Pieces {
    std::size_t told = 0;
    bool more = false;
  };
  std::optional<std::vector<BoardSummary>> read_piece(const std::string& command, Pieces& pieces);
  void refresh_list();
  void refresh_lobby();
  void refresh_others();
  LocalNotes notebook() const {
    return LocalNotes(setup_.notebooks.empty() || user_.empty() ? std::filesystem::path()
                                                                : setup_.notebooks / user_);
  }

  Setup setup_;
  std::unique_ptr<ServerLine> line_;
  std::string user_, password_;
  bool trusted_ = false;      // no password is needed
  std::string locked_out_;    // why the person has to sign in again: it is not tried any more
  bool asks_person_ = false;  // and is to hear of it now
  std::string stranger_;      // the last refusal of a line's other end that was told
  // What is waited for; null where there is no server.
  struct Waits;
  const std::unique_ptr<Waits> waits_;
  // take_changes() has something to do.
  void ring() const;
  unsigned failures_ = 0;  // in a row
  FollowedBoards followed_;
  bool list_is_old_ = true, lobby_is_old_ = true, shows_others_ = false;
  Pieces own_, of_others_;
  std::vector<BoardSummary> seeks_, others_;  // as rows of the list
  std::vector<BoardSummary> next_others_;     // what becomes others_, as far as it was read
  std::map<std::string, Person> people_;
  std::string turned_away_;  // the server lets nobody in by that name
  bool was_in_ = false;
  NotificationQueue news_;
  std::vector<LocalNotes::Said> said_;      // and not written down yet
  std::map<std::string, Pending> pending_;  // by board: the newest on each
  Handle connecting_;
  std::unique_ptr<BackgroundTasks> tasks_;  // of a screen
};

}  // namespace pbm
