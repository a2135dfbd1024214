// SPDX-License-Identifier: MIT
// Commands in which the computer plays and advises: hint, analyse, openings, duel; and perft.
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iomanip>
#include <iostream>
#include <map>
#include <random>
#include <set>

#include "base/markdown.hpp"
#include "boards/analysis.hpp"
#include "boards/computer_player.hpp"
#include "cli/paths.hpp"
#include "cli/runs.hpp"
#include "cli/shared.hpp"

namespace pbm {
namespace {

constexpr int kMostGames = 100'000;
constexpr std::size_t kLongest = 300;  // plies after which a duel breaks off a game

// A player of a duel, written for example as "level:3".
struct Player {
  std::string name;
  bool random = false;
  std::shared_ptr<EngineProcess> engine = nullptr;
  Question question{};
  std::shared_ptr<ZeroedBytes> memory = std::make_shared<ZeroedBytes>();  // its own
};

Result<Player> read_player(const std::string& text) {
  const std::size_t colon = std::min(text.find(':'), text.size());
  const std::string kind = text.substr(0, colon),
                    value = text.substr(std::min(colon + 1, text.size()));
  const auto number = read_whole_number<int>(value);
  const int n = number.value_or(0);
  Player out{text};
  if (text == "random") out.random = true;
  else if (kind == "engine" && !value.empty()) out.engine = std::make_shared<EngineProcess>(value);
  else if (kind == "rung" && number && n >= 0 && n <= kTopRung) out.question.rung = n;
  else if (kind == "level" && n > 0 && n <= kTopLevel) out.question.level = n;
  else if (kind == "nodes" && n > 0) out.question.limits.nodes = static_cast<std::uint64_t>(n);
  else if (kind == "depth" && n > 0 && n < 100) out.question.limits.depth = n;
  else if (kind == "time" && n > 0) out.question.limits.time = std::chrono::milliseconds(n);
  else
    return Refusal{"'" + fit(text, 30) +
                   "': a player is level:1 to level:10, rung:0 to rung:90, nodes:N, depth:N, "
                   "time:MILLISECONDS, engine:COMMAND or random."};
  return out;
}

std::string decimal(double value, int digits) {
  char out[40];
  std::snprintf(out, sizeof out, "%.*f", digits, value);
  return out;
}

// Returns the Elo difference (as in chess) of two players, of which the first scores `score` of 1.
double elo(double score) {
  const double inside = std::clamp(score, 0.001, 0.999);
  return 400 * std::log10(inside / (1 - inside));
}

struct Tally {
  int won = 0, tied = 0, lost = 0, longest = 0;
  std::uint64_t plies = 0;
  int games() const { return won + tied + lost; }
};

// Shows the progress of long work, if standard error is a terminal. "" removes it.
void show_progress(const std::string& text) {
  static const bool shows = ::isatty(STDERR_FILENO) != 0;
  if (shows) std::cerr << '\r' << std::left << std::setw(60) << text << '\r' << std::flush;
}

// Thinks about the positions of an inquiry. If an endgame table helps, computes it first.
void look_into(Inquiry& inquiry, const std::function<std::string()>& told) {
  Thinker thinker(cache_directory());
  while (const auto n = inquiry.next()) {
    show_progress(told());
    inquiry.take(thinker.think(Thinker::Rank::study, inquiry.game(), inquiry.position(*n),
                               inquiry.question(), [&] { show_progress(thinker.making()); }));
  }
  show_progress("");
}

class Duel {
 public:
  Duel(Match start, Player a, Player b, unsigned seed)
      : start_(std::move(start)), a_(std::move(a)), b_(std::move(b)), seed_(seed) {}

  // Plays game `n`. As many games as there are seats share an opening, and A has each seat once. A
  // player without an answer resigns, but if it has never answered, the duel ends.
  void play(int n) {
    const int seats = start_.seats();
    const Seat seat = n % seats;
    std::mt19937 random(seed_ * 7919U + static_cast<unsigned>(n / seats));
    Match match = opening(random);
    std::vector<ComputerPlayer> players;
    for (Seat s = 0; s < seats; ++s) players.emplace_back((s == seat ? a_ : b_).engine);
    while (!match.ending() && match.plies().size() < kLongest) {
      const Seat mover = *match.to_move();
      const Player& player = mover == seat ? a_ : b_;
      const auto deeds = player.random
                             ? std::vector<std::string>{any_of(match.position().legal(), random)}
                             : deeds_of(players[static_cast<std::size_t>(mover)], player, match, n);
      for (const std::string& what : deeds) add(match, mover, what);
      for (const Seat asked : answering(match))
        if (match.offer())
          add(match, asked, players[static_cast<std::size_t>(asked)].reply(match, asked));
    }
    tally_.plies += match.plies().size();
    const auto& ending = match.ending();
    if (ending && ending->winner) ++(*ending->winner == seat ? tally_.won : tally_.lost);
    else ++tally_.tied;
    if (!ending) ++tally_.longest;
  }

  void report(const std::string& title) const {
    const Tally& t = tally_;
    const double games = t.games(), seats = start_.seats();
    const double score = (t.won + t.tied / seats) / games;
    // The 95 % interval of the average score of a game.
    const double squares = (t.won + t.tied / (seats * seats)) / games - score * score;
    const double error = 1.96 * std::sqrt(std::max(squares, 0.0) / games);
    std::cout << title << "  " << a_.name << " against " << b_.name << "  won " << t.won << " tied "
              << t.tied << " lost " << t.lost << "  " << decimal(100 * score, 1) << " % +-"
              << decimal(100 * error, 1);
    if (start_.seats() == 2)
      std::cout << "  Elo " << (elo(score) < 0 ? "" : "+") << decimal(elo(score), 0) << " ("
                << decimal(elo(score - error), 0) << " to " << decimal(elo(score + error), 0)
                << ")";
    else std::cout << "  (as good as the others: " << decimal(100 / seats, 1) << " %)";
    std::cout << "  moves " << decimal(static_cast<double>(t.plies) / games, 1);
    if (t.longest > 0) std::cout << "  broken off " << t.longest;
    std::cout << std::endl;
    for (const auto& [why, times] : failures_)
      std::cout << times << " given up without an answer: " << why << '\n';
  }

 private:
  static const std::string& any_of(const std::vector<std::string>& plies, std::mt19937& random) {
    return plies[random() % plies.size()];
  }
  static void add(Match& match, Seat seat, const std::string& what) {
    match.add(*match.validate(seat, what, match.started()));
  }

  // Plays a few random plies, different in every round, but never to the end of the game.
  Match opening(std::mt19937& random) const {
    Match match = start_;
    for (auto plies = 2 + random() % 3; plies > 0; --plies) {
      Match next = match;
      add(next, *next.to_move(), any_of(next.position().legal(), random));
      if (next.ending()) break;
      match = std::move(next);
    }
    return match;
  }

  std::vector<std::string> deeds_of(ComputerPlayer& computer, const Player& player,
                                    const Match& match, int game) {
    Question question = player.question;
    question.history = question_about(match, question.level).history;
    question.memory = player.memory.get();
    question.seed = seed_ * 104729ULL + static_cast<std::uint64_t>(game);
    std::optional<Result<Thought>> thought;
    const auto thinks = computer.think(
        thinker_, match, question, [&](const Result<Thought>& answer) { thought = answer; },
        Thinker::Rank::study);
    for (; !thought; thinker_.take_changes()) {
      thinker_.wait();
      show_progress(thinker_.making());
    }
    if (*thought) {
      answered_.insert(player.name);
      return computer.deeds(match, **thought, question.level);
    }
    if (!answered_.contains(player.name)) throw Error(thought->refusal().why);
    ++failures_[thought->refusal().why];
    return {std::string(to_string(MatchWord::resign))};
  }

  const Match start_;
  Player a_, b_;
  unsigned seed_;
  Thinker thinker_{cache_directory()};
  Tally tally_;
  std::set<std::string> answered_;       // players that have answered once
  std::map<std::string, int> failures_;  // reasons for missing answers, and how often
};

// Opens a board on which the computer may help.
Board opened_for_help(LocalBoards& boards, const std::string& word) {
  Board board = opened(boards, word);
  if (const std::string origin = board.match.origin(); !origin.empty())
    throw Ended{kRefused, "This is a copy of " + fit(origin, 60) +
                              ", made while people played there: no help with it."};
  return board;
}

// Returns a question with the limits of --level and --seconds.
Question question_by(const Arguments& arguments) {
  Question question;
  question.level = arguments.number("level", kTopLevel);
  question.limits.time =
      std::chrono::milliseconds(std::lround(1000 * arguments.number("seconds", 0.0)));
  return question;
}

// The new game that a command describes: GAME [-options] --seats N.
struct Described {
  const GameType* game;
  Options options;
  int seats;

  Match match(Time started) const {
    std::vector<std::string> names;
    for (int s = 1; s <= seats; ++s) names.push_back("player" + std::to_string(s));
    return *Match::start(*game, options, names, started);
  }
};
Described described_game(const Arguments& arguments) {
  const GameType* game = find_game(arguments.words[1]);
  Described out{game, need(read_options(*game, arguments.game_options)),
                arguments.number("seats", game->min_seats)};
  if (out.seats < game->min_seats || out.seats > game->max_seats)
    throw Ended{kUsage, std::string(game->title) + " is not for " + std::to_string(out.seats) +
                            " players."};
  need(game->start(out.options, out.seats));
  return out;
}

void print_line(const Line& line, std::size_t width) {
  std::string text = line.ply;
  text.resize(width, ' ');
  text += "  " + in_words(line.verdict);
  for (std::size_t i = 0; i < line.shares.size(); ++i)
    text += (i == 0 ? " (" : " ") + std::to_string(line.shares[i]) +
            (i + 1 == line.shares.size() ? ")" : "");
  text += " ";
  for (const std::string& ply : line.variation) text += " " + ply;
  std::cout << text << '\n';
}

}  // namespace

int run_hint(const Arguments& arguments) {
  LocalBoards boards = own_boards(arguments);
  const Match match = opened_for_help(boards, arguments.words[1]).match;
  Question question = question_by(arguments);
  question.lines = arguments.number("lines", std::size_t{3});
  if (match.ending()) return complain(kRefused, "There is no hint: " + match.standing());
  question.history = question_about(match, question.level).history;
  const Thought thought =
      Thinker(cache_directory())
          .think(Thinker::Rank::person, match.game(), match.position(), question);
  std::size_t width = 0;
  for (const Line& line : thought.lines) width = std::max(width, line.ply.size());
  for (const Line& line : thought.lines) print_line(line, width);
  return kDone;
}

int run_analyse(const Arguments& arguments) {
  LocalBoards boards = own_boards(arguments);
  Board board = opened_for_help(boards, arguments.words[1]);
  if (board.match.plies().empty()) return complain(kRefused, "Nothing was played yet.");
  const Question question = question_by(arguments);
  const bool usual = question.level == kTopLevel && !arguments.has("seconds");
  Analysis analysis(board.match, usual ? Analysis::kUsual : question.limits, question.level);
  look_into(analysis, [&] { return std::to_string(analysis.percent()) + " %"; });
  for (const std::string& line : analysis.text(78)) std::cout << safe_text(line) << '\n';
  if (!arguments.has("notes")) return kDone;
  if (const auto notes = as_notes(analysis, board.match); !notes.empty())
    play_told(boards, board, notes);
  return kDone;
}

int run_openings(const Arguments& arguments) {
  Match match = described_game(arguments).match(now());
  for (std::size_t i = 2, n = 0; i < arguments.words.size(); i += n) {
    n = match.words_of_a_ply(arguments.words, i);
    const std::string typed = joined(arguments.words, i, n);
    if (match.ending()) return complain(kRefused, match.standing());
    const auto ply = match.position().parse(typed);
    if (!ply) return refuse_typed(ply.refusal(), typed);
    match.add(*match.validate(*match.to_move(), *ply, now()));
  }
  Openings openings = need(Openings::after(match, match.plies().size()), kRefused);
  own_boards(arguments).add_own_games(openings);
  OpeningProofs proofs(openings);
  look_into(proofs, [] { return ""; });
  for (const TextLine& line : layout_markdown(openings.text(), 78))
    std::cout << safe_text(line.text) << '\n';
  return kDone;
}

int run_duel(const Arguments& arguments) {
  const Described described = described_game(arguments);
  Player first = need(read_player(arguments.words[2])),
         second = need(read_player(arguments.words[3]));
  const int games =
      arguments.has("games") ? read_whole_number<int>(arguments.text("games")).value_or(0) : 20;
  if (games < 1 || games > kMostGames)
    return complain(kUsage,
                    "'--games' takes a number from 1 to " + std::to_string(kMostGames) + ".");
  // Limits processor time, so that other programs do not matter. The processor time of an engine is
  // unknown, so then both players have the same time on the clock.
  first.question.limits.by_processor = second.question.limits.by_processor =
      !first.engine && !second.engine;
  if (first.engine) first.question.limits.time = second.question.limits.time;
  if (second.engine) second.question.limits.time = first.question.limits.time;
  Duel duel(described.match(Time{}), std::move(first), std::move(second),
            arguments.number("seed", 1U));
  for (int i = 0; i < games && std::cout; ++i) duel.play(i);
  duel.report(title_with_options(*described.game, described.options) +
              (described.seats > 2 ? ", " + std::to_string(described.seats) + " seats" : ""));
  return kDone;
}

int run_perft(const Arguments& arguments) {
  const Described d = described_game(arguments);
  const std::string& text = arguments.words[2];
  const auto depth = read_whole_number<int>(text);
  if (!depth || *depth < 1 || *depth > 99)
    return complain(kUsage,
                    "'" + fit(text, 20) + "' is no depth: write a number of moves from 1 to 99.");
  for (int n = 1; n <= *depth && std::cout; ++n)
    std::cout << n << ' ' << d.game->perft(d.options, d.seats, n) << std::endl;
  return kDone;
}

int run_engine(const Arguments& arguments) {
  const Described d = described_game(arguments);
  run_ugi(*d.game, d.options, d.seats);
  return kDone;
}

}  // namespace pbm
