// SPDX-License-Identifier: MIT
#include "server/service.hpp"

#include <sys/stat.h>

#include <algorithm>

#include "base/files.hpp"
#include "server/tables/schema.hpp"
#include "server/backup.hpp"
#include "store/recovery.hpp"

namespace pbm {

namespace fs = std::filesystem;

namespace {

// Locks the directory, and hides the server's own files in it from other logins.
UniqueFd hold(const fs::path& directory) {
  UniqueFd held = hold_directory(directory);
  const fs::path own = directory / kServerFiles;
  make_directory(own);
  ::chmod(own.c_str(), 0700);
  std::error_code none;
  fs::remove(own / kBackupMark, none);  // from now on the directory is no copy
  return held;
}

}  // namespace

Service::Service(ServiceOptions given)
    : lock_(hold(given.directory)),
      options(std::move(given)),
      database(options.directory / kServerFiles / kDatabase, kSchema, kSchemaVersion),
      accounts(database),
      history(database),
      mail(database),
      queue(database),
      seeks(database),
      timekeeper(database),
      chats(database),
      store(options.directory, database, options.sync_file),
      messenger(database, options.notify,
                {accounts, mail, store, options.clock,
                 [this](const std::string& userid) { return connections.here(userid); },
                 [this](const BoardSummary& board) { return summary_for("", board); }}),
      in_a_minute{
          {options.signups_a_minute, "Many have signed up within a minute: try again in another."},
          {std::max<std::size_t>(1, options.signups_a_minute / 4),
           "Many have signed up from where you are within a minute: try again in another."},
          {options.texts_a_minute, "That is much to say in a minute: try again in another."},
          {options.challenges_a_minute,
           "Those are many challenges in a minute: try again in another."}} {
  next_look_ = moment();
  warnings_ = bring_back(options.directory, database);
  timekeeper.uptime.see(time());
  store.count_time_by(
      [this](const std::string& name, Time since) { return timekeeper.stops(name, since); });
  const std::vector<BoardKey> changed = store.scan();
  sweep();
  for (std::string& why : store.rows().broken()) warnings_.push_back(std::move(why));
  catch_up(changed);
  messenger.catch_up();
  settle();
  counts.since = moment();
}

Service::~Service() {
  try {
    settle(true);
  } catch (...) {
    // Everything acknowledged is in the database; the next start completes the saves from it.
  }
}

void Service::end_turn() {
  connections.send_events();
  if (database.changed()) database.look_at_names();
  const bool known = !database.failed().empty();
  const std::string lost = database.commit();
  if (lost.empty()) {
    store.write();
  } else {
    store.undo_to(0);
    if (database.failed().empty()) not_written(lost + ".");
  }
  if (lost.empty()) return connections.end_turn("");
  if (known || database.failed().empty())
    return connections.end_turn(not_saved(database.reason()).why);
  connections.end_turn("The server ends (" + database.reason() +
                       ") and may not have saved that. Look again when it is back.");
}

Refusal not_saved(const std::string& reason) {
  return Refusal{"The server could not do that" + (reason.empty() ? "" : ": " + reason) +
                 ". Nothing has changed; try again later."};
}

void Service::undo_to(const Mark& mark) {
  store.undo_to(mark.changes);
  connections.forget_events(mark.events);
  database.look_at_names();  // the files may be gone, which may be why it failed
}

std::vector<std::string> Service::take_troubles() {
  auto out = std::exchange(troubles_, {});
  for (std::string& trouble : store.take_troubles()) out.push_back(std::move(trouble));
  return out;
}

std::unique_ptr<HashJob> Service::take_hash() { return passwords.take(moment()); }

std::optional<Moment> Service::due(bool hashing) const {
  const auto hash = hashing ? std::nullopt : passwords.due();
  const auto late = connections.due();
  return hash && late ? std::min(*hash, *late) : hash ? hash : late;
}

void Service::finish(std::unique_ptr<HashJob> job) {
  if (Client* client = connections.find(job->session)) client->finished(*job);
}

void Service::settle(bool all) {
  for (bool more = true; more;) {
    connections.answer_late(moment(), false);
    auto job = take_hash();
    more = job != nullptr;
    if (job) {
      job->run();
      finish(std::move(job));
    }
    end_turn();
  }
  if (auto sync = take_sync(all)) {
    sync->run();
    finish(std::move(sync));
    end_turn();
  }
}

std::string Service::must_end() const {
  if (database.failed().empty()) return "";
  return database.failed() + " while the server ran: it ends, as nothing more would be kept.";
}

void Service::not_written(const std::string& why) {
  constexpr auto kBetween = std::chrono::minutes(10);
  ++counts.not_written;
  // A full disk gives the same reason for each of a thousand boards.
  const auto [last, first] = complained_.try_emplace(why.substr(why.rfind(": ") + 1), moment());
  if (!first && moment() < last->second + kBetween) return;
  last->second = moment();
  troubles_.push_back("something was not kept, and refused: " + why);
}

std::set<std::string> Service::people_here() {
  std::set<std::string> out;
  for (const std::string& userid : connections.userids())
    if (const auto account = accounts.find(userid); account && !account->computer)
      out.insert(userid);
  return out;
}

// Computers do not keep the server running.
bool Service::drained() {
  return draining_ && (moment() >= *draining_ + kDrainedFor || people_here().empty());
}

Result<Done> Service::may_use(const std::optional<Account>& account) const {
  if (!account || !account->banned || *account->banned <= time()) return Done{};
  return Refusal{
      account->userid + " is not let in" +
      (*account->banned == Time::max() ? " any more" : " until " + iso_time(*account->banned)) +
      (account->banned_why.empty() ? "." : ": " + account->banned_why)};
}

Result<Done> Service::may_begin() const {
  if (!draining_) return Done{};
  return Refusal{"This server is about to end, and no new game begins: try again later."};
}

void Service::leave(std::uint64_t number) {
  connections.leave(number);
  passwords.leave(number);
}

void Service::tell(const std::vector<std::string>& users, const Event& event, bool keep,
                   std::uint64_t but) {
  std::string what;  // encoded only when needed: most users are away
  const auto line = [&]() -> const std::string& {
    return what.empty() ? what = encode(event) : what;
  };
  std::vector<std::string> away;
  for (const std::string& user : users)
    if (!connections.tell(user, false, but, line)) away.push_back(user);
  const bool notice = !options.notify.empty() && (keep || event.kind == Event::Kind::turn);
  for (const std::string& userid : away) {
    const auto account = keep || notice ? accounts.find(userid) : std::nullopt;
    if (!account) continue;
    if (keep) mail.keep(userid, event, line(), time());
    if (notice) messenger.stir(*account, event.board, event.kind == Event::Kind::challenge);
  }
}

void Service::finish(std::unique_ptr<NoticeJob> job) {
  if (std::string failed = messenger.finish(*job); !failed.empty())
    troubles_.push_back(std::move(failed));
}

std::optional<Moment> Service::notice_due() const {
  const auto due = messenger.due();
  if (!due) return std::nullopt;
  return moment() + std::max(std::chrono::seconds(0),
                             std::chrono::duration_cast<std::chrono::seconds>(*due - time()));
}

void Service::tell_now(const std::vector<std::string>& users, const BoardSummary& board,
                       const std::vector<Action>& done, std::uint64_t but) {
  for (const std::string& user : users) {
    std::string line;
    connections.tell(user, true, but, [&]() -> const std::string& {
      if (!line.empty()) return line;
      Event event{Event::Kind::now, board.key()};
      BoardSummary update = summary_for(user, board);
      update.done = done;
      event.text = encode(update);
      return line = encode(event);
    });
  }
}

void Service::clocks_changed(const std::string& userid, std::uint64_t but) {
  for (const BoardSummary& board : store.running_of(userid)) {
    timekeeper.expect(board, time());
    tell_now(audience(board), board, {}, but);
  }
}

BoardSummary Service::summary_for(const std::string& userid, const BoardSummary& board) {
  BoardSummary out = board;
  for (const std::string& user : audience(board)) out.watching += !board.plays(user);
  out.clock = clock_of(board);
  if (userid.empty() || !board.broken.empty()) return out;
  out.field = accounts.field(userid, *board.game);
  if (const auto queued = queue.find({board.id, userid})) out.queued = queued->to_string();
  out.unread = chats.unread(userid, board.id, board.over());
  return out;
}

std::vector<std::string> Service::audience(const BoardSummary& board) {
  std::vector<std::string> out;
  for (const std::string& name : board.names)
    if (std::ranges::find(out, lower(name)) == out.end()) out.push_back(lower(name));
  const std::string all = std::string(board.game->name) + "-all";
  const auto players = static_cast<std::ptrdiff_t>(out.size());
  for (const std::string& userid : accounts.subscribers(board.id, all))
    if (std::ranges::find(out, userid) == out.end() &&
        std::none_of(out.begin(), out.begin() + players, [&](const std::string& player) {
          return accounts.has_blocked(player, userid);
        }))
      out.push_back(userid);
  return out;
}

Result<Done> Service::has_room_for_account() {
  if (accounts.size() >= options.accounts)
    return Refusal{"There are as many userids here as the server holds."};
  return Done{};
}

Result<Done> Service::may_come_in(const std::string& userid, const Client& client) const {
  if (client.userid() == userid) return Done{};
  if (connections.of(userid) < options.connections_a_user) return Done{};
  return Refusal{userid + " has " +
                 count_of(options.connections_a_user, "connection", "connections") +
                 " here, as many as one may have: end another, or try again later."};
}

}  // namespace pbm
