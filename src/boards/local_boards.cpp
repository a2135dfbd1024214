// SPDX-License-Identifier: MIT
#include "boards/local_boards.hpp"

#include <unistd.h>

#include <algorithm>
#include <tuple>

#include "protocol/openings.hpp"
#include "save/save.hpp"
#include "store/recovery.hpp"

namespace pbm {

namespace fs = std::filesystem;

namespace {

// Returns the boards in `directory` that have this number: {"toot-101", "chaos-101"}.
std::vector<std::string> boards_numbered(std::string_view number, const fs::path& directory) {
  std::vector<std::string> out;
  std::error_code error;
  if (number.empty() || !std::ranges::all_of(number, is_digit)) return out;
  for (const GameType& game : all_games()) {
    const std::string name = std::string(game.name) + "-" + std::string(number);
    if (fs::exists(directory / save_name(name), error)) out.push_back(name);
  }
  return out;
}

bool is_example(std::string_view id) { return id.starts_with(kExample); }

// True if the name of a save, without its ending, can also be the id of the board, because it means
// nothing else.
bool is_board_name(const std::string& name) {
  return !name.empty() && name.front() != '.' && !is_example_or_path(name);
}

// Returns "saves" for "saves/".
fs::path without_slash(fs::path directory) {
  while (!directory.has_filename() && directory.has_relative_path())
    directory = directory.parent_path();
  return directory;
}

Result<Board> read_save(const fs::path& file) {
  auto text = read_settled_file(file, kMaxSave, looks_like_save);
  if (!text) return text.refusal();
  auto loaded = load_match(*text, file.filename().string());
  if (!loaded) return loaded.refusal();
  return Board{file.string(), std::move(loaded->match), std::move(loaded->warning)};
}

// A save that no other program can write to, cut after its last complete write. The functions from
// here on throw Refusals, except those that others call.
struct LockedSave {
  UniqueFd beside;  // the lock that keeps a server from starting
  LockedFile file;
  Match match;
};
LockedSave lock_save(const fs::path& file) {
  UniqueFd beside = need(write_beside(directory_of(file)));
  LockedFile locked = need(LockedFile::open(file, kMaxSave, looks_like_save));
  auto fresh = need(load_match(locked.text(), file.filename().string()));
  locked.truncate(fresh.used);
  return {std::move(beside), std::move(locked), std::move(fresh.match)};
}

BoardSummary line_of(const std::string& id, const fs::path& file, bool example) {
  const auto board = read_save(file);
  BoardSummary line = board ? summary_of(id, board->match) : BoardSummary{};
  line.id = id;
  line.example = example;
  if (!board) line.broken = board.refusal().why;
  std::vector<std::string> names = line.names;
  for (std::string& name : names) name = safe_text(name);
  line.names = std::move(names);
  return line;
}

void play_on_save(const fs::path& file, Board& board, const std::vector<MoveRequest>& turns) {
  LockedSave save = lock_save(file);
  const std::string name = file.filename().string();
  Match& next = save.match;
  if (!next.same_game(board.match)) {
    const Match seen = std::exchange(board.match, std::move(next));
    throw overtaken(seen, board.match);
  }
  const auto entries = need(judge_turns(next, turns));
  const auto addition = need(add_to_save(save.file.text(), name, entries));
  need(may_grow_to(addition.kept + addition.added.size(), safe_text(name), board.match, entries));
  save.file.write(addition.kept, addition.added);
  board.match = std::move(next);
  board.warning.clear();
}

}  // namespace

bool is_example_or_path(std::string_view id) {
  return is_example(id) || id.find('/') != std::string_view::npos || is_save_name(id);
}

Result<Board> open_save(const fs::path& file) {
  if (const auto whole = recover(directory_of(file)); !whole) return whole.refusal();
  return read_save(file);
}

Result<Done> write_new_save(const fs::path& file, const Match& match) {
  const auto beside = write_beside(directory_of(file));
  if (!beside) return beside.refusal();
  if (!create_file(file, save_text(match)))
    return Refusal{safe_text(file.string()) + " is there already: choose another name."};
  return Done{};
}

LocalBoards::LocalBoards(fs::path directory, fs::path examples, Scope reach,
                         std::string_view called)
    : directory_(without_slash(std::move(directory))),
      examples_(std::move(examples)),
      reach_(reach),
      called_(called),
      watched_{directory_} {}

// Also adds directories that are watched already: one that was replaced is a new one. A directory
// that cannot be watched is only read when the user acts there.
void LocalBoards::watch_all() {
  if (!watch_.runs()) return;
  for (const fs::path& directory : watched_) {
    if (watch_.add(directory)) continue;
    // A missing directory appears in one that exists, so that one is watched.
    for (fs::path above = directory_of(directory);
         !watch_.add(above, DirectoryWatch::For::coming) && above != directory_of(above);)
      above = directory_of(above);
    watch_.add(directory);  // it may exist by now
  }
}

int LocalBoards::changes() {
  if (!watch_.runs() && watch_.begin()) watch_all();
  return watch_.descriptor();
}

bool LocalBoards::take_changes() {
  const bool any = watch_.take([this](const fs::path& file) {
    const auto written = written_.find(file);
    std::error_code error;
    return written != written_.end() &&
           written->second ==
               std::pair(fs::file_size(file, error), fs::last_write_time(file, error));
  });
  if (any) watch_all();
  return any;
}

std::vector<BoardSummary> LocalBoards::list() {
  std::vector<BoardSummary> out;
  std::error_code error, ignored;
  const auto add = [&](const std::string& id, const fs::path& file, bool example) {
    if (is_within_reach(id)) out.push_back(line_of(id, file, example));
  };
  const auto whole = recover(directory_);
  for (const fs::path& file : saves_in(directory_, error)) add(id_of(file), file, false);
  if (error || !whole) {
    // A list without these boards would wrongly say that they are gone.
    BoardSummary line;
    line.id = directory_.filename().string();
    line.broken = whole ? "The boards in " + safe_text(directory_.string()) +
                              " cannot be listed (" + error.message() + ")."
                        : whole.refusal().why;
    out.push_back(std::move(line));
  }
  for (const fs::path& file : saves_in(examples_, ignored))
    add(std::string(kExample) + file.stem().string(), file, true);
  const auto rank = [](const BoardSummary& l) {
    return l.example ? 3 : !l.broken.empty() ? 2 : l.to_move ? 0 : 1;
  };
  std::ranges::sort(out, [&](const BoardSummary& a, const BoardSummary& b) {
    return std::make_tuple(rank(a), a.example ? Time{} : b.changed, a.id) <
           std::make_tuple(rank(b), b.example ? Time{} : a.changed, b.id);
  });
  return out;
}

// With Scope::directory, an id must be a plain name in the directory.
bool LocalBoards::is_within_reach(const std::string& id) const {
  const std::string name = is_example(id) ? id.substr(kExample.size()) : name_in(id);
  return reach_ == Scope::anywhere || is_board_name(name);
}

void LocalBoards::need_within_reach(const std::string& id) const {
  if (!is_within_reach(id))
    throw Refusal{"'" + fit(id, 40) +
                  "' is no name of a board; files elsewhere cannot be opened here."};
}

// Returns the id with which file_of() finds a save: its name, or its path if the name is ambiguous.
std::string LocalBoards::id_of(const fs::path& file) const {
  const std::string name = file.stem().string();
  return directory_ == file.parent_path() && is_board_name(name) ? called(name) : file.string();
}

fs::path LocalBoards::file_of(const std::string& named) const {
  const std::string id = name_in(named);
  std::error_code error;
  need_within_reach(id);
  need(recover(directory_));
  if (is_example(id)) {
    const fs::path example = examples_ / save_name(id.substr(kExample.size()));
    if (fs::exists(example, error)) return example;
    std::vector<std::string> known;
    for (const fs::path& file : saves_in(examples_, error)) known.push_back(file.stem().string());
    std::ranges::sort(known);
    throw Refusal{"There is no example '" + fit(id.substr(kExample.size()), 40) + "': there is " +
                  one_of(known) + "."};
  }
  if (is_example_or_path(id)) return id;
  if (!id.empty() && id.front() != '.' && fs::exists(file_named(id), error)) return file_named(id);
  if (reach_ == Scope::anywhere && fs::is_regular_file(id, error)) return id;
  const std::vector<std::string> found = boards_numbered(id, directory_);
  if (found.size() == 1) return file_named(found.front());
  if (found.size() > 1)
    throw Refusal{"There are several boards " + id + ": say " + one_of(found) + "."};
  // A directory, a pipe or a link that leads nowhere: opening it says what it is.
  if (reach_ == Scope::anywhere && fs::exists(fs::symlink_status(id, error))) return id;
  throw Refusal{"There is no board '" + fit(id, 40) + "' here, and no such file."};
}

Result<Board> LocalBoards::open(const std::string& id) try {
  const fs::path file = file_of(id);
  Board board = need(open_save(file));
  watch(directory_of(file));
  board.id = is_example(id) ? id : id_of(file);
  return board;
} catch (const Refusal& refusal) {
  return refusal;
}

std::string LocalBoards::keep_new(const GameType& game, const std::string& text) {
  std::error_code ignored;
  const UniqueFd beside = need(write_beside(directory_));
  if (reach_ == Scope::directory && saves_in(directory_, ignored).size() >= kMaxOwn)
    throw Refusal{"You have " + std::to_string(kMaxOwn) +
                  " boards of your own here, the most there is room for: delete some."};
  BoardKey next{&game, next_numbers({directory_, directory_ / kDeleted})[&game]};
  for (; next.number <= kLastNumber; ++next.number) {
    if (!create_file(file_named(next.id()), text)) continue;
    watch_all();  // this file may have created the directory
    return called(next.id());
  }
  throw no_number_left(game);
}

Result<Board> LocalBoards::keep(const Match& match) try {
  const std::string text = save_text(match);
  if (text.size() > kMaxSave) return Refusal{"This board is larger than a save may be."};
  return Board{keep_new(match.game(), text), match, ""};
} catch (const Refusal& refusal) {
  return refusal;
}

Result<std::string> LocalBoards::rename(const std::string& id, const std::string& wanted) try {
  const std::string name = name_in(wanted);
  constexpr std::size_t kMax = 40;
  const auto fits = [](char c) {
    return is_letter(c) || is_digit(c) || c == '.' || c == '_' || c == '-';
  };
  if (name.empty() || !(is_letter(name[0]) || is_digit(name[0])) ||
      !std::ranges::all_of(name, fits))
    return Refusal{
        "A board's name is made of letters, digits and . _ - and starts with a letter or digit."};
  if (name.size() > kMax)
    return Refusal{"A board's name has at most " + std::to_string(kMax) + " characters."};
  // A bare number would mean another board, and .yaml a file.
  if (std::ranges::all_of(name, is_digit) || is_save_name(name))
    return Refusal{"A board's name is not a number alone and does not end in .yaml."};
  const UniqueFd beside = need(write_beside(directory_));
  if (!rename_file(own_file(id, "renamed"), file_named(name)))
    return Refusal{"There is a board " + name + " already."};
  return called(name);
} catch (const Refusal& refusal) {
  return refusal;
}

// Examples stay unchanged for the next player: playing on one makes a board of the player's own.
void LocalBoards::make_own(Board& board) {
  if (is_example(board.id)) board.id = keep_new(board.match.game(), save_text(board.match));
}

Result<Done> LocalBoards::set_computer(Board& board, Seat seat, int level) try {
  make_own(board);
  const fs::path file = file_of(board.id);
  LockedSave save = lock_save(file);
  save.match.set_computer(seat, level);
  save.file.write(0, need(with_computers(save.file.text(), file.filename().string(), save.match)));
  board.match = std::move(save.match);
  return Done{};
} catch (const Refusal& refusal) {
  return refusal;
}

Result<Done> LocalBoards::play(Board& board, const std::vector<MoveRequest>& turns) try {
  if (is_example(board.id)) {
    // Refuses first, so that a refused ply makes no new board.
    Match trial = board.match;
    need(judge_turns(trial, turns));
    make_own(board);
  }
  const fs::path file = file_of(board.id);
  play_on_save(file, board, turns);
  remember(file);
  return Done{};
} catch (const Refusal& refusal) {
  return refusal;
}

// Returns the file of a board in the directory; refuses examples and files elsewhere. `done` is a
// word for the refusal: "deleted".
fs::path LocalBoards::own_file(const std::string& id, const std::string& done) const {
  if (is_example(id)) throw Refusal{"Examples cannot be " + done + "."};
  const fs::path file = file_of(id);
  std::error_code error;
  if (!fs::equivalent(directory_of(file), directory_, error))
    throw Refusal{safe_text(file.string()) + " is not among the boards in " + safe_text(place()) +
                  " and cannot be " + done + " here."};
  if (!fs::exists(file, error)) throw Refusal{"There is no file " + safe_text(file.string()) + "."};
  return file;
}

Result<Done> LocalBoards::remove(const std::string& id) try {
  const UniqueFd beside = need(write_beside(directory_));
  const fs::path file = own_file(id, "deleted"), away = directory_ / kDeleted / file.filename();
  // An older deleted board may have the same name: it gets a number.
  for (int i = 1; !rename_file(file, away); ++i)
    rename_file(away, away.string() + "." + std::to_string(i));
  if (reach_ == Scope::directory) keep_last_deleted(directory_ / kDeleted, kMaxDeleted);
  return Done{};
} catch (const Refusal& refusal) {
  return refusal;
}

Result<Done> LocalBoards::restore(const std::string& named) try {
  const std::string id = name_in(named);
  need_within_reach(id);
  const UniqueFd beside = need(write_beside(directory_));
  const fs::path deleted = directory_ / kDeleted;
  // Accepts the number or the file too, because remove() accepts them.
  const auto found = boards_numbered(id, deleted);
  const std::string name = found.size() == 1  ? found.front()
                           : is_save_name(id) ? fs::path(id).stem().string()
                                              : id;
  const fs::path away = deleted / save_name(name);
  std::error_code error;
  if (name.empty() || name.front() == '.' || name.find('/') != std::string::npos)
    return Refusal{"'" + fit(id, 40) + "' is no name of a board."};
  if (is_save_name(id) && !fs::equivalent(directory_of(id), directory_, error))
    return Refusal{safe_text(id) + " was not among the boards in " + safe_text(place()) + "."};
  if (!fs::exists(away, error)) return Refusal{"There is no deleted board " + fit(id, 40) + "."};
  if (!rename_file(away, file_named(name)))
    return Refusal{"There is a board " + fit(name, 40) + " already."};
  // The deleted board of that name that got the highest number takes the name back.
  int before = 0;
  while (fs::exists(away.string() + "." + std::to_string(before + 1), error)) ++before;
  if (before > 0) rename_file(away.string() + "." + std::to_string(before), away);
  return Done{};
} catch (const Refusal& refusal) {
  return refusal;
}

// Stops after kMaxRead saves, as a person waits. A save of the game contains its name.
void LocalBoards::add_own_games(Openings& openings) {
  std::error_code ignored;
  std::vector<std::pair<fs::file_time_type, fs::path>> files;
  for (const fs::path& file : saves_in(directory_, ignored))
    files.emplace_back(fs::last_write_time(file, ignored), file);
  std::sort(files.rbegin(), files.rend());
  std::size_t read = 0;
  for (const auto& [written, file] : files) {
    const auto text = read_settled_file(file, kMaxSave, looks_like_save);
    if (!text || lower(*text).find(openings.game().name) == std::string::npos) continue;
    if (read++ == kMaxRead) {
      openings.remark("Of your own games of " + std::string(openings.game().title) +
                      " only the latest " + std::to_string(kMaxRead) + " were read.");
      return;
    }
    if (const auto save = load_match(*text, file.filename().string())) openings.add(save->match);
  }
}

}  // namespace pbm
