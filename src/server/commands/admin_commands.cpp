// SPDX-License-Identifier: MIT
// Commands of the server's owner: for connections of the server's own login, or of root, that are
// not signed in. Every change goes to the log.
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/text.hpp"
#include "protocol/userid.hpp"
#include "server/board_actions.hpp"
#include "server/contest_players.hpp"
#include "server/contest_rounds.hpp"
#include "server/commands/helpers.hpp"
#include "store/recovery.hpp"

namespace pbm {
namespace {

// Logs a command and who gave it. Its words no longer include passwords.
void log_command(const Request& r) {
  std::string said(r.row->name);
  for (const std::string& word : r.words)
    if (!word.empty()) said += " " + word;
  for (const std::string& option : r.options) said += " " + option;
  for (const std::string& line : r.text) said += " : " + line;
  r.service->log_on_commit(r.session->peer() + " runs " + said);
}

std::string joined_text(const Request& r) { return join(r.text); }

// Closes the connections of a userid and returns how many.
std::size_t disconnect_all(const Service& service, const std::string& userid,
                           const std::string& why) {
  std::size_t n = 0;
  for (const auto& [number, session] : service.connections.all())
    if (session->userid() == userid) {
      session->disconnect(why);
      ++n;
    }
  return n;
}

// Returns the board that the first two words name.
BoardPtr need_admin_board(Request& r) {
  r.game = need_game(r.words[0]);
  return need_board(r, r.words[1]);
}

void announce(Service& service, const std::vector<std::string>& users, const std::string& text,
              bool mail) {
  Event event{Event::Kind::announce};
  event.text = text;
  service.send_event(users, event, mail);
}

// Returns the size of the database in bytes, with its write-ahead log.
std::uintmax_t database_bytes(const std::filesystem::path& directory) {
  std::uintmax_t all = 0;
  for (const char* part : {"", "-wal"}) {
    const auto file = directory / kServerDirectory / (std::string(kDatabaseFile) + part);
    std::error_code none;
    const auto n = std::filesystem::file_size(file, none);
    all += none ? 0 : n;
  }
  return all;
}

// Returns this process's resident memory in bytes.
std::size_t resident_bytes() {
  std::ifstream in("/proc/self/statm");
  std::size_t all = 0, held = 0;
  in >> all >> held;
  return held * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

Reply admin_who(Request& r) {
  Lines lines;
  for (const auto& [number, session] : r.service->connections.all())
    lines.push_back(pad_left(std::to_string(number), 6) + "  " +
                    pad(session->userid().empty() ? "-" : session->userid(), 16) + "  " +
                    session->peer() + (session->is_watching() ? "" : ", not watching"));
  const std::string said =
      format_count(lines.size(), "connection", "connections") + ": number, userid, origin.";
  return Reply(said, std::move(lines));
}

Reply admin_kick(Request& r) {
  const std::string why = "The owner of this server closed your connection" +
                          (r.text.empty() ? "." : ": " + joined_text(r));
  std::size_t n = 0;
  if (r.words[0].front() == '#') {
    const auto number = read_whole_number<std::uint64_t>(std::string_view(r.words[0]).substr(1));
    const auto found = r.service->connections.all().find(number.value_or(0));
    if (found == r.service->connections.all().end())
      return Refusal{"There is no connection " + fit(r.words[0], 20) +
                     ". Type admin who for the list."};
    found->second->disconnect(why);
    n = 1;
  } else {
    n = disconnect_all(*r.service, lower(r.words[0]), why);
    if (n == 0) return Refusal{fit(r.words[0], 20) + " is not connected."};
  }
  log_command(r);
  return Reply(format_count(n, "connection was", "connections were") + " closed.");
}

Reply admin_ban(Request& r) {
  Account account = need_account(r, r.words[0]);
  const std::string& userid = account.userid;
  Time until = Time::max();
  if (r.words.size() > 1) {
    const auto days = read_whole_number<unsigned>(r.words[1]);
    if (!days || *days == 0 || *days > 3650)
      return Refusal{"A ban has 1 to 3650 days, not '" + fit(r.words[1], 20) + "'."};
    until = r.service->time() + std::chrono::hours(24 * *days);
  }
  account.banned_until = until;
  account.ban_reason = joined_text(r);
  r.service->accounts.put(account);
  drop_seeks(*r.service, userid);
  r.service->keys.drop_invitations(userid);
  leave_contests(*r.service, userid);
  const std::size_t gone =
      drop_challenges(*r.service, userid, "The owner of this server banned " + userid + ".");
  log_command(r);
  const std::string why = r.service->check_ban(account).refusal().reason;
  disconnect_all(*r.service, userid, why);
  return Reply(gone == 0
                   ? why
                   : format_count(gone, "challenge was", "challenges were") + " deleted. " + why);
}

Reply admin_unban(Request& r) {
  Account account = need_account(r, r.words[0]);
  if (r.service->check_ban(account)) return Refusal{account.userid + " is not banned."};
  account.banned_until.reset();
  account.ban_reason.clear();
  r.service->accounts.put(account);
  log_command(r);
  return Reply(account.userid + " can sign in again.");
}

Reply admin_mute(Request& r) {
  const bool on = r.row->verb() == "admin mute";
  Account account = need_account(r, r.words[0]);
  if (account.is_muted == on)
    return Refusal{account.userid + (on ? " is already muted." : " is not muted.")};
  account.is_muted = on;
  r.service->accounts.put(account);
  log_command(r);
  return Reply(account.userid + (on ? " is muted." : " is no longer muted."));
}

// Finished games keep the old name in their saves; the history and ratings get the new one.
Reply admin_rename(Request& r) {
  const std::string userid = need_account(r, r.words[0]).userid;
  const auto fresh = value_or_throw(check_new_userid(r.words[1]));
  Service& service = *r.service;
  if (service.accounts.find_any(fresh)) return Refusal{fresh + " is taken. Choose another userid."};
  drop_seeks(service, userid);
  service.accounts.rename(userid, fresh);
  service.history.rename(userid, fresh);
  service.chats.rename(userid, fresh);
  value_or_throw(rename_on_boards(service, userid, fresh));
  service.notifier.rename(userid, fresh);
  log_command(r);
  disconnect_all(service, userid, "Your userid is " + fresh + " now.");
  return Reply(userid + " is " + fresh + " now. The saves of finished games keep the old name.");
}

Reply admin_free(Request& r) {
  Service& service = *r.service;
  for (const std::string& word : r.words)
    if (service.accounts.has_played(need_account(r, word).userid))
      return Refusal{lower(word) + " has played or written here. Use admin ban instead."};
  for (const std::string& word : r.words) {
    const std::string userid = lower(word);
    drop_seeks(service, userid);
    disconnect_all(service, userid, "The owner of this server removed your account.");
    service.accounts.remove(userid);
  }
  log_command(r);
  return Reply(join_with_and(r.words) +
               (r.words.size() == 1 ? " is free again." : " are free again."));
}

Reply before_admin_password(const Request& r) {
  need_account(r, r.words[0]);
  value_or_throw(check_new_password(r.new_password.text(), r.service->options.min_password_bytes));
  return Reply();
}

Reply admin_password(Request& r) {
  const std::string userid = need_account(r, r.words[0]).userid;
  r.service->accounts.set(userid, &Account::password_hash, r.new_hash);
  r.service->connections.sign_out(userid, "The owner of this server changed your password.", 0);
  log_command(r);
  return Reply(userid + " has a new password.");
}

Reply admin_signups(Request& r) {
  const bool open = r.row->verb() == "admin open signups";
  if (r.service->options.signup == Signup::closed)
    return Refusal{"The server runs with --signup closed. Restart it with another choice."};
  r.service->accounts.set_signups(open);
  log_command(r);
  return Reply(open ? "Sign-up is open." : "Sign-up is closed.");
}

Reply admin_keys(Request& r) {
  const Account account = need_account(r, r.words[0]);
  if (r.words.size() == 1) return reply_with_keys(r, account);
  if (r.words.size() != 3 || !equals_ignoring_case(r.words[1], "drop"))
    return Refusal{"Write: " + command_syntax(*r.row)};
  drop_key(r, need_key(r, account.userid, r.words[2]));
  log_command(r);
  return reply_with_keys(r, account);
}

Reply admin_invites(Request& r) {
  const bool open = r.row->verb() == "admin open invites";
  r.service->accounts.set_invites(open);
  log_command(r);
  return Reply(open ? "Members can invite players." : "Only you can invite players.");
}

Reply admin_forfeit(Request& r) {
  const BoardPtr board = need_admin_board(r);
  const Seat seat = value_or_throw(board->summary.find_seat(r.words[2]));
  const auto deed = value_or_throw(forfeit(*r.service, board, seat, ForfeitReason::owner));
  log_command(r);
  return Reply(board->key.to_string() + ": " + deed.summary);
}

Reply admin_annul(Request& r) {
  const BoardPtr board = need_admin_board(r);
  Service& service = *r.service;
  const std::string name = board->key.to_string();
  if (!board->summary.is_over()) {
    annul_game(service, board);
    log_command(r);
    return Reply(name + " was deleted. No rating changes.");
  }
  if (!service.history.make_unrated(board->key.game->name, board->key.number))
    return Refusal{name + " is not rated."};
  record_contest_result(service, board->key, nullptr);
  log_command(r);
  std::string told = name + " is no longer rated";
  if (const auto place = service.tournaments.find_game(board->key.id());
      place &&
      service.tournaments.games(place->tournament)[place->index].result == GameResult::annulled)
    told += " and counts for nobody in " + place->tournament;
  told += ".";
  announce(service, service.audience(board->summary), told, true);
  return Reply(told);
}

// Returns a tournament that is open or runs.
Tournament need_unfinished_tournament(const Request& r) {
  Tournament t = need_tournament(r, r.words[0]);
  if (t.state > Tournament::State::running)
    throw Refusal{t.name + " is " + std::string(to_string(t.state)) + " already."};
  return t;
}

Reply admin_cancel_tournament(Request& r) {
  const Tournament t = need_unfinished_tournament(r);
  cancel_tournament(*r.service, t);
  log_command(r);
  return Reply(t.name + " is cancelled.");
}

Reply admin_replace_entry(Request& r) {
  const Tournament t = need_unfinished_tournament(r);
  const std::string other = need_account(r, r.words[2]).userid;
  value_or_throw(replace_entry(*r.service, t, lower(r.words[1]), other));
  log_command(r);
  return Reply(other + " plays in " + t.name + " in the place of " + lower(r.words[1]) + ".");
}

Reply admin_extend_tournament(Request& r) {
  Tournament t = need_unfinished_tournament(r);
  if (t.state != Tournament::State::open) return Refusal{t.name + " runs already."};
  t.start_time = need_start_time(*r.service, r.words[1]);
  r.service->tournaments.put(t);
  log_command(r);
  return Reply(t.name + " starts " + iso_time(*t.start_time) + ".");
}

Reply admin_open_ladder(Request& r) {
  Service& service = *r.service;
  const std::string name = read_ladder_name(r);
  if (service.ladders.has(name)) return Refusal{"There is a ladder " + name + " already."};
  // The game itself refuses options that do not fit two seats.
  const auto words = split_words(name);
  const GameType& game = *need_game(words.front());
  const auto options = value_or_throw(read_options(game, {words.begin() + 1, words.end()}));
  value_or_throw(Match::start(game, options, {"player1", "player2"}, service.time()));
  if (service.ladders.names().size() >= all_games().size() + Ladders::kMaxOpened)
    return Refusal{"There are " + std::to_string(Ladders::kMaxOpened) +
                   " such ladders, the limit."};
  service.ladders.open(name);
  log_command(r);
  return Reply("The ladder " + name + " is open.");
}

Reply admin_announce(Request& r) {
  if (trim(joined_text(r)).empty())
    return Refusal{"There is no text. Write: admin announce : text"};
  const auto users = r.service->connections.watching_userids();
  std::vector<std::string> away;  // users with an address who are not connected
  if (!r.service->options.notify_program.empty())
    for (const Account& account : r.service->accounts.all())
      if (!account.address.empty() && !r.service->connections.is_connected(account.userid))
        away.push_back(account.userid);
  for (const std::string& line : r.text) {
    if (trim(line).empty()) continue;
    announce(*r.service, users, line, false);
    announce(*r.service, away, line, true);
  }
  log_command(r);
  return Reply("Sent to " + format_count(users.size(), "userid", "userids") + " now" +
               (away.empty() ? "." : ", and by mail to " + std::to_string(away.size()) + "."));
}

// Metrics in Prometheus's text format.
class Metrics {
 public:
  void add_head(const std::string& name, const std::string& about) {
    lines_.push_back("# HELP pbmplay_" + name + " " + about);
    lines_.push_back("# TYPE pbmplay_" + name + (name.ends_with("_total") ? " counter" : " gauge"));
  }
  template <class Number>
  void add(const std::string& name, const std::string& about, Number value) {
    add_head(name, about);
    add_line(name + " " + std::to_string(value));
  }
  void add_line(const std::string& figure) { lines_.push_back("pbmplay_" + figure); }
  Lines take_lines() { return std::move(lines_); }

 private:
  Lines lines_;
};

Reply admin_stats(Request& r) {
  Service& service = *r.service;
  const Service::Counters& counts = service.counts;
  BoardRows& boards = service.store.rows();
  std::size_t finished = 0;
  for (const GameType& game : all_games()) finished += service.history.game_count(game.name);
  Metrics out;
  out.add("connections", "Open connections.", service.connections.all().size());
  out.add("userids_here", "Userids that are signed in.", service.connections.userids().size());
  out.add("userids", "Accounts, also closed ones.", service.accounts.size());
  out.add("signups_day", "Accounts created in the last 24 hours.",
          service.accounts.count_since(service.time() - std::chrono::hours(24)));
  out.add("boards", "Boards in the directory.", boards.count(BoardRows::BoardState::all));
  out.add("boards_running", "Boards with a running game.",
          boards.count(BoardRows::BoardState::running));
  out.add("games_finished", "Finished games in the history.", finished);
  out.add("seeks", "Open challenges.", service.seeks.find_open(service.time()).size());
  out.add("plies_total", "Moves and offers since the start.", counts.entries);
  out.add("commands_total", "Commands answered since the start.", counts.replies);
  out.add("refusals_total", "Commands refused since the start.", counts.refusals);
  out.add("wrong_passwords_total", "Wrong passwords since the start.", counts.wrong_passwords);
  out.add("not_written_total", "Failed writes since the start.", counts.write_errors);
  std::error_code none;
  const auto disk = std::filesystem::space(service.options.directory, none);
  if (!none) out.add("disk_free_bytes", "Free bytes on the disk.", disk.available);
  out.add("database_bytes", "Bytes of the database.", database_bytes(service.options.directory));
  out.add("clock_off_seconds", "Seconds by which the machine's clock was set since the start.",
          (now() - service.time()).count());
  out.add("memory_bytes", "Bytes of memory that the server uses.", resident_bytes());
  out.add(
      "uptime_seconds", "Seconds since the start.",
      std::chrono::duration_cast<std::chrono::seconds>(service.moment() - counts.started).count());
  // A Prometheus comment, as the whole reply is a Prometheus document.
  return Reply("# pbmplay", out.take_lines());
}

}  // namespace

std::span<const CommandRow> admin_rows() {
  constexpr Proof owner = Proof::owner;
  static const CommandRow rows[] = {
      {"admin who", "", "list all connections", admin_who, owner},
      {"admin kick", "userid|#number [: text]", "close one connection, or all of a userid",
       admin_kick, owner},
      {"admin ban", "userid [days] [: text]", "ban a userid, also for some days", admin_ban, owner},
      {"admin unban", "userid", "lift the ban of a userid", admin_unban, owner},
      {"admin mute", "userid", "stop messages and chat of a userid", admin_mute, owner},
      {"admin unmute", "userid", "allow messages and chat of a userid again", admin_mute, owner},
      {"admin rename", "userid other", "change a userid", admin_rename, owner},
      {"admin free", "userid...", "delete accounts that never played", admin_free, owner},
      {"admin password", "userid new-password", "set the password of a userid", admin_password,
       owner, before_admin_password},
      {"admin close signups", "", "close sign-up", admin_signups, owner},
      {"admin open signups", "", "open sign-up again", admin_signups, owner},
      {"admin keys", "userid [drop number]", "list the SSH keys of a userid, or remove one",
       admin_keys, owner},
      {"admin open invites", "", "let members invite players", admin_invites, owner},
      {"admin close invites", "", "let only the owner invite players", admin_invites, owner},
      {"admin forfeit", "game board userid", "resign a game for a player", admin_forfeit, owner},
      {"admin annul", "game board", "make a game unrated; delete a running one", admin_annul,
       owner},
      {"admin tournament cancel", "name", "end a tournament without a winner",
       admin_cancel_tournament, owner},
      {"admin tournament replace", "name userid other", "give the entry of a player to another one",
       admin_replace_entry, owner},
      {"admin tournament extend", "name date", "set when an open tournament starts by itself",
       admin_extend_tournament, owner},
      {"admin open ladder", "game [-options]", "open a ladder for options of a game",
       admin_open_ladder, owner},
      {"admin announce", ": text", "send a text to all players", admin_announce, owner},
      {"admin stats", "", "show numbers in the format of Prometheus", admin_stats, owner},
  };
  return rows;
}

}  // namespace pbm
