// SPDX-License-Identifier: MIT
// Boards on a server, over a line to it. Who is connected plays one seat of
// each; notes stay on this side (local_notes.hpp). A line that breaks is laid again
// by itself, and a ply whose answer was lost with it is asked again: the number
// of the ply stands behind it, so that it is played once. Believes nothing that
// a server says. Leaves bytes to line_client.hpp, how it is said to protocol/, rules
// to the match.
#pragma once

#include <chrono>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <set>

#include "base/event_fd.hpp"
#include "base/files.hpp"
#include "base/wait_set.hpp"
#include "protocol/board_id.hpp"
#include "boards/boards.hpp"
#include "boards/local_notes.hpp"
#include "boards/line_client.hpp"
#include "protocol/board_summary.hpp"

namespace pbm {

// What is needed of a connection: a line out, its reply in, events put aside.
// Whatever it refuses, it is lost.
class ServerLine {
 public:
  virtual ~ServerLine() = default;
  virtual Result<Reply> ask(std::string_view line) = 0;
  // Several, of which none waits for the answer to another.
  virtual Result<std::vector<Reply>> ask_all(const std::vector<std::string>& lines);
  // Reads what is there, without waiting.
  virtual Result<Done> take_in() = 0;
  virtual std::vector<std::string> take_events() = 0;
  // Becomes readable when take_in() has something to do; -1 for none.
  virtual int descriptor() const = 0;
  // Refuses a line at whose other end is somebody else than at the one before.
  virtual Result<Done> known() { return Done{}; }
  // Whether known() can tell; else a password is not sent again unasked.
  virtual bool tells_who() const { return true; }
};
using Dial = std::function<Result<std::unique_ptr<ServerLine>>()>;

// Over a socket. Who was at the other end of a Unix socket is kept in `known`.
// While `give_up` is readable nothing is waited for.
Dial dial_to(ServerAddress address, std::filesystem::path known = {}, int give_up = -1);

class RemoteBoards final : public Boards, public ServerRequests {
 public:
  struct Setup {
    Dial dial;
    std::string place;                // for people: "/run/pbmplay.sock"
    std::filesystem::path notebooks;  // a directory a userid below it; empty: nothing is kept
    std::chrono::milliseconds first_wait{
        1000};         // before a broken line is tried again; then twice as long, and so on
    int give_up = -1;  // the same as the dial's: what is given up is not asked again by itself
  };
  explicit RemoteBoards(Setup setup);
  ~RemoteBoards() override;

  // Connects, as nobody; refuses when nobody listens there.
  Result<Done> connect();
  // The same as `user`, whom the server believes without a password, because it
  // knows who runs this program. A userid that is not there yet is taken.
  Result<Done> connect_as(const std::string& user);
  // Goes on trying by itself, for whoever was refused by these, and tells why.
  void connect_later(const std::string& why);

  // What list() last had, and the boards with a ply that is pending.
  const std::vector<BoardSummary>& listed() const { return listed_; }
  std::set<std::string> all_pending() const;
  // talk() of somebody; asks nobody, and may be called on any thread.
  std::vector<std::string> talk_of(const std::string& user) const;

  // Boards: ids are "toot-101", or the number alone where one board of his has it.
  std::vector<BoardSummary> list() override;
  Result<Board> open(const std::string& id) override;
  Result<Board> create(const GameType& game, const Options& options,
                       const std::vector<std::string>& names) override;
  Result<Board> keep(const Match& match) override;
  Result<Done> play(Board& board, const std::vector<MoveRequest>& turns) override;
  int changes() override { return watch_.get(); }
  bool take_changes() override;
  std::string place() const override { return setup_.place; }
  Server& server() override { return *this; }
  ServerRequests* requests() override { return this; }

  // Server:
  std::string user() const override { return user_; }
  Result<std::string> sign_in(const std::string& user, const std::string& password) override;
  Result<std::string> sign_up(const std::string& user, const std::string& password) override;
  Result<Answer> command(std::string_view line) override;
  Result<std::string> chat(const std::string& id, std::string_view text) override;
  Result<std::string> watch(const std::string& id, bool wanted) override;
  Result<std::string> queue(const Board& board, std::string_view move) override;
  std::vector<Notification> take_news() override;
  std::vector<std::string> talk() override;
  std::size_t waiting(const std::string& but) override;
  std::string take_sign_out() override;
  std::string turned_away() const override { return turned_away_; }
  std::string trouble() const override;
  bool pending(const std::string& id) const override { return pending_.count(id) > 0; }
  void forget(const std::string& id) override;

 private:
  // A ply that was sent and not answered.
  struct Pending {
    std::string text, command;
    std::chrono::steady_clock::time_point until;
  };

  // A board as the server has it, as long as that tells what is done there.
  struct Followed {
    std::string id;
    Match match;
    std::map<std::size_t, Action> ahead;  // what was told before that which it stands behind
    bool go_on(const BoardUpdate& update);
  };
  Followed* followed(const std::string& id);
  void unfollow(const std::string& id);
  Result<Match> match_of(const BoardKey& place, std::string& warning);

  Result<BoardKey> place_of(const std::string& id) const;
  // A lost line is told as news too where nobody would see the refusal.
  Result<Reply> request(const std::string& line, bool tell = true);
  // The same of what can be sent twice: once more when the line breaks.
  Result<Reply> ask_surely(const std::string& line);
  // request() for a command of the person: lays the line first if it is broken.
  // Refuses too what the server refuses.
  Result<Reply> order(const std::string& line);
  Result<Done> dial();
  void sign_out(const std::string& why);
  Result<Done> enter();
  // What follows `line`, which says who one is, on a new connection.
  Result<Reply> introduce(const std::string& line);
  Result<Done> begin_to_hear(const Reply& hello, const Reply& watch);
  void disconnect(const std::string& why, bool tell = true);
  void retry_later();
  void reconnect();
  // A new line for what the person wants now, if there is none.
  void need_line();
  void send_pending();
  Refusal no_line() const;
  bool given_up() const;
  bool hear_events();  // whether anything came
  void handle_event(const std::string& what);
  // What a reply or an event tells of a board.
  void absorb(BoardUpdate update);
  std::optional<BoardUpdate> update_in(const Reply& reply) const;
  // Something was done by a command; `told`: and absorbed.
  void changed_here(bool told);
  void add_news(Notification::Kind kind, const std::string& board, const std::string& text);
  void keep_talk(const std::string& board, const std::string& said);
  void refresh_list();
  BoardSummary* listed(const std::string& id);
  Result<std::string> new_board(const Reply& challenged, const GameType& game,
                                const std::vector<BoardSummary>& before);
  LocalNotes notebook() const { return notes_of(user_); }
  LocalNotes notes_of(const std::string& user) const;

  Setup setup_;
  std::unique_ptr<ServerLine> line_;
  std::string user_, password_;
  bool trusted_ = false;      // no password is needed
  std::string locked_out_;    // why the person has to sign in again: it is not tried any more
  bool asks_person_ = false;  // and is to hear of it now
  std::string stranger_;      // the last refusal of a line's other end that was told
  WaitSet watch_;
  TimerFd timer_;
  EventFd bell_;
  unsigned failures_ = 0;  // in a row
  std::vector<BoardSummary> listed_;
  bool list_is_old_ = true;
  unsigned version_ = 1;            // of the language that the server speaks
  std::vector<Followed> followed_;  // the latest opened last
  std::string turned_away_;         // the server lets nobody in by that name
  bool was_in_ = false;
  std::deque<Notification> news_;
  std::map<std::string, Pending> pending_;  // by board: the newest on each
};

}  // namespace pbm
