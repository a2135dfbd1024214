// SPDX-License-Identifier: MIT
#include "boards/exercises.hpp"

#include <algorithm>
#include <cmath>

#include "base/files.hpp"
#include "protocol/telling.hpp"
#include "save/save.hpp"
#include "save/yaml.hpp"

namespace pbm {

namespace {

constexpr std::string_view kLesson = "lesson:", kPuzzle = "puzzle:", kToday = "today",
                           kMine = "mine", kSkill = "skill:", kMorning = "morning:", kDay = "day:";
constexpr std::uint64_t kAnswer = 30'000;  // positions to search for the answer to a wrong ply
constexpr std::size_t kShown = 12;         // plies shown, unless the first search finds more
constexpr std::size_t kMaxMemory = 1U << 20;

constexpr int kHardest = 5;  // the highest grade of a puzzle
constexpr int kFirstSkill = 700, kMostSkill = 2000;
constexpr std::size_t kMaxMine = 200;  // puzzles from the player's own games
constexpr int kMuch = 20;              // per cent that a mistake loses if it makes a puzzle
constexpr int kAsGood = 5;             // per cent below the best ply

// Returns the rating of a puzzle, on the scale of players.
int rating_of(int grade) { return 600 + 200 * std::clamp(grade, 1, kHardest); }
// Returns the grade that suits a player of that skill.
int grade_for(int skill) { return std::clamp((skill - 500) / 200, 1, kHardest); }

// Returns the days since 1970 of "2026-11-22".
std::optional<std::int64_t> day_of(const std::string& written) {
  const auto day = read_iso_time(written + "T00:00:00Z");
  if (!day) return std::nullopt;
  return std::chrono::floor<std::chrono::days>(*day).time_since_epoch().count();
}

// Counts only the solver's moves.
std::size_t moves_to_win(const Exercise& exercise) {
  const int seats = exercise.start.seats();
  return static_cast<std::size_t>((exercise.plies + seats - 1) / seats);
}

// Returns the best line of a search that is short enough for a waiting person.
Line best_in(const GameType& game, const Position& position) {
  Question question;
  question.limits.nodes = kAnswer;
  return game.think(position, question).lines.front();
}

// Returns the name of a saved place: "lesson:toot", "puzzle:toot", "puzzle:mine".
std::string place_of(const ExerciseKey& key) {
  const std::string id = key.id();
  return id.substr(0, id.find('-'));
}

// A prime larger than the puzzles of any game, so that the days use them all in mixed order.
constexpr std::int64_t kStride = 101;

}  // namespace

std::string lesson_of(std::string_view game) { return std::string(kLesson) + std::string(game); }

Result<std::string> puzzle_named(const std::vector<std::string>& words) {
  const GameType* const game = words.empty() ? nullptr : game_meant(words[0]);
  const bool mine = !words.empty() && same_ignoring_case(words[0], kMine);
  const std::size_t named = game || mine ? 1 : 0;
  if (words.size() == 2 && named == 0 && !day_of(words[0])) {
    std::vector<std::string> known{std::string(kMine)};
    for (const GameType& g : all_games()) known.emplace_back(g.name);
    return Refusal{"There is no game '" + fit(words[0], 30) +
                   "': " + meant_by(words[0], known, "there is " + game_names() + ".")};
  }
  if (words.size() > named + 1) return Refusal{"Write puzzle, and a game, a day or a number."};
  std::string out(kPuzzle);
  if (named > 0) out += game ? game->name : kMine;
  if (words.size() == named) return out;
  const std::string& which = words[named];
  if (!(day_of(which) && !mine) && !(named > 0 && read_whole_number<int>(which)))
    return Refusal{"'" + fit(which, 30) + "' is no " + (mine ? "" : "day, as 2026-11-22") +
                   (mine   ? "number of a puzzle."
                    : game ? ", and no number of a puzzle."
                           : ", nor mine, and no game: there is " + game_names() + ".")};
  return out + (named > 0 ? "-" : "") + which;
}

bool is_exercise(std::string_view id) { return id.starts_with(kLesson) || id.starts_with(kPuzzle); }

std::int64_t today() { return local_day(now()); }

std::string ExerciseKey::id() const {
  return puzzle ? std::string(kPuzzle) + std::string(game ? game->name : kMine) + "-" +
                      std::to_string(number)
                : lesson_of(game->name);
}

// --- all exercises ---------------------------------------------------------------------

Exercises::Exercises(std::filesystem::path directory, std::filesystem::path memory)
    : directory_(std::move(directory)), memory_(std::move(memory)) {
  if (const auto kept = read_file(memory_, kMaxMemory)) known_ = Known::read(*kept);
}

Exercises::Known Exercises::Known::read(std::string_view text) {
  Known out;
  for (std::string& word : words(text)) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos) out.done.insert(std::move(word));
    else if (const auto number = read_whole_number<int>(word.substr(equals + 1)))
      out.numbers[word.substr(0, equals)] = *number;
  }
  return out;
}

std::filesystem::path Exercises::file_of(bool puzzle, const GameType* game) const {
  if (!game) return memory_.string() + "-mine.yaml";
  return directory_ / (puzzle ? "puzzles" : "lessons") / (std::string(game->name) + ".yaml");
}

std::vector<std::string> Exercises::documents(bool puzzle, const GameType* game) const {
  const auto text = read_file(file_of(puzzle, game), kMaxSave);
  if (!text) return {};
  const auto parts = documents_of(*text);
  return {parts.begin(), parts.end()};
}

Result<std::string> Exercises::puzzle_of(std::int64_t day, const GameType* game) const {
  const auto key = key_of_day(day, game);
  if (!key) return key.refusal();
  return key->id();
}

std::vector<std::string> Exercises::puzzles_of(const GameType* game) const {
  std::vector<std::string> out;
  for (const std::string& document : documents(true, game)) {
    const auto exercise = read_exercise(document, "");
    std::string words = "not to be read";
    if (exercise && !exercise->instead.empty())
      words = std::string(exercise->start.game().title) + ", better than " + exercise->instead;
    else if (exercise)
      words = (exercise->holds
                   ? "one move does not lose"
                   : "wins in " + count_of(moves_to_win(*exercise), "own move", "own moves")) +
              ", grade " + std::to_string(exercise->grade);
    out.push_back(words + (done({true, game, out.size() + 1}) ? ", solved" : ""));
  }
  return out;
}

Result<ExerciseKey> Exercises::key_of_day(std::int64_t day, const GameType* game) const {
  std::vector<const GameType*> games;
  std::error_code error;  // a file that cannot be checked counts as missing
  for (const GameType& g : all_games())
    if (game ? game == &g : std::filesystem::exists(file_of(true, &g), error)) games.push_back(&g);
  if (games.empty()) return Refusal{"There are no puzzles here."};
  const auto kinds = static_cast<std::int64_t>(games.size());
  const auto at = [](std::int64_t n, std::int64_t of) {
    return static_cast<std::size_t>((n % of + of) % of);
  };
  const GameType& which = *games[at(day, kinds)];
  const auto all = documents(true, &which);
  if (all.empty()) return Refusal{"There are no puzzles of " + std::string(which.title) + " here."};
  // Uses the skill before the day's first puzzle, so that solving puzzles does not change the
  // puzzle of the day. In the file the easy ones come first.
  const int grade =
      grade_for(known_.number(kDay, which.name, -1) == day ? known_.number(kMorning, which.name, 0)
                                                           : skill(which));
  const auto behind = [&](int most) {
    return std::partition_point(all.begin(), all.end(), [&](const std::string& document) {
      return grade_of(document) <= most;
    });
  };
  const auto end = std::max(behind(grade), all.begin() + 1);
  auto first = behind(grade - 2);
  if (first >= end) first = all.begin();  // the game has no puzzles of those grades
  return ExerciseKey{
      true, &which,
      static_cast<std::size_t>(first - all.begin()) + at(day / kinds * kStride, end - first) + 1};
}

Result<ExerciseKey> Exercises::key_of(const std::string& id) const {
  const bool puzzle = id.starts_with(kPuzzle);
  if (const std::string mine = std::string(kPuzzle) + std::string(kMine); id.starts_with(mine)) {
    const std::size_t all = documents(true, nullptr).size();
    ExerciseKey key{true, nullptr, 1};
    const auto number = read_whole_number<std::size_t>(
        std::string_view(id).substr(std::min(mine.size() + 1, id.size())));
    if (number) key.number = *number;
    else
      while (key.number < all && done(key)) ++key.number;
    if (key.number >= 1 && key.number <= all && (number || id == mine)) return key;
    return Refusal{
        "There is no such puzzle out of your own games. Press F6 or type analyse where one "
        "is over, and your mistakes become puzzles."};
  }
  const std::string_view rest = std::string_view(id).substr(id.find(':') + 1);
  const std::size_t dash = std::min(rest.find('-'), rest.size());
  const GameType* const game = find_game(rest.substr(0, dash));
  const std::string which(game ? rest.substr(std::min(dash + 1, rest.size())) : rest);
  const std::size_t all = game ? documents(puzzle, game).size() : 0;
  if (!puzzle && which.empty() && all > 0) return ExerciseKey{puzzle, game, 0};
  if (!puzzle && game && which.empty())
    return Refusal{"There is no lesson of " + std::string(game->title) + " here."};
  if (!puzzle)
    return Refusal{"There is no such lesson: write lesson and a game, which is " + game_names() +
                   "."};
  if (which.empty() || which == kToday) return key_of_day(today(), game);
  if (const auto day = day_of(which)) return key_of_day(*day, game);
  const auto number = read_whole_number<std::size_t>(which);
  if (number && *number >= 1 && *number <= all) return ExerciseKey{puzzle, game, *number};
  return Refusal{"There is no such puzzle: write puzzle, and a game and a number, as puzzle " +
                 std::string(all_games().front().name) + " 1."};
}

std::vector<BoardSummary> Exercises::list(bool all) const {
  std::vector<BoardSummary> out;
  // A puzzle from the player's own games can be of any game.
  const auto game_of = [&](const ExerciseKey& key) -> const GameType* {
    const auto mine = key.game ? std::vector<std::string>{} : documents(true, nullptr);
    if (key.game || key.number > mine.size()) return key.game;
    const auto exercise = read_exercise(mine[key.number - 1], "");
    return exercise ? &exercise->start.game() : nullptr;
  };
  const auto add = [&](const ExerciseKey& key, const std::string& remark) {
    BoardSummary line;
    line.id = key.id();
    line.game = game_of(key);
    line.remark = remark;
    line.example = true;
    out.push_back(std::move(line));
  };
  for (const GameType& game : all_games()) {
    const ExerciseKey key{false, &game, 0};
    std::error_code error;  // a file that cannot be checked counts as missing
    if ((all || !done(key)) && std::filesystem::exists(file_of(false, &game), error))
      add(key, begun(key) > 0 ? "a lesson, begun"
               : done(key)    ? "a lesson, done"
                              : "a lesson of five minutes");
  }
  const auto daily = key_of_day(today(), nullptr);
  const auto add_begun = [&](const GameType* game) {
    const ExerciseKey key{true, game, begun({true, game, 0})};
    if (key.number > 0 && !(daily && daily->id() == key.id())) add(key, "a puzzle, begun");
  };
  for (const GameType& game : all_games()) add_begun(&game);
  add_begun(nullptr);
  if (daily) add(*daily, done(*daily) ? "today's puzzle, solved" : "today's puzzle");
  return out;
}

Result<Board> Exercises::open(const std::string& id) {
  const auto key = key_of(lower(id));
  if (!key) return key.refusal();
  auto& session = opened_[key->id()];
  if (!session) {
    const auto all = documents(key->puzzle, key->game);
    std::vector<Exercise> steps;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (key->puzzle && i + 1 != key->number) continue;
      auto step = read_exercise(all[i], file_of(key->puzzle, key->game).filename().string() +
                                            ", document " + std::to_string(i + 1));
      if (!step) return step.refusal();
      steps.push_back(std::move(*step));
    }
    session = std::make_shared<ExerciseSession>(*this, *key, std::move(steps));
  }
  Board out{key->id(), session->match(), ""};
  out.exercise = session;
  return out;
}

std::string Exercises::next(const ExerciseKey& key) const {
  const auto all = documents(true, key.game);
  const std::string begins = place_of({true, key.game, 0}) + "-";
  const auto first = known_.done.lower_bound(begins);  // the first solved puzzle, if any
  const bool any = first != known_.done.end() && first->starts_with(begins);
  if (!key.puzzle && (any || all.empty())) return "";
  const auto solved = [&](std::size_t i) { return done({true, key.game, i + 1}); };
  const auto after = [&](std::size_t n) { return (key.number + n) % all.size(); };
  if (!key.game) {
    for (std::size_t n = 0; n < all.size(); ++n)
      if (!solved(after(n))) return ExerciseKey{true, nullptr, after(n) + 1}.id();
    return ExerciseKey{true, nullptr, after(0) + 1}.id();
  }
  std::size_t done_here = 0;
  for (std::size_t i = 0; i < all.size(); ++i) done_here += solved(i);
  if (key.puzzle && done_here == 1 && done(key)) return "";
  // Chooses the next unsolved puzzle with the nearest grade.
  const int wanted = grade_for(skill(*key.game));
  std::size_t best = after(0);
  int least = kHardest + 1;
  for (std::size_t n = 0; n < all.size(); ++n) {
    const int off = solved(after(n)) ? least : std::abs(grade_of(all[after(n)]) - wanted);
    if (off >= least) continue;
    least = off;
    best = after(n);
  }
  return ExerciseKey{true, key.game, best + 1}.id();
}

int Exercises::Known::number(std::string_view what, std::string_view game, int otherwise) const {
  const auto found = numbers.find(std::string(what).append(game));
  return found == numbers.end() ? otherwise : found->second;
}

std::size_t Exercises::begun(const ExerciseKey& of) const {
  return static_cast<std::size_t>(std::max(0, known_.number(place_of(of), "", 0)));
}

void Exercises::begin(const ExerciseKey& of, std::size_t at) {
  if (begun(of) == at) return;
  keep([&](Known& now) {
    if (at == 0) now.numbers.erase(place_of(of));
    else now.numbers[place_of(of)] = static_cast<int>(at);
  });
}

int Exercises::skill(const GameType& game) const {
  return known_.number(kSkill, game.name, kFirstSkill);
}

// Rates as players are rated (Elo, 1978), but the rating of the puzzle stays the same.
int Exercises::rate(const GameType& game, int grade, int score) {
  constexpr double kStep = 60, kScale = 400;
  keep([&](Known& now) {
    const int before = now.number(kSkill, game.name, kFirstSkill);
    const auto keep_number = [&](std::string_view what, int value) {
      now.numbers[std::string(what).append(game.name)] = value;
    };
    if (now.number(kDay, game.name, -1) != today()) {
      keep_number(kDay, static_cast<int>(today()));
      keep_number(kMorning, before);
    }
    const double expected = 1 / (1 + std::pow(10, (rating_of(grade) - before) / kScale));
    const int then = before + static_cast<int>(std::lround(kStep * (score / 100.0 - expected)));
    keep_number(kSkill, std::clamp(then, 0, kMostSkill));
  });
  return skill(game);
}

std::string Exercises::Known::text() const {
  std::string out;
  for (const std::string& id : done) out += id + "\n";
  for (const auto& [name, value] : numbers) out += name + "=" + std::to_string(value) + "\n";
  return out;
}

void Exercises::keep(const std::function<void(Known& now)>& change) {
  make_directory(directory_of(memory_));
  create_file(memory_, "");
  auto file = LockedFile::open(memory_, kMaxMemory);
  if (!file) throw Error(file.refusal().why);
  Known now = Known::read(file->text());
  change(now);
  file->write(0, now.text());
  known_ = std::move(now);
}

std::size_t Exercises::keep_mistakes(const Analysis& analysis,
                                     const std::function<bool(Seat)>& mine) {
  const Match& match = analysis.match();
  auto all = documents(true, nullptr);
  std::size_t kept = 0;
  for (std::size_t ply = 1; ply <= match.plies().size(); ++ply) {
    const Match::Ply& played = match.plies()[ply - 1];
    const std::vector<std::string> better = analysis.better(ply);
    const auto found = analysis.of(ply);
    if (!mine(played.seat) || better.empty() || !found ||
        found->best.share() - found->played.share() < kMuch)
      continue;
    const std::string text = puzzle_text(
        match, ply - 1, "kind: better, grade: 3, plies: 1, instead: " + yaml_scalar(played.text),
        better);
    if (all.size() >= kMaxMine || std::ranges::find(all, text) != all.end()) continue;
    all.push_back(text);
    ++kept;
  }
  if (kept == 0) return 0;
  const std::filesystem::path file = file_of(true, nullptr);
  make_directory(directory_of(file));
  std::string text;
  for (const std::string& document : all) text += (text.empty() ? "" : "---\n") + document;
  if (!create_file(file, text)) replace_file(file, text);
  return kept;
}

// --- a session at one exercise ---------------------------------------------------------

ExerciseSession::ExerciseSession(Exercises& all, const ExerciseKey& key,
                                 std::vector<Exercise> steps)
    : all_(all), key_(key), steps_(std::move(steps)) {
  begin_step(std::min(key.puzzle ? 0 : all.begun(key), steps_.size() - 1));
}

void ExerciseSession::begin_step(std::size_t step) {
  step_ = step;
  tries_ = 0;
  helped_ = false;
  done_ = false;
  said_.clear();
  refuted_.clear();
  tried_.clear();
  match_ = exercise().start;
}

bool ExerciseSession::go_on() {
  if (step_ + 1 == steps_.size()) return false;
  all_.begin(key_, step_ + 1);
  begin_step(step_ + 1);
  return true;
}

std::string ExerciseSession::title() const {
  if (!exercise().puzzle) return "lesson";
  const std::string number = "puzzle " + std::to_string(key_.number) + ": ";
  if (!exercise().instead.empty()) return "your " + number + "what was better?";
  const Position& p = exercise().start.position();
  return number + "you are " + p.sign(p.to_move()) +
         (exercise().holds ? ", do not lose"
                           : ", win in " + count_of(moves_to_win(exercise()), "move", "moves"));
}

std::string ExerciseSession::task() const {
  if (done_) return said_;
  if (!exercise().puzzle)
    return std::to_string(step_ + 1) + "/" + std::to_string(steps_.size()) + ": " + exercise().say;
  const Position& p = match_->position();
  const std::string tries = count_of(static_cast<std::size_t>(kTries - tries_), "try", "tries");
  if (!exercise().instead.empty())
    return "In a game of yours you, " + p.sign(p.to_move()) + ", played " + exercise().instead +
           " here. What was better? " + tries + ".";
  if (found() > 0) return said_ + " Go on: " + tries + ".";
  const std::size_t moves = moves_to_win(exercise());
  return "You are " + p.sign(p.to_move()) + ". " +
         (exercise().holds ? "Only one move does not lose: which?"
          : moves == 1     ? "One move wins at once: which?"
                           : "You win in " + std::to_string(moves) +
                             " moves of your own, and only one first move does it: which?") +
         " Grade " + std::to_string(exercise().grade) + " of 5, " + tries + "." +
         variant_in_words(*match_);
}

Result<Done> ExerciseSession::play(const std::vector<MoveRequest>& turns) {
  if (turns.empty() || turns.front().note_on)
    return Refusal{"No notes are kept here: type copy for a board of your own."};
  if (!done_) {
    if (is_match_word(turns.front().typed))
      return Refusal{"Find the move: nothing else can be played here."};
    const auto action = match_->validate(*match_->to_move(), turns.front().typed, now());
    if (!action) return action.refusal();
    return exercise().puzzle ? judge_puzzle(action->text) : judge_step(action->text);
  }
  Match next = *match_;
  if (const auto done = judge_turns(next, turns); !done) return done.refusal();
  match_ = std::move(next);
  return Done{};
}

// Returns the ply of the exercise's line while the player follows it, else what the computer finds.
std::string ExerciseSession::expected() const {
  const auto& line = exercise().puzzle ? exercise().line : exercise().find;
  const std::size_t begun = exercise().start.plies().size();
  const bool on_line = found() < line.size() && [&] {
    for (std::size_t i = 0; i < found(); ++i)
      if (match_->plies()[begun + i].text != line[i]) return false;
    return true;
  }();
  if (on_line) return line[found()];
  if (!exercise().puzzle) return match_->position().legal().front();
  return best_in(match_->game(), match_->position()).ply;
}

Result<Done> ExerciseSession::judge_step(const std::string& ply) {
  const auto& find = exercise().find;
  if (!find.empty() && std::ranges::find(find, ply) == find.end()) return Refusal{exercise().wrong};
  const bool last = step_ + 1 == steps_.size();
  if (last) all_.remember(key_);
  play_on(ply);
  finish(exercise().right + (!last            ? " Enter goes on."
                             : next().empty() ? " That is all. Enter: a game with the computer."
                                              : " That is all. Enter: a first puzzle."));
  return Done{};
}

bool is_about_best(const Position& position, const GameType& game, const std::string& ply) {
  Position then = position;
  then.play(ply);
  if (const auto end = then.outcome()) return end->winner == position.to_move();
  if (position.seats() > 2) return false;
  return 100 - best_in(game, then).verdict.share() + kAsGood >=
         best_in(game, position).verdict.share();
}

// After the first ply, every ply is right that still wins. In the player's own games, every ply is
// right that is about as good as the best.
bool ExerciseSession::is_right(const std::string& ply) const {
  if (ply == expected()) return true;
  Position then = match_->position();
  if (!exercise().instead.empty())
    return ply != exercise().instead && is_about_best(then, match_->game(), ply);
  const Seat seat = then.to_move();
  if (found() == 0) return false;
  then.play(ply);
  if (const auto end = then.outcome()) return end->winner == seat;
  return then.seats() == 2 && best_in(match_->game(), then).verdict.kind() == Verdict::Kind::loss;
}

Result<Done> ExerciseSession::judge_puzzle(const std::string& ply) {
  if (tried_.contains(ply)) return Refusal{"You have tried " + ply + " here: it was wrong."};
  all_.begin(key_, key_.number);
  const bool right = is_right(ply);
  if (!right) tried_.insert(ply);
  if (!right && ++tries_ < kTries) return refute(ply);
  const std::string found_one = right ? ply : expected();
  const bool ends = !right || exercise().holds || !exercise().instead.empty();
  play_on(found_one);
  std::string answer;
  if (!ends && !match_->ending()) {
    answer = expected();
    play_on(answer);
  }
  if (right && !answer.empty() && !match_->ending()) {
    said_ = "Right, " + ply + ". The other side plays " + answer + ".";
    return Done{};
  }
  std::string said = right ? "Right, " + ply + "." : "It was " + found_one + ".";
  if (right) all_.remember(key_);
  if (right && helped_ && key_.game) {
    said += " With a hint your puzzle rating stays " + std::to_string(all_.skill(*key_.game)) + ".";
  } else if (key_.game) {
    const int before = all_.skill(*key_.game);
    const int now =
        all_.rate(*key_.game, exercise().grade, !right ? 0 : 100 * (kTries - tries_) / kTries);
    said += " Your puzzle rating in " + std::string(key_.game->title) + ": " + std::to_string(now) +
            (now < before ? " (" : " (+") + std::to_string(now - before) + "), for grade " +
            std::to_string(grade_for(now)) + " of " + std::to_string(kHardest) + ".";
  }
  finish(said);
  all_.begin(key_, 0);
  said_ += std::string(
               match_->redo().empty() ? "" : " Press Ctrl-Y or type redo to play on as expected.") +
           (next().empty() ? " Enter: a game with the computer." : " Enter: another puzzle.");
  return Done{};
}

// Appends the rest of the line as plies that were taken back, so that the player can redo them.
void ExerciseSession::finish(const std::string& said) {
  const std::size_t plies = match_->plies().size();
  const auto& line = exercise().line;
  Match with = *match_;
  for (std::size_t i = found(); i < line.size() && !with.ending(); ++i) {
    const auto action = with.validate(with.to_move().value_or(0), line[i], now());
    if (!action) break;
    with.add(*action);
  }
  if (with.plies().size() > plies) match_ = with.back_to(plies);
  done_ = true;
  said_ = said;
}

// Returns a refusal that says what answers a wrong ply.
Result<Done> ExerciseSession::refute(const std::string& ply) {
  Position then = match_->position();
  then.play(ply);
  refuted_ = {ply};
  const auto end = then.outcome();
  bool loses = exercise().holds || (end && end->winner && end->winner != match_->to_move());
  std::string answered;
  if (!end) {
    const Line answer = best_in(match_->game(), then);
    refuted_.insert(refuted_.end(), answer.variation.begin(), answer.variation.end());
    loses = loses || answer.verdict.kind() == Verdict::Kind::win;
    answered = ": the other side plays " + answer.ply + ". Press F8 or type better to see that";
    for (const std::string& next : answer.variation) then.play(next);
    // Shows a loss to its end.
    while (loses && !then.outcome() && refuted_.size() < kShown) {
      refuted_.push_back(best_in(match_->game(), then).ply);
      then.play(refuted_.back());
    }
  }
  return Refusal{ply +
                 (loses                        ? " loses"
                  : exercise().instead.empty() ? " does not win so soon"
                                               : " is no better") +
                 answered + ". " +
                 count_of(static_cast<std::size_t>(kTries - tries_), "try", "tries") + " left."};
}

}  // namespace pbm
