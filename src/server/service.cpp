// SPDX-License-Identifier: MIT
#include "server/service.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "base/files.hpp"
#include "server/tables/schema.hpp"
#include "server/backup.hpp"
#include "store/recovery.hpp"

namespace pbm {

namespace fs = std::filesystem;

namespace {

// Locks the directory, and hides the server's own files in it from other logins.
UniqueFd lock_directory(const fs::path& directory) {
  UniqueFd held = lock_server_directory(directory);
  const fs::path own = directory / kServerDirectory;
  make_directory(own);
  ::chmod(own.c_str(), 0700);
  std::error_code none;
  fs::remove(own / kBackupMark, none);  // from now on the directory is no copy
  return held;
}

}  // namespace

Service::Service(ServiceOptions given)
    : directory_lock_(lock_directory(given.directory)),
      options(std::move(given)),
      database(options.directory / kServerDirectory / kDatabaseFile, &kSchema),
      accounts(database),
      keys(database),
      history(database),
      mail(database),
      queued_plies(database),
      seeks(database),
      tournaments(database),
      ladders(database),
      timekeeper(database),
      chats(database),
      store(options.directory, database, options.sync_file),
      notifier(database, options.notify_program,
               {accounts, mail, store, options.clock,
                [this](const std::string& userid) { return connections.is_connected(userid); },
                [this](const BoardSummary& board) { return summary_for("", board); }}),
      minute_limits{
          {options.signups_a_minute, "There are too many sign-ups now. Try again in a minute."},
          {std::max<std::size_t>(1, options.signups_a_minute / 4),
           "There are too many sign-ups from your login or address. Try again in a minute."},
          {options.signups_a_minute * 5,
           "There are too many sign-ups from your login or address. Try again tomorrow.",
           std::chrono::hours(24)},
          {std::max<std::size_t>(1, options.signups_a_minute / 2),
           "There are too many sign-ups from your network. Try again in a minute."},
          {options.signups_a_minute * 10,
           "There are too many sign-ups from your network. Try again tomorrow.",
           std::chrono::hours(24)},
          {options.texts_a_minute, "You are sending too many messages. Try again in a minute."},
          {options.challenges_a_minute,
           "You are sending too many challenges. Try again in a minute."},
          {1, "", std::chrono::minutes(10)}} {
  next_clock_check_ = moment();
  warnings_ = restore_saves(options.directory, database);
  timekeeper.uptime.record_up(time());
  store.set_clock_stop_lookup(
      [this](const std::string& name, Time since) { return timekeeper.clock_stops(name, since); });
  const std::vector<BoardKey> changed = store.scan();
  delete_orphans();
  try {
    attempt([&] { history.complete_curves(); });
  } catch (const Error&) {
    // The disk is full. The next start tries again.
  }
  for (std::string& why : store.rows().load_errors()) warnings_.push_back(std::move(why));
  if (std::string why = describe_unwritable(options.directory, ::geteuid()); !why.empty())
    warnings_.push_back(std::move(why));
  recover_boards(changed);
  notifier.recover();
  run_due_work();
  counts.started = moment();
}

Service::~Service() {
  try {
    run_due_work(true);
  } catch (...) {
    // Everything acknowledged is in the database; the next start completes the saves from it.
  }
}

void Service::commit() {
  connections.send_events();
  const bool changed = has_changes();
  if (changed) database.check_files();
  const bool known = !database.failure().empty();
  try {
    store.record_changes();
  } catch (const Error& error) {
    std::string why = error.what();
    if (why.ends_with('.')) why.pop_back();
    database.undo_transaction(why);
  }
  const std::string lost = database.commit();
  std::string refusal;
  if (lost.empty()) {
    store.write();
    if (store.has_unwritten()) note_failed_save(store.write_error());
    else if (changed) note_save();
  } else {
    store.undo_to(0);
    refusal = known ? not_saved(database.reason()).reason
              : database.failure().empty()
                  ? report_write_error(lost + ".", database.reason()).reason
                  : "The server stops (" + database.reason() +
                        "). It may not have saved this. Check when it is back.";
  }
  for (const auto& [what, is_repeated] : std::exchange(commit_log_, {}))
    if (lost.empty() && (!is_repeated || may_log(what))) log_event(what);
  connections.end_transaction(refusal);
  tell_owner();
}

Refusal not_saved(const std::string& reason) {
  return Refusal{"The server could not do that" + (reason.empty() ? "" : " (" + reason + ")") +
                 ". Nothing has changed. Try again later."};
}

void Service::undo_to(const Savepoint& mark) {
  store.undo_to(mark.change_count);
  connections.drop_events_after(mark.event_count);
  commit_log_.resize(mark.log_count);
  database.check_files();  // the files may be gone, which may be why it failed
}

void Service::attempt(const std::function<void()>& work) {
  const Savepoint mark = savepoint();
  try {
    Database::Savepoint changes(database);
    work();
    changes.keep();
  } catch (...) {
    undo_to(mark);
    throw;
  }
}

std::vector<std::string> Service::take_errors() {
  auto out = std::exchange(errors_, {});
  for (std::string& trouble : store.take_errors()) out.push_back(std::move(trouble));
  return out;
}

std::optional<SteadyTime> Service::next_due(bool hashing) const {
  const auto hash = hashing ? std::nullopt : password_queue.next_due();
  const auto late = connections.next_due();
  return hash && late ? std::min(*hash, *late) : hash ? hash : late;
}

void Service::finish(std::unique_ptr<HashJob> job) {
  if (Client* client = connections.find(job->session_number)) client->resume(*job);
}

void Service::run_due_work(bool all) {
  for (bool more = true; more;) {
    connections.send_late_replies(moment(), false);
    auto job = take_hash();
    more = job != nullptr;
    if (job) {
      job->run();
      finish(std::move(job));
    }
    commit();
  }
  if (auto sync = take_sync(all)) {
    sync->run();
    finish(std::move(sync));
    commit();
  }
}

std::string Service::fatal_error() const {
  if (database.failure().empty()) return "";
  return database.failure() + ". The server stops, because it can save nothing more.";
}

constexpr auto kOwnerNoticePause = std::chrono::hours(1);

Refusal Service::report_write_error(const std::string& why, const std::string& reason) {
  const bool is_disk_full = !reason.empty() && database.failure().empty();
  if (is_disk_full) note_failed_save(reason);
  const Refusal refusal = is_disk_full ? Refusal{kCannotSave} : not_saved(reason);
  ++counts.write_errors;
  // A full disk gives the same reason for each of a thousand boards.
  if (may_log(why.substr(why.rfind(": ") + 1)))
    errors_.push_back("could not save, command refused: " + why);
  return refusal;
}

void Service::note_failed_save(const std::string& reason) {
  if (!saving_trouble_) saving_trouble_ = SavingTrouble{};
  auto& [last, told_at] = *saving_trouble_;
  last = moment();
  if (told_at && last < *told_at + kOwnerNoticePause) return;
  told_at = last;
  const std::string place = options.directory.string();
  const bool is_forbidden = reason == std::strerror(EACCES) || reason == std::strerror(EPERM),
             is_read_only = reason == std::strerror(EROFS) || reason.ends_with("readonly database");
  owner_notice_ =
      "The server cannot save (" + reason + "). It refuses what it cannot save. " +
      (is_forbidden   ? "Let its login write all files in "
       : is_read_only ? "Let its login own all files, on a disk that can be written, in "
                      : "If the disk is full, make room on that of ") +
      place + ". The server then goes on by itself.";
}

// On a nearly full disk some changes have room and others do not.
void Service::note_save() {
  if (!saving_trouble_ || moment() < saving_trouble_->last_failure + kOwnerNoticePause) return;
  saving_trouble_.reset();
  owner_notice_ = "The server has saved everything for an hour. Players can go on.";
}

// Sends the notice to the userid of the server's own login, which only the owner can have.
void Service::tell_owner() {
  if (owner_notice_.empty()) return;
  std::optional<Account> owner;
  try {
    owner = accounts.find(options.server_login);
  } catch (const Error&) {  // the full disk has no room for a query either: tells it later
    return;
  }
  Event event{Event::Kind::announce};
  event.text = std::exchange(owner_notice_, "");
  log_event(event.text);
  if (!owner) return;
  if (connections.queue_line(owner->userid, false, 0, [&] { return encode(event); }))
    connections.send_events();
  else notifier.send_owner_notice(owner->userid, event.text);
}

Result<Success> Service::check_ban(const std::optional<Account>& account) const {
  if (!account || !account->banned_until || *account->banned_until <= time()) return Success{};
  return Refusal{
      account->userid + " is banned" +
      (*account->banned_until == Time::max() ? "" : " until " + iso_time(*account->banned_until)) +
      (account->ban_reason.empty() ? "." : ": " + account->ban_reason)};
}

std::vector<std::string> Service::welcome() {
  constexpr std::size_t kMaxBytes = 8192, kMaxLines = 10;
  constexpr int kMaxColumns = 76;
  std::vector<std::string> out;
  const std::filesystem::path file = options.directory / "motd";
  const auto text = read_file(file, kMaxBytes);
  std::error_code none;
  if (!text && fs::exists(file, none) && may_log(text.refusal().reason))
    log_event(text.refusal().reason);
  for (const auto line : text ? split_lines(*text) : std::vector<std::string_view>{})
    if (out.size() < kMaxLines) out.push_back(fit(trim(line), kMaxColumns));
  return out;
}

void Service::remove_connection(std::uint64_t number) {
  connections.remove(number);
  password_queue.remove(number);
}

void Service::send_event(const std::vector<std::string>& users, const Event& event, bool keep,
                         std::uint64_t but) {
  std::string what;  // encoded only when needed: most users are away
  const auto line = [&]() -> const std::string& {
    return what.empty() ? what = encode(event) : what;
  };
  std::vector<std::string> away;
  for (const std::string& user : users)
    if (!connections.queue_line(user, false, but, line)) away.push_back(user);
  const bool notice = !options.notify_program.empty() && (keep || event.kind == Event::Kind::turn);
  for (const std::string& userid : away) {
    const auto account = keep || notice ? accounts.find(userid) : std::nullopt;
    if (!account) continue;
    if (keep) mail.add(userid, event, line(), time());
    if (notice) notifier.schedule(*account, event.board, event.kind == Event::Kind::challenge);
  }
}

void Service::finish(std::unique_ptr<NotificationJob> job) {
  if (std::string failed = notifier.finish(*job); !failed.empty())
    errors_.push_back(std::move(failed));
}

std::optional<SteadyTime> Service::next_notification_due() const {
  const auto due = notifier.next_due();
  if (!due) return std::nullopt;
  return moment() + std::max(std::chrono::seconds(0),
                             std::chrono::duration_cast<std::chrono::seconds>(*due - time()));
}

void Service::send_board_state(const std::vector<std::string>& users, const BoardSummary& board,
                               const std::vector<LogEntry>& done, std::uint64_t but) {
  for (const std::string& user : users) {
    std::string line;
    connections.queue_line(user, true, but, [&]() -> const std::string& {
      if (!line.empty()) return line;
      Event event{Event::Kind::board_update, board.key()};
      BoardSummary update = summary_for(user, board);
      update.latest_actions = done;
      event.text = encode(update);
      return line = encode(event);
    });
  }
}

void Service::update_clocks(const std::string& userid, std::uint64_t but) {
  for (const BoardSummary& board : store.find_running(userid)) {
    timekeeper.schedule(board, time());
    send_board_state(audience(board), board, {}, but);
  }
}

BoardSummary Service::summary_for(const std::string& userid, const BoardSummary& board) {
  BoardSummary out = board;
  const std::vector<std::string> users = audience(board);
  for (std::size_t i = players(board).size(); i < users.size(); ++i)
    if (out.watcher_count++ < BoardSummary::kNamedWatchers) out.watcher_names.push_back(users[i]);
  update_names(out);
  out.clock = board_clock(board);
  out.contest = describe_contest(board.id);
  if (!out.contest.empty()) out.seats.unplayed.clear();
  if (userid.empty() || !board.load_error.empty()) return out;
  out.field = accounts.chosen_field(userid, *board.game);
  if (const auto queued = queued_plies.find({board.id, userid}))
    out.queued_ply = queued->to_string();
  out.unread_count = chats.unread_count(userid, board.id, board.is_over());
  return out;
}

// A running board has the new name of a player.
std::string Service::current_userid(const BoardSummary& board, const std::string& name) {
  return board.is_over() ? accounts.current_userid(name) : lower(name);
}

std::vector<std::string> Service::players(const BoardSummary& board) {
  std::vector<std::string> out;
  for (const std::string& name : board.names)
    if (std::string userid = current_userid(board, name);
        std::ranges::find(out, userid) == out.end())
      out.push_back(std::move(userid));
  return out;
}

void Service::update_names(BoardSummary& board) {
  for (std::string& name : board.names)
    if (const std::string now = current_userid(board, name); now != lower(name)) name = now;
}

bool Service::is_player(const BoardSummary& board, const std::string& userid) {
  return std::ranges::any_of(
      board.names, [&](const std::string& name) { return current_userid(board, name) == userid; });
}

std::vector<std::string> Service::audience(const BoardSummary& board) {
  std::vector<std::string> out = players(board);
  const std::string all = std::string(board.game->name) + "-all";
  const auto player_count = static_cast<std::ptrdiff_t>(out.size());
  for (const std::string& userid : accounts.subscribers(board.id, all))
    if (std::ranges::find(out, userid) == out.end() &&
        std::none_of(out.begin(), out.begin() + player_count, [&](const std::string& player) {
          return accounts.has_blocked(player, userid);
        }))
      out.push_back(userid);
  return out;
}

Result<Success> Service::check_account_limit() {
  if (accounts.size() >= options.max_accounts)
    return Refusal{"This server has as many accounts as it can hold. Ask its owner."};
  return Success{};
}

Result<Success> Service::check_connection_limit(const std::string& userid,
                                                const Client& client) const {
  if (client.userid() == userid) return Success{};
  if (connections.count(userid) < options.connections_a_user) return Success{};
  return Refusal{"You have " +
                 format_count(options.connections_a_user, "connection", "connections") +
                 ", the most a player may have. Close one, or try again later."};
}

}  // namespace pbm
