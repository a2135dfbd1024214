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
constexpr std::size_t kManySaves = 300;     // open files that cause a sync

std::optional<FileVersion> version_of(const struct stat& s) {
  if (!S_ISREG(s.st_mode)) return std::nullopt;
  return FileVersion{s.st_ino, static_cast<std::uint64_t>(s.st_size),
                     std::int64_t{s.st_mtim.tv_sec} * 1'000'000'000 + s.st_mtim.tv_nsec};
}

// Returns nothing if there is no such file.
std::optional<FileVersion> version_of(const fs::path& file) {
  struct stat s {};
  return ::stat(file.c_str(), &s) == 0 ? version_of(s) : std::nullopt;
}

FileVersion version_of(int fd) {
  struct stat s {};
  return ::fstat(fd, &s) == 0 ? version_of(s).value_or(FileVersion{}) : FileVersion{};
}

// Returns the memory that a match takes, measured in plies.
std::size_t cost_of(const OpenBoard& board) {
  return board.match.plies().size() + board.match.log().size() / 4 + 20;
}

[[noreturn]] void cannot(const fs::path& file, int error) {
  const std::string reason = std::strerror(error);
  throw Error(safe_text(file.filename().string()) + " cannot be written (" + reason + ").", reason);
}

// Renames a file to a free name: "toot-101.other.yaml". Returns the new name.
fs::path put_aside(const fs::path& file) {
  for (int i = 1;; ++i) {
    const fs::path other =
        file.parent_path() / (file.stem().string() + ".other" + (i > 1 ? std::to_string(i) : "") +
                              file.extension().string());
    const int error = rename_to_free(file, other);
    if (error == 0) return other;
    if (error != EEXIST) cannot(file, error);
  }
}

}  // namespace

// Makes the summary of a board from its match.
BoardSummary BoardStore::summary(const OpenBoard& board) {
  const Match& match = board.match;
  BoardSummary out = summary_of(board.key.id(), match);
  out.number = board.key.number;
  out.challenger = board.summary.challenger;
  out.levels.clear();  // on a server the computer has no seats
  if (!match.limits().any()) return out;
  clocks_.insert(board.key);
  if (!out.to_move) return out;
  out.running = RunningClock{match.limits(), match.turns().back().since};
  if (match.limits().total && stops_)
    out.running->used =
        thought(match.turns(), *out.to_move,
                stops_(match.names()[static_cast<std::size_t>(*out.to_move)], match.started()));
  return out;
}

BoardStore::BoardStore(fs::path directory, Database& database, SyncFile sync_file)
    : directory_(std::move(directory)),
      database_(database),
      sync_file_(std::move(sync_file)),
      rows_(database) {
  if (!sync_file_) sync_file_ = [](int fd) { return ::fdatasync(fd) == 0 ? 0 : errno; };
}

fs::path BoardStore::path(const BoardKey& key) const { return directory_ / save_name(key.id()); }

// --- finding boards ----------------------------------------------------------

std::vector<BoardKey> BoardStore::scan() {
  last_row_ = database_.number("SELECT max(number) FROM tail");  // rows of an earlier server
  next_ = next_numbers({directory_ / kDeleted});
  std::vector<BoardKey> changed;
  std::map<BoardKey, FileVersion> known = rows_.versions();
  std::error_code error;
  for (const BoardKey& key : boards_in(directory_, error)) {
    next_[key.game] = std::max(next_[key.game], key.number + 1);
    const auto row = known.extract(key);
    const auto version = version_of(path(key));
    if (!version || !row || row.mapped() != *version) changed.push_back(key);
  }
  for (const auto& [key, version] : known) changed.push_back(key);
  std::ranges::sort(changed, [](const BoardKey& a, const BoardKey& b) {
    return a.number != b.number ? a.number < b.number : a.game < b.game;
  });
  for (const BoardKey& key : changed) try {
      const auto version = version_of(path(key));
      if (!version) {
        rows_.erase(key);
        continue;
      }
      const auto board = load(key);
      BoardSummary summary;
      summary.id = key.id();
      summary.game = key.game;
      summary.number = key.number;
      if (!board) summary.broken = board.refusal().why;
      rows_.put(board ? (*board)->summary : summary, *version);
    } catch (const Error&) {
      // The disk is full. The next start tries again.
    }
  for (auto& [game, next] : next_) next = std::max(next, rows_.last_number(*game) + 1);
  for (const BoardKey& key : rows_.with_clock()) clocks_.insert(key);
  return changed;
}

std::optional<BoardSummary> BoardStore::info(const BoardKey& key) {
  if (const auto found = cache_.find(key); found != cache_.end())
    return found->second.board->summary;
  return rows_.find(key);
}

std::vector<BoardSummary> BoardStore::running_of(std::string_view name) {
  std::vector<BoardSummary> out;
  for (const BoardKey& key : rows_.of(name))
    if (auto board = info(key)) out.push_back(std::move(*board));
  return out;
}

// --- matches in memory -------------------------------------------------------

Result<std::string> BoardStore::text(BoardKey key) const {
  std::string text;
  const auto made = [&](const Change& c) {
    return c.key == key && (c.what == Change::What::create || c.what == Change::What::replace);
  };
  const bool anew = std::ranges::any_of(late_, made) || std::ranges::any_of(turn_, made);
  if (!anew) {
    auto read = read_file(path(key), kMaxSave, looks_like_save);
    if (!read) {
      // Removes the directory from the message: players should not see it.
      std::string why = read.refusal().why;
      const std::string before = safe_text((directory_ / "").string());
      if (const std::size_t at = why.find(before); at != std::string::npos)
        why.erase(at, before.size());
      return Refusal{why};
    }
    text = std::move(*read);
  }
  // Adds the changes that are not in the file yet.
  for (const auto* changes : {&late_, &turn_})
    for (const Change& change : *changes) {
      if (!(change.key == key)) continue;
      text.resize(std::min<std::size_t>(text.size(), change.offset));
      text += change.bytes;
    }
  return text;
}

Result<BoardPtr> BoardStore::load(BoardKey key) {
  uncache(key);
  const FileVersion version = version_of(path(key)).value_or(FileVersion{});
  const std::string name = save_name(key.id());
  const auto text = this->text(key);
  if (!text) return text.refusal();
  auto loaded = load_match(*text, name);
  if (!loaded) return loaded.refusal();
  if (&loaded->match.game() != key.game)
    return Refusal{name + " holds a board of " + std::string(loaded->match.game().title) +
                   ", which its name denies."};
  auto board = std::make_shared<OpenBoard>(
      OpenBoard{key, std::move(loaded->match), {}, loaded->used, version.size});
  board->summary.challenger = loaded->challenger;
  board->summary = summary(*board);
  cache(board);
  return board;
}

BoardPtr BoardStore::cached(const BoardKey& key) {
  const auto found = cache_.find(key);
  if (found == cache_.end()) return nullptr;
  used_.splice(used_.begin(), used_, found->second.used);
  return found->second.board;
}

void BoardStore::cache(BoardPtr board) {
  const BoardKey key = board->key;
  cost_ += cost_of(*board);
  used_.push_front(key);
  cache_[key] = {std::move(board), used_.begin()};
  for (auto it = std::prev(used_.end()); cost_ > kMaxCached && it != used_.begin();) {
    const BoardKey old = *it--;
    uncache(old);
  }
}

void BoardStore::uncache(const BoardKey& key) {
  const auto found = cache_.find(key);
  if (found == cache_.end()) return;
  cost_ -= std::min(cost_, cost_of(*found->second.board));
  used_.erase(found->second.used);
  cache_.erase(found);
}

Result<BoardPtr> BoardStore::open(BoardKey key) {
  if (auto board = cached(key)) return board;
  const auto known = rows_.find(key);
  if (!known)
    return Refusal{"There is no board " + std::to_string(key.number) + " of " +
                   std::string(key.game->title) + "."};
  if (!known->broken.empty()) return Refusal{known->broken};
  return load(key);
}

// --- changes in a transaction ------------------------------------------------

void BoardStore::put_down(Change change) {
  static constexpr std::array<const char*, 4> kWords{"add", "create", "replace", "put away"};
  change.row = ++last_row_;
  database_.run("INSERT INTO tail VALUES (?, ?, ?, ?, ?)", change.row, change.key.id(),
                std::string_view(kWords[static_cast<std::size_t>(change.what)]), change.offset,
                change.bytes);
  turn_.push_back(std::move(change));
}

bool BoardStore::is_late(const BoardKey& key) const {
  return std::ranges::any_of(late_, [&](const Change& c) { return c.key == key; });
}

Result<BoardStore::Change> BoardStore::addition(const OpenBoard& board, const Action& entry,
                                                const std::string& line) {
  if (is_late(board.key))
    return Refusal{"The save of " + board.key.to_string() +
                   " cannot be written just now, and nothing is added to it: try again later."};
  Change out{Change::What::add, board.key, board.used, line};
  if (!board.plain) {
    const auto text = this->text(board.key);
    if (!text) return text.refusal();
    auto added = add_to_save(*text, board.key.id(), {entry});
    if (!added) return added.refusal();
    // If a line at the end is not enough, replaces the whole file.
    if (added->kept != board.used || added->added != line)
      out = {Change::What::replace, board.key, 0, text->substr(0, added->kept) + added->added};
  }
  const auto may = may_grow_to(out.offset + out.bytes.size(),
                               "The save of " + board.key.to_string(), board.match, {entry});
  return may ? Result<Change>(std::move(out)) : may.refusal();
}

Result<Done> BoardStore::add(const BoardPtr& board, const Action& entry) {
  auto change = addition(*board, entry, save_line(entry));
  if (!change) return change.refusal();
  const std::size_t cost = cost_of(*board);
  const bool plain = change->what == Change::What::add;
  const std::uint64_t used = change->offset + change->bytes.size();
  put_down(std::move(*change));
  board->plain = plain;
  board->used = used;
  board->match.add(entry);
  cost_ += cost_of(*board) - std::min(cost, cost_of(*board));
  BoardSummary now = summary(*board);
  rows_.update(board->summary, now);
  board->summary = std::move(now);
  return Done{};
}

Result<BoardPtr> BoardStore::create(const Match& match, const std::string& challenger) {
  BoardKey key{&match.game(), next_[&match.game()]};
  // The administrator may have copied a save to this directory.
  const auto taken = [&] {
    struct stat s {};
    return rows_.has(key) || ::lstat(path(key).c_str(), &s) == 0;
  };
  while (key.number <= kLastNumber && taken()) ++key.number;
  if (key.number > kLastNumber) return no_number_left(*key.game);
  next_[key.game] = key.number + 1;
  std::string text = save_text(match, challenger);
  auto board =
      std::make_shared<OpenBoard>(OpenBoard{key, match, {}, text.size(), text.size(), true});
  put_down({Change::What::create, key, 0, std::move(text)});
  board->summary.challenger = challenger;
  board->summary = summary(*board);
  rows_.put(board->summary, {});
  rows_.give_out(key);
  cache(board);
  return board;
}

Result<Done> BoardStore::rename(const BoardPtr& board, std::string_view name,
                                const std::string& other) {
  const Match& match = board->match;
  const auto text = this->text(board->key);
  if (!text || is_late(board->key) || *text != save_text(match, board->summary.challenger))
    return Refusal{"The save of " + board->key.to_string() +
                   " has something in it that this server did not write: it stays as it is."};
  const auto called = [&](const std::string& old) {
    return same_ignoring_case(old, name) ? other : old;
  };
  Seating seats = match.seating();
  for (std::string& seat : seats.names) seat = called(seat);
  auto renamed = Match::start(match.game(), match.options(), seats, match.started());
  if (!renamed) return renamed.refusal();
  renamed->set_limits(match.limits());
  for (const Action& entry : match.log()) renamed->add(entry);
  const std::string challenger = called(board->summary.challenger);
  std::string whole = save_text(*renamed, challenger);
  const std::size_t size = whole.size();
  put_down({Change::What::replace, board->key, 0, std::move(whole)});
  board->match = std::move(*renamed);
  board->used = size;
  board->plain = true;
  board->summary.challenger = challenger;
  board->summary = summary(*board);
  rows_.put(board->summary, {});
  return Done{};
}

void BoardStore::remove(const BoardPtr& board) {
  const BoardKey key = board->key;  // a copy: uncache() may destroy the board
  put_down({Change::What::put_away, key});
  rows_.erase(key);
  uncache(key);
}

void BoardStore::undo_to(std::size_t done) {
  for (std::size_t i = done; i < turn_.size(); ++i) {
    const BoardKey& key = turn_[i].key;
    uncache(key);
    if (turn_[i].what == Change::What::create)
      next_[key.game] = std::min(next_[key.game], key.number);
  }
  turn_.resize(std::min(done, turn_.size()));
}

// --- writing saves -----------------------------------------------------------

void BoardStore::write() {
  if (turn_.empty() && late_.empty()) return;
  std::vector<Change> all = std::exchange(late_, {});
  const std::size_t old = all.size();
  std::move(turn_.begin(), turn_.end(), std::back_inserter(all));
  turn_.clear();
  for (std::size_t i = 0; i < all.size(); ++i) {
    // Keeps the order of the changes of each save.
    if (!is_late(all[i].key)) {
      try {
        write(all[i]);
        continue;
      } catch (const std::exception& error) {
        if (i >= old) troubles_.emplace_back(error.what());
      }
    }
    late_.push_back(std::move(all[i]));
  }
}

void BoardStore::append(const Change& change) {
  WrittenSave* const save = written(change.key, change.offset);
  if (!save) return;  // written() has written the whole save
  if (const int error = write_at(save->fd.get(), change.bytes, change.offset)) {
    // Half a line on a full disk is no ply: remove it.
    [[maybe_unused]] const int ignored =
        ::ftruncate(save->fd.get(), static_cast<off_t>(change.offset));
    cannot(save->path, error);
  }
  const std::uint64_t end = change.offset + change.bytes.size();
  if (save->size > end && ::ftruncate(save->fd.get(), static_cast<off_t>(end)) != 0)
    cannot(save->path, errno);
  save->size = end;
}

void BoardStore::write(const Change& change) {
  const fs::path file = change.what == Change::What::add ? fs::path() : path(change.key);
  switch (change.what) {
    case Change::What::add: return append(change);
    case Change::What::create: {
      TempFile draft(file);
      ::fchmod(draft.descriptor().get(), usual_mode());
      if (const int error = write_at(draft.descriptor().get(), change.bytes, 0))
        cannot(file, error);
      if (const int error = rename_to_free(draft.name(), file)) cannot(file, error);
      written_[change.key] = {file, draft.keep(), change.bytes.size()};
      directories_.insert(directory_);
      return;
    }
    case Change::What::replace:
      written_.erase(change.key);
      replace_file(file, change.bytes);
      written(change.key, change.bytes.size());
      return;
    case Change::What::put_away: {
      const fs::path deleted = directory_ / kDeleted;
      make_directory(deleted);
      fs::path to = deleted / file.filename();
      for (int i = 1;; ++i) {
        const int error = rename_to_free(file, to);
        if (error == 0) break;
        if (error != EEXIST) cannot(file, error);
        to = deleted / (file.filename().string() + "." + std::to_string(i));
      }
      directories_.insert({directory_, deleted});
      keep_last_deleted(deleted, kMaxDeleted);
      return;
    }
  }
}

// Opens the save, whose first `size` bytes are known. If another program changed or removed it,
// writes it anew from memory and returns nullptr.
WrittenSave* BoardStore::written(const BoardKey& key, std::uint64_t size) {
  if (const auto found = written_.find(key); found != written_.end()) return &found->second;
  const fs::path file = path(key);
  UniqueFd fd(::open(file.c_str(), O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
  const int error = fd.open() ? 0 : errno;
  const FileVersion now = error == 0 ? version_of(fd.get()) : FileVersion{};
  const BoardPtr known = cached(key);
  // An unfinished write may follow the valid bytes.
  if (error == 0 && now.size >= size && (now.size == size || !known || now.size == known->size))
    return &(written_[key] = {file, std::move(fd), now.size});
  if (error != 0 && error != ENOENT) cannot(file, error);
  make_anew(key);
  return nullptr;
}

// Writes a save anew that another program removed or replaced. Keeps the other file beside it.
void BoardStore::make_anew(const BoardKey& key) {
  const fs::path file = path(key);
  const BoardPtr board = cached(key);
  if (!board) cannot(file, ESTALE);
  const std::string name = safe_text(file.filename().string());
  std::error_code none;
  if (fs::exists(fs::symlink_status(file, none)))
    troubles_.push_back(name + " was changed by another program while the server ran: that is in " +
                        safe_text(put_aside(file).filename().string()) + " now.");
  else troubles_.push_back(name + " was taken away while the server ran: it is there again.");
  write({Change::What::create, key, 0, save_text(board->match, board->summary.challenger),
         last_row_});
  board->used = written_.at(key).size;
  board->plain = true;
}

void SavesSync::run() noexcept {
  try {
    const auto need = [this](const fs::path& what, int error) {
      if (error != 0 && failed.empty())
        failed = safe_text(what.string()) + " cannot be synced (" + std::strerror(error) + ")";
    };
    for (const auto& [key, save] : saves) need(save.path, sync_file(save.fd.get()));
    for (const fs::path& directory : directories) need(directory, sync_directory(directory));
  } catch (const std::exception& problem) {
    failed = problem.what();
  }
}

std::unique_ptr<SavesSync> BoardStore::take_sync(Moment now, bool all) {
  if (sync_out_ || (written_.empty() && directories_.empty())) return nullptr;
  if (!database_.failed().empty()) return nullptr;  // the next server recovers the saves
  if (!since_) since_ = now;
  if (!all && now - *since_ < kOldest && written_.size() < kManySaves) return nullptr;
  since_.reset();
  sync_out_ = true;
  return std::make_unique<SavesSync>(
      SavesSync{std::exchange(written_, {}), std::exchange(directories_, {}),
                late_.empty() ? last_row_ : late_.front().row - 1, sync_file_});
}

void BoardStore::finish(std::unique_ptr<SavesSync> sync) {
  sync_out_ = false;
  if (!sync->failed.empty()) database_.stop(sync->failed);
  if (!database_.failed().empty()) return;
  for (const auto& [key, save] : sync->saves) {
    if (written_.contains(key) || !rows_.has(key)) continue;
    if (leads_to(save.path, save.fd.get())) rows_.set_version(key, version_of(save.fd.get()));
    else if (cached(key)) make_anew(key);
  }
  database_.run("DELETE FROM tail WHERE number <= ?", sync->last);
}

std::optional<Moment> BoardStore::sync_due() const {
  return since_ && !sync_out_ && database_.failed().empty() ? std::optional(*since_ + kOldest)
                                                            : std::nullopt;
}

}  // namespace pbm
