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
#include "cli/run_functions.hpp"
#include "cli/shared.hpp"

namespace pbm {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kDefaultBoards = 20;
constexpr auto kRetryDelay = 10s;  // before it tries a skipped board again

// The challenges that it accepts: the games, and the maximum number of boards at a time.
struct ChallengePolicy {
  int level;
  std::vector<const GameType*> games;
  std::size_t max_boards;
};

class Bot {
 public:
  Bot(RemoteBoards& server, ChallengePolicy takes) : server_(server), policy_(std::move(takes)) {
    for (const int fd :
         {server_.change_descriptor(), thinker_.bell_descriptor(), retry_timer_.get()})
      wait_set_.add(fd);
  }

  int run() {
    for (;;) {
      server_.take_changes();
      for (const Notification& news : server_.notifications().take())
        if (news.kind == Notification::Kind::connection) write_log(news.text);
      if (!server_.entry_refusal().empty())
        return print_error(kExitRefused, server_.entry_refusal());
      if (retry_timer_.clear()) skipped_boards_.clear();
      if (!server_.connection_problem().empty()) {
        is_announced_ = false;
      } else if (!is_announced_) {
        if (const std::string why = announce(); !why.empty()) return print_error(kExitRefused, why);
      }
      if (is_announced_) {
        thinker_.take_changes();
        check_boards();
      }
      pollfd something{wait_set_.get(), POLLIN, 0};
      ::poll(&something, 1, -1);
    }
  }

 private:
  // Tells the server its games, after every connection: the new server may be another one. Returns
  // why the bot cannot continue, or "" if all is well or only the connection is lost.
  std::string announce() {
    std::vector<std::string> lines{"set computer yes"};
    for (const GameType& game : all_games())
      lines.push_back(std::string(game.name) + " limit " +
                      (accepts(&game) ? std::to_string(policy_.max_boards) : "none"));
    for (const std::string& line : lines) {
      const auto said = server_.run_command(line);
      if (!said && !server_.connection_problem().empty()) return "";  // it connects again
      if (!said) return said.refusal().reason;
    }
    is_announced_ = true;
    skipped_boards_.clear();  // those commands may have failed with the connection
    write_log("playing as " + server_.userid() + " at " + server_.location() + ", level " +
              std::to_string(policy_.level));
    return "";
  }

  // Looks at every board once. Declines and answers at once, even while it thinks. Then thinks
  // about the board that has waited longest, if it is its turn there.
  void check_boards() {
    std::vector<BoardSummary> mine = server_.list();
    std::erase_if(mine, [&](const BoardSummary& b) {
      return !b.load_error.empty() || b.is_over() || !own_seat(b) ||
             has_own_seat(b.seats.resigned, b) || server_.has_pending(b.id);
    });
    // A board on which it has played stays, whatever challenges arrive.
    const auto begun = [&](const BoardSummary& b) { return !has_own_seat(b.seats.unplayed, b); };
    std::ranges::sort(mine, [&](const BoardSummary& a, const BoardSummary& b) {
      return std::pair(!begun(a), a.last_change) < std::pair(!begun(b), b.last_change);
    });
    std::size_t taken = 0;
    bool still_asked = false;
    const BoardSummary* next = nullptr;
    for (const BoardSummary& board : mine) {
      if (const auto found = skipped_boards_.find(board.id);
          found != skipped_boards_.end() && found->second == board.entry_count)
        continue;
      const bool mine_to_answer = board.offer && has_own_seat(board.offer->pending_seats, board);
      if (!begun(board) && !accepts(board.game)) {
        decline(board, "I do not play " + std::string(board.game->title) + ".");
      } else if (!begun(board) && taken >= policy_.max_boards) {
        decline(board, "I play on " + format_count(taken, "board", "boards") +
                           " already. I accept no more.");
      } else {
        ++taken;
        if (mine_to_answer) answer_offer(board);
        else if (board.to_move == own_seat(board) && !next) next = &board;
        still_asked = still_asked || (thinking_about_ && thinking_about_->first == board.id &&
                                      thinking_about_->second.log().size() == board.entry_count);
      }
    }
    if (thinking_about_ && !still_asked) {
      thinking_handle_.reset();
      thinking_about_.reset();
    }
    if (!thinking_about_ && next) begin_ply(*next);
  }

  bool accepts(const GameType* game) const {
    return std::ranges::find(policy_.games, game) != policy_.games.end();
  }

  std::optional<Seat> own_seat(const BoardSummary& board) const {
    const auto seat = board.find_seat(server_.userid());
    return seat ? std::optional(*seat) : std::nullopt;
  }

  bool has_own_seat(const std::vector<Seat>& seats, const BoardSummary& board) const {
    return std::ranges::count(seats, *own_seat(board)) > 0;
  }

  // Refuses a challenge. The server never loses a game by this, even if it has begun since.
  void decline(const BoardSummary& board, const std::string& why) {
    const BoardKey key = *read_board_id(board.id);
    const auto said = server_.run_command(std::string(key.game->name) + " refuse " +
                                          std::to_string(key.number) + " : " + why);
    if (!said) skip_board(board.id, board.entry_count, said.refusal().reason);
    else write_log(board.id + ": declined. " + why);
  }

  void answer_offer(const BoardSummary& line) {
    auto board = server_.open(line.id);
    if (!board) return skip_board(line.id, line.entry_count, board.refusal().reason);
    if (!board->match.offer()) return;  // the list is old
    if (!computer_players_[line.id].needs_thought(board->match)) answer_on_board(*board, nullptr);
    else if (!thinking_about_) start_thinking(line.id, board->match);
  }

  void answer_on_board(Board& board, const SearchResult* thought) {
    const bool undo = !board.match.offer()->is_draw;
    const Seat mine = *board.remote->own_seat;
    if (!send_action(board, computer_players_[board.id].answer_offer(board.match, mine, thought)))
      return;
    // Its own ply is undone. Playing at once would leave no time to ask for the next one.
    if (!undo || board.match.to_move() != mine) return;
    skip_board(board.id, board.match.log().size());
    static_cast<void>(server_.send_chat(
        board.id, "To take back your own move too, ask again within ten seconds."));
  }

  void begin_ply(const BoardSummary& line) {
    auto board = server_.open(line.id);
    if (!board) return skip_board(line.id, line.entry_count, board.refusal().reason);
    const Match& match = board->match;
    if (match.ending() || match.to_move() != board->remote->own_seat) return;  // the list is old
    start_thinking(line.id, match);
  }

  void start_thinking(const std::string& id, const Match& match) {
    thinking_about_ = {id, match};
    thinking_handle_ =
        computer_players_[id].think(thinker_, match, make_question(match, policy_.level),
                                    [this](const Result<SearchResult>& thought) {
                                      if (!thought) throw Error(thought.refusal().reason);
                                      play_thought(*thought);
                                    });
  }

  void play_thought(const SearchResult& thought) {
    thinking_handle_.reset();
    const auto [id, match] = std::move(*thinking_about_);
    thinking_about_.reset();
    auto board = server_.open(id);
    // If the board has changed since, the bot thinks about it again.
    if (!board || !board->match.is_same_game(match)) return;
    if (match.offer()) return answer_on_board(*board, &thought);
    for (const std::string& what :
         computer_players_[id].choose_actions(match, thought, policy_.level))
      if (!send_action(*board, what)) return;
    if (match.plies().size() < static_cast<std::size_t>(match.seats()))
      static_cast<void>(server_.send_chat(
          id, "I am a computer, at level " + std::to_string(policy_.level) + "."));
    if (board->match.ending()) computer_players_.erase(id);
  }

  bool send_action(Board& board, const std::string& what) {
    const std::size_t entries = board.match.log().size();
    const auto done = server_.play(board, {MoveRequest{std::nullopt, what}});
    if (!done) skip_board(board.id, entries, done.refusal().reason);
    return done.ok();
  }

  // Skips a board for some seconds, or until something happens there.
  void skip_board(const std::string& id, std::size_t entries) {
    if (skipped_boards_.empty())
      retry_timer_.set(kRetryDelay);  // set once, or one board would delay another
    skipped_boards_[id] = entries;
  }

  void skip_board(const std::string& id, std::size_t entries, const std::string& why) {
    write_log(id + ": " + why);
    skip_board(id, entries);
  }
  static void write_log(const std::string& sentence) {
    std::cerr << iso_time(now()) << ' ' << safe_text(sentence) << std::endl;
  }

  RemoteBoards& server_;
  const ChallengePolicy policy_;
  Thinker thinker_{table_directories()};
  std::map<std::string, ComputerPlayer> computer_players_;       // by board
  std::optional<std::pair<std::string, Match>> thinking_about_;  // the board that it thinks about
  Thinker::Handle thinking_handle_;                              // null if it does not think
  // Skipped boards, each until its number of entries changes.
  std::map<std::string, std::size_t> skipped_boards_;
  bool is_announced_ = false;
  TimerFd retry_timer_;
  WaitSet wait_set_;
};

// Reads a list of games such as "toot,chaos".
Result<std::vector<const GameType*>> read_games(const std::string& list) {
  std::vector<const GameType*> out;
  for (std::size_t from = 0; from <= list.size();) {
    const std::size_t end = std::min(list.find(',', from), list.size());
    const std::string name = list.substr(from, end - from);
    const GameType* game = find_game(name);
    if (!game)
      return Refusal{"'--games': there is no game '" + fit(name, 30) + "'. Choose " +
                     list_game_names() + "."};
    out.push_back(game);
    from = end + 1;
  }
  return out;
}

ChallengePolicy read_policy(const Arguments& arguments) {
  ChallengePolicy out{
      arguments.option_number("level", 3), {}, arguments.option_number("boards", kDefaultBoards)};
  if (arguments.has("games"))
    out.games = value_or_throw(read_games(arguments.option_text("games")));
  else
    for (const GameType& game : all_games()) out.games.push_back(&game);
  return out;
}

}  // namespace

int run_bot(const Arguments& arguments) {
  const ServerTarget there = server_target(arguments);
  const ChallengePolicy takes = read_policy(arguments);
  confine_to_user(arguments, there, {cache_directory()});
  RemoteBoards server({connector_to(there.address), there.address.to_string(), {}});
  // If there is no server yet, the bot waits for it, as after a lost connection.
  if (const auto connected = server.connect_as(there.userid); !connected) {
    if (!server.entry_refusal().empty()) return print_error(kExitRefused, server.entry_refusal());
    server.connect_later(connected.refusal().reason);
  }
  return Bot(server, takes).run();
}

}  // namespace pbm
