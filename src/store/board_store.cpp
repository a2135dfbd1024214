// SPDX-License-Identifier: MIT
#include "store/board_store.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <set>

#include "base/error.hpp"
#include "base/files.hpp"
#include "save/save.hpp"

namespace pbm {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kManyFiles = 1000;    // of which some are closed again
constexpr std::size_t kMaxCached = 60'000;  // plies and entries in memory, of all boards together

std::optional<FileVersion> stamp_of(const struct stat& s) {
  if (!S_ISREG(s.st_mode)) return std::nullopt;
  return FileVersion{s.st_ino, static_cast<std::uint64_t>(s.st_size),
                     std::int64_t{s.st_mtim.tv_sec} * 1'000'000'000 + s.st_mtim.tv_nsec};
}

// Nothing when there is no such file.
std::optional<FileVersion> stamp_of(const fs::path& file) {
  struct stat s {};
  return ::stat(file.c_str(), &s) == 0 ? stamp_of(s) : std::nullopt;
}

FileVersion stamp_of(int fd) {
  struct stat s {};
  return ::fstat(fd, &s) == 0 ? stamp_of(s).value_or(FileVersion{}) : FileVersion{};
}

// What a match in memory costs, in plies.
std::size_t cost_of(const OpenBoard& board) {
  return board.match.plies().size() + board.match.log().size() / 4 + 20;
}

Refusal no_such_board(const BoardKey& key) {
  return Refusal{"There is no board " + std::to_string(key.number) + " of " +
                 std::string(key.game->title) + "."};
}

}  // namespace

StoredBoard BoardStore::info_of(const OpenBoard& board, const FileVersion& stamp) {
  const Match& match = board.match;
  StoredBoard out{state_of(board.key.id(), match), board.key, board.challenger, stamp, {}};
  if (!match.limits().any()) return out;
  clocks_.insert(board.key);
  if (!out.to_move) return out;
  RunningClock clock{match.limits(), match.turns().back().since};
  if (match.limits().total && stops_)
    clock.used =
        thought(match.turns(), *out.to_move,
                stops_(match.names()[static_cast<std::size_t>(*out.to_move)], match.started()));
  out.running = std::make_shared<const RunningClock>(clock);
  return out;
}

BoardStore::BoardStore(CommitLog& log, Database& database)
    : log_(log), database_(database), directory_(log.directory()) {
  for (const GameType& game : all_games()) next_[&game] = kFirstNumber;
}

BoardStore::~BoardStore() {
  try {
    let_go({}, true);
    save_rows(stale_.size());
    static_cast<void>(database_.commit());
  } catch (...) {
    // They are made again from the saves.
  }
}

std::string BoardStore::name(const BoardKey& key) { return save_name(key.id()); }

fs::path BoardStore::path(const BoardKey& key) const { return directory_ / name(key); }

FilePtr BoardStore::file(const BoardKey& key) const {
  const auto found = files_.find(key);
  return found == files_.end() ? nullptr : found->second.lock();
}

void BoardStore::remember(const BoardKey& key, const FilePtr& file) {
  if (files_.size() >= kManyFiles)
    std::erase_if(files_, [](const auto& known) { return known.second.expired(); });
  files_[key] = file;
  kept_.emplace_back(key, file);
}

FilePtr BoardStore::held(const BoardKey& key) const {
  FilePtr found = file(key);
  return found && found->locked() ? found : nullptr;
}

// --- which boards there are --------------------------------------------------

void BoardStore::scan() {
  // Watched before it is read, so that nothing falls in between.
  watched_ = watch_.begin() && watch_.add(directory_, DirectoryWatch::For::closed);
  read_rows();
  look_at_all();
  raise_next_numbers(next_, directory_ / kDeleted);
  started_ = true;
  for (const GameType& game : all_games())
    for (const StoredBoard* info : table_.open_of(game))
      if (info->running) clocks_.insert(info->key);
  outside_.clear();
  save_rows(stale_.size());
}

void BoardStore::look_at_all() {
  std::error_code error;
  std::vector<BoardKey> there = boards_in(directory_, error);
  for (const BoardKey& key : there) next_[key.game] = std::max(next_[key.game], key.number + 1);
  for (const GameType& game : all_games())
    for (const auto& [number, board] : table_.of(game)) there.push_back(board.key);
  std::sort(there.begin(), there.end(), [](const BoardKey& a, const BoardKey& b) {
    return a.number != b.number ? a.number < b.number : a.game < b.game;
  });
  there.erase(std::unique(there.begin(), there.end()), there.end());
  for (const BoardKey& key : there) look(key);
}

// Sees whether a board's file is what the summary was made of.
void BoardStore::look(BoardKey key) {
  const StoredBoard* known = table_.find(key);
  const auto stamp = stamp_of(path(key));
  if (const FilePtr file = held(key)) {
    if (!known || stamp == known->stamp) return;
    // Not everybody asks for the lock: what we know is no version of the file then.
    table_.set_stamp(key, {});
    kept_since_ = Moment{};
    if (!let_go(key, *file)) return;
  }
  if (!stamp) {
    if (!known) return;
    stale_.insert(key);
    uncache(key);
    table_.erase(key);
  } else if (!known || known->stamp != *stamp) {
    next_[key.game] = std::max(next_[key.game], key.number + 1);
    static_cast<void>(load(key, *stamp));
  }
}

bool BoardStore::take_changes() {
  if (!watched_) {
    // Whoever plays on a board looks at its file anyway: lists may be a little old.
    const auto now = std::chrono::steady_clock::now();
    if (now - looked_ < std::chrono::milliseconds(500)) return false;
    looked_ = now;
    look_at_all();
    return true;
  }
  const DirectoryWatch::Changes changes = watch_.take();
  if (changes.all) look_at_all();
  else
    for (const std::string& file : changes.files)
      if (const auto key = board_in(file)) look(*key);
  return changes.names;
}

void BoardStore::touch(const BoardKey& key) {
  if (const FilePtr file = this->file(key)) log_.touch(*file);
}

std::size_t BoardStore::running(std::string_view name, const GameType* game) const {
  std::size_t n = 0;
  for (const StoredBoard* board : table_.open_of(name))
    n += board->to_move && !board->unplayed() && (!game || game == board->key.game);
  return n;
}

std::size_t BoardStore::begun(std::string_view name) const {
  std::size_t n = 0;
  for (const StoredBoard* board : table_.open_of(name))
    n += board->unplayed() && same_ignoring_case(board->challenger, name);
  return n;
}

std::size_t BoardStore::unplayed(std::string_view name, std::string_view other) const {
  std::size_t n = 0;
  for (const StoredBoard* board : table_.open_of(name))
    n += board->unplayed() && board->plays(other) &&
         (board->names.size() == 2 || same_ignoring_case(board->challenger, name) ||
          same_ignoring_case(board->challenger, other));
  return n;
}

// --- matches in memory -------------------------------------------------------

Result<std::shared_ptr<OpenBoard>> BoardStore::load(BoardKey key, FileVersion stamp) {
  const auto old = cached(key);
  uncache(key);
  const StoredBoard* there = table_.find(key);
  const bool known = there != nullptr;
  const std::size_t before = known ? there->entries : 0;
  const auto refuse = [&](const Refusal& why) -> Refusal {
    StoredBoard info;
    info.id = key.id();
    info.key = key;
    info.entries = before;
    info.broken = why.why;
    info.stamp = stamp;
    table_.put(std::move(info));
    return why;
  };
  stale_.insert(key);
  auto text = read_file(path(key), kMaxSave, looks_like_save);
  if (!text) return refuse(text.refusal());
  auto loaded = load_match(*text, path(key).filename().string());
  if (!loaded) return refuse(loaded.refusal());
  if (&loaded->match.game() != key.game)
    return refuse({path(key).filename().string() + " holds a board of " +
                   std::string(loaded->match.game().title) + ", which its name denies."});
  auto board = std::make_shared<OpenBoard>(OpenBoard{
      key, std::move(loaded->match), loaded->challenger, std::move(loaded->warning), loaded->used});
  table_.put(info_of(*board, stamp));
  cache(board);
  const bool other = old && !(old->match.log() == board->match.log());
  if (started_ && (!known || board->match.log().size() != before || other))
    outside_.emplace_back(key, known ? before : 0);
  return board;
}

std::shared_ptr<OpenBoard> BoardStore::cached(const BoardKey& key) {
  const auto found = cache_.find(key);
  if (found == cache_.end()) return nullptr;
  used_.splice(used_.begin(), used_, found->second.used);
  return found->second.board;
}

void BoardStore::cache(std::shared_ptr<OpenBoard> board) {
  const BoardKey key = board->key;
  cost_ += cost_of(*board);
  used_.push_front(key);
  cache_[key] = {std::move(board), used_.begin()};
  for (auto it = std::prev(used_.end()); cost_ > kMaxCached && it != used_.begin();) {
    const BoardKey old = *it--;
    if (!held(old)) uncache(old);
  }
}

void BoardStore::uncache(const BoardKey& key) {
  const auto found = cache_.find(key);
  if (found == cache_.end()) return;
  cost_ -= std::min(cost_, cost_of(*found->second.board));
  used_.erase(found->second.used);
  cache_.erase(found);
}

Result<std::shared_ptr<OpenBoard>> BoardStore::open(BoardKey key) {
  const StoredBoard* known = info(key);
  if (const FilePtr file = held(key)) {
    log_.touch(*file);
    if (!known) return no_such_board(key);  // being removed
    auto board = cached(key);
    check(board != nullptr, "a board that is being written is not in memory");
    return board;
  }
  if (const auto stamp = stamp_of(path(key))) return open_file(key, *stamp);
  look(key);
  return no_such_board(key);
}

Result<std::shared_ptr<OpenBoard>> BoardStore::open_file(BoardKey key, FileVersion stamp) {
  if (const StoredBoard* known = info(key); known && known->stamp == stamp) {
    if (!known->broken.empty()) return Refusal{known->broken};
    if (auto board = cached(key)) return board;
  }
  return load(key, stamp);
}

Result<std::string> BoardStore::text(BoardKey key) {
  const auto board = open(key);
  if (!board) return board.refusal();
  return read_file(path(key), kMaxSave);
}

// --- changing them -----------------------------------------------------------

Result<BoardStore::Locked> BoardStore::lock(BoardKey key) {
  FilePtr file = this->file(key);
  if (file && file->locked()) {
    auto board = open(key);
    if (!board) return board.refusal();
    return Locked(*board, file);
  }
  if (!file || !CommitLog::lock_again(*file)) {
    UniqueFd fd(::open(path(key).c_str(), O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
    if (!fd.open() && errno == ENOENT) return no_such_board(key);
    if (!fd.open())
      return Refusal{"The save of " + key.to_string() + " cannot be written (" +
                     std::string(std::strerror(errno)) + ")."};
    // Another writer may have put a new file under the name meanwhile.
    if (try_lock(path(key), fd.get()) != 0) {
      held_elsewhere_ = key;
      return Refusal{"Another program is writing on " + key.to_string() + ": try again."};
    }
    file = log_.hold(name(key), std::move(fd));
  }
  auto board = open_file(key, stamp_of(file->descriptor()));
  if (!board) {
    CommitLog::release(*file);
    return board.refusal();
  }
  mend(**board, *file);
  remember(key, file);
  return Locked(*board, file);
}

void BoardStore::let_go(Moment now, bool all) {
  if (kept_.empty()) return;
  if (!kept_since_) kept_since_ = now;
  // Where nothing can be watched it is not seen what others do to a save in the meantime.
  if (!all && watched_ && now - *kept_since_ < kKept) return;
  std::erase_if(kept_, [&](const auto& kept) { return let_go(kept.first, *kept.second); });
  kept_since_.reset();
  if (!kept_.empty()) kept_since_ = now;
}

bool BoardStore::let_go(const BoardKey& key, LoggedFile& file) {
  if (!file.safe()) return false;
  if (const StoredBoard* info = table_.find(key); info && file.locked()) {
    // What a version of it is called that has only what we wrote.
    const FileVersion now = stamp_of(file.descriptor());
    const bool ours = info->stamp != FileVersion{} && now.size == file.size();
    table_.set_stamp(key, ours ? now : FileVersion{});
  }
  CommitLog::release(file);
  return true;
}

std::optional<Moment> BoardStore::due() const {
  return kept_since_ ? std::optional(*kept_since_ + kKept) : std::nullopt;
}

// Cuts off an unfinished write. Where that fails the next ply does so.
void BoardStore::mend(OpenBoard& board, LoggedFile& file) {
  if (board.used >= file.size() || !CommitLog::truncate(file, board.used)) return;
  board.warning.clear();
  table_.set_stamp(board.key, stamp_of(file.descriptor()));
  stale_.insert(board.key);
}

// Where a line at the end does not do: the whole file anew, on disk at once.
void BoardStore::replace(Locked& locked, std::string_view then) {
  const BoardKey key = locked->key;
  const fs::path path = this->path(key);
  if (!leads_to(path, locked.file_->descriptor()))
    throw Error(path.filename().string() + " was removed or replaced meanwhile.");
  replace_file(path, then);
  log_.settled(name(key));
  // The file that was locked has no name any more: its successor is, if it is still ours.
  UniqueFd fd(::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
  if (!fd.open() || try_lock(path, fd.get()) != 0) return;
  if (FilePtr file = log_.hold(name(key), std::move(fd)); file->size() == then.size())
    remember(key, locked.file_ = file);
}

Result<std::string> BoardStore::text_with(Locked& locked, const Action& entry,
                                          const std::string& line) {
  OpenBoard& board = *locked;
  if (held(board.key) != locked.file_)
    return Refusal{"Another program is writing on " + board.key.to_string() + ": try again."};
  std::string then;
  if (!board.plain) {
    const auto text = this->text(board.key);
    if (!text) return text.refusal();
    const auto addition = add_to_save(*text, board.key.id(), {entry});
    if (!addition) return addition.refusal();
    board.plain = addition->kept == text->size() && addition->added == line;
    if (!board.plain) then = text->substr(0, addition->kept) + addition->added;
  }
  const auto may = may_grow_to(board.plain ? locked.file_->size() + line.size() : then.size(),
                               "The save of " + board.key.to_string(), board.match, {entry});
  return may ? Result<std::string>(then) : may.refusal();
}

Result<Done> BoardStore::may_add(Locked& board, const Action& entry) {
  const auto then = text_with(board, entry, save_line(entry));
  if (!then) return then.refusal();
  return Done{};
}

Result<Done> BoardStore::add(Locked& locked, const Action& entry) {
  OpenBoard& board = *locked;
  const std::string line = save_line(entry);
  const auto then = text_with(locked, entry, line);
  if (!then) return then.refusal();
  const std::size_t cost = cost_of(board);
  if (board.plain) {
    log_.append(locked.file_, line);
    board.match.add(entry);
    const StoredBoard* before = table_.find(board.key);
    table_.put(info_of(board, before ? before->stamp : FileVersion{}));
    board.used = locked.file_->size();
  } else {
    replace(locked, *then);
    board.match.add(entry);
    const FileVersion stamp = stamp_of(path(board.key)).value_or(FileVersion{});
    table_.put(info_of(board, stamp));
    board.used = stamp.size;
  }
  board.warning.clear();
  cost_ += cost_of(board) - std::min(cost, cost_of(board));
  stale_.insert(board.key);
  return Done{};
}

Result<std::shared_ptr<OpenBoard>> BoardStore::create(const Match& match,
                                                      const std::string& challenger) {
  const std::string text = save_text(match, challenger);
  BoardKey key{&match.game(), next_[&match.game()]};
  FilePtr file;
  for (; key.number <= kLastNumber && !file; ++key.number)
    if (!info(key)) file = log_.create(name(key), text);
  if (!file) return no_number_left(*key.game);
  --key.number;
  remember(key, file);
  next_[key.game] = key.number + 1;
  auto board = std::make_shared<OpenBoard>(OpenBoard{key, match, challenger, "", file->size()});
  table_.put(info_of(*board, stamp_of(file->descriptor())));
  cache(board);
  stale_.insert(key);
  return board;
}

void BoardStore::after(const BoardKey& key, CommitLog::Then then) {
  if (const FilePtr file = this->file(key)) log_.after(*file, std::move(then));
  else then();
}

void BoardStore::remove(Locked& locked) {
  const BoardKey key = locked->key;
  const fs::path deleted = directory_ / kDeleted;
  log_.move(locked.file_, (deleted.filename() / name(key)).string());
  log_.after(*locked.file_, [deleted] { keep_last_deleted(deleted, kMaxDeleted); });
  uncache(key);
  table_.erase(key);
  stale_.insert(key);
}

}  // namespace pbm
