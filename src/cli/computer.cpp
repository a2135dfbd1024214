// SPDX-License-Identifier: MIT
// Commands in which the computer plays and advises: hint, analyse, duel; and perft.
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iomanip>
#include <iostream>
#include <map>
#include <random>
#include <set>

#include "boards/analysis.hpp"
#include "boards/computer_player.hpp"
#include "cli/paths.hpp"
#include "cli/run_functions.hpp"
#include "cli/shared.hpp"

namespace pbm {
namespace {

constexpr int kMaxGames = 100'000;
constexpr std::size_t kMaxPlies = 300;  // plies after which a duel breaks off a game

// A player of a duel, written for example as "level:3".
struct DuelPlayer {
  std::string name;
  bool is_random = false;
  std::shared_ptr<EngineProcess> engine = nullptr;
  SearchRequest question{};
  std::shared_ptr<ZeroedBytes> memory = std::make_shared<ZeroedBytes>();  // its own
};

Result<DuelPlayer> read_player(const std::string& text) {
  const std::size_t colon = std::min(text.find(':'), text.size());
  const std::string kind = text.substr(0, colon),
                    value = text.substr(std::min(colon + 1, text.size()));
  const auto number = read_whole_number<int>(value);
  const int n = number.value_or(0);
  DuelPlayer out{text};
  if (text == "random") out.is_random = true;
  else if (kind == "engine" && !value.empty()) out.engine = std::make_shared<EngineProcess>(value);
  else if (kind == "rung" && number && n >= 0 && n <= kMaxRung) out.question.rung = n;
  else if (kind == "level" && n > 0 && n <= kMaxLevel) out.question.level = n;
  else if (kind == "nodes" && n > 0) out.question.limits.nodes = static_cast<std::uint64_t>(n);
  else if (kind == "depth" && n > 0 && n < 100) out.question.limits.depth = n;
  else if (kind == "time" && n > 0) out.question.limits.time = std::chrono::milliseconds(n);
  else
    return Refusal{"'" + fit(text, 30) +
                   "': a player is level:1 to level:10, rung:0 to rung:90, nodes:N, depth:N, "
                   "time:MILLISECONDS, engine:COMMAND or random."};
  return out;
}

std::string format_decimal(double value, int digits) {
  char out[40];
  std::snprintf(out, sizeof out, "%.*f", digits, value);
  return out;
}

// Returns the Elo difference (as in chess) of two players, of which the first scores `score` of 1.
double elo_difference(double score) {
  const double inside = std::clamp(score, 0.001, 0.999);
  return 400 * std::log10(inside / (1 - inside));
}

struct DuelTally {
  int wins = 0, ties = 0, losses = 0, broken_off = 0;
  std::uint64_t ply_count = 0;
  int game_count() const { return wins + ties + losses; }
};

// Shows the progress of long work, if standard error is a terminal. "" removes it.
void show_progress(const std::string& text) {
  static const bool shows = ::isatty(STDERR_FILENO) != 0;
  if (shows) std::cerr << '\r' << std::left << std::setw(60) << text << '\r' << std::flush;
}

// Thinks about the positions of an analysis. If an endgame table helps, computes it first.
void think_through(Analysis& analysis) {
  Thinker thinker(table_directories());
  while (const auto n = analysis.next_index()) {
    show_progress(std::to_string(analysis.percent_done()) + " %");
    analysis.add_result(thinker.think(Thinker::Rank::study, analysis.game(), analysis.position(*n),
                                      analysis.question(),
                                      [&] { show_progress(thinker.table_progress()); }));
  }
  show_progress("");
}

class Duel {
 public:
  Duel(Match start, DuelPlayer a, DuelPlayer b, unsigned seed)
      : initial_match_(std::move(start)),
        player_a_(std::move(a)),
        player_b_(std::move(b)),
        seed_(seed) {}

  // Plays game `n`. As many games as there are seats share an opening, and A has each seat once. A
  // player without an answer resigns, but if it has never answered, the duel ends.
  void play_game(int n) {
    const int seats = initial_match_.seats();
    const Seat seat = n % seats;
    std::mt19937 random(seed_ * 7919U + static_cast<unsigned>(n / seats));
    Match match = random_opening(random);
    std::vector<ComputerPlayer> players;
    for (Seat s = 0; s < seats; ++s)
      players.emplace_back((s == seat ? player_a_ : player_b_).engine);
    while (!match.ending() && match.plies().size() < kMaxPlies) {
      const Seat mover = *match.to_move();
      const DuelPlayer& player = mover == seat ? player_a_ : player_b_;
      const auto deeds =
          player.is_random
              ? std::vector<std::string>{random_ply(match.position().legal_plies(), random)}
              : choose_actions(players[index(mover)], player, match, n);
      for (const std::string& what : deeds) add_action(match, mover, what);
      for (const Seat asked : seats_to_answer(match))
        if (match.offer())
          add_action(match, asked, players[index(asked)].answer_offer(match, asked));
    }
    tally_.ply_count += match.plies().size();
    const auto& ending = match.ending();
    if (ending && ending->winner) ++(*ending->winner == seat ? tally_.wins : tally_.losses);
    else ++tally_.ties;
    if (!ending) ++tally_.broken_off;
  }

  void report(const std::string& title) const {
    const DuelTally& t = tally_;
    const double games = t.game_count(), seats = initial_match_.seats();
    const double score = (t.wins + t.ties / seats) / games;
    // The 95 % interval of the average score of a game.
    const double squares = (t.wins + t.ties / (seats * seats)) / games - score * score;
    const double error = 1.96 * std::sqrt(std::max(squares, 0.0) / games);
    std::cout << title << "  " << player_a_.name << " against " << player_b_.name << "  won "
              << t.wins << " tied " << t.ties << " lost " << t.losses << "  "
              << format_decimal(100 * score, 1) << " % +-" << format_decimal(100 * error, 1);
    if (initial_match_.seats() == 2)
      std::cout << "  Elo " << (elo_difference(score) < 0 ? "" : "+")
                << format_decimal(elo_difference(score), 0) << " ("
                << format_decimal(elo_difference(score - error), 0) << " to "
                << format_decimal(elo_difference(score + error), 0) << ")";
    else std::cout << "  (as good as the others: " << format_decimal(100 / seats, 1) << " %)";
    std::cout << "  moves " << format_decimal(static_cast<double>(t.ply_count) / games, 1);
    if (t.broken_off > 0) std::cout << "  broken off " << t.broken_off;
    std::cout << std::endl;
    for (const auto& [why, times] : failures_)
      std::cout << times << " resigned without an answer: " << why << '\n';
  }

 private:
  static const std::string& random_ply(const std::vector<std::string>& plies,
                                       std::mt19937& random) {
    return plies[random() % plies.size()];
  }
  static void add_action(Match& match, Seat seat, const std::string& what) {
    match.add(*match.validate(seat, what, match.start_time()));
  }

  // Plays a few random plies, different in every round, but never to the end of the game.
  Match random_opening(std::mt19937& random) const {
    Match match = initial_match_;
    for (auto plies = 2 + random() % 3; plies > 0; --plies) {
      Match next = match;
      add_action(next, *next.to_move(), random_ply(next.position().legal_plies(), random));
      if (next.ending()) break;
      match = std::move(next);
    }
    return match;
  }

  std::vector<std::string> choose_actions(ComputerPlayer& computer, const DuelPlayer& player,
                                          const Match& match, int game) {
    SearchRequest question = player.question;
    question.history = make_question(match, question.level).history;
    question.table_memory = player.memory.get();
    question.seed = seed_ * 104729ULL + static_cast<std::uint64_t>(game);
    std::optional<Result<SearchResult>> thought;
    const auto thinks = computer.think(
        thinker_, match, question, [&](const Result<SearchResult>& answer) { thought = answer; },
        Thinker::Rank::study);
    for (; !thought; thinker_.take_changes()) {
      thinker_.wait_for_bell();
      show_progress(thinker_.table_progress());
    }
    if (*thought) {
      answered_players_.insert(player.name);
      return computer.choose_actions(match, **thought, question.level);
    }
    if (!answered_players_.contains(player.name)) throw Error(thought->refusal().reason);
    ++failures_[thought->refusal().reason];
    return {std::string(to_string(MatchWord::resign))};
  }

  const Match initial_match_;
  DuelPlayer player_a_, player_b_;
  unsigned seed_;
  Thinker thinker_{table_directories()};
  DuelTally tally_;
  std::set<std::string> answered_players_;  // players that have answered once
  std::map<std::string, int> failures_;     // reasons for missing answers, and how often
};

// Opens a board on which the computer may help.
Board open_for_help(LocalBoards& boards, const std::string& word) {
  Board board = open_board(boards, word);
  if (const std::string origin = board.match.origin(); !origin.empty())
    throw CommandExit{kExitRefused,
                      "This is a copy of " + fit(origin, 60) +
                          ", made during the game. The computer does not help with it."};
  return board;
}

// Returns a question with the limits of --level and --seconds.
SearchRequest make_question(const Arguments& arguments) {
  SearchRequest question;
  question.level = arguments.option_number("level", kMaxLevel);
  question.limits.time =
      std::chrono::milliseconds(std::lround(1000 * arguments.option_number("seconds", 0.0)));
  return question;
}

// The new game that a command describes: GAME [-options] --seats N.
struct GameSetup {
  const GameType* game;
  Options options;
  int seats;

  Match start_match(Time started) const {
    std::vector<std::string> names;
    for (int s = 1; s <= seats; ++s) names.push_back("player" + std::to_string(s));
    return *Match::start(*game, options, names, started);
  }
};
GameSetup read_game_setup(const Arguments& arguments) {
  const GameType* game = find_game(arguments.words[1]);
  GameSetup out{game, value_or_throw(read_options(*game, arguments.game_options)),
                arguments.option_number("seats", game->min_seats)};
  if (out.seats < game->min_seats || out.seats > game->max_seats)
    throw CommandExit{kExitUsage, std::string(game->title) + " is not for " +
                                      std::to_string(out.seats) + " players."};
  value_or_throw(game->start(out.options, out.seats));
  return out;
}

void print_line(const AnalysisLine& line, std::size_t width) {
  std::string text = line.ply;
  text.resize(width, ' ');
  text += "  " + verdict_text(line.verdict);
  for (std::size_t i = 0; i < line.seat_percents.size(); ++i)
    text += (i == 0 ? " (" : " ") + std::to_string(line.seat_percents[i]) +
            (i + 1 == line.seat_percents.size() ? ")" : "");
  text += " ";
  for (const std::string& ply : line.variation) text += " " + ply;
  std::cout << text << '\n';
}

}  // namespace

int run_hint(const Arguments& arguments) {
  LocalBoards boards = open_own_boards(arguments);
  const Match match = open_for_help(boards, arguments.words[1]).match;
  SearchRequest question = make_question(arguments);
  question.line_count = arguments.option_number("lines", std::size_t{3});
  if (match.ending()) return print_error(kExitRefused, "There is no hint. " + match.status());
  question.history = make_question(match, question.level).history;
  const SearchResult thought =
      Thinker(table_directories())
          .think(Thinker::Rank::person, match.game(), match.position(), question);
  std::size_t width = 0;
  for (const AnalysisLine& line : thought.lines) width = std::max(width, line.ply.size());
  for (const AnalysisLine& line : thought.lines) print_line(line, width);
  return kExitSuccess;
}

int run_analyse(const Arguments& arguments) {
  LocalBoards boards = open_own_boards(arguments);
  Board board = open_for_help(boards, arguments.words[1]);
  if (board.match.plies().empty())
    return print_error(kExitRefused, "There are no moves to analyse yet.");
  const SearchRequest question = make_question(arguments);
  const bool usual = question.level == kMaxLevel && !arguments.has("seconds");
  Analysis analysis(board.match, usual ? Analysis::kDefaultLimits : question.limits,
                    question.level);
  think_through(analysis);
  for (const std::string& line : analysis.report_lines(78)) std::cout << safe_text(line) << '\n';
  if (!arguments.has("notes")) return kExitSuccess;
  if (const auto notes = note_requests(analysis, board.match); !notes.empty())
    play_and_report(boards, board, notes);
  return kExitSuccess;
}

int run_duel(const Arguments& arguments) {
  const GameSetup described = read_game_setup(arguments);
  DuelPlayer first = value_or_throw(read_player(arguments.words[2])),
             second = value_or_throw(read_player(arguments.words[3]));
  const int games = arguments.has("games")
                        ? read_whole_number<int>(arguments.option_text("games")).value_or(0)
                        : 20;
  if (games < 1 || games > kMaxGames)
    return print_error(kExitUsage,
                       "'--games' takes a number from 1 to " + std::to_string(kMaxGames) + ".");
  // Limits processor time, so that other programs do not matter. The processor time of an engine is
  // unknown, so then both players have the same time on the clock.
  first.question.limits.is_processor_time = second.question.limits.is_processor_time =
      !first.engine && !second.engine;
  if (first.engine) first.question.limits.time = second.question.limits.time;
  if (second.engine) second.question.limits.time = first.question.limits.time;
  Duel duel(described.start_match(Time{}), std::move(first), std::move(second),
            arguments.option_number("seed", 1U));
  for (int i = 0; i < games && std::cout; ++i) duel.play_game(i);
  duel.report(title_with_options(*described.game, described.options) +
              (described.seats > 2 ? ", " + std::to_string(described.seats) + " seats" : ""));
  return kExitSuccess;
}

int run_perft(const Arguments& arguments) {
  const GameSetup d = read_game_setup(arguments);
  const std::string& text = arguments.words[2];
  const auto depth = read_whole_number<int>(text);
  if (!depth || *depth < 1 || *depth > 99)
    return print_error(kExitUsage, "'" + fit(text, 20) +
                                       "' is not a depth. Write a number of moves from 1 to 99.");
  for (int n = 1; n <= *depth && std::cout; ++n)
    std::cout << n << ' ' << d.game->perft(d.options, d.seats, n) << std::endl;
  return kExitSuccess;
}

int run_engine(const Arguments& arguments) {
  const GameSetup d = read_game_setup(arguments);
  run_ugi(*d.game, d.options, d.seats);
  return kExitSuccess;
}

}  // namespace pbm
