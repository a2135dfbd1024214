// SPDX-License-Identifier: MIT
#include "boards/exercises.hpp"

#include <algorithm>

#include "base/files.hpp"
#include "save/save.hpp"

namespace pbm {

namespace {

constexpr std::string_view kLesson = "lesson:", kPuzzle = "puzzle:", kToday = "today";
constexpr std::uint64_t kAnswer = 30'000;  // nodes, to show why a ply is wrong
constexpr std::size_t kMaxMemory = 1U << 20;

constexpr int kHardest = 5;  // grade of a puzzle

// "2026-11-22", in days since 1970.
std::optional<std::int64_t> day_of(const std::string& written) {
  const auto day = read_iso_time(written + "T00:00:00Z");
  if (!day) return std::nullopt;
  return std::chrono::floor<std::chrono::days>(*day).time_since_epoch().count();
}

// A prime, so that the days go through all puzzles of a game in no order.
constexpr std::int64_t kStride = 37;

}  // namespace

std::string lesson_of(std::string_view game) { return std::string(kLesson) + std::string(game); }

Result<std::string> puzzle_named(const std::vector<std::string>& words) {
  const GameType* const game = words.empty() ? nullptr : find_game(words[0]);
  const std::size_t named = game ? 1 : 0;
  if (words.size() > named + 1) return Refusal{"Write puzzle, and a game, a day or a number."};
  std::string out(kPuzzle);
  if (game) out += game->name;
  if (words.size() == named) return out;
  const std::string& which = words[named];
  if (!day_of(which) && !(game && read_whole_number<int>(which)))
    return Refusal{
        "'" + fit(which, 30) + "' is no day, as 2026-11-22" +
        (game ? ", and no number of a puzzle." : ", and no game: there is " + game_names() + ".")};
  return out + (game ? "-" : "") + which;
}

bool is_exercise(std::string_view id) { return id.starts_with(kLesson) || id.starts_with(kPuzzle); }

std::int64_t today() { return local_day(now()); }

std::string ExerciseKey::id() const {
  return puzzle ? std::string(kPuzzle) + std::string(game->name) + "-" + std::to_string(number)
                : lesson_of(game->name);
}

// --- which there are -------------------------------------------------------------------

Exercises::Exercises(std::filesystem::path directory, std::filesystem::path memory)
    : directory_(std::move(directory)), memory_(std::move(memory)) {
  if (const auto kept = read_file(memory_, kMaxMemory))
    for (std::string& id : words(*kept)) done_.insert(std::move(id));
}

std::filesystem::path Exercises::file_of(bool puzzle, const GameType& game) const {
  return directory_ / (puzzle ? "puzzles" : "lessons") / (std::string(game.name) + ".yaml");
}

std::vector<std::string> Exercises::documents(bool puzzle, const GameType& game) const {
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

std::vector<std::string> Exercises::puzzles_of(const GameType& game) const {
  std::vector<std::string> out;
  for (const std::string& document : documents(true, game)) {
    const auto exercise = read_exercise(document, game.name);
    std::string words = "not to be read";
    if (exercise)
      words = (exercise->holds ? "one ply does not lose"
                               : "wins in " + std::to_string(exercise->plies)) +
              ", grade " + std::to_string(exercise->grade);
    out.push_back(words + (done({true, &game, out.size() + 1}) ? ", solved" : ""));
  }
  return out;
}

Result<ExerciseKey> Exercises::key_of_day(std::int64_t day, const GameType* game) const {
  std::vector<const GameType*> games;
  for (const GameType& g : all_games())
    if (!game || game == &g) games.push_back(&g);
  const auto kinds = static_cast<std::int64_t>(games.size());
  const auto at = [](std::int64_t n, std::int64_t of) {
    return static_cast<std::size_t>((n % of + of) % of);
  };
  const GameType& which = *games[at(day, kinds)];
  const auto all = documents(true, which);
  if (all.empty()) return Refusal{"There are no puzzles of " + std::string(which.title) + " here."};
  const auto among = [&](std::ptrdiff_t easiest) {
    return ExerciseKey{true, &which,
                       at(day / kinds * kStride, std::max<std::ptrdiff_t>(easiest, 1)) + 1};
  };
  // In the file the easy ones come first, and so they do for a newcomer: whoever has solved none
  // but that of the day gets one of grade 1, behind each that is solved one grade more is let in.
  const int solved = static_cast<int>(std::count_if(
      done_.begin(), done_.end(), [](const std::string& id) { return id.starts_with(kPuzzle); }));
  for (int grade = std::max(1, solved); grade < kHardest; ++grade) {
    const auto harder =
        std::partition_point(all.begin(), all.end(), [&](const std::string& document) {
          const auto exercise = read_exercise(document, which.name);
          return exercise && exercise->grade <= grade;
        });
    const ExerciseKey key = among(harder - all.begin());
    if (solved - (done(key) ? 1 : 0) < grade) return key;
  }
  return among(std::ssize(all));
}

Result<ExerciseKey> Exercises::key_of(const std::string& id) const {
  const bool puzzle = id.starts_with(kPuzzle);
  const std::string_view rest = std::string_view(id).substr(id.find(':') + 1);
  const std::size_t dash = std::min(rest.find('-'), rest.size());
  const GameType* const game = find_game(rest.substr(0, dash));
  const std::string which(game ? rest.substr(std::min(dash + 1, rest.size())) : rest);
  const std::size_t all = game ? documents(puzzle, *game).size() : 0;
  if (!puzzle && which.empty() && all > 0) return ExerciseKey{puzzle, game, 0};
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
  const auto add = [&](const ExerciseKey& key, const std::string& remark) {
    BoardSummary line;
    line.id = key.id();
    line.game = key.game;
    line.remark = remark;
    line.example = true;
    out.push_back(std::move(line));
  };
  for (const GameType& game : all_games()) {
    const ExerciseKey key{false, &game, 0};
    std::error_code error;  // what cannot be asked for is not there
    if ((all || !done(key)) && std::filesystem::exists(file_of(false, game), error))
      add(key, done(key) ? "a lesson, done" : "a lesson of five minutes");
  }
  if (const auto key = key_of_day(today(), nullptr))
    add(*key, done(*key) ? "today's puzzle, solved" : "today's puzzle");
  return out;
}

Result<Board> Exercises::open(const std::string& id) {
  const auto key = key_of(lower(id));
  if (!key) return key.refusal();
  auto& session = opened_[key->id()];
  if (!session) {
    const auto all = documents(key->puzzle, *key->game);
    std::vector<Exercise> steps;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (key->puzzle && i + 1 != key->number) continue;
      auto step = read_exercise(all[i], file_of(key->puzzle, *key->game).filename().string() +
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

std::string Exercises::next_puzzle(const ExerciseKey& key) const {
  const std::size_t all = documents(true, *key.game).size();
  ExerciseKey next = key;
  do next.number = next.number % std::max<std::size_t>(all, 1) + 1;
  while (next.number != key.number && done(next));
  return next.id();
}

void Exercises::remember(const ExerciseKey& key) {
  if (!done_.insert(key.id()).second) return;
  std::string text;
  for (const std::string& id : done_) text += id + "\n";
  make_directory(directory_of(memory_));
  if (!create_file(memory_, text)) replace_file(memory_, text);
}

// --- at one of them --------------------------------------------------------------------

ExerciseSession::ExerciseSession(Exercises& all, const ExerciseKey& key,
                                 std::vector<Exercise> steps)
    : all_(all), key_(key), steps_(std::move(steps)) {
  restart();
}

void ExerciseSession::restart() {
  step_ = 0;
  tries_ = 0;
  done_ = false;
  refuted_.clear();
  match_ = exercise().start;
}

bool ExerciseSession::go_on() {
  if (step_ + 1 == steps_.size()) return false;
  ++step_;
  done_ = false;
  match_ = exercise().start;
  return true;
}

std::string ExerciseSession::task() const {
  if (done_) return said_;
  if (!exercise().puzzle)
    return std::to_string(step_ + 1) + "/" + std::to_string(steps_.size()) + ": " + exercise().say;
  const Position& p = exercise().start.position();
  return p.sign(p.to_move()) + ", to move, " +
         (exercise().holds
              ? "has one ply that does not lose."
              : "wins in " + std::to_string(exercise().plies) + ", by one ply alone.") +
         " Which? Grade " + std::to_string(exercise().grade) + " of 5, " +
         count_of(static_cast<std::size_t>(kTries - tries_), "try", "tries") + ".";
}

Result<Done> ExerciseSession::play(const std::vector<MoveRequest>& turns) {
  if (turns.empty() || turns.front().note_on) return Refusal{"No notes are kept here: copy it."};
  if (!done_) {
    if (is_match_word(turns.front().typed)) return Refusal{"A ply is to be found here."};
    const auto action = match_->validate(*match_->to_move(), turns.front().typed, now());
    return action ? judge(action->text) : action.refusal();
  }
  Match next = *match_;
  if (const auto done = judge_turns(next, turns); !done) return done.refusal();
  match_ = std::move(next);
  return Done{};
}

// The ply stands on the board, and what is expected behind it can be played on from there.
void ExerciseSession::solve(const std::string& ply, const std::string& said) {
  Match with = exercise().start;
  const std::size_t plies = with.plies().size();
  const auto add = [&](const std::string& text) {
    with.add(*with.validate(with.to_move().value_or(0), text, now()));
  };
  add(ply);
  for (std::size_t i = 1; i < exercise().line.size() && !with.ending(); ++i)
    add(exercise().line[i]);
  match_ = with.plies().size() > plies + 1 ? with.back_to(plies + 1) : with;
  done_ = true;
  said_ = said;
}

Result<Done> ExerciseSession::judge(const std::string& ply) {
  const auto& find = exercise().find;
  const bool right = find.empty() || std::find(find.begin(), find.end(), ply) != find.end();
  const bool last = step_ + 1 == steps_.size();
  const std::string on =
      std::string(exercise().line.size() > 1 ? " Ctrl-Y or redo plays on what is expected." : "") +
      " Enter: another puzzle.";
  if (right && last) all_.remember(key_);
  if (right && exercise().puzzle) {
    solve(ply, "Right, " + ply + "." + on);
  } else if (right) {
    solve(ply, exercise().right +
                   (last ? " That is all. Enter: a game with the computer." : " Enter goes on."));
  } else if (!exercise().puzzle) {
    return Refusal{exercise().wrong};
  } else if (++tries_ < kTries) {
    return refute(ply);
  } else {
    solve(find.front(), "It was " + find.front() + "." + on);
  }
  return Done{};
}

// Says what answers a wrong ply.
Result<Done> ExerciseSession::refute(const std::string& ply) {
  Position then = exercise().start.position();
  then.play(ply);
  refuted_ = {ply};
  bool loses = exercise().holds;
  std::string answered;
  if (!then.outcome()) {
    Question question;
    question.limits.nodes = kAnswer;
    const Line answer = exercise().start.game().think(then, question).lines.front();
    refuted_.insert(refuted_.end(), answer.variation.begin(), answer.variation.end());
    loses = loses || answer.verdict.kind() == Verdict::Kind::win;
    answered = ": " + answer.ply + " answers it, which F8 or better shows";
  }
  return Refusal{ply + (loses ? " loses" : " does not win so soon") + answered + ". " +
                 count_of(static_cast<std::size_t>(kTries - tries_), "try", "tries") + " left."};
}

}  // namespace pbm
