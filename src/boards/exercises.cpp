// SPDX-License-Identifier: MIT
#include "boards/exercises.hpp"

#include <algorithm>
#include <cmath>

#include "base/files.hpp"
#include "protocol/match_description.hpp"
#include "save/save.hpp"
#include "save/yaml.hpp"

namespace pbm {

namespace {

constexpr std::string_view kLessonPrefix = "lesson:", kPuzzlePrefix = "puzzle:", kToday = "today",
                           kMine = "mine", kSkillPrefix = "skill:", kMorningPrefix = "morning:",
                           kDayPrefix = "day:", kStreak = "streak", kSolvedDay = "solved",
                           kLevelPrefix = "level:", kLossesPrefix = "losses:",
                           kMatchPrefix = "match:";
constexpr std::uint64_t kAnswerNodes = 30'000;  // positions to search for the answer to a wrong ply
constexpr std::size_t kMaxShownPlies = 12;      // plies shown, unless the first search finds more
constexpr std::size_t kMaxProgressFile = 1U << 20;

constexpr int kMaxGrade = 5;  // the highest grade of a puzzle
constexpr int kFirstSkill = 700, kMaxSkill = 2000;
constexpr std::size_t kMaxOwnPuzzles = 200;  // puzzles from the player's own games
constexpr int kMinPuzzleLoss = 20;           // per cent that a mistake loses if it makes a puzzle
constexpr int kCounted = 100;                // added to the level of a match whose end is counted
constexpr int kNearBestMargin = 5;           // per cent below the best ply

// Returns the rating of a puzzle, on the scale of players.
int puzzle_rating(int grade) { return 600 + 200 * std::clamp(grade, 1, kMaxGrade); }
// Returns the grade that suits a player of that skill.
int grade_for(int skill) { return std::clamp((skill - 500) / 200, 1, kMaxGrade); }

// Returns the name of a game with the options that make it another game, which a size does not:
// "toot-tootris".
std::string variant_name(const GameType& game, const Options& options) {
  std::string out(game.name);
  for (const std::string& word : options.to_words())
    if (word.find('=') == std::string::npos) out += word;
  return out;
}

// Returns the name of what is kept about a match. All these names have the same length.
std::string match_key(const Match& match) {
  return std::string(kMatchPrefix) + std::to_string(match.start_time().time_since_epoch().count());
}

// Returns the days since 1970 of "2026-11-22".
std::optional<std::int64_t> parse_day(const std::string& written) {
  const auto day = read_iso_time(written + "T00:00:00Z");
  if (!day) return std::nullopt;
  return std::chrono::floor<std::chrono::days>(*day).time_since_epoch().count();
}

// Counts only the solver's moves.
std::size_t moves_to_win(const Exercise& exercise) {
  const int seats = exercise.start.seats();
  return static_cast<std::size_t>((exercise.ply_count + seats - 1) / seats);
}

// Returns the best line of a search that is short enough for a waiting person. A `depth` limits it
// to so many plies: such a search finds the shortest win.
AnalysisLine find_best_line(const GameType& game, const Position& position, int depth = 0) {
  SearchRequest question;
  question.limits.nodes = kAnswerNodes;
  question.limits.depth = depth;
  return game.think(position, question).lines.front();
}

// Returns the name of a saved place: "lesson:toot", "puzzle:toot", "puzzle:mine".
std::string place_name(const ExerciseKey& key) {
  const std::string id = key.id();
  return id.substr(0, id.find('-'));
}

// A prime larger than the puzzles of any game, so that the days use them all in mixed order.
constexpr std::int64_t kDailyStride = 101;

}  // namespace

std::string lesson_id(std::string_view game) {
  return std::string(kLessonPrefix) + std::string(game);
}

Result<std::string> puzzle_id(const std::vector<std::string>& words) {
  const GameType* const game = words.empty() ? nullptr : find_game_or_variant(words[0]);
  const bool mine = !words.empty() && equals_ignoring_case(words[0], kMine);
  const std::size_t named = game || mine ? 1 : 0;
  const std::string first = words.empty() ? "" : fit(words[0], 30);
  if (named == 0 && !words.empty() && !is_digit(words[0][0])) {
    std::vector<std::string> known{std::string(kMine)};
    for (const GameType& g : all_games()) known.emplace_back(g.name);
    return Refusal{
        "There is no game '" + first + "'. " +
        suggest_word(words[0], known,
                     "Choose " + list_game_names() + ", or write a day like 2026-11-22.")};
  }
  if (words.size() > named + 1) return Refusal{"Type puzzle and a game, a day or a number."};
  std::string out(kPuzzlePrefix);
  if (named > 0) out += game ? game->name : kMine;
  if (words.size() == named) return out;
  const std::string& which = words[named];
  const bool is_number = read_whole_number<int>(which).has_value();
  if (mine && !is_number)
    return Refusal{"'" + fit(which, 30) +
                   "' is not a number. Type puzzle mine, or a number after it."};
  if (named == 0 && is_number)
    return Refusal{"Name a game before the number, for example puzzle " +
                   std::string(all_games().front().name) + " " + first + "."};
  if (!is_number && !parse_day(which))
    return Refusal{"'" + fit(which, 30) + "' is not a day of the calendar" +
                   (named > 0 ? " and not the number of a puzzle" : "") +
                   ". Write a day like 2026-11-22."};
  return out + (named > 0 ? "-" : "") + which;
}

bool is_exercise(std::string_view id) {
  return id.starts_with(kLessonPrefix) || id.starts_with(kPuzzlePrefix);
}

std::int64_t today() { return local_day(now()); }

std::string ExerciseKey::id() const {
  return is_puzzle ? std::string(kPuzzlePrefix) + std::string(game ? game->name : kMine) + "-" +
                         std::to_string(number)
                   : lesson_id(game->name);
}

// --- all exercises ---------------------------------------------------------------------

Exercises::Exercises(std::filesystem::path directory, std::filesystem::path memory)
    : directory_(std::move(directory)), progress_file_(std::move(memory)) {
  if (const auto kept = read_file(progress_file_, kMaxProgressFile))
    progress_ = Progress::parse(*kept);
}

Exercises::Progress Exercises::Progress::parse(std::string_view text) {
  Progress out;
  for (std::string& word : split_words(text)) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos) out.done_ids.insert(std::move(word));
    else if (const auto number = read_whole_number<int>(word.substr(equals + 1)))
      out.numbers[word.substr(0, equals)] = *number;
  }
  return out;
}

std::filesystem::path Exercises::exercise_file(bool puzzle, const GameType* game) const {
  if (!game) return progress_file_.string() + "-mine.yaml";
  return directory_ / (puzzle ? "puzzles" : "lessons") / (std::string(game->name) + ".yaml");
}

std::vector<std::string> Exercises::documents(bool puzzle, const GameType* game) const {
  const auto text = read_file(exercise_file(puzzle, game), kMaxSave);
  if (!text) return {};
  const auto parts = split_documents(*text);
  return {parts.begin(), parts.end()};
}

Result<std::string> Exercises::daily_puzzle(std::int64_t day, const GameType* game) const {
  const auto key = daily_key(day, game);
  if (!key) return key.refusal();
  return key->id();
}

std::vector<std::string> Exercises::puzzle_descriptions(const GameType* game) const {
  std::vector<std::string> out;
  for (const std::string& document : documents(true, game)) {
    const auto exercise = read_exercise(document, "");
    std::string words = "unreadable";
    if (exercise && !exercise->original_ply.empty())
      words = std::string(exercise->start.game().title) + ", better than " + exercise->original_ply;
    else if (exercise)
      words = (exercise->is_defence
                   ? "one move does not lose"
                   : "wins in " + format_count(moves_to_win(*exercise), "move", "moves")) +
              ", grade " + std::to_string(exercise->grade);
    out.push_back(words + (is_done({true, game, out.size() + 1}) ? ", solved" : ""));
  }
  return out;
}

Result<ExerciseKey> Exercises::daily_key(std::int64_t day, const GameType* game) const {
  std::vector<const GameType*> games;
  std::error_code error;  // a file that cannot be checked counts as missing
  for (const GameType& g : all_games())
    if (game ? game == &g : std::filesystem::exists(exercise_file(true, &g), error))
      games.push_back(&g);
  if (games.empty()) return Refusal{"There are no puzzles here."};
  const auto kinds = static_cast<std::int64_t>(games.size());
  const auto at = [](std::int64_t n, std::int64_t of) {
    return static_cast<std::size_t>((n % of + of) % of);
  };
  const GameType& which = *games[at(day, kinds)];
  const auto all = documents(true, &which);
  if (all.empty())
    return Refusal{"There are no puzzles for " + std::string(which.title) + " here."};
  // Uses the skill before the day's first puzzle, so that solving puzzles does not change the
  // puzzle of the day. In the file the easy ones come first.
  const int grade = grade_for(progress_.number(kDayPrefix, which.name, -1) == day
                                  ? progress_.number(kMorningPrefix, which.name, 0)
                                  : skill(which));
  const auto behind = [&](int most) {
    return std::partition_point(all.begin(), all.end(), [&](const std::string& document) {
      return read_puzzle_grade(document) <= most;
    });
  };
  const auto end = std::max(behind(grade), all.begin() + 1);
  auto first = behind(grade - 2);
  if (first >= end) first = all.begin();  // the game has no puzzles of those grades
  return ExerciseKey{true, &which,
                     static_cast<std::size_t>(first - all.begin()) +
                         at(day / kinds * kDailyStride, end - first) + 1};
}

Result<ExerciseKey> Exercises::find_key(const std::string& id) const {
  const bool puzzle = id.starts_with(kPuzzlePrefix);
  if (const std::string mine = std::string(kPuzzlePrefix) + std::string(kMine);
      id.starts_with(mine)) {
    const std::size_t all = documents(true, nullptr).size();
    ExerciseKey key{true, nullptr, 1};
    const auto number = read_whole_number<std::size_t>(
        std::string_view(id).substr(std::min(mine.size() + 1, id.size())));
    if (number) key.number = *number;
    else
      while (key.number < all && is_done(key)) ++key.number;
    if (key.number >= 1 && key.number <= all && (number || id == mine)) return key;
    return Refusal{
        "There is no such puzzle from your own games. Press F6 or type analyse after a game to "
        "turn your mistakes into puzzles."};
  }
  const std::string_view rest = std::string_view(id).substr(id.find(':') + 1);
  const std::size_t dash = std::min(rest.find('-'), rest.size());
  const GameType* const game = find_game(rest.substr(0, dash));
  const std::string which(game ? rest.substr(std::min(dash + 1, rest.size())) : rest);
  const std::size_t all = game ? documents(puzzle, game).size() : 0;
  if (!puzzle && which.empty() && all > 0) return ExerciseKey{puzzle, game, 0};
  if (!puzzle && game && which.empty())
    return Refusal{"There is no lesson for " + std::string(game->title) + " here."};
  if (!puzzle)
    return Refusal{"There is no such lesson. Type lesson and a game: " + list_game_names() + "."};
  if (which.empty() || which == kToday) return daily_key(today(), game);
  if (const auto day = parse_day(which)) return daily_key(*day, game);
  const auto number = read_whole_number<std::size_t>(which);
  if (number && *number >= 1 && *number <= all) return ExerciseKey{puzzle, game, *number};
  return Refusal{"There is no such puzzle. Type puzzle, a game and a number, as puzzle " +
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
    line.is_example = true;
    out.push_back(std::move(line));
  };
  for (const GameType& game : all_games()) {
    const ExerciseKey key{false, &game, 0};
    std::error_code error;  // a file that cannot be checked counts as missing
    if ((all || !is_done(key)) && std::filesystem::exists(exercise_file(false, &game), error))
      add(key, saved_place(key) > 0 ? "an unfinished lesson"
               : is_done(key)       ? "a finished lesson"
                                    : "a lesson, five minutes");
  }
  const auto daily = daily_key(today(), nullptr);
  const auto add_begun = [&](const GameType* game) {
    const ExerciseKey key{true, game, saved_place({true, game, 0})};
    if (key.number > 0 && !(daily && daily->id() == key.id())) add(key, "an unfinished puzzle");
  };
  for (const GameType& game : all_games()) add_begun(&game);
  add_begun(nullptr);
  if (daily) add(*daily, is_done(*daily) ? "today's puzzle, solved" : "today's puzzle");
  return out;
}

Result<Board> Exercises::open(const std::string& id) {
  const auto key = find_key(lower(id));
  if (!key) return key.refusal();
  auto& session = sessions_[key->id()];
  if (!session) {
    const auto all = documents(key->is_puzzle, key->game);
    std::vector<Exercise> steps;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (key->is_puzzle && i + 1 != key->number) continue;
      auto step =
          read_exercise(all[i], exercise_file(key->is_puzzle, key->game).filename().string() +
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

std::string Exercises::next_id(const ExerciseKey& key) const {
  const auto all = documents(true, key.game);
  const std::string begins = place_name({true, key.game, 0}) + "-";
  const auto first = progress_.done_ids.lower_bound(begins);  // the first solved puzzle, if any
  const bool any = first != progress_.done_ids.end() && first->starts_with(begins);
  if (all.empty() || (!key.is_puzzle && any)) return "";
  const auto solved = [&](std::size_t i) { return is_done({true, key.game, i + 1}); };
  const auto after = [&](std::size_t n) { return (key.number + n) % all.size(); };
  if (!key.game) {
    for (std::size_t n = 0; n < all.size(); ++n)
      if (!solved(after(n))) return ExerciseKey{true, nullptr, after(n) + 1}.id();
    return ExerciseKey{true, nullptr, after(0) + 1}.id();
  }
  std::size_t done_here = 0;
  for (std::size_t i = 0; i < all.size(); ++i) done_here += solved(i);
  if (key.is_puzzle && done_here == 1 && is_done(key)) return "";
  // Chooses the next unsolved puzzle with the nearest grade.
  const int wanted = grade_for(skill(*key.game));
  std::size_t best = after(0);
  int least = kMaxGrade + 1;
  for (std::size_t n = 0; n < all.size(); ++n) {
    const int off = solved(after(n)) ? least : std::abs(read_puzzle_grade(all[after(n)]) - wanted);
    if (off >= least) continue;
    least = off;
    best = after(n);
  }
  return ExerciseKey{true, key.game, best + 1}.id();
}

int Exercises::Progress::number(std::string_view what, std::string_view game, int otherwise) const {
  const auto found = numbers.find(std::string(what).append(game));
  return found == numbers.end() ? otherwise : found->second;
}

std::size_t Exercises::saved_place(const ExerciseKey& of) const {
  return static_cast<std::size_t>(std::max(0, progress_.number(place_name(of), "", 0)));
}

void Exercises::save_place(const ExerciseKey& of, std::size_t at) {
  if (saved_place(of) == at) return;
  update_progress([&](Progress& now) {
    if (at == 0) now.numbers.erase(place_name(of));
    else now.numbers[place_name(of)] = static_cast<int>(at);
  });
}

int Exercises::skill(const GameType& game) const {
  return progress_.number(kSkillPrefix, game.name, kFirstSkill);
}

// Rates as players are rated (Elo, 1978), but the rating of the puzzle stays the same.
int Exercises::rate(const GameType& game, int grade, int score) {
  constexpr double kStep = 60, kScale = 400;
  update_progress([&](Progress& now) {
    const int before = now.number(kSkillPrefix, game.name, kFirstSkill);
    const auto keep_number = [&](std::string_view what, int value) {
      now.numbers[std::string(what).append(game.name)] = value;
    };
    if (now.number(kDayPrefix, game.name, -1) != today()) {
      keep_number(kDayPrefix, static_cast<int>(today()));
      keep_number(kMorningPrefix, before);
    }
    const double expected = 1 / (1 + std::pow(10, (puzzle_rating(grade) - before) / kScale));
    const int then = before + static_cast<int>(std::lround(kStep * (score / 100.0 - expected)));
    keep_number(kSkillPrefix, std::clamp(then, 0, kMaxSkill));
  });
  return skill(game);
}

int Exercises::suitable_level(const GameType& game, const Options& options) const {
  return std::clamp(progress_.number(kLevelPrefix, variant_name(game, options), 1), 1, kMaxLevel);
}

void Exercises::adapt_computer(Match& match) {
  constexpr std::ptrdiff_t kMostMatches = 100;
  reload();
  const int level = suitable_level(match.game(), match.options());
  for (Seat s = 0; s < match.seats(); ++s)
    if (match.computer_level(s) > 0) match.set_computer_level(s, level);
  try {
    update_progress([&](Progress& now) {
      now.numbers[match_key(match)] = level;
      const auto is_match = [](const auto& entry) { return entry.first.starts_with(kMatchPrefix); };
      if (std::ranges::count_if(now.numbers, is_match) > kMostMatches)
        now.numbers.erase(std::ranges::find_if(now.numbers, is_match));  // the oldest
    });
  } catch (const Error&) {  // the player has no place for files; the game does not count
  }
}

bool Exercises::is_adaptive(const Match& match) const {
  const int level = progress_.number(match_key(match), "", 0) % kCounted;
  bool any = false;
  for (Seat s = 0; s < match.seats(); ++s) {
    any = any || match.computer_level(s) > 0;
    if (match.computer_level(s) > 0 && match.computer_level(s) != level) return false;
  }
  return any;
}

std::string Exercises::count_result(const Match& match) {
  std::optional<Seat> person;
  int people = 0;
  for (Seat s = 0; s < match.seats(); ++s)
    if (match.computer_level(s) == 0) {
      person = s;
      ++people;
    }
  if (people != 1 || !match.ending() ||
      std::ranges::none_of(match.plies(), [&](const auto& ply) { return ply.seat == *person; }))
    return "";
  if (!is_adaptive(match) || progress_.number(match_key(match), "", 0) > kMaxLevel) return "";
  const std::string variant = variant_name(match.game(), match.options());
  int before = 0, after = 0;
  try {
    update_progress([&](Progress& now) {
      const int begun = now.number(match_key(match), "", 0);
      if (begun == 0 || begun > kMaxLevel) return;  // counted before
      now.numbers[match_key(match)] = begun + kCounted;
      before = after = std::clamp(now.number(kLevelPrefix, variant, 1), 1, kMaxLevel);
      const auto winner = match.ending()->winner;
      int losses = winner && winner != person ? now.number(kLossesPrefix, variant, 0) + 1 : 0;
      if (winner == person) after = std::min(before + 1, kMaxLevel);
      else if (losses == 2) after = std::max(before - 1, 1), losses = 0;
      now.numbers[std::string(kLevelPrefix) + variant] = after;
      now.numbers[std::string(kLossesPrefix) + variant] = losses;
    });
  } catch (const Error&) {  // the player has no place for files; it does not count
    return "";
  }
  return after == before
             ? ""
             : "The computer plays the next game at level " + std::to_string(after) + ".";
}

bool Exercises::count_solved() {
  const int day = static_cast<int>(today());
  const int last = progress_.number(kSolvedDay, "", 0);
  if (last >= day) return false;
  update_progress([&](Progress& now) {
    if (now.number(kSolvedDay, "", 0) >= day) return;  // in another program
    const bool goes_on = now.number(kSolvedDay, "", 0) == day - 1;
    now.numbers[std::string(kStreak)] = goes_on ? now.number(kStreak, "", 0) + 1 : 1;
    now.numbers[std::string(kSolvedDay)] = day;
  });
  return true;
}

int Exercises::streak() const {
  return progress_.number(kSolvedDay, "", 0) >= today() - 1 ? progress_.number(kStreak, "", 0) : 0;
}

std::string Exercises::Progress::text() const {
  std::string out;
  for (const std::string& id : done_ids) out += id + "\n";
  for (const auto& [name, value] : numbers) out += name + "=" + std::to_string(value) + "\n";
  return out;
}

void Exercises::reload() {
  if (is_updating_) return;
  if (const auto kept = read_file(progress_file_, kMaxProgressFile))
    progress_ = Progress::parse(*kept);
}

void Exercises::update_progress(const std::function<void(Progress& now)>& change) {
  if (is_updating_) return change(progress_);
  update_at_once([&] { change(progress_); });
}

void Exercises::update_at_once(const std::function<void()>& changes) {
  make_directory(parent_directory(progress_file_));
  create_file(progress_file_, "");
  auto file = LockedFile::open(progress_file_, kMaxProgressFile);
  if (!file) throw Error(file.refusal().reason);
  const Progress before = std::exchange(progress_, Progress::parse(file->text()));
  is_updating_ = true;
  try {
    changes();
    file->write(0, progress_.text());
  } catch (...) {
    progress_ = before;
    is_updating_ = false;
    throw;
  }
  is_updating_ = false;
}

std::size_t Exercises::add_mistakes(const Analysis& analysis,
                                    const std::function<bool(Seat)>& mine) {
  const Match& match = analysis.match();
  std::vector<std::string> puzzles;
  for (std::size_t ply = 1; ply <= match.plies().size(); ++ply) {
    const Match::Ply& played = match.plies()[ply - 1];
    const std::vector<std::string> better = analysis.better_line(ply);
    const auto found = analysis.assessment(ply);
    if (!mine(played.seat) || better.empty() || !found ||
        found->best_verdict.win_percent() - found->played_verdict.win_percent() < kMinPuzzleLoss)
      continue;
    puzzles.push_back(puzzle_text(
        match, ply - 1, "kind: better, grade: 3, plies: 1, instead: " + yaml_scalar(played.text),
        better));
  }
  if (puzzles.empty()) return 0;
  const std::filesystem::path file = exercise_file(true, nullptr);
  make_directory(parent_directory(file));
  create_file(file, "");
  auto held = LockedFile::open(file, kMaxSave);
  if (!held) return 0;  // a file that cannot be read is not replaced
  std::string text = held->text();
  std::size_t kept = 0;
  for (const std::string& puzzle : puzzles) {
    const auto known = split_documents(text);
    const std::string added = (text.empty() ? "" : "---\n") + puzzle;
    if (known.size() >= kMaxOwnPuzzles || text.size() + added.size() > kMaxSave ||
        std::ranges::find(known, puzzle) != known.end())
      continue;
    text += added;
    ++kept;
  }
  if (kept > 0) held->write(0, text);
  return kept;
}

// --- a session at one exercise ---------------------------------------------------------

ExerciseSession::ExerciseSession(Exercises& all, const ExerciseKey& key,
                                 std::vector<Exercise> steps)
    : exercises_(all), key_(key), steps_(std::move(steps)) {
  begin_step(std::min(key.is_puzzle ? 0 : all.saved_place(key), steps_.size() - 1));
}

void ExerciseSession::begin_step(std::size_t step) {
  step_ = step;
  wrong_tries_ = 0;
  used_hint_ = false;
  is_done_ = false;
  message_.clear();
  refutation_.clear();
  wrong_plies_.clear();
  match_ = exercise().start;
}

bool ExerciseSession::next_step() {
  if (step_ + 1 == steps_.size()) return false;
  exercises_.save_place(key_, step_ + 1);
  begin_step(step_ + 1);
  return true;
}

std::string ExerciseSession::title() const {
  if (!exercise().is_puzzle) return "lesson";
  const std::string number = "puzzle " + std::to_string(key_.number) + ": ";
  if (!exercise().original_ply.empty()) return "your " + number + "what was better?";
  const Position& p = exercise().start.position();
  return number + "you are " + p.side_name(p.to_move()) +
         (exercise().is_defence
              ? ", do not lose"
              : ", win in " + format_count(moves_to_win(exercise()), "move", "moves"));
}

std::string ExerciseSession::task() const {
  if (is_done_) return message_;
  if (!exercise().is_puzzle)
    return std::to_string(step_ + 1) + "/" + std::to_string(steps_.size()) + ": " +
           exercise().prompt;
  const Position& p = match_->position();
  const std::string tries =
      format_count(static_cast<std::size_t>(kMaxTries - wrong_tries_), "try", "tries");
  if (!exercise().original_ply.empty())
    return "In one of your games you played " + exercise().original_ply + " here as " +
           p.side_name(p.to_move()) + ". What was better? " + tries + ".";
  if (found_count() > 0) return message_ + " Go on. You have " + tries + ".";
  const std::size_t moves = moves_to_win(exercise());
  return "You are " + p.side_name(p.to_move()) + ". " +
         (exercise().is_defence ? "Find the only move that does not lose."
          : moves == 1
              ? "Find the move that wins at once."
              : "Find the only move that wins in " + std::to_string(moves) + " of your moves.") +
         " Grade " + std::to_string(exercise().grade) + " of 5, " + tries + "." +
         describe_variant(*match_);
}

Result<Success> ExerciseSession::play(const std::vector<MoveRequest>& turns) {
  if (turns.empty() || turns.front().note_on)
    return Refusal{"Lessons and puzzles keep no notes. Type copy for a game of your own."};
  if (!is_done_) {
    if (is_match_word(turns.front().text))
      return Refusal{"Find the move. " + turns.front().text +
                     " does not work here. For the words that do, type help."};
    const auto action = match_->validate(*match_->to_move(), turns.front().text, now());
    if (!action) return action.refusal();
    return exercise().is_puzzle ? judge_puzzle(action->text) : judge_step(action->text);
  }
  Match next = *match_;
  if (const auto done = validate_requests(next, turns); !done) return done.refusal();
  match_ = std::move(next);
  return Success{};
}

// Returns the ply of the exercise's line while the player follows it, else what the computer finds.
std::string ExerciseSession::expected_ply() const {
  const auto& line = exercise().is_puzzle ? exercise().solution_line : exercise().solutions;
  const std::size_t begun = exercise().start.plies().size();
  const bool on_line = found_count() < line.size() && [&] {
    for (std::size_t i = 0; i < found_count(); ++i)
      if (match_->plies()[begun + i].text != line[i]) return false;
    return true;
  }();
  if (on_line) return line[found_count()];
  if (!exercise().is_puzzle) return match_->position().legal_plies().front();
  return find_best_line(match_->game(), match_->position(), std::max(1, plies_left())).ply;
}

Result<Success> ExerciseSession::judge_step(const std::string& ply) {
  const auto& find = exercise().solutions;
  if (!find.empty() && std::ranges::find(find, ply) == find.end())
    return Refusal{exercise().wrong_reply};
  const bool last = step_ + 1 == steps_.size();
  if (last) exercises_.mark_done(key_);
  add_ply(ply);
  finish(exercise().right_reply +
         (!last               ? " Press Enter to go on."
          : next_id().empty() ? " That was the last step. Press Enter for a game with the computer."
                              : " That was the last step. Press Enter for your first puzzle."));
  return Success{};
}

bool is_near_best(const Position& position, const GameType& game, const std::string& ply) {
  Position then = position;
  then.play(ply);
  if (const auto end = then.outcome()) return end->winner == position.to_move();
  if (position.seats() > 2) return false;
  return 100 - find_best_line(game, then).verdict.win_percent() + kNearBestMargin >=
         find_best_line(game, position).verdict.win_percent();
}

// A ply is right if it wins in as many plies as the puzzle says. In the player's own games, every
// ply is right that is about as good as the best.
ExerciseSession::PuzzleAnswer ExerciseSession::judge_answer(const std::string& ply) const {
  using enum PuzzleAnswer;
  if (ply == expected_ply()) return right;
  Position then = match_->position();
  if (!exercise().original_ply.empty())
    return ply != exercise().original_ply && is_near_best(then, match_->game(), ply) ? right
                                                                                     : wrong;
  if (exercise().is_defence) return wrong;
  const Seat seat = then.to_move();
  then.play(ply);
  if (const std::string pass = find_forced_pass(then); !pass.empty()) then.play(pass);
  if (const auto end = then.outcome()) return end->winner == seat ? right : wrong;
  if (then.seats() > 2) return wrong;
  const int left = plies_left() - 1;
  const AnalysisLine quick = find_best_line(match_->game(), then, std::max(1, left));
  if (quick.verdict.kind() == Verdict::Kind::loss &&
      std::max(quick.verdict.plies(), static_cast<int>(quick.variation.size())) <= left)
    return right;
  return find_best_line(match_->game(), then).verdict.kind() == Verdict::Kind::loss ? slow : wrong;
}

Result<Success> ExerciseSession::judge_puzzle(const std::string& ply) {
  if (wrong_plies_.contains(ply))
    return Refusal{"You tried " + ply + " here already. It is wrong."};
  exercises_.save_place(key_, key_.number);
  const PuzzleAnswer answered = judge_answer(ply);
  if (answered == PuzzleAnswer::slow)
    return Refusal{ply + " also wins, but takes longer. Find the fastest win; this costs no try."};
  const bool right = answered == PuzzleAnswer::right;
  const auto wrong_before = wrong_plies_;
  if (!right) wrong_plies_.insert(ply);
  if (!right && ++wrong_tries_ < kMaxTries) return refute(ply);
  const std::string found_one = right ? ply : expected_ply();
  const bool ends = !right || exercise().is_defence || !exercise().original_ply.empty();
  const Match before = *match_;
  add_ply(found_one);
  std::string answer;
  if (!ends && !match_->ending()) {
    answer = expected_ply();
    add_ply(answer);
  }
  if (right && !answer.empty() && !match_->ending()) {
    message_ = "Right, " + ply + ". Your opponent plays " + answer + ".";
    return Success{};
  }
  std::string said;
  try {
    exercises_.update_at_once([&] { said = record_answer(ply, found_one); });
  } catch (const Error&) {
    match_ = before;
    wrong_plies_ = wrong_before;
    if (!right) --wrong_tries_;
    throw;
  }
  finish(said);
  message_ += std::string(match_->redo_ply().empty()
                              ? ""
                              : " Press Ctrl-Y or type redo to see the expected moves.") +
              (next_id().empty() ? " Press Enter for a game with the computer."
                                 : " Press Enter for another puzzle.");
  return Success{};
}

// Saves that the puzzle is over, after `ply`, and how well it was solved. Returns the sentence
// about it. Throws Error if that cannot be saved.
std::string ExerciseSession::record_answer(const std::string& ply, const std::string& found_one) {
  const bool right = ply == found_one;
  std::string said = right ? "Right, " + ply + "." : ply + " is wrong. It was " + found_one + ".";
  if (right) exercises_.mark_done(key_);
  if (right && exercises_.count_solved() && exercises_.streak() > 1)
    said +=
        " You have solved puzzles on " + std::to_string(exercises_.streak()) + " days in a row.";
  if (right && used_hint_ && key_.game) {
    said += " Solved with a hint: your rating stays at " +
            std::to_string(exercises_.skill(*key_.game)) + ".";
  } else if (key_.game) {
    const int before = exercises_.skill(*key_.game);
    const int now = exercises_.rate(*key_.game, exercise().grade,
                                    !right ? 0 : 100 * (kMaxTries - wrong_tries_) / kMaxTries);
    said += " Your puzzle rating in " + std::string(key_.game->title) + ": " + std::to_string(now) +
            (now < before ? " (" : " (+") + std::to_string(now - before) + "), grade " +
            std::to_string(grade_for(now)) + " of " + std::to_string(kMaxGrade) + ".";
  }
  exercises_.save_place(key_, 0);
  return said;
}

// Appends the rest of the line as plies that were taken back, so that the player can redo them.
void ExerciseSession::finish(const std::string& said) {
  const std::size_t plies = match_->plies().size();
  const auto& line = exercise().solution_line;
  Match with = *match_;
  for (std::size_t i = found_count(); i < line.size() && !with.ending(); ++i) {
    const auto action = with.validate(with.to_move().value_or(0), line[i], now());
    if (!action) break;
    with.add(*action);
  }
  if (with.plies().size() > plies) match_ = with.rewound_copy(plies);
  is_done_ = true;
  message_ = said;
}

// Returns a refusal that says what answers a wrong ply.
Result<Success> ExerciseSession::refute(const std::string& ply) {
  Position then = match_->position();
  then.play(ply);
  refutation_ = {ply};
  const auto end = then.outcome();
  bool loses = exercise().is_defence || (end && end->winner && end->winner != match_->to_move());
  std::string answered;
  if (!end) {
    const AnalysisLine answer = find_best_line(match_->game(), then);
    refutation_.insert(refutation_.end(), answer.variation.begin(), answer.variation.end());
    loses = loses || answer.verdict.kind() == Verdict::Kind::win;
    answered = ". Your opponent plays " + answer.ply + ". Press F8 or type better to see it";
    for (const std::string& next : answer.variation) then.play(next);
    // Shows a loss to its end.
    while (loses && !then.outcome() && refutation_.size() < kMaxShownPlies) {
      refutation_.push_back(find_best_line(match_->game(), then).ply);
      then.play(refutation_.back());
    }
  }
  return Refusal{ply +
                 (loses                             ? " loses"
                  : exercise().original_ply.empty() ? " does not win so soon"
                                                    : " is no better") +
                 answered + ". " +
                 format_count(static_cast<std::size_t>(kMaxTries - wrong_tries_), "try", "tries") +
                 " left."};
}

}  // namespace pbm
