// SPDX-License-Identifier: MIT
#include "boards/exercise_boards.hpp"

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

ExerciseBoards::ExerciseBoards(Boards& boards, std::filesystem::path directory,
                               std::filesystem::path memory)
    : ForwardingBoards(boards), directory_(std::move(directory)), memory_(std::move(memory)) {
  if (const auto kept = read_file(memory_, kMaxMemory))
    for (std::string& id : words(*kept)) done_.insert(std::move(id));
}

std::string ExerciseBoards::Key::to_string() const {
  return puzzle ? std::string(kPuzzle) + std::string(game->name) + "-" + std::to_string(number)
                : lesson_of(game->name);
}

std::filesystem::path ExerciseBoards::file_of(bool puzzle, const GameType& game) const {
  return directory_ / (puzzle ? "puzzles" : "lessons") / (std::string(game.name) + ".yaml");
}

std::size_t ExerciseBoards::count(bool puzzle, const GameType& game) const {
  const auto text = read_file(file_of(puzzle, game), kMaxSave);
  return text ? documents_of(*text).size() : 0;
}

Result<std::string> ExerciseBoards::puzzle_of(std::int64_t day, const GameType* game) const {
  const auto key = key_of_day(day, game);
  if (!key) return key.refusal();
  return key->to_string();
}

std::vector<std::string> ExerciseBoards::puzzles_of(const GameType& game) const {
  std::vector<std::string> out;
  const auto text = read_file(file_of(true, game), kMaxSave);
  if (!text) return out;
  for (const std::string_view document : documents_of(*text)) {
    const auto exercise = read_exercise(document, game.name);
    std::string words = "not to be read";
    if (exercise)
      words = (exercise->holds ? "one ply does not lose"
                               : "wins in " + std::to_string(exercise->plies)) +
              ", grade " + std::to_string(exercise->grade);
    const bool done = done_.contains(Key{true, &game, out.size() + 1}.to_string());
    out.push_back(words + (done ? ", solved" : ""));
  }
  return out;
}

Result<ExerciseBoards::Key> ExerciseBoards::key_of_day(std::int64_t day,
                                                       const GameType* game) const {
  std::vector<const GameType*> games;
  for (const GameType& g : all_games())
    if (!game || game == &g) games.push_back(&g);
  const auto kinds = static_cast<std::int64_t>(games.size());
  const auto at = [](std::int64_t n, std::int64_t of) {
    return static_cast<std::size_t>((n % of + of) % of);
  };
  const GameType& which = *games[at(day, kinds)];
  const auto text = read_file(file_of(true, which), kMaxSave);
  const auto documents = documents_of(text ? std::string_view(*text) : "");
  if (documents.empty())
    return Refusal{"There are no puzzles of " + std::string(which.title) + " here."};
  const auto among = [&](std::ptrdiff_t easiest) {
    return Key{true, &which, at(day / kinds * kStride, std::max<std::ptrdiff_t>(easiest, 1)) + 1};
  };
  // In the file the easy ones come first, and so they do for a newcomer: whoever has solved none
  // but that of the day gets one of grade 1, behind each that is solved one grade more is let in.
  const int solved = static_cast<int>(std::count_if(
      done_.begin(), done_.end(), [](const std::string& id) { return id.starts_with(kPuzzle); }));
  for (int grade = std::max(1, solved); grade < kHardest; ++grade) {
    const auto harder =
        std::partition_point(documents.begin(), documents.end(), [&](std::string_view document) {
          const auto exercise = read_exercise(document, which.name);
          return exercise && exercise->grade <= grade;
        });
    const Key key = among(harder - documents.begin());
    if (solved - (done_.contains(key.to_string()) ? 1 : 0) < grade) return key;
  }
  return among(std::ssize(documents));
}

Result<ExerciseBoards::Key> ExerciseBoards::key_of(const std::string& id) const {
  const bool puzzle = id.starts_with(kPuzzle);
  const std::string_view rest = std::string_view(id).substr(id.find(':') + 1);
  const std::size_t dash = std::min(rest.find('-'), rest.size());
  const GameType* const game = find_game(rest.substr(0, dash));
  const std::string which(game ? rest.substr(std::min(dash + 1, rest.size())) : rest);
  const std::size_t all = game ? count(puzzle, *game) : 0;
  if (!puzzle && which.empty() && all > 0) return Key{puzzle, game, 0};
  if (!puzzle)
    return Refusal{"There is no such lesson: write lesson and a game, which is " + game_names() +
                   "."};
  if (which.empty() || which == kToday) return key_of_day(today(), game);
  if (const auto day = day_of(which)) return key_of_day(*day, game);
  const auto number = read_whole_number<std::size_t>(which);
  if (number && *number >= 1 && *number <= all) return Key{puzzle, game, *number};
  return Refusal{"There is no such puzzle: write puzzle, and a game and a number, as puzzle " +
                 std::string(all_games().front().name) + " 1."};
}

Result<ExerciseBoards::Session> ExerciseBoards::session_of(const Key& key) const {
  const auto file = file_of(key.puzzle, *key.game);
  const auto text = read_file(file, kMaxSave);
  if (!text) return text.refusal();
  Session out{key, {}};
  const auto documents = documents_of(*text);
  for (std::size_t i = 0; i < documents.size(); ++i) {
    if (key.puzzle && i + 1 != key.number) continue;
    auto exercise = read_exercise(documents[i],
                                  file.filename().string() + ", document " + std::to_string(i + 1));
    if (!exercise) return exercise.refusal();
    out.steps.push_back(std::move(*exercise));
  }
  out.match = out.steps.front().start;
  return out;
}

std::vector<BoardSummary> ExerciseBoards::list() {
  std::vector<BoardSummary> others = boards_.list(), out;
  const bool newcomer = std::all_of(others.begin(), others.end(),
                                    [](const BoardSummary& line) { return line.example; });
  const auto add = [&](const Key& key, const std::string& remark) {
    BoardSummary line;
    line.id = key.to_string();
    line.game = key.game;
    line.remark = remark;
    line.example = true;
    out.push_back(std::move(line));
  };
  for (const GameType& game : all_games()) {
    const Key key{false, &game, 0};
    const bool done = done_.contains(key.to_string());
    std::error_code error;  // what cannot be asked for is not there
    if ((newcomer || !done) && std::filesystem::exists(file_of(false, game), error))
      add(key, done ? "a lesson, done" : "a lesson of five minutes");
  }
  if (const auto key = key_of_day(today(), nullptr))
    add(*key, done_.contains(key->to_string()) ? "today's puzzle, solved" : "today's puzzle");
  // Examples come last.
  const auto last = std::find_if(others.begin(), others.end(),
                                 [](const BoardSummary& line) { return line.example; });
  others.insert(last, std::make_move_iterator(out.begin()), std::make_move_iterator(out.end()));
  return others;
}

Board ExerciseBoards::board_of(const Session& s) const {
  const Exercise& exercise = s.steps[s.step];
  const std::string where =
      s.key.puzzle ? "" : std::to_string(s.step + 1) + "/" + std::to_string(s.steps.size()) + ": ";
  std::string task;
  if (s.done) {
    task = s.told;
  } else if (!exercise.puzzle) {
    task = where + exercise.say;
  } else {
    const Position& p = exercise.start.position();
    task = p.sign(p.to_move()) + ", to move, " +
           (exercise.holds ? "has one ply that does not lose."
                           : "wins in " + std::to_string(exercise.plies) + ", by one ply alone.") +
           " Which? Grade " + std::to_string(exercise.grade) + " of 5, " +
           count_of(static_cast<std::size_t>(kTries - s.tries), "try", "tries") + ".";
  }
  Board out{s.key.to_string(), *s.match, ""};
  out.exercise = Board::Exercise{std::move(task), s.done, s.refuted};
  return out;
}

Result<Board> ExerciseBoards::open(const std::string& id) {
  if (!is_exercise(id)) return boards_.open(id);
  const auto key = key_of(lower(id));
  if (!key) return key.refusal();
  const std::string name = key->to_string();
  if (!sessions_.contains(name)) {
    auto session = session_of(*key);
    if (!session) return session.refusal();
    sessions_.emplace(name, std::move(*session));
  }
  return board_of(sessions_.at(name));
}

Result<Done> ExerciseBoards::set_computer(Board& board, Seat seat, int level) {
  if (board.exercise) return Refusal{"Nobody else plays here: find the ply."};
  return boards_.set_computer(board, seat, level);
}

void ExerciseBoards::remember(const Key& key) {
  if (!done_.insert(key.to_string()).second) return;
  std::string text;
  for (const std::string& id : done_) text += id + "\n";
  make_directory(directory_of(memory_));
  if (!create_file(memory_, text)) replace_file(memory_, text);
}

Result<Done> ExerciseBoards::play(Board& board, const std::vector<MoveRequest>& turns) {
  if (!board.exercise) return boards_.play(board, turns);
  Session& session = sessions_.at(board.id);
  if (turns.size() == 1 && turns.front().typed.empty() && !turns.front().note_on)
    return go_on(session, board);
  if (turns.empty() || turns.front().note_on) return Refusal{"No notes are kept here: copy it."};
  if (session.done) {
    // Whoever likes plays on.
    Match next = *session.match;
    if (const auto done = judge_turns(next, turns); !done) return done.refusal();
    session.match = std::move(next);
  } else {
    if (is_match_word(turns.front().typed)) return Refusal{"A ply is to be found here."};
    const Match& match = *session.match;
    const auto action = match.validate(*match.to_move(), turns.front().typed, now());
    if (!action) return action.refusal();
    const auto judged = judge(session, action->text);
    board = board_of(session);  // with fewer tries
    return judged;
  }
  board = board_of(session);
  return Done{};
}

// The ply stands on the board, and what is expected behind it can be played on from there.
void ExerciseBoards::solve(Session& session, const std::string& ply, const std::string& told) {
  const Exercise& exercise = session.steps[session.step];
  Match with = exercise.start;
  const std::size_t plies = with.plies().size();
  const auto add = [&](const std::string& text) {
    with.add(*with.validate(with.to_move().value_or(0), text, now()));
  };
  add(ply);
  if (!exercise.line.empty())
    for (std::size_t i = 1; i < exercise.line.size() && !with.ending(); ++i) add(exercise.line[i]);
  session.match = with.plies().size() > plies + 1 ? with.back_to(plies + 1) : with;
  session.done = true;
  session.told = told;
}

Result<Done> ExerciseBoards::judge(Session& session, const std::string& ply) {
  const Exercise& exercise = session.steps[session.step];
  const bool right = exercise.find.empty() || std::find(exercise.find.begin(), exercise.find.end(),
                                                        ply) != exercise.find.end();
  const std::string line =
      exercise.line.size() > 1 ? " Ctrl-Y or redo plays on what is expected." : "";
  if (right && exercise.puzzle) {
    remember(session.key);
    solve(session, ply, "Right, " + ply + "." + line + " Enter: another puzzle.");
    return Done{};
  }
  if (right) {
    const bool last = session.step + 1 == session.steps.size();
    if (last) remember(session.key);
    solve(session, ply,
          exercise.right +
              (last ? " That is all. Enter: a game with the computer." : " Enter goes on."));
    return Done{};
  }
  if (!exercise.puzzle) return Refusal{exercise.wrong};
  ++session.tries;
  if (session.tries == kTries) {
    const std::string& answer = exercise.find.front();
    solve(session, answer, "It was " + answer + "." + line + " Enter: another puzzle.");
    return Done{};
  }
  Position then = exercise.start.position();
  then.play(ply);
  session.refuted = {ply};
  bool loses = exercise.holds;
  std::string answered;
  if (!then.outcome()) {
    Question question;
    question.limits.nodes = kAnswer;
    const Line answer = exercise.start.game().think(then, question).lines.front();
    session.refuted.insert(session.refuted.end(), answer.variation.begin(), answer.variation.end());
    loses = loses || answer.verdict.kind == Verdict::Kind::win;
    answered = ": " + answer.ply + " answers it, which F8 or better shows";
  }
  return Refusal{ply + (loses ? " loses" : " does not win so soon") + answered + ". " +
                 count_of(static_cast<std::size_t>(kTries - session.tries), "try", "tries") +
                 " left."};
}

// The next step, another puzzle of the game, or a first game with the computer.
Result<Done> ExerciseBoards::go_on(Session& session, Board& board) {
  if (!session.done) return Refusal{"Find the ply first."};
  const Key key = session.key;
  if (!key.puzzle && session.step + 1 < session.steps.size()) {
    ++session.step;
    session.done = false;
    session.match = session.steps[session.step].start;
    board = board_of(session);
    return Done{};
  }
  // What is done here ends only when there is what follows.
  if (key.puzzle) {
    const std::size_t all = count(true, *key.game);
    Key next = key;
    do next.number = next.number % all + 1;
    while (next.number != key.number && done_.contains(next.to_string()));
    auto begun = session_of(next);
    if (!begun) return begun.refusal();
    sessions_.erase(key.to_string());
    board = board_of(sessions_.emplace(next.to_string(), std::move(*begun)).first->second);
    return Done{};
  }
  auto made = Match::start(*key.game, {}, Seating{{"player1", "computer"}, {0, 1}}, now());
  if (!made) return made.refusal();
  auto kept = boards_.keep(*made);
  if (!kept) return kept.refusal();
  sessions_.erase(key.to_string());
  board = std::move(*kept);
  return Done{};
}

}  // namespace pbm
