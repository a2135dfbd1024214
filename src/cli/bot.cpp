// SPDX-License-Identifier: MIT
// The computer as a user of a server: an ordinary client that accepts challenges and plays.
#include <poll.h>

#include <algorithm>
#include <iostream>
#include <map>

#include "base/wait_set.hpp"
#include "boards/computer_player.hpp"
#include "boards/remote_boards.hpp"
#include "cli/paths.hpp"
#include "cli/runs.hpp"
#include "cli/shared.hpp"

namespace pbm {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kUsualBoards = 20;
constexpr auto kAgain = 10s;  // before it tries a skipped board again

// The challenges that it accepts: the games, and the maximum number of boards at a time.
struct Willing {
  int level;
  std::vector<const GameType*> games;
  std::size_t boards;
};

class Bot {
 public:
  Bot(RemoteBoards& server, Willing takes) : server_(server), takes_(std::move(takes)) {
    for (const int fd : {server_.changes(), thinker_.bell(), again_.get()}) waits_.add(fd);
  }

  int run() {
    for (;;) {
      server_.take_changes();
      for (const Notification& news : server_.news().take())
        if (news.kind == Notification::Kind::connection) log(news.text);
      if (!server_.turned_away().empty()) return complain(kRefused, server_.turned_away());
      if (again_.clear()) left_alone_.clear();
      if (!server_.trouble().empty()) {
        introduced_ = false;
      } else if (!introduced_) {
        if (const std::string why = introduce(); !why.empty()) return complain(kRefused, why);
      }
      if (introduced_) {
        thinker_.take_changes();
        attend();
      }
      pollfd something{waits_.get(), POLLIN, 0};
      ::poll(&something, 1, -1);
    }
  }

 private:
  // Tells the server its games, after every connection: the new server may be another one. Returns
  // why the bot cannot continue, or "" if all is well or only the connection is lost.
  std::string introduce() {
    std::vector<std::string> lines{"set computer yes"};
    for (const GameType& game : all_games())
      lines.push_back(std::string(game.name) + " limit " +
                      (takes(&game) ? std::to_string(takes_.boards) : "none"));
    for (const std::string& line : lines) {
      const auto said = server_.command(line);
      if (!said && !server_.trouble().empty()) return "";  // it connects again
      if (!said) return said.refusal().why;
    }
    introduced_ = true;
    left_alone_.clear();  // those commands may have failed with the connection
    log("playing as " + server_.user() + " at " + server_.place() + ", level " +
        std::to_string(takes_.level));
    return "";
  }

  // Looks at every board once. Declines and answers at once, even while it thinks. Then thinks
  // about the board that has waited longest, if it is its turn there.
  void attend() {
    std::vector<BoardSummary> mine = server_.list();
    std::erase_if(mine, [&](const BoardSummary& b) {
      return !b.broken.empty() || b.over() || !my_seat(b) || mine_among(b.seats.resigned, b) ||
             server_.pending(b.id);
    });
    // A board on which it has played stays, whatever challenges arrive.
    const auto begun = [&](const BoardSummary& b) { return !mine_among(b.seats.unplayed, b); };
    std::ranges::sort(mine, [&](const BoardSummary& a, const BoardSummary& b) {
      return std::pair(!begun(a), a.changed) < std::pair(!begun(b), b.changed);
    });
    std::size_t taken = 0;
    bool still_asked = false;
    const BoardSummary* next = nullptr;
    for (const BoardSummary& board : mine) {
      if (const auto found = left_alone_.find(board.id);
          found != left_alone_.end() && found->second == board.entries)
        continue;
      const bool mine_to_answer = board.offer && mine_among(board.offer->answering, board);
      if (!begun(board) && !takes(board.game)) {
        decline(board, "I do not play " + std::string(board.game->title) + ".");
      } else if (!begun(board) && taken >= takes_.boards) {
        decline(board,
                "I play on " + count_of(taken, "board", "boards") + " already, and take no more.");
      } else {
        ++taken;
        if (mine_to_answer) answer_offer(board);
        else if (board.to_move == my_seat(board) && !next) next = &board;
        still_asked = still_asked || (asked_ && asked_->first == board.id &&
                                      asked_->second.log().size() == board.entries);
      }
    }
    if (asked_ && !still_asked) {
      thinks_.reset();
      asked_.reset();
    }
    if (!asked_ && next) begin(*next);
  }

  bool takes(const GameType* game) const {
    return std::ranges::find(takes_.games, game) != takes_.games.end();
  }

  std::optional<Seat> my_seat(const BoardSummary& board) const {
    const auto seat = board.seat_of(server_.user());
    return seat ? std::optional(*seat) : std::nullopt;
  }

  bool mine_among(const std::vector<Seat>& seats, const BoardSummary& board) const {
    return std::ranges::count(seats, *my_seat(board)) > 0;
  }

  // Refuses a challenge. The server never loses a game by this, even if it has begun since.
  void decline(const BoardSummary& board, const std::string& why) {
    const BoardKey key = *read_board_id(board.id);
    const auto said = server_.command(std::string(key.game->name) + " refuse " +
                                      std::to_string(key.number) + " : " + why);
    if (!said) leave_alone(board.id, board.entries, said.refusal().why);
    else log(board.id + ": declined. " + why);
  }

  void answer_offer(const BoardSummary& line) {
    auto board = server_.open(line.id);
    if (!board) return leave_alone(line.id, line.entries, board.refusal().why);
    if (!board->match.offer()) return;  // the list is old
    if (!players_[line.id].asks_first(board->match)) reply(*board, nullptr);
    else if (!asked_) think(line.id, board->match);
  }

  void reply(Board& board, const Thought* thought) {
    const bool undo = !board.match.offer()->draw;
    const Seat mine = *board.remote->mine;
    if (!do_there(board, players_[board.id].reply(board.match, mine, thought))) return;
    // Its own ply is undone. Playing at once would leave no time to ask for the next one.
    if (!undo || board.match.to_move() != mine) return;
    leave_alone(board.id, board.match.log().size());
    static_cast<void>(server_.chat(
        board.id, "Ask once more to take your own move back: I wait for that for ten seconds."));
  }

  void begin(const BoardSummary& line) {
    auto board = server_.open(line.id);
    if (!board) return leave_alone(line.id, line.entries, board.refusal().why);
    const Match& match = board->match;
    if (match.ending() || match.to_move() != board->remote->mine) return;  // the list is old
    think(line.id, match);
  }

  void think(const std::string& id, const Match& match) {
    asked_ = {id, match};
    thinks_ = players_[id].think(thinker_, match, question_about(match, takes_.level),
                                 [this](const Result<Thought>& thought) {
                                   if (!thought) throw Error(thought.refusal().why);
                                   play(*thought);
                                 });
  }

  void play(const Thought& thought) {
    thinks_.reset();
    const auto [id, match] = std::move(*asked_);
    asked_.reset();
    auto board = server_.open(id);
    // If the board has changed since, the bot thinks about it again.
    if (!board || !board->match.same_game(match)) return;
    if (match.offer()) return reply(*board, &thought);
    for (const std::string& what : players_[id].deeds(match, thought, takes_.level))
      if (!do_there(*board, what)) return;
    if (match.plies().size() < static_cast<std::size_t>(match.seats()))
      static_cast<void>(
          server_.chat(id, "I am a computer, at level " + std::to_string(takes_.level) + "."));
    if (board->match.ending()) players_.erase(id);
  }

  bool do_there(Board& board, const std::string& what) {
    const std::size_t entries = board.match.log().size();
    const auto done = server_.play(board, {MoveRequest{std::nullopt, what}});
    if (!done) leave_alone(board.id, entries, done.refusal().why);
    return done.ok();
  }

  // Skips a board for some seconds, or until something happens there.
  void leave_alone(const std::string& id, std::size_t entries) {
    if (left_alone_.empty()) again_.set(kAgain);  // set once, or one board would delay another
    left_alone_[id] = entries;
  }

  void leave_alone(const std::string& id, std::size_t entries, const std::string& why) {
    log(id + ": " + why);
    leave_alone(id, entries);
  }
  static void log(const std::string& sentence) {
    std::cerr << iso_time(now()) << ' ' << safe_text(sentence) << std::endl;
  }

  RemoteBoards& server_;
  const Willing takes_;
  Thinker thinker_{cache_directory()};
  std::map<std::string, ComputerPlayer> players_;       // by board
  std::optional<std::pair<std::string, Match>> asked_;  // the board that it thinks about
  Thinker::Handle thinks_;                              // null if it does not think
  // Skipped boards, each until its number of entries changes.
  std::map<std::string, std::size_t> left_alone_;
  bool introduced_ = false;
  TimerFd again_;
  WaitSet waits_;
};

// Reads a list of games such as "toot,chaos".
Result<std::vector<const GameType*>> games_in(const std::string& list) {
  std::vector<const GameType*> out;
  for (std::size_t from = 0; from <= list.size();) {
    const std::size_t end = std::min(list.find(',', from), list.size());
    const std::string name = list.substr(from, end - from);
    const GameType* game = find_game(name);
    if (!game)
      return Refusal{"'--games': there is no game '" + fit(name, 30) + "': there is " +
                     game_names() + "."};
    out.push_back(game);
    from = end + 1;
  }
  return out;
}

Willing takes_of(const Arguments& arguments) {
  Willing out{arguments.number("level", kUsualLevel), {}, arguments.number("boards", kUsualBoards)};
  if (arguments.has("games")) out.games = need(games_in(arguments.text("games")));
  else
    for (const GameType& game : all_games()) out.games.push_back(&game);
  return out;
}

}  // namespace

int run_bot(const Arguments& arguments) {
  const There there = there_of(arguments);
  const Willing takes = takes_of(arguments);
  confine_to_user(arguments, there, {cache_directory()});
  RemoteBoards server({dial_to(there.address), there.address.to_string(), {}});
  // If there is no server yet, the bot waits for it, as after a lost connection.
  if (const auto connected = server.connect_as(there.user); !connected) {
    if (!server.turned_away().empty()) return complain(kRefused, server.turned_away());
    server.connect_later(connected.refusal().why);
  }
  return Bot(server, takes).run();
}

}  // namespace pbm
