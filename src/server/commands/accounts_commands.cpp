// SPDX-License-Identifier: MIT
// Commands about accounts: creating, changing and closing them, and the user's settings.

#include <algorithm>

#include "base/text.hpp"
#include "protocol/userid.hpp"
#include "server/commands/helpers.hpp"
#include "server/board_actions.hpp"
#include "server/contest_players.hpp"

namespace pbm {
namespace {

std::string read_address(const std::vector<std::string>& words) {
  std::string out = join(words);
  if (out.size() > kMaxAddress)
    throw Refusal{"An address has at most " + std::to_string(kMaxAddress) + " bytes."};
  if (!is_text_line(out)) throw Refusal{"That address has characters that cannot be shown."};
  return out;
}

std::string game_title(const Request& r) { return std::string(r.game->title); }

// Refuses an address that already got a code lately, so that nobody can flood it with codes.
void check_code_limit(const Request& r, const std::string& address) {
  if (!address.empty() && !r.service->options.notify_program.empty())
    value_or_throw(
        r.service->notifier.addresses().check_send(MailKind::code, address, r.service->time()));
}

void request_address(Service& service, const std::string& userid, const std::string& address,
                     const std::string& code = new_code()) {
  service.notifier.addresses().set_pending(userid, address, code);
  service.notifier.send_code(userid);
}

// Returns a sentence about the user's unconfirmed address to end a reply with, or "".
std::string unconfirmed_note(const Request& r) {
  const auto wanted = r.service->notifier.addresses().find_pending(r.userid);
  const auto account = r.service->accounts.find(r.userid);
  // A code for a new key goes to the confirmed address.
  if (!wanted || (account && account->address == wanted->address)) return "";
  return " " + wanted->address + " is not confirmed yet." +
         (r.service->options.notify_program.empty()
              ? ""
              : " The server sends it a code. Then type confirm address and the code.");
}

Refusal userid_taken(const Account& closed) {
  return Refusal{closed.userid + " " + closed.closed_reason() + ". Choose another userid."};
}

void need_signups(const Request& r) {
  const Signup mode = r.service->signup_mode();
  if (mode == Signup::closed)
    throw Refusal{"Sign-up is closed here. Ask the owner of the server for an account."};
  if (mode == Signup::invited)
    throw Refusal{"This server takes new players by invitation, with an SSH key. Ask its owner."};
}

Reply before_signup(const Request& r) {
  const Service& service = *r.service;
  if (!r.session->trusted_userid().empty())
    return Refusal{"This connection belongs to " + r.session->trusted_userid() +
                   ". You cannot sign up another userid on it."};
  need_signups(r);
  value_or_throw(check_new_userid(r.userid));
  value_or_throw(check_new_password(r.new_password.text(), service.options.min_password_bytes));
  check_code_limit(r, read_address(r.words));
  return check_new_account(r, r.userid);
}

Reply run_signup(Request& r) {
  // By now the userid may be taken, or the owner may have closed signups.
  need_signups(r);
  if (r.service->accounts.find_any(r.userid))
    return Refusal{r.userid + " is taken. Choose another userid."};
  r.service->accounts.put({r.userid, r.new_hash, "", r.service->time()});
  if (!r.words.empty()) request_address(*r.service, r.userid, read_address(r.words));
  return Reply("Welcome, " + r.userid + "." + unconfirmed_note(r));
}

}  // namespace

Reply check_new_account(const Request& r, const std::string& userid, bool is_counted) {
  Service& service = *r.service;
  value_or_throw(check_new_userid(userid));
  if (equals_ignoring_case(userid, service.options.server_login))
    return reserved_userid_refusal(userid);
  if (const auto account = service.accounts.find_any(userid))
    return account->is_closed ? userid_taken(*account)
                              : Refusal{userid + " is taken. Choose another userid."};
  value_or_throw(service.check_account_limit());
  if (const Reply may = is_counted ? Reply() : count_try(r); !may.ok) return may;
  const std::size_t today = service.accounts.count_since(service.time() - std::chrono::hours(24)),
                    most = service.options.signups_a_day;
  if (today >= most)
    return make_busy_reply(Refusal{"There are too many sign-ups today. Try again tomorrow."});
  if (const auto may = service.minute_limits.signups.check_and_add("", service.moment()); !may)
    return make_busy_reply(may.refusal());
  if (today + 1 == most)
    service.log_on_commit(std::to_string(most) + " accounts in a day: no more sign-ups for now");
  return Reply();
}

Reply count_try(const Request& r) {
  Service& service = *r.service;
  Service::MinuteLimits& limits = service.minute_limits;
  const std::string asker = r.session->limit_source();
  const std::string network = network_of_source(asker);
  const std::pair<MinuteLimit*, const std::string&> all[]{
      {&limits.signups_by_source, asker},
      {&limits.daily_signups_by_source, asker},
      {&limits.signups_by_network, network},
      {&limits.daily_signups_by_network, network}};
  for (const auto& [limit, name] : all)
    if (const auto may = limit->check(name, service.moment()); !may)
      return make_busy_reply(may.refusal());
  for (const auto& [limit, name] : all) limit->add(name, service.moment());
  return Reply();
}

namespace {

Reply before_change_password(const Request& r) {
  value_or_throw(check_new_password(r.new_password.text(), r.service->options.min_password_bytes));
  return Reply();
}

Reply run_change_password(Request& r) {
  r.service->accounts.set(r.userid, &Account::password_hash, r.new_hash);
  // Somebody who knows the old password may be the reason for the change.
  r.service->connections.sign_out(
      r.userid, "The password of " + r.userid + " was changed elsewhere.", r.session->number());
  return Reply("The password of " + r.userid + " is changed.");
}

Reply run_address(Request& r) {
  const auto address = read_address(r.words);
  const std::string now = r.service->accounts.find(r.userid)->address;
  if (address == now && !now.empty()) {
    r.service->notifier.addresses().drop_pending(r.userid);
  } else if (!address.empty()) {
    check_code_limit(r, address);
    request_address(*r.service, r.userid, address);
  }
  return Reply((now.empty() ? r.userid + " has no address."
                            : "The address of " + r.userid + " is " + now + ".") +
               unconfirmed_note(r));
}

std::string confirm_address(Service& service, const std::string& userid, const std::string& code) {
  std::string out =
      value_or_throw(service.notifier.addresses().confirm(userid, code, service.time()));
  service.accounts.set(userid, &Account::address, out);
  return out;
}

Reply run_confirm_address(Request& r) {
  return Reply("The address of " + r.userid + " is " +
               confirm_address(*r.service, r.userid, r.words[0]) + ".");
}

// Gives the same reply for any address. Only its reader gets the userids, or the code again.
Reply run_forgotten(Request& r) {
  const auto address = read_address(r.words);
  Service& service = *r.service;
  if (service.options.notify_program.empty())
    return Refusal{"This server sends no mail. Ask its owner."};
  service.notifier.send_userids(address);
  Addresses& addresses = service.notifier.addresses();
  const std::string userid = addresses.first_pending_user(address);
  if (const auto wanted = addresses.find_pending(userid);
      wanted && addresses.check_send(MailKind::code, address, service.time()))
    request_address(service, userid, wanted->address, wanted->code);
  return Reply("If an account has confirmed that address, the server sends its userid there.");
}

Reply run_signoff(Request& r) {
  Service& service = *r.service;
  std::vector<std::string> lines;
  leave_contests(service, r.userid);
  for (const BoardKey& key : service.store.rows().find_boards(r.userid)) {
    const auto board = service.store.open(key);
    if (!board) continue;  // somebody deleted its save
    const auto seat = (*board)->summary.find_seat(r.userid);
    if (!seat || !(*board)->match.is_playing(*seat)) continue;
    const auto deed = play(service, *board, *seat, {"resign"}, r.session->number());
    if (!deed) return Refusal{"Your account is still open. " + deed.refusal().reason};
    lines.push_back(key.to_string() + ": " + deed->summary);
  }
  service.accounts.close(r.userid);
  service.keys.drop_all(r.userid);
  service.keys.drop_invitations(r.userid);
  drop_seeks(service, r.userid);
  for (const auto& [number, client] : service.connections.all())
    if (client->userid() == r.userid)
      client->sign_out(client == r.session ? "" : r.userid + " has left the server.");
  return Reply("Good-bye, " + r.userid + ".", lines);
}

}  // namespace

Reply greet(Request& r) {
  Service& service = *r.service;
  std::size_t turns = 0;
  for (const BoardSummary& board : service.store.find_running(r.userid))
    if (is_waiting_for(board, r.userid)) ++turns;
  std::string said =
      "Hello, " + r.userid + ". " +
      (turns == 0 ? "No game needs your move."
                  : format_count(turns, "game needs your move.", "games need your move."));
  if (const std::size_t letters = service.mail.count(r.userid))
    said += " " + format_count(letters, "message waits", "messages wait") + " for you. Type watch.";
  return Reply(said);
}

namespace {

// On a connection that came with a new key, the password also gives the key to the account.
Reply run_login(Request& r) {
  if (!r.session->key().empty() && r.session->trusted_userid().empty())
    return sign_in_new_key(r, r.userid);
  if (const auto may = r.service->check_connection_limit(r.userid, *r.session); !may)
    return make_busy_reply(may.refusal());
  r.session->log_in(r.userid);
  return greet(r);
}

// True if the address belongs to the account, or if a code that went there confirms it now. A code
// for another address does not count as a wrong one.
bool owns_address(const Request& r, const Account& account) {
  const std::string& address = r.words[1];
  if (equals_ignoring_case(account.address, address)) return true;
  const auto wanted = r.service->notifier.addresses().find_pending(account.userid);
  if (r.words.size() < 3 || !wanted || !equals_ignoring_case(wanted->address, address))
    return false;
  confirm_address(*r.service, account.userid, r.words[2]);
  return true;
}

// A trusted connection needs no signup: this creates the account. No password is right for it until
// the user sets one.
Reply run_as(Request& r) {
  const std::string userid = value_or_throw(check_userid(r.words[0]));
  value_or_throw(r.service->check_ban(r.service->accounts.find(userid)));
  value_or_throw(r.session->check_trust(userid));
  if (const auto may = r.service->check_connection_limit(userid, *r.session); !may)
    return make_busy_reply(may.refusal());
  Accounts& accounts = r.service->accounts;
  const auto account = accounts.find_any(userid);
  if (account && account->is_closed) return userid_taken(*account);
  if (r.words.size() > 1 && !(account && owns_address(r, *account)))
    return Refusal{"That is not the address of " + userid + "."};
  r.userid = userid;
  if (!account) {
    value_or_throw(check_new_userid(userid));
    value_or_throw(r.service->check_account_limit());
    accounts.put({r.userid, "", "", r.service->time()});
  }
  r.session->sign_in_trusted(r.userid);
  r.service->log_on_commit("connection " + std::to_string(r.session->number()) + " (" +
                           r.session->peer() + ") signs in as " + r.userid);
  Reply out = greet(r);
  // A user who mistyped their userid learns that it is new before anything else.
  if (!account) out.lines.push_back("The account " + r.userid + " is new.");
  return out;
}

// Shows or sets the notifications of one board, which are only on or off.
Reply run_board_notices(Request& r, const BoardKey& key) {
  Accounts& accounts = r.service->accounts;
  const auto wish = r.words.size() > 1
                        ? read_notification_choice(join_words(r.words, 1, r.words.size()))
                        : accounts.notification_choice(*accounts.find(r.userid), key.id());
  if (!wish || (r.words.size() > 1 && wish->kind != NotificationChoice::Kind::never &&
                wish->kind != NotificationChoice::Kind::turns))
    return Refusal{"For one board, choose never or turns."};
  const auto board = value_or_throw(r.service->store.open(key));
  const auto users = r.service->audience(board->summary);
  if (std::ranges::find(users, r.userid) == users.end())
    return Refusal{"You do not play or watch " + key.to_string() + "."};
  if (r.words.size() > 1) accounts.set_notification_choice(r.userid, key.id(), *wish);
  const bool never = wish->kind == NotificationChoice::Kind::never;
  return Reply("While you are away, you get " + std::string(never ? "no " : "") +
               "notifications about " + key.to_string() + "." + unconfirmed_note(r));
}

Reply run_set_notices(Request& r) {
  if (r.service->options.notify_program.empty())
    return Refusal{"This server sends no notifications."};
  if (!r.words.empty())
    if (const auto key = read_board_id(lower(r.words[0]))) return run_board_notices(r, *key);
  auto wish = read_notification_choice(join(r.words));
  if (!wish && !r.words.empty()) return Refusal{"Write: " + command_syntax(*r.row)};
  if (wish) r.service->accounts.set(r.userid, &Account::notification_choice, *wish);
  else wish = r.service->accounts.find(r.userid)->notification_choice;
  static constexpr const char* kTold[]{"no notifications.", "notifications of challenges.",
                                       "notifications of turns, challenges and messages.",
                                       "one notification a day, at "};
  return Reply(
      "While you are away, you get " + std::string(kTold[index(wish->kind)]) +
      (wish->kind == NotificationChoice::Kind::digest ? to_string(*wish).substr(7) + "." : "") +
      unconfirmed_note(r));
}

// Allowed only without running games: opponents must know beforehand, as the game may be unrated.
Reply run_set_computer(Request& r) {
  Accounts& accounts = r.service->accounts;
  const std::string text = r.words.empty() ? "" : lower(r.words[0]);
  if (!text.empty() && text != "yes" && text != "no")
    return Refusal{"'" + fit(text, 20) + "' is not yes or no."};
  const bool was = accounts.find(r.userid)->is_computer, on = text.empty() ? was : text == "yes";
  if (was != on) {
    std::size_t n = 0;
    for (const BoardSummary& board : r.service->store.find_running(r.userid))
      n += board.is_active_for(r.userid) || !r.service->describe_contest(board.id).empty();
    if (n > 0)
      return Refusal{"You have " + format_count(n, "running game", "running games") +
                     ". Finish all games before you change this."};
    accounts.set(r.userid, &Account::is_computer, on);
  }
  return Reply(r.userid + (on ? " is marked as a computer." : " is not marked as a computer."));
}

Reply run_vacation(Request& r) {
  const Time now = r.service->time();
  Vacations& vacations = r.service->timekeeper.vacations;
  if (!r.words.empty()) {
    const std::string text = lower(r.words[0]);
    const auto days = read_whole_number<int>(text);
    if (text != "off" && (!days || *days < 1 || *days > kMaxVacationDays))
      return Refusal{"A vacation has 1 to " + std::to_string(kMaxVacationDays) + " days, not '" +
                     fit(text, 20) + "'. To end one, write off."};
    if (text == "off" && !vacation_end(vacations.find(r.userid), now))
      return Refusal{"You are not on vacation."};
    value_or_throw(vacations.set(r.userid, days.value_or(0), now));
    r.service->update_clocks(r.userid, r.session->number());
  }
  const TimeSpans& then = vacations.find(r.userid);
  const auto until = vacation_end(then, now);
  return Reply(
      (until ? "You are on vacation until " + iso_time(*until) + ". Your clocks stand still. "
             : "You are not on vacation. ") +
      format_count(index(vacation_days_left(then, year_of(now))), "vacation day", "vacation days") +
      " left in " + std::to_string(year_of(now)) + ".");
}

Reply run_limit(Request& r) {
  Accounts& accounts = r.service->accounts;
  if (!r.words.empty()) {
    const std::string text = lower(r.words[0]);
    const auto n = read_whole_number<std::size_t>(text);
    if (!(n && *n <= kMaxLimit) && text != "all" && text != "none")
      return Refusal{"'" + fit(text, 20) + "' is not a limit. Write a number up to " +
                     std::to_string(kMaxLimit) + ", all or none."};
    accounts.set_limit(r.userid, r.game->name,
                       text == "all" ? std::nullopt : std::optional(n.value_or(0)));
  }
  const auto limit = accounts.board_limit(r.userid, r.game->name);
  const std::string most = !limit        ? "any number of games"
                           : *limit == 0 ? "no new games"
                                         : "at most " + format_count(*limit, "game", "games");
  return Reply("You accept " + most + " of " + game_title(r) + ".");
}

Reply run_set_field(Request& r) {
  const std::string fields(r.game->drawing_styles);
  if (fields.empty()) return Refusal{game_title(r) + " has only one drawing."};
  std::vector<std::string> letters;
  for (const char c : fields) letters.emplace_back(1, c);
  if (r.words.empty())
    return Reply("You see field " + std::string(1, view_for(r, *r.game).drawing_style) +
                 ". Fields: " + join_with_and(letters) + ".");
  const std::string text = lower(r.words[0]);
  if (text.size() != 1 || fields.find(text[0]) == std::string::npos)
    return Refusal{"There is no field " + fit(text, 20) + ". Fields: " + join_with_and(letters) +
                   "."};
  r.service->accounts.set_field(r.userid, r.game->name, text[0]);
  return Reply("You see field " + text + " of " + game_title(r) + " from now on.");
}

}  // namespace

std::span<const CommandRow> accounts_rows() {
  static const CommandRow rows[] = {
      {"signup", "userid password [address...]", "create an account", run_signup,
       Proof::new_account, before_signup},
      {"change password", "[userid] password new-password", "change the password",
       run_change_password, Proof::repeated_password, before_change_password},
      {"change address", "[userid password] [address...]", "change the mail address, or show it",
       run_address},
      {"confirm address", "[userid password] code",
       "confirm the mail address with the code sent to it", run_confirm_address},
      {"signoff", "[userid] password", "close the account and resign its games", run_signoff},
      {"login", "userid password", "sign in; later commands need no userid and password",
       run_login},
      {"as", "userid [address [code]]", "sign in without a password, first on a Unix socket",
       run_as},
      {"set computer", "[userid password] [yes|no]",
       "mark the account as a computer, or show the mark", run_set_computer},
      {"forgotten", "address...", "send the userid, or its code, to its mail address",
       run_forgotten},
      {"set notices", "[userid password] [board] [never|challenges|turns|digest HH:MM]",
       "choose notifications for when you are away, or show them", run_set_notices},
      {"vacation", "[userid password] [days|off]",
       "stop all your clocks for some days, or show the days left", run_vacation},
      {"GAME limit", "[userid password] [n|all|none]", "set or show your limit of games",
       run_limit},
      {"GAME set", "[userid password] [a|b|c]", "choose or show the field you see", run_set_field},
  };
  return rows;
}

}  // namespace pbm
