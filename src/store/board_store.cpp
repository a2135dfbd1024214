// SPDX-License-Identifier: MIT
#include "store/board_store.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "base/files.hpp"
#include "base/text.hpp"
#include "save/save.hpp"

namespace pbm {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxCached = 60'000;  // total cost of the matches in memory, in plies
constexpr std::size_t kMaxUnsynced = 300;   // open files that cause a sync

std::optional<FileVersion> get_file_version(const struct stat& s) {
  if (!S_ISREG(s.st_mode)) return std::nullopt;
  return FileVersion{s.st_ino, static_cast<std::uint64_t>(s.st_size),
                     std::int64_t{s.st_mtim.tv_sec} * 1'000'000'000 + s.st_mtim.tv_nsec};
}

// Returns nothing if there is no such file.
std::optional<FileVersion> get_file_version(const fs::path& file) {
  struct stat s {};
  return ::stat(file.c_str(), &s) == 0 ? get_file_version(s) : std::nullopt;
}

FileVersion get_file_version(int fd) {
  struct stat s {};
  return ::fstat(fd, &s) == 0 ? get_file_version(s).value_or(FileVersion{}) : FileVersion{};
}

// Returns the memory that a match takes, measured in plies.
std::size_t memory_cost(const OpenBoard& board) {
  return board.match.plies().size() + board.match.log().size() / 4 + 20;
}

[[noreturn]] void throw_write_error(const fs::path& file, int error) {
  const std::string reason = std::strerror(error);
  throw Error(safe_text(file.filename().string()) + " cannot be written (" + reason + ").", reason);
}

// Renames a file to a free name: "toot-101.other.yaml". Returns the new name.
fs::path move_aside(const fs::path& file) {
  for (int i = 1;; ++i) {
    const fs::path other =
        file.parent_path() / (file.stem().string() + ".other" + (i > 1 ? std::to_string(i) : "") +
                              file.extension().string());
    const int error = rename_no_replace(file, other);
    if (error == 0) return other;
    if (error != EEXIST) throw_write_error(file, error);
  }
}

}  // namespace

// Makes the summary of a board from its match.
BoardSummary BoardStore::make_summary(const OpenBoard& board) {
  const Match& match = board.match;
  BoardSummary out = summarize_match(board.key.id(), match);
  out.number = board.key.number;
  out.challenger = board.summary.challenger;
  out.levels.clear();  // on a server the computer has no seats
  if (!match.limits().has_limit()) return out;
  changed_clocks_.insert(board.key);
  if (!out.to_move) return out;
  out.running_clock = RunningClock{match.limits(), match.turns().back().start};
  if (match.limits().total_days && clock_stops_)
    out.running_clock->used_time =
        thinking_time(match.turns(), *out.to_move,
                      clock_stops_(match.names()[index(*out.to_move)], match.start_time()));
  return out;
}

BoardStore::BoardStore(fs::path directory, Database& database, SyncFunction sync_file)
    : directory_(std::move(directory)),
      database_(database),
      sync_file_(std::move(sync_file)),
      rows_(database) {
  if (!sync_file_) sync_file_ = [](int fd) { return ::fdatasync(fd) == 0 ? 0 : errno; };
}

fs::path BoardStore::save_path(const BoardKey& key) const {
  return directory_ / save_file_name(key.id());
}

// --- finding boards ----------------------------------------------------------

std::vector<BoardKey> BoardStore::scan() {
  last_row_ = database_.query_number("SELECT max(number) FROM tail");  // rows of an earlier server
  next_numbers_ = find_next_numbers({directory_ / kDeletedDirectory});
  std::vector<BoardKey> changed;
  std::map<BoardKey, FileVersion> known = rows_.file_versions();
  std::error_code error;
  for (const BoardKey& key : list_boards(directory_, error)) {
    next_numbers_[key.game] = std::max(next_numbers_[key.game], key.number + 1);
    const auto row = known.extract(key);
    const auto version = get_file_version(save_path(key));
    if (!version || !row || row.mapped() != *version) changed.push_back(key);
  }
  for (const auto& [key, version] : known) changed.push_back(key);
  std::ranges::sort(changed, [](const BoardKey& a, const BoardKey& b) {
    return a.number != b.number ? a.number < b.number : a.game < b.game;
  });
  for (const BoardKey& key : changed) try {
      const auto version = get_file_version(save_path(key));
      if (!version) {
        rows_.erase(key);
        continue;
      }
      const auto board = load(key);
      BoardSummary summary;
      summary.id = key.id();
      summary.game = key.game;
      summary.number = key.number;
      if (!board) summary.load_error = board.refusal().reason;
      stale_rows_[key].reset();  // until the commit
      rows_.insert(board ? (*board)->summary : summary, *version);
      fresh_rows_.insert(key);
    } catch (const Error&) {
      // The disk is full. The next start tries again.
    }
  for (auto& [game, next] : next_numbers_) next = std::max(next, rows_.highest_number(*game) + 1);
  for (const BoardKey& key : rows_.find_timed()) changed_clocks_.insert(key);
  return changed;
}

std::optional<BoardSummary> BoardStore::find_summary(const BoardKey& key) {
  if (const auto found = cache_.find(key); found != cache_.end())
    return found->second.board->summary;
  if (const auto stale = stale_rows_.find(key); stale != stale_rows_.end() && rows_.has(key)) {
    if (stale->second) return stale->second;
    if (const auto board = load(key)) return (*board)->summary;
  }
  return rows_.find(key);
}

std::vector<BoardSummary> BoardStore::find_running(std::string_view name) {
  std::vector<BoardSummary> out;
  for (const BoardKey& key : rows_.find_boards(name))
    if (auto board = find_summary(key)) out.push_back(std::move(*board));
  return out;
}

// --- matches in memory -------------------------------------------------------

Result<std::string> BoardStore::read_save(BoardKey key) const {
  std::string text;
  const auto made = [&](const Change& c) {
    return c.key == key && (c.kind == Change::Kind::create || c.kind == Change::Kind::replace);
  };
  const bool anew = std::ranges::any_of(unwritten_, made) || std::ranges::any_of(changes_, made);
  if (!anew) {
    auto read = read_file(save_path(key), kMaxSave, looks_like_save);
    if (!read) {
      // Removes the directory from the message: players should not see it.
      std::string why = read.refusal().reason;
      const std::string before = safe_text((directory_ / "").string());
      if (const std::size_t at = why.find(before); at != std::string::npos)
        why.erase(at, before.size());
      return Refusal{why};
    }
    text = std::move(*read);
  }
  // Adds the changes that are not in the file yet.
  for (const auto* changes : {&unwritten_, &changes_})
    for (const Change& change : *changes) {
      if (!(change.key == key)) continue;
      text.resize(std::min(text.size(), change.offset));
      text += change.bytes;
    }
  return text;
}

Result<BoardPtr> BoardStore::load(BoardKey key) {
  remove_from_cache(key);
  const FileVersion version = get_file_version(save_path(key)).value_or(FileVersion{});
  const std::string name = save_file_name(key.id());
  const auto text = this->read_save(key);
  if (!text) return text.refusal();
  auto loaded = load_match(*text, name);
  if (!loaded) return loaded.refusal();
  if (&loaded->match.game() != key.game)
    return Refusal{name + " has a game of " + std::string(loaded->match.game().title) +
                   ", but its name says another one."};
  auto board = std::make_shared<OpenBoard>(
      OpenBoard{key, std::move(loaded->match), {}, loaded->valid_bytes, version.size});
  board->summary.challenger = loaded->challenger;
  board->summary = make_summary(*board);
  add_to_cache(board);
  return board;
}

BoardPtr BoardStore::find_cached(const BoardKey& key) {
  const auto found = cache_.find(key);
  if (found == cache_.end()) return nullptr;
  recent_keys_.splice(recent_keys_.begin(), recent_keys_, found->second.position);
  return found->second.board;
}

void BoardStore::add_to_cache(BoardPtr board) {
  const BoardKey key = board->key;
  cache_cost_ += memory_cost(*board);
  recent_keys_.push_front(key);
  cache_[key] = {std::move(board), recent_keys_.begin()};
  for (auto it = std::prev(recent_keys_.end());
       cache_cost_ > kMaxCached && it != recent_keys_.begin();) {
    const BoardKey old = *it--;
    if (const auto stale = stale_rows_.find(old); stale != stale_rows_.end())
      stale->second = cache_.at(old).board->summary;
    remove_from_cache(old);
  }
}

void BoardStore::remove_from_cache(const BoardKey& key) {
  const auto found = cache_.find(key);
  if (found == cache_.end()) return;
  cache_cost_ -= std::min(cache_cost_, memory_cost(*found->second.board));
  recent_keys_.erase(found->second.position);
  cache_.erase(found);
}

Result<BoardPtr> BoardStore::open(BoardKey key) {
  if (auto board = find_cached(key)) return board;
  const auto known = rows_.find(key);
  if (!known)
    return Refusal{"There is no board " + std::to_string(key.number) + " of " +
                   std::string(key.game->title) + "."};
  if (!known->load_error.empty()) return Refusal{known->load_error};
  return load(key);
}

// --- changes in a transaction ------------------------------------------------

void BoardStore::add_change(Change change) {
  change.row = ++last_row_;
  changes_.push_back(std::move(change));
}

void BoardStore::record_changes() {
  static constexpr std::array<const char*, 4> kWords{"add", "create", "replace", "put away"};
  for (const Change& change : changes_)
    database_.run("INSERT INTO tail VALUES (?, ?, ?, ?, ?)", change.row, change.key.id(),
                  std::string_view(kWords[index(change.kind)]), change.offset, change.bytes);
}

Result<Success> BoardStore::check_writable(const BoardKey& key) const {
  if (std::ranges::any_of(unwritten_, [&](const Change& c) { return c.key == key; }))
    return Refusal{"The save of " + key.to_string() +
                   " cannot be written right now. Nothing was changed. The owner has been told."};
  return Success{};
}

Result<BoardStore::Change> BoardStore::make_addition(const OpenBoard& board, const LogEntry& entry,
                                                     const std::string& line) {
  if (const auto may = check_writable(board.key); !may) return may.refusal();
  Change out{Change::Kind::add, board.key, board.valid_bytes, line};
  if (!board.can_append) {
    const auto text = this->read_save(board.key);
    if (!text) return text.refusal();
    auto added = add_to_save(*text, board.key.id(), {entry});
    if (!added) return added.refusal();
    // If a line at the end is not enough, replaces the whole file.
    if (added->kept_bytes != board.valid_bytes || added->new_text != line)
      out = {Change::Kind::replace, board.key, 0,
             text->substr(0, added->kept_bytes) + added->new_text};
  }
  const auto may = check_save_size(out.offset + out.bytes.size(),
                                   "The save of " + board.key.to_string(), board.match, {entry});
  return may ? Result<Change>(std::move(out)) : may.refusal();
}

Result<Success> BoardStore::add(const BoardPtr& board, const LogEntry& entry) {
  auto change = make_addition(*board, entry, save_line(entry));
  if (!change) return change.refusal();
  const std::size_t cost = memory_cost(*board);
  const bool plain = change->kind == Change::Kind::add;
  const std::size_t used = change->offset + change->bytes.size();
  add_change(std::move(*change));
  board->can_append = plain;
  board->valid_bytes = used;
  board->match.add(entry);
  cache_cost_ += memory_cost(*board) - std::min(cost, memory_cost(*board));
  BoardSummary now = make_summary(*board);
  if (!rows_.update(board->summary, now)) {
    stale_rows_[board->key].reset();
    fresh_rows_.erase(board->key);
  }
  board->summary = std::move(now);
  return Success{};
}

Result<BoardPtr> BoardStore::create(const Match& match, const std::string& challenger) {
  BoardKey key{&match.game(), next_numbers_[&match.game()]};
  // The administrator may have copied a save to this directory.
  const auto taken = [&] {
    struct stat s {};
    return rows_.has(key) || ::lstat(save_path(key).c_str(), &s) == 0;
  };
  while (key.number <= kLastNumber && taken()) ++key.number;
  if (key.number > kLastNumber) return number_limit_refusal(*key.game);
  next_numbers_[key.game] = key.number + 1;
  std::string text = save_text(match, challenger);
  auto board =
      std::make_shared<OpenBoard>(OpenBoard{key, match, {}, text.size(), text.size(), true});
  add_change({Change::Kind::create, key, 0, std::move(text)});
  board->summary.challenger = challenger;
  board->summary = make_summary(*board);
  rows_.insert(board->summary, {});
  rows_.reserve_number(key);
  add_to_cache(board);
  return board;
}

Result<Success> BoardStore::rename(const BoardPtr& board, std::string_view name,
                                   const std::string& other) {
  const Match& match = board->match;
  if (const auto may = check_writable(board->key); !may) return may.refusal();
  const auto text = this->read_save(board->key);
  if (!text) return text.refusal();
  if (*text != save_text(match, board->summary.challenger))
    return Refusal{"The save of " + board->key.to_string() +
                   " has content that this server did not write, such as a comment. Nothing was "
                   "changed. Remove it while no server runs, then try again."};
  const auto called = [&](const std::string& old) {
    return equals_ignoring_case(old, name) ? other : old;
  };
  Seating seats = match.seating();
  for (std::string& seat : seats.names) seat = called(seat);
  auto renamed = Match::start(match.game(), match.options(), seats, match.start_time());
  if (!renamed) return renamed.refusal();
  renamed->set_limits(match.limits());
  for (const LogEntry& entry : match.log()) renamed->add(entry);
  const std::string challenger = called(board->summary.challenger);
  std::string whole = save_text(*renamed, challenger);
  const std::size_t size = whole.size();
  add_change({Change::Kind::replace, board->key, 0, std::move(whole)});
  board->match = std::move(*renamed);
  board->valid_bytes = size;
  board->can_append = true;
  board->summary.challenger = challenger;
  board->summary = make_summary(*board);
  rows_.insert(board->summary, {});
  return Success{};
}

void BoardStore::remove(const BoardPtr& board) {
  const BoardKey key = board->key;  // a copy: remove_from_cache() may destroy the board
  add_change({Change::Kind::remove, key});
  rows_.erase(key);
  remove_from_cache(key);
}

void BoardStore::undo_to(std::size_t done) {
  fresh_rows_.clear();
  for (std::size_t i = done; i < changes_.size(); ++i) {
    const BoardKey& key = changes_[i].key;
    remove_from_cache(key);
    if (const auto stale = stale_rows_.find(key); stale != stale_rows_.end()) stale->second.reset();
    if (changes_[i].kind == Change::Kind::create)
      next_numbers_[key.game] = std::min(next_numbers_[key.game], key.number);
  }
  changes_.resize(std::min(done, changes_.size()));
}

// --- writing saves -----------------------------------------------------------

void BoardStore::write() {
  for (const BoardKey& key : std::exchange(fresh_rows_, {})) stale_rows_.erase(key);
  if (changes_.empty() && unwritten_.empty()) return;
  std::vector<Change> all = std::exchange(unwritten_, {});
  const std::size_t old = all.size();
  std::move(changes_.begin(), changes_.end(), std::back_inserter(all));
  changes_.clear();
  std::set<BoardKey> stuck;
  for (std::size_t i = 0; i < all.size(); ++i) {
    // Keeps the order of the changes of each save.
    if (!stuck.contains(all[i].key)) {
      try {
        write(all[i]);
        continue;
      } catch (const std::exception& error) {
        const auto* const known = dynamic_cast<const Error*>(&error);
        write_error_ = known ? known->reason() : error.what();
        if (i >= old) errors_.emplace_back(error.what());
      }
    }
    stuck.insert(all[i].key);
    unwritten_.push_back(std::move(all[i]));
  }
}

void BoardStore::append(const Change& change) {
  const bool is_unsynced = unsynced_.contains(change.key);
  UnsyncedSave* const save = open_save(change.key, change.offset);
  if (!save) return;  // recreate_save() has written the whole save
  if (const int error = write_all_at(save->fd.get(), change.bytes, change.offset)) {
    // Half a line on a full disk is no ply: remove it.
    [[maybe_unused]] const int ignored =
        ::ftruncate(save->fd.get(), static_cast<off_t>(change.offset));
    const fs::path path = save->path;
    if (!is_unsynced) unsynced_.erase(change.key);  // it needs no sync
    throw_write_error(path, error);
  }
  const std::size_t end = change.offset + change.bytes.size();
  if (save->size > end && ::ftruncate(save->fd.get(), static_cast<off_t>(end)) != 0)
    throw_write_error(save->path, errno);
  save->size = end;
}

void BoardStore::write(const Change& change) {
  const fs::path file = change.kind == Change::Kind::add ? fs::path() : save_path(change.key);
  switch (change.kind) {
    case Change::Kind::add: return append(change);
    case Change::Kind::create: {
      TempFile draft(file);
      ::fchmod(draft.descriptor().get(), default_file_mode());
      if (const int error = write_all_at(draft.descriptor().get(), change.bytes, 0))
        throw_write_error(file, error);
      int error = rename_no_replace(draft.name(), file);
      if (error == EEXIST) {
        put_aside(file);
        error = rename_no_replace(draft.name(), file);
      }
      if (error != 0) throw_write_error(file, error);
      unsynced_[change.key] = {file, draft.release(), change.bytes.size()};
      unsynced_directories_.insert(directory_);
      return;
    }
    case Change::Kind::replace:
      unsynced_.erase(change.key);
      replace_file(file, change.bytes);
      open_save(change.key, change.bytes.size());
      return;
    case Change::Kind::remove: {
      const fs::path deleted = directory_ / kDeletedDirectory;
      make_directory(deleted);
      fs::path to = deleted / file.filename();
      for (int i = 1;; ++i) {
        const int error = rename_no_replace(file, to);
        if (error == 0) break;
        if (error == ENOENT) return;  // another program has removed it
        if (error != EEXIST) throw_write_error(file, error);
        to = deleted / (file.filename().string() + "." + std::to_string(i));
      }
      unsynced_directories_.insert({directory_, deleted});
      prune_deleted(deleted, kMaxDeleted);
      return;
    }
  }
}

// Opens the save, whose first `size` bytes are known. If another program changed or removed it,
// writes it anew from memory and returns nullptr.
UnsyncedSave* BoardStore::open_save(const BoardKey& key, std::uint64_t size) {
  if (const auto found = unsynced_.find(key); found != unsynced_.end()) return &found->second;
  const fs::path file = save_path(key);
  UniqueFd fd(::open(file.c_str(), O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
  const int error = fd.is_open() ? 0 : errno;
  const FileVersion now = error == 0 ? get_file_version(fd.get()) : FileVersion{};
  const BoardPtr known = find_cached(key);
  // An unfinished write may follow the valid bytes.
  if (error == 0 && now.size >= size &&
      (now.size == size || !known || now.size == known->file_size))
    return &(unsynced_[key] = {file, std::move(fd), now.size});
  if (error != 0 && error != ENOENT) throw_write_error(file, error);
  recreate_save(key);
  return nullptr;
}

// Renames a file that another program wrote in place of a save, and tells the owner.
void BoardStore::put_aside(const fs::path& file) {
  const std::string other = safe_text(move_aside(file).filename().string());
  errors_.push_back(
      safe_text(file.filename().string()) +
      " was changed by another program while the server ran. That version is now in " + other +
      ".");
}

// Writes a save anew that another program removed or replaced. Keeps the other file beside it.
void BoardStore::recreate_save(const BoardKey& key) {
  const fs::path file = save_path(key);
  const BoardPtr board = find_cached(key);
  if (!board) throw_write_error(file, ESTALE);
  std::error_code none;
  const bool is_there = fs::exists(fs::symlink_status(file, none));
  if (is_there) put_aside(file);
  write({Change::Kind::create, key, 0, save_text(board->match, board->summary.challenger),
         last_row_});
  if (!is_there)
    errors_.push_back(safe_text(file.filename().string()) +
                      " was removed while the server ran. It was restored.");
  board->valid_bytes = static_cast<std::size_t>(unsynced_.at(key).size);
  board->can_append = true;
}

// Calls recreate_save(). If that fails, write() tries again until the save is written.
void BoardStore::recreate_later(const BoardKey& key) {
  try {
    recreate_save(key);
  } catch (const std::exception& error) {
    errors_.emplace_back(error.what());
    const BoardPtr board = find_cached(key);
    std::string text = save_text(board->match, board->summary.challenger);
    board->valid_bytes = text.size();
    board->can_append = true;
    // As record_changes() does: a server that dies before then finds the save in the database.
    unwritten_.push_back({Change::Kind::create, key, 0, text, ++last_row_});
    database_.run("INSERT INTO tail VALUES (?, ?, 'create', 0, ?)", last_row_, key.id(), text);
  }
}

void SyncJob::run() noexcept {
  try {
    const auto need = [this](const fs::path& what, int number) {
      if (number != 0 && error.empty())
        error = safe_text(what.string()) + " cannot be synced (" + std::strerror(number) + ")";
    };
    for (const auto& [key, save] : saves) need(save.path, sync_file(save.fd.get()));
    for (const fs::path& directory : directories) need(directory, sync_directory(directory));
  } catch (const std::exception& problem) {
    error = problem.what();
  }
}

std::unique_ptr<SyncJob> BoardStore::take_sync_job(SteadyTime now, bool all) {
  if (is_syncing_ || (unsynced_.empty() && unsynced_directories_.empty())) return nullptr;
  if (!database_.failure().empty()) return nullptr;  // the next server recovers the saves
  if (!unsynced_since_) unsynced_since_ = now;
  if (!all && now - *unsynced_since_ < kSyncDelay && unsynced_.size() < kMaxUnsynced)
    return nullptr;
  unsynced_since_.reset();
  is_syncing_ = true;
  return std::make_unique<SyncJob>(
      SyncJob{std::exchange(unsynced_, {}), std::exchange(unsynced_directories_, {}),
              unwritten_.empty() ? last_row_ : unwritten_.front().row - 1, sync_file_});
}

void BoardStore::finish_sync(std::unique_ptr<SyncJob> sync) {
  is_syncing_ = false;
  if (!sync->error.empty()) database_.refuse_changes(sync->error);
  if (!database_.failure().empty()) return;
  for (const auto& [key, save] : sync->saves) {
    if (unsynced_.contains(key) || !rows_.has(key)) continue;
    if (!is_same_file(save.path, save.fd.get())) {
      if (find_cached(key)) recreate_later(key);
    } else if (const auto summary = find_summary(key)) {
      rows_.write_state(*summary, get_file_version(save.fd.get()));
      fresh_rows_.insert(key);
    }
  }
  // Those of a sync or a start whose commit failed. No file has the version of such a row, so the
  // next start reads the save.
  for (const auto& [key, _] : stale_rows_) {
    if (unsynced_.contains(key) || fresh_rows_.contains(key) || !rows_.has(key)) continue;
    if (const auto summary = find_summary(key)) {
      rows_.insert(*summary, {});
      fresh_rows_.insert(key);
    }
  }
  database_.run("DELETE FROM tail WHERE number <= ?", sync->last_row);
}

std::optional<SteadyTime> BoardStore::next_sync_due() const {
  return unsynced_since_ && !is_syncing_ && database_.failure().empty()
             ? std::optional(*unsynced_since_ + kSyncDelay)
             : std::nullopt;
}

}  // namespace pbm
