// SPDX-License-Identifier: MIT
// The computer behind the Universal Game Interface, for other programs.
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <deque>
#include <iostream>
#include <mutex>

#include "base/version.hpp"
#include "boards/computer_player.hpp"
#include "cli/paths.hpp"
#include "cli/run_functions.hpp"

namespace pbm {
namespace {

using namespace std::chrono_literals;
using std::chrono::milliseconds;

constexpr std::size_t kMaxQueuedCommands = 100;  // commands
constexpr milliseconds kInfoInterval{100};
constexpr std::uint64_t kMaxSeed = 1'000'000;
constexpr std::int64_t kMaxNumber = 1'000'000'000'000;       // milliseconds, positions
constexpr std::size_t kMaxLineBytes = std::size_t{1} << 20;  // bytes: a match and more

// Returns a score as chess programs write it: moves to the end, or the odds in hundredths.
std::string score_text(const Verdict& v) {
  // Decided, but in an unknown number of plies.
  if (v.plies() == 0 && v.kind() == Verdict::Kind::win) return "cp 10000";
  if (v.plies() == 0 && v.kind() == Verdict::Kind::loss) return "cp -10000";
  switch (v.kind()) {
    case Verdict::Kind::win: return "mate " + std::to_string((v.plies() + 1) / 2);
    case Verdict::Kind::loss: return "mate -" + std::to_string((v.plies() + 1) / 2);
    case Verdict::Kind::tie:
    case Verdict::Kind::endless: return "cp 0";
    case Verdict::Kind::estimate: break;
  }
  const double chance = std::clamp(v.win_percent(), 1, 99) / 100.0;
  return "cp " + std::to_string(std::lround(400 * std::log10(chance / (1 - chance))));
}

class UgiEngine {
 public:
  UgiEngine(const GameType& game, const Options& options, int seats)
      : game_(game), options_(options), seat_count_(seats), match_(new_game_match()) {}

  void run() {
    std::string in;
    bool ended = false, skipping = false;
    for (;;) {
      std::array<pollfd, 2> waits{
          {{ended ? -1 : STDIN_FILENO, POLLIN, 0}, {thinker_.bell_descriptor(), POLLIN, 0}}};
      // Answers all commands before the end of input counts. `quit` does not wait for the answers.
      run_queued_commands();
      if (is_quitting_ || (ended && should_wait_for_stop_)) stop_search();
      if (!is_busy() && !queued_commands_.empty()) continue;
      if (is_quitting_ ? is_getting_ready_ || !is_busy() : ended && !is_busy()) return;
      if (::poll(waits.data(), waits.size(), -1) < 0 && errno != EINTR) return;
      if (waits[0].revents == 0) continue;
      std::array<char, 4096> bytes;
      const ssize_t n = ::read(STDIN_FILENO, bytes.data(), bytes.size());
      if (n < 0 && errno == EINTR) continue;
      ended = n <= 0;
      in.append(bytes.data(), static_cast<std::size_t>(std::max<ssize_t>(n, 0)));
      if (ended) in += '\n';  // the last line may have no newline
      for (std::size_t end; (end = in.find('\n')) != std::string::npos; in.erase(0, end + 1)) {
        if (!std::exchange(skipping, false) && !is_quitting_)
          run_command(split_words(in.substr(0, end)));
        run_queued_commands();
      }
      if (in.size() > kMaxLineBytes) {
        in.clear();
        if (!std::exchange(skipping, true)) write_error("this line is too long");
      }
    }
  }

 private:
  using Words = std::vector<std::string>;

  Match new_game_match() const {
    Words names;
    for (int i = 1; i <= seat_count_; ++i) names.push_back("player" + std::to_string(i));
    return *Match::start(game_, options_, names, Time{});
  }

  void run_command(const Words& words) {
    if (words.empty()) return;
    const std::string& word = words.front();
    if (word == "quit") return void(is_quitting_ = true);
    // While it thinks, commands wait for the answer, except those that do not use the position.
    if (is_busy() &&
        (is_getting_ready_ || (word != "stop" && word != "isready" && word != "ugi"))) {
      if (queued_commands_.size() < kMaxQueuedCommands) return queued_commands_.push_back(words);
      return write_error("too many commands are waiting: " + fit(word, 40) + " was ignored");
    }
    if (word == "ugi") print_identity();
    else if (word == "isready") answer_isready();
    else if (word == "stop") stop_search();
    else if (word == "uginewgame") match_ = new_game_match();
    else if (word == "setoption") set_option(words);
    else if (word == "position") set_position(words);
    else if (word == "query") answer_query(words.size() > 1 ? words[1] : "");
    else if (word == "go") start_search(words);
    else write_error("no such command: " + fit(word, 40));
  }

  void print_identity() const {
    write_line("id name pbmplay " + version_text() + " " + std::string(game_.name));
    write_line("id author the authors of pbmplay");
    write_line("option name level type spin default " + std::to_string(kMaxLevel) + " min 1 max " +
               std::to_string(kMaxLevel));
    write_line("option name seed type spin default 0 min 0 max " + std::to_string(kMaxSeed));
    if (game_.max_seats > game_.min_seats)
      write_line("option name seats type spin default " + std::to_string(seat_count_) + " min " +
                 std::to_string(game_.min_seats) + " max " + std::to_string(game_.max_seats));
    for (const OptionSpec& o : game_.options)
      write_line(
          "option name " + std::string(o.name) +
          (o.value_syntax.empty()
               ? std::string(" type check default ") + (options_.has(o.name) ? "true" : "false")
               : " type string default " + options_.value(o.name, o.default_value)));
    write_line("ugiok");
  }

  // Changes apply to the next game, so the present position starts again.
  void set_option(const Words& words) {
    const bool has_value = words.size() == 5 && words[3] == "value";
    if (words.size() < 3 || words[1] != "name" || (words.size() > 3 && !has_value))
      return write_error("write setoption name NAME value VALUE, each one word");
    std::string name = lower(words[2]);
    if (const OptionSpec* spec = find_option(game_, name)) name = spec->name;
    const std::string value = has_value ? words[4] : "";
    if (name == "level") {
      const auto level = read_whole_number<int>(value);
      if (!level || *level < 1 || *level > kMaxLevel)
        return write_error("level is a number from 1 to " + std::to_string(kMaxLevel));
      level_ = *level;
      return;
    }
    if (name == "seed") {
      const auto seed = read_whole_number<std::uint64_t>(value);
      if (!seed || *seed > kMaxSeed)
        return write_error("seed is a number from 0 to " + std::to_string(kMaxSeed));
      seed_ = *seed;
      return;
    }
    Options options = options_;
    int seats = seat_count_;
    if (name == "seats") {
      seats = read_whole_number<int>(value).value_or(0);
    } else {
      Words typed;
      for (const std::string& word : options_.to_words())
        if (lower(word).substr(1, word.find('=') - 1) != name) typed.push_back(word);
      if (value != "false") typed.push_back("-" + name + (value == "true" ? "" : "=" + value));
      const auto read = read_options(game_, typed);
      if (!read) return write_error(read.refusal().reason);
      options = *read;
    }
    if (seats < game_.min_seats || seats > game_.max_seats)
      return write_error(std::string(game_.title) + " is not for " + fit(value, 10) + " players");
    if (const auto may = game_.start(options, seats); !may)
      return write_error(may.refusal().reason);
    options_ = options;
    seat_count_ = seats;
    match_ = new_game_match();
  }

  void set_position(const Words& words) {
    if (words.size() < 2 || words[1] != "startpos")
      return write_error("a position is startpos and moves from there");
    Match match = new_game_match();
    if (words.size() > 2 && words[2] != "moves")
      return write_error("after startpos comes moves, or nothing");
    for (std::size_t i = 3; i < words.size(); ++i) {
      const auto action = match.ending() ? Result<LogEntry>(Refusal{"the game is already over"})
                          : is_match_word(words[i])
                              ? Result<LogEntry>(Refusal{"it is not a move"})
                              : match.validate(*match.to_move(), words[i], Time{});
      if (!action)
        return write_error("move " + std::to_string(i - 2) + ", " + fit(words[i], 40) + ": " +
                           action.refusal().reason);
      match.add(*action);
    }
    match_ = std::move(match);
  }

  void answer_query(const std::string& what) const {
    if (what == "gameover")
      return write_line(std::string("response ") + (match_.ending() ? "true" : "false"));
    if (what == "p1turn")
      return write_line(std::string("response ") +
                        (match_.to_move() == Seat{0} ? "true" : "false"));
    if (what != "result") return write_error("queries are gameover, p1turn and result");
    const auto& ending = match_.ending();
    write_line("response " + (!ending ? std::string("none")
                              : !ending->winner
                                  ? std::string("draw")
                                  : "p" + std::to_string(*ending->winner + 1) + "win"));
  }

  // Returns the limits of `go`, or an error.
  Result<SearchLimits> read_limits(const Words& words) const {
    const std::string own = "p" + std::to_string(*match_.to_move() + 1);
    SearchLimits out;
    std::optional<std::int64_t> left;
    std::int64_t increment = 0;
    for (std::size_t i = 1; i < words.size(); ++i) {
      const std::string& word = words[i];
      if (word == "infinite" && words.size() == 2) return out;
      const bool clock = word.size() > 2 && word[0] == 'p' && word[1] >= '1' &&
                         word[1] < '1' + seat_count_ &&
                         (word.substr(2) == "time" || word.substr(2) == "inc");
      const bool limit = word == "movetime" || word == "nodes" || word == "depth";
      if (!clock && !limit)
        return Refusal{"go takes infinite alone, or movetime, nodes, depth, " + own + "time and " +
                       own + "inc with a number each, and not " + fit(word, 40)};
      const auto n = read_whole_number<std::int64_t>(++i < words.size() ? words[i] : "");
      if (!n || *n > kMaxNumber || (limit && *n == 0))
        return Refusal{"after " + word + " comes a number from " + (limit ? "1" : "0") + " to " +
                       std::to_string(kMaxNumber)};
      if (word == "movetime") out.time = milliseconds(*n);
      else if (word == "nodes") out.nodes = static_cast<std::uint64_t>(*n);
      else if (word == "depth") out.depth = static_cast<int>(std::min<std::int64_t>(*n, 1000));
      else if (word == own + "time") left = *n;
      else if (word == own + "inc") increment = *n;
    }
    if (left && out.time == 0ms)
      out.time = milliseconds(
          std::max<std::int64_t>(1, std::min(*left / 2, *left / 25 + increment * 3 / 4)));
    return out;
  }

  void start_search(const Words& words) {
    should_wait_for_stop_ = words.size() > 1 && words[1] == "infinite";
    if (match_.ending()) {
      pending_answer_ = "bestmove (none)";
      return should_wait_for_stop_ ? void() : stop_search();
    }
    const auto limits = read_limits(words);
    if (!limits) return write_error(limits.refusal().reason);
    SearchRequest question = make_question(match_, level_);
    question.seed += seed_;
    question.limits = *limits;
    if (should_wait_for_stop_) question.limits.time = std::chrono::hours(24 * 365);
    search_start_ = std::chrono::steady_clock::now();
    // Runs on the thinker's thread. finish_search() gives the last information.
    question.on_progress = [this, last = SteadyTime{}](const SearchResult& thought) mutable {
      const SteadyTime now = std::chrono::steady_clock::now();
      if (now - last < kInfoInterval) return;
      last = now;
      write_info(thought, now);
    };
    search_handle_ =
        thinker_.ask(Thinker::Rank::ply, game_, match_.position(), std::move(question),
                     [this](const Result<SearchResult>& thought) { finish_search(thought); });
  }

  // Answers at once while it thinks, and else when the table for this position is ready.
  void answer_isready() {
    const bool helped =
        level_ == kMaxLevel && game_.endgame_table && game_.endgame_table(match_.position());
    if (is_busy() || !helped) return write_line("readyok");
    SearchRequest question;
    question.limits.nodes = 1;
    is_getting_ready_ = true;
    search_handle_ = thinker_.ask(Thinker::Rank::study, game_, match_.position(),
                                  std::move(question), [this](const Result<SearchResult>&) {
                                    search_handle_.reset();
                                    is_getting_ready_ = false;
                                    write_line("readyok");
                                  });
  }

  void stop_search() {
    should_wait_for_stop_ = false;
    if (search_handle_) search_handle_->answer_now();
    if (!pending_answer_.empty()) write_line(std::exchange(pending_answer_, ""));
  }

  bool is_busy() const { return search_handle_ || !pending_answer_.empty(); }

  void run_queued_commands() {
    thinker_.take_changes();
    while (!queued_commands_.empty() && !is_busy()) {
      const Words next = std::move(queued_commands_.front());
      queued_commands_.pop_front();
      run_command(next);
    }
  }

  void finish_search(const Result<SearchResult>& thought) {
    search_handle_.reset();
    if (!thought) throw Error(thought.refusal().reason);
    write_info(*thought, std::chrono::steady_clock::now());
    pending_answer_ = "bestmove " + thought->lines.front().ply;
    if (!should_wait_for_stop_) stop_search();
  }

  void write_info(const SearchResult& thought, SteadyTime now) const {
    const AnalysisLine& best = thought.lines.front();
    const auto time = std::chrono::duration_cast<milliseconds>(now - search_start_);
    std::string line = "info depth " + std::to_string(thought.depth) + " nodes " +
                       std::to_string(thought.nodes) + " time " + std::to_string(time.count()) +
                       " score " + score_text(best.verdict) + " pv";
    for (const std::string& ply : best.variation) line += " " + ply;
    write_line(line);
  }

  // Locks, because the thinker's thread calls it too.
  void write_line(const std::string& line) const {
    const std::lock_guard lock(output_mutex_);
    std::cout << line << std::endl;
  }
  void write_error(const std::string& why) const { write_line("info string " + why); }

  const GameType& game_;
  Options options_;
  int seat_count_;
  Match match_;
  int level_ = kMaxLevel;
  std::uint64_t seed_ = 0;
  SteadyTime search_start_{};
  bool is_getting_ready_ = false;      // the computer "thinks" until it is ready
  bool should_wait_for_stop_ = false;  // keeps its answer after go infinite
  bool is_quitting_ = false;
  std::string pending_answer_;  // the answer that is not printed yet
  std::deque<Words> queued_commands_;
  mutable std::mutex output_mutex_;
  Thinker thinker_{table_directories()};  // destroyed before what it uses
  Thinker::Handle search_handle_;
};

}  // namespace

void run_ugi(const GameType& game, const Options& options, int seats) {
  UgiEngine(game, options, seats).run();
}

}  // namespace pbm
