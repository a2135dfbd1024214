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
#include "cli/runs.hpp"

namespace pbm {
namespace {

using namespace std::chrono_literals;
using std::chrono::milliseconds;

constexpr std::size_t kMaxWaiting = 100;  // commands
constexpr milliseconds kBetweenInfos{100};
constexpr std::uint64_t kMostSeed = 1'000'000;
constexpr long kMost = 1'000'000'000'000;               // milliseconds, positions
constexpr std::size_t kMaxLine = std::size_t{1} << 20;  // bytes: a match and more

// Returns a score as chess programs write it: moves to the end, or the odds in hundredths.
std::string score_of(const Verdict& v) {
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
  const double chance = std::clamp(v.share(), 1, 99) / 100.0;
  return "cp " + std::to_string(std::lround(400 * std::log10(chance / (1 - chance))));
}

class Ugi {
 public:
  Ugi(const GameType& game, const Options& options, int seats)
      : game_(game), options_(options), seats_(seats), match_(start()) {}

  void run() {
    std::string in;
    bool ended = false, skipping = false;
    for (;;) {
      std::array<pollfd, 2> waits{
          {{ended ? -1 : STDIN_FILENO, POLLIN, 0}, {thinker_.bell(), POLLIN, 0}}};
      // Answers all commands before the end of input counts. `quit` does not wait for the answers.
      go_on();
      if (quits_ || (ended && waits_for_stop_)) stop();
      if (!busy() && !waiting_.empty()) continue;
      if (quits_ ? readies_ || !busy() : ended && !busy()) return;
      if (::poll(waits.data(), waits.size(), -1) < 0 && errno != EINTR) return;
      if (waits[0].revents == 0) continue;
      std::array<char, 4096> bytes;
      const ssize_t n = ::read(STDIN_FILENO, bytes.data(), bytes.size());
      if (n < 0 && errno == EINTR) continue;
      ended = n <= 0;
      in.append(bytes.data(), static_cast<std::size_t>(std::max<ssize_t>(n, 0)));
      if (ended) in += '\n';  // the last line may have no newline
      for (std::size_t end; (end = in.find('\n')) != std::string::npos; in.erase(0, end + 1)) {
        if (!std::exchange(skipping, false) && !quits_) answer(words(in.substr(0, end)));
        go_on();
      }
      if (in.size() > kMaxLine) {
        in.clear();
        if (!std::exchange(skipping, true)) complain("this line is too long");
      }
    }
  }

 private:
  using Words = std::vector<std::string>;

  Match start() const {
    Words names;
    for (int i = 1; i <= seats_; ++i) names.push_back("player" + std::to_string(i));
    return *Match::start(game_, options_, names, Time{});
  }

  void answer(const Words& words) {
    if (words.empty()) return;
    const std::string& word = words.front();
    if (word == "quit") return void(quits_ = true);
    // While it thinks, commands wait for the answer, except those that do not use the position.
    if (busy() && (readies_ || (word != "stop" && word != "isready" && word != "ugi"))) {
      if (waiting_.size() < kMaxWaiting) return waiting_.push_back(words);
      return complain("too much waits for an answer: " + fit(word, 40) + " is left out");
    }
    if (word == "ugi") introduce();
    else if (word == "isready") get_ready();
    else if (word == "stop") stop();
    else if (word == "uginewgame") match_ = start();
    else if (word == "setoption") set_option(words);
    else if (word == "position") set_position(words);
    else if (word == "query") query(words.size() > 1 ? words[1] : "");
    else if (word == "go") go(words);
    else complain("no such command: " + fit(word, 40));
  }

  void introduce() const {
    say("id name pbmplay " + version_text() + " " + std::string(game_.name));
    say("id author the authors of pbmplay");
    say("option name level type spin default " + std::to_string(kTopLevel) + " min 1 max " +
        std::to_string(kTopLevel));
    say("option name seed type spin default 0 min 0 max " + std::to_string(kMostSeed));
    if (game_.max_seats > game_.min_seats)
      say("option name seats type spin default " + std::to_string(seats_) + " min " +
          std::to_string(game_.min_seats) + " max " + std::to_string(game_.max_seats));
    for (const OptionSpec& o : game_.options)
      say("option name " + std::string(o.name) +
          (o.value.empty()
               ? std::string(" type check default ") + (options_.has(o.name) ? "true" : "false")
               : " type string default " + options_.value(o.name, o.standard)));
    say("ugiok");
  }

  // Changes apply to the next game, so the present position starts again.
  void set_option(const Words& words) {
    const bool has_value = words.size() == 5 && words[3] == "value";
    if (words.size() < 3 || words[1] != "name" || (words.size() > 3 && !has_value))
      return complain("it is setoption name NAME value VALUE, each one word");
    std::string name = lower(words[2]);
    if (const OptionSpec* spec = find_option(game_, name)) name = spec->name;
    const std::string value = has_value ? words[4] : "";
    if (name == "level") {
      const auto level = read_whole_number<int>(value);
      if (!level || *level < 1 || *level > kTopLevel)
        return complain("level is a number from 1 to " + std::to_string(kTopLevel));
      level_ = *level;
      return;
    }
    if (name == "seed") {
      const auto seed = read_whole_number<std::uint64_t>(value);
      if (!seed || *seed > kMostSeed)
        return complain("seed is a number from 0 to " + std::to_string(kMostSeed));
      seed_ = *seed;
      return;
    }
    Options options = options_;
    int seats = seats_;
    if (name == "seats") {
      seats = read_whole_number<int>(value).value_or(0);
    } else {
      Words typed;
      for (const std::string& word : options_.words())
        if (lower(word).substr(1, word.find('=') - 1) != name) typed.push_back(word);
      if (value != "false") typed.push_back("-" + name + (value == "true" ? "" : "=" + value));
      const auto read = read_options(game_, typed);
      if (!read) return complain(read.refusal().why);
      options = *read;
    }
    if (seats < game_.min_seats || seats > game_.max_seats)
      return complain(std::string(game_.title) + " is not for " + fit(value, 10) + " players");
    if (const auto may = game_.start(options, seats); !may) return complain(may.refusal().why);
    options_ = options;
    seats_ = seats;
    match_ = start();
  }

  void set_position(const Words& words) {
    if (words.size() < 2 || words[1] != "startpos")
      return complain("positions are startpos and moves from there");
    Match match = start();
    if (words.size() > 2 && words[2] != "moves")
      return complain("behind startpos comes moves, or nothing");
    for (std::size_t i = 3; i < words.size(); ++i) {
      const auto action = match.ending() ? Result<Action>(Refusal{"the game is over before it"})
                          : is_match_word(words[i])
                              ? Result<Action>(Refusal{"it is no move"})
                              : match.validate(*match.to_move(), words[i], Time{});
      if (!action)
        return complain("move " + std::to_string(i - 2) + ", " + fit(words[i], 40) + ": " +
                        action.refusal().why);
      match.add(*action);
    }
    match_ = std::move(match);
  }

  void query(const std::string& what) const {
    if (what == "gameover")
      return say(std::string("response ") + (match_.ending() ? "true" : "false"));
    if (what == "p1turn")
      return say(std::string("response ") + (match_.to_move() == Seat{0} ? "true" : "false"));
    if (what != "result") return complain("queries are gameover, p1turn and result");
    const auto& ending = match_.ending();
    say("response " + (!ending           ? std::string("none")
                       : !ending->winner ? std::string("draw")
                                         : "p" + std::to_string(*ending->winner + 1) + "win"));
  }

  // Returns the limits of `go`, or an error.
  Result<Limits> limits_of(const Words& words) const {
    const std::string own = "p" + std::to_string(*match_.to_move() + 1);
    Limits out;
    std::optional<long> left;
    long increment = 0;
    for (std::size_t i = 1; i < words.size(); ++i) {
      const std::string& word = words[i];
      if (word == "infinite" && words.size() == 2) return out;
      const bool clock = word.size() > 2 && word[0] == 'p' && word[1] >= '1' &&
                         word[1] < '1' + seats_ &&
                         (word.substr(2) == "time" || word.substr(2) == "inc");
      const bool limit = word == "movetime" || word == "nodes" || word == "depth";
      if (!clock && !limit)
        return Refusal{"go takes infinite alone, or movetime, nodes, depth, " + own + "time and " +
                       own + "inc with a number each, and not " + fit(word, 40)};
      const auto n = read_whole_number<long>(++i < words.size() ? words[i] : "");
      if (!n || *n > kMost || (limit && *n == 0))
        return Refusal{"behind " + word + " comes a number from " + (limit ? "1" : "0") + " to " +
                       std::to_string(kMost)};
      if (word == "movetime") out.time = milliseconds(*n);
      else if (word == "nodes") out.nodes = static_cast<std::uint64_t>(*n);
      else if (word == "depth") out.depth = static_cast<int>(std::min(*n, 1000L));
      else if (word == own + "time") left = *n;
      else if (word == own + "inc") increment = *n;
    }
    if (left && out.time == 0ms)
      out.time = milliseconds(std::max(1L, std::min(*left / 2, *left / 25 + increment * 3 / 4)));
    return out;
  }

  void go(const Words& words) {
    waits_for_stop_ = words.size() > 1 && words[1] == "infinite";
    if (match_.ending()) {
      answer_ = "bestmove (none)";
      return waits_for_stop_ ? void() : stop();
    }
    const auto limits = limits_of(words);
    if (!limits) return complain(limits.refusal().why);
    Question question = question_about(match_, level_);
    question.seed += seed_;
    question.limits = *limits;
    if (waits_for_stop_) question.limits.time = std::chrono::hours(24 * 365);
    began_ = std::chrono::steady_clock::now();
    // Runs on the thinker's thread. finish() gives the last information.
    question.progress = [this, last = Moment{}](const Thought& thought) mutable {
      const Moment now = std::chrono::steady_clock::now();
      if (now - last < kBetweenInfos) return;
      last = now;
      inform(thought, now);
    };
    thinks_ = thinker_.ask(Thinker::Rank::ply, game_, match_.position(), std::move(question),
                           [this](const Result<Thought>& thought) { finish(thought); });
  }

  // Answers at once while it thinks, and else when the table for this position is ready.
  void get_ready() {
    const bool helped = level_ == kTopLevel && game_.table && game_.table(match_.position());
    if (busy() || !helped) return say("readyok");
    Question question;
    question.limits.nodes = 1;
    readies_ = true;
    thinks_ = thinker_.ask(Thinker::Rank::study, game_, match_.position(), std::move(question),
                           [this](const Result<Thought>&) {
                             thinks_.reset();
                             readies_ = false;
                             say("readyok");
                           });
  }

  void stop() {
    waits_for_stop_ = false;
    if (thinks_) thinks_->hurry();
    if (!answer_.empty()) say(std::exchange(answer_, ""));
  }

  bool busy() const { return thinks_ || !answer_.empty(); }

  void go_on() {
    thinker_.take_changes();
    while (!waiting_.empty() && !busy()) {
      const Words next = std::move(waiting_.front());
      waiting_.pop_front();
      answer(next);
    }
  }

  void finish(const Result<Thought>& thought) {
    thinks_.reset();
    if (!thought) throw Error(thought.refusal().why);
    inform(*thought, std::chrono::steady_clock::now());
    answer_ = "bestmove " + thought->lines.front().ply;
    if (!waits_for_stop_) stop();
  }

  void inform(const Thought& thought, Moment now) const {
    const Line& best = thought.lines.front();
    const auto time = std::chrono::duration_cast<milliseconds>(now - began_);
    std::string line = "info depth " + std::to_string(thought.depth) + " nodes " +
                       std::to_string(thought.nodes) + " time " + std::to_string(time.count()) +
                       " score " + score_of(best.verdict) + " pv";
    for (const std::string& ply : best.variation) line += " " + ply;
    say(line);
  }

  // Locks, because the thinker's thread calls it too.
  void say(const std::string& line) const {
    const std::lock_guard lock(saying_);
    std::cout << line << std::endl;
  }
  void complain(const std::string& why) const { say("info string " + why); }

  const GameType& game_;
  Options options_;
  int seats_;
  Match match_;
  int level_ = kTopLevel;
  std::uint64_t seed_ = 0;
  Moment began_{};
  bool readies_ = false;         // the computer "thinks" until it is ready
  bool waits_for_stop_ = false;  // keeps its answer after go infinite
  bool quits_ = false;
  std::string answer_;  // the answer that is not printed yet
  std::deque<Words> waiting_;
  mutable std::mutex saying_;
  Thinker thinker_{cache_directory()};  // destroyed before what it uses
  Thinker::Handle thinks_;
};

}  // namespace

void run_ugi(const GameType& game, const Options& options, int seats) {
  Ugi(game, options, seats).run();
}

}  // namespace pbm
