// SPDX-License-Identifier: MIT
#include "boards/local_boards.hpp"

#include <unistd.h>

#include <algorithm>
#include <tuple>

#include "save/save.hpp"
#include "store/recovery.hpp"

namespace pbm {

namespace fs = std::filesystem;

namespace {

// Returns the boards in `directory` that have this number: {"toot-101", "chaos-101"}.
std::vector<std::string> find_by_number(std::string_view number, const fs::path& directory) {
  std::vector<std::string> out;
  std::error_code error;
  if (number.empty() || !std::ranges::all_of(number, is_digit)) return out;
  for (const GameType& game : all_games()) {
    const std::string name = std::string(game.name) + "-" + std::string(number);
    if (fs::exists(directory / save_file_name(name), error)) out.push_back(name);
  }
  return out;
}

bool is_example(std::string_view id) { return id.starts_with(kExamplePrefix); }

// True if the name of a save, without its ending, can also be the id of the board, because it means
// nothing else.
bool is_board_name(const std::string& name) {
  return !name.empty() && name.front() != '.' && !is_example_or_path(name);
}

// Returns "saves" for "saves/".
fs::path strip_slash(fs::path directory) {
  while (!directory.has_filename() && directory.has_relative_path())
    directory = directory.parent_path();
  return directory;
}

Result<Board> read_save(const fs::path& file) {
  auto text = read_idle_file(file, kMaxSave, looks_like_save);
  if (!text) return text.refusal();
  auto loaded = load_match(*text, file.filename().string());
  if (!loaded) return loaded.refusal();
  return Board{file.string(), std::move(loaded->match), std::move(loaded->warning)};
}

// A save that no other program can write to, cut after its last complete write. The functions from
// here on throw Refusals, except those that others call.
struct LockedSave {
  UniqueFd server_lock;  // the lock that keeps a server from starting
  LockedFile file;
  Match match;
};
LockedSave lock_save(const fs::path& file) {
  UniqueFd beside = value_or_throw(lock_for_writing(parent_directory(file)));
  LockedFile locked = value_or_throw(LockedFile::open(file, kMaxSave, looks_like_save));
  auto fresh = value_or_throw(load_match(locked.text(), file.filename().string()));
  locked.truncate(fresh.valid_bytes);
  return {std::move(beside), std::move(locked), std::move(fresh.match)};
}

BoardSummary read_summary(const std::string& id, const fs::path& file, bool example) {
  const auto board = read_save(file);
  BoardSummary line = board ? summarize_match(id, board->match) : BoardSummary{};
  line.id = id;
  line.is_example = example;
  if (!board) line.load_error = board.refusal().reason;
  std::vector<std::string> names = line.names;
  for (std::string& name : names) name = safe_text(name);
  line.names = std::move(names);
  return line;
}

void append_to_save(const fs::path& file, Board& board, const std::vector<MoveRequest>& turns) {
  LockedSave save = lock_save(file);
  const std::string name = file.filename().string();
  Match& next = save.match;
  if (!next.is_same_game(board.match)) {
    const Match seen = std::exchange(board.match, std::move(next));
    throw outdated_refusal(seen, board.match, find_own_seat("", seen.seating()));
  }
  const auto entries = value_or_throw(validate_requests(next, turns));
  const auto addition = value_or_throw(add_to_save(save.file.text(), name, entries));
  value_or_throw(check_save_size(addition.kept_bytes + addition.new_text.size(), safe_text(name),
                                 board.match, entries));
  save.file.write(addition.kept_bytes, addition.new_text);
  board.match = std::move(next);
  board.warning.clear();
}

}  // namespace

bool is_example_or_path(std::string_view id) {
  return is_example(id) || id.find('/') != std::string_view::npos || is_save_path(id);
}

Result<Board> open_save(const fs::path& file) {
  if (const auto whole = recover_directory(parent_directory(file)); !whole) return whole.refusal();
  return read_save(file);
}

Result<Success> write_new_save(const fs::path& file, const Match& match) {
  const auto beside = lock_for_writing(parent_directory(file));
  if (!beside) return beside.refusal();
  if (!create_file(file, save_text(match)))
    return Refusal{safe_text(file.string()) + " exists already. Choose another name."};
  return Success{};
}

LocalBoards::LocalBoards(fs::path directory, fs::path examples, Scope reach,
                         std::string_view called)
    : directory_(strip_slash(std::move(directory))),
      examples_(std::move(examples)),
      scope_(reach),
      prefix_(called),
      watched_directories_{directory_} {}

// Also adds directories that are watched already: one that was replaced is a new one. A directory
// that cannot be watched is only read when the user acts there.
void LocalBoards::renew_watches() {
  if (!directory_watch_.is_started()) return;
  for (const fs::path& directory : watched_directories_) {
    if (directory_watch_.add(directory)) continue;
    // A missing directory appears in one that exists, so that one is watched.
    for (fs::path above = parent_directory(directory);
         !directory_watch_.add(above, DirectoryWatch::EventFilter::new_files) &&
         above != parent_directory(above);)
      above = parent_directory(above);
    directory_watch_.add(directory);  // it may exist by now
  }
}

int LocalBoards::change_descriptor() {
  if (!directory_watch_.is_started() && directory_watch_.start()) renew_watches();
  return directory_watch_.descriptor();
}

bool LocalBoards::take_changes() {
  const bool any = directory_watch_.take_changes([this](const fs::path& file) {
    const auto written = own_writes_.find(file);
    std::error_code error;
    return written != own_writes_.end() &&
           written->second ==
               std::pair(fs::file_size(file, error), fs::last_write_time(file, error));
  });
  if (any) renew_watches();
  return any;
}

std::vector<BoardSummary> LocalBoards::list() {
  std::vector<BoardSummary> out;
  std::error_code error, ignored;
  const auto add = [&](const std::string& id, const fs::path& file, bool example) {
    if (is_in_scope(id)) out.push_back(read_summary(id, file, example));
  };
  const auto whole = recover_directory(directory_);
  for (const fs::path& file : list_saves(directory_, error)) add(board_id(file), file, false);
  if (error || !whole) {
    // A list without these boards would wrongly say that they are gone.
    BoardSummary line;
    line.id = directory_.filename().string();
    line.load_error = whole ? "The boards in " + safe_text(directory_.string()) +
                                  " cannot be listed (" + error.message() + ")."
                            : whole.refusal().reason;
    out.push_back(std::move(line));
  }
  for (const fs::path& file : list_saves(examples_, ignored))
    add(std::string(kExamplePrefix) + file.stem().string(), file, true);
  const auto rank = [](const BoardSummary& l) {
    return l.is_example ? 3 : !l.load_error.empty() ? 2 : l.to_move ? 0 : 1;
  };
  std::ranges::sort(out, [&](const BoardSummary& a, const BoardSummary& b) {
    return std::make_tuple(rank(a), a.is_example ? Time{} : b.last_change, a.id) <
           std::make_tuple(rank(b), b.is_example ? Time{} : a.last_change, b.id);
  });
  return out;
}

// With Scope::directory, an id must be a plain name in the directory.
bool LocalBoards::is_in_scope(const std::string& id) const {
  const std::string name = is_example(id) ? id.substr(kExamplePrefix.size()) : board_name(id);
  return scope_ == Scope::any_file || is_board_name(name);
}

void LocalBoards::require_in_scope(const std::string& id) const {
  if (!is_in_scope(id))
    throw Refusal{"'" + fit(id, 40) +
                  "' is not the name of a board. You can open only your own boards here."};
}

// Returns the id with which find_file() finds a save: its name, or its path if the name is
// ambiguous.
std::string LocalBoards::board_id(const fs::path& file) const {
  const std::string name = file.stem().string();
  return directory_ == file.parent_path() && is_board_name(name) ? with_prefix(name)
                                                                 : file.string();
}

fs::path LocalBoards::find_file(const std::string& named) const {
  const std::string id = board_name(named);
  std::error_code error;
  require_in_scope(id);
  value_or_throw(recover_directory(directory_));
  if (is_example(id)) {
    const fs::path example = examples_ / save_file_name(id.substr(kExamplePrefix.size()));
    if (fs::exists(example, error)) return example;
    std::vector<std::string> known;
    for (const fs::path& file : list_saves(examples_, error)) known.push_back(file.stem().string());
    std::ranges::sort(known);
    throw Refusal{"There is no example '" + fit(id.substr(kExamplePrefix.size()), 40) +
                  "'. Choose " + join_with_or(known) + "."};
  }
  if (is_example_or_path(id)) return id;
  if (!id.empty() && id.front() != '.' && fs::exists(file_path(id), error)) return file_path(id);
  if (scope_ == Scope::any_file && fs::is_regular_file(id, error)) return id;
  const std::vector<std::string> found = find_by_number(id, directory_);
  if (found.size() == 1) return file_path(found.front());
  if (found.size() > 1)
    throw Refusal{"Several boards have the number " + id + ". Type " + join_with_or(found) + "."};
  // A directory, a pipe or a link that leads nowhere: opening it says what it is.
  if (scope_ == Scope::any_file && fs::exists(fs::symlink_status(id, error))) return id;
  throw Refusal{"There is no board '" + fit(id, 40) + "' here and no such file."};
}

Result<Board> LocalBoards::open(const std::string& id) try {
  const fs::path file = find_file(id);
  Board board = value_or_throw(open_save(file));
  add_watch(parent_directory(file));
  board.id = is_example(id) ? id : board_id(file);
  return board;
} catch (const Refusal& refusal) {
  return refusal;
}

std::string LocalBoards::create_board(const GameType& game, const std::string& text) {
  std::error_code ignored;
  const UniqueFd beside = value_or_throw(lock_for_writing(directory_));
  if (scope_ == Scope::directory && list_saves(directory_, ignored).size() >= kMaxBoards)
    throw Refusal{"You have " + std::to_string(kMaxBoards) +
                  " boards, the most a player may have. Delete one first."};
  BoardKey next{&game, find_next_numbers({directory_, directory_ / kDeletedDirectory})[&game]};
  for (; next.number <= kLastNumber; ++next.number) {
    if (!create_file(file_path(next.id()), text)) continue;
    renew_watches();  // this file may have created the directory
    return with_prefix(next.id());
  }
  throw number_limit_refusal(game);
}

Result<Board> LocalBoards::save_new(const Match& match) try {
  const std::string text = save_text(match);
  if (text.size() > kMaxSave) return Refusal{"This board is too large for a save."};
  return Board{create_board(match.game(), text), match, ""};
} catch (const Refusal& refusal) {
  return refusal;
}

Result<std::string> LocalBoards::rename(const std::string& id, const std::string& wanted) try {
  const std::string name = board_name(wanted);
  constexpr std::size_t kMax = 40;
  const auto fits = [](char c) {
    return is_letter(c) || is_digit(c) || c == '.' || c == '_' || c == '-';
  };
  if (name.empty() || !(is_letter(name[0]) || is_digit(name[0])) ||
      !std::ranges::all_of(name, fits))
    return Refusal{
        "A board's name has letters, digits and . _ - and starts with a letter or digit."};
  if (name.size() > kMax)
    return Refusal{"A board's name has at most " + std::to_string(kMax) + " characters."};
  // A bare number would mean another board, and .yaml a file.
  if (std::ranges::all_of(name, is_digit) || is_save_path(name))
    return Refusal{"A board's name cannot be a number alone or end in .yaml."};
  const UniqueFd beside = value_or_throw(lock_for_writing(directory_));
  if (!rename_file(file_in_directory(id, "renamed"), file_path(name)))
    return Refusal{"There is already a board " + name + "."};
  return with_prefix(name);
} catch (const Refusal& refusal) {
  return refusal;
}

// Examples stay unchanged for the next player: playing on one makes a board of the player's own.
void LocalBoards::copy_example(Board& board) {
  if (is_example(board.id)) board.id = create_board(board.match.game(), save_text(board.match));
}

Result<Success> LocalBoards::set_computer(Board& board, Seat seat, int level) try {
  copy_example(board);
  const fs::path file = find_file(board.id);
  LockedSave save = lock_save(file);
  save.match.set_computer_level(seat, level);
  save.file.write(
      0, value_or_throw(replace_computers(save.file.text(), file.filename().string(), save.match)));
  board.match = std::move(save.match);
  return Success{};
} catch (const Refusal& refusal) {
  return refusal;
}

Result<Success> LocalBoards::play(Board& board, const std::vector<MoveRequest>& turns) try {
  if (is_example(board.id)) {
    // Refuses first, so that a refused ply makes no new board.
    Match trial = board.match;
    value_or_throw(validate_requests(trial, turns));
    copy_example(board);
  }
  const fs::path file = find_file(board.id);
  append_to_save(file, board, turns);
  note_own_write(file);
  return Success{};
} catch (const Refusal& refusal) {
  return refusal;
}

// Returns the file of a board in the directory; refuses examples and files elsewhere. `done` is a
// word for the refusal: "deleted".
fs::path LocalBoards::file_in_directory(const std::string& id, const std::string& done) const {
  if (is_example(id)) throw Refusal{"Examples cannot be " + done + "."};
  const fs::path file = find_file(id);
  std::error_code error;
  if (!fs::equivalent(parent_directory(file), directory_, error))
    throw Refusal{safe_text(file.string()) + " is not among the boards in " +
                  safe_text(location()) + " and cannot be " + done + " here."};
  if (!fs::exists(file, error)) throw Refusal{"There is no file " + safe_text(file.string()) + "."};
  return file;
}

Result<Success> LocalBoards::remove(const std::string& id) try {
  const UniqueFd beside = value_or_throw(lock_for_writing(directory_));
  const fs::path file = file_in_directory(id, "deleted"),
                 away = directory_ / kDeletedDirectory / file.filename();
  // An older deleted board may have the same name: it gets a number.
  for (int i = 1; !rename_file(file, away); ++i)
    rename_file(away, away.string() + "." + std::to_string(i));
  if (scope_ == Scope::directory) prune_deleted(directory_ / kDeletedDirectory, kMaxDeleted);
  return Success{};
} catch (const Refusal& refusal) {
  return refusal;
}

Result<Success> LocalBoards::restore(const std::string& named) try {
  const std::string id = board_name(named);
  require_in_scope(id);
  const UniqueFd beside = value_or_throw(lock_for_writing(directory_));
  const fs::path deleted = directory_ / kDeletedDirectory;
  // Accepts the number or the file too, because remove() accepts them.
  const auto found = find_by_number(id, deleted);
  const std::string name = found.size() == 1  ? found.front()
                           : is_save_path(id) ? fs::path(id).stem().string()
                                              : id;
  const fs::path away = deleted / save_file_name(name);
  std::error_code error;
  if (name.empty() || name.front() == '.' || name.find('/') != std::string::npos)
    return Refusal{"'" + fit(id, 40) + "' is not the name of a board."};
  if (is_save_path(id) && !fs::equivalent(parent_directory(id), directory_, error))
    return Refusal{safe_text(id) + " was not among the boards in " + safe_text(location()) + "."};
  if (!fs::exists(away, error)) return Refusal{"There is no deleted board " + fit(id, 40) + "."};
  if (!rename_file(away, file_path(name)))
    return Refusal{"There is already a board " + fit(name, 40) + "."};
  // The deleted board of that name that got the highest number takes the name back.
  int before = 0;
  while (fs::exists(away.string() + "." + std::to_string(before + 1), error)) ++before;
  if (before > 0) rename_file(away.string() + "." + std::to_string(before), away);
  return Success{};
} catch (const Refusal& refusal) {
  return refusal;
}

}  // namespace pbm
