// SPDX-License-Identifier: MIT
// Commands about accounts: signing up, changes, signing off, and the user's settings.

#include <algorithm>

#include "base/text.hpp"
#include "protocol/userid.hpp"
#include "server/commands/handlers.hpp"
#include "server/board_actions.hpp"

namespace pbm {
namespace {

std::string address_in(const std::vector<std::string>& words) {
  std::string out = joined(words, 0, words.size());
  if (out.size() > kMaxAddress)
    throw Refusal{"That address is too long: it has at most " + std::to_string(kMaxAddress) +
                  " bytes."};
  if (!is_text_line(out)) throw Refusal{"That address has characters that cannot be shown."};
  return out;
}

std::string title(const Request& r) { return std::string(r.game->title); }

// Refuses an address that already got a code lately, so that nobody can flood it with codes.
void may_want(const Request& r, const std::string& address) {
  if (!address.empty() && !r.service->options.notify.empty())
    need(r.service->messenger.addresses().may_send(NoticeKind::code, address, r.service->time()));
}

void want(Service& service, const std::string& userid, const std::string& address,
          const std::string& code = new_code()) {
  service.messenger.addresses().want(userid, address, code);
  service.messenger.send_code(userid);
}

// Returns a sentence about the user's unconfirmed address to end a reply with, or "".
std::string not_confirmed(const Request& r) {
  const auto wanted = r.service->messenger.addresses().wanted(r.user);
  if (!wanted) return "";
  return " " + wanted->address + " is not confirmed yet" +
         (r.service->options.notify.empty() ? "." : ": a code goes there for confirm address.");
}

Refusal stays_taken(const Account& closed) {
  return Refusal{closed.userid + " " + closed.why_closed() + "; the userid stays taken."};
}

void need_signups(const Request& r) {
  if (!r.service->options.signup || !r.service->accounts.signups())
    throw Refusal{"Nobody signs up here: the owner of this server gives out the userids."};
}

Reply before_signup(const Request& r) {
  Service& service = *r.service;
  if (!r.session->trusted().empty())
    return Refusal{"This connection is " + r.session->trusted() +
                   "'s: nobody else signs up on it."};
  need_signups(r);
  if (same_ignoring_case(r.user, service.options.login)) return owners_name(r.user);
  need(check_new_password(r.wanted.text(), service.options.shortest_password));
  const auto address = address_in(r.words);
  may_want(r, address);
  if (const auto account = service.accounts.ever(r.user))
    return account->closed ? stays_taken(*account)
                           : Refusal{r.user + " is taken: choose another userid."};
  need(service.has_room_for_account());
  const std::string asker = r.session->asker();
  for (const auto& may : {service.in_a_minute.signups_from.may(asker, service.moment()),
                          service.in_a_minute.signups.may("", service.moment())})
    if (!may) return for_now(may.refusal());
  service.in_a_minute.signups_from.add(asker, service.moment());
  service.in_a_minute.signups.add("", service.moment());
  return Reply();
}

Reply run_signup(Request& r) {
  // By now the userid may be taken, or the owner may have closed signups.
  need_signups(r);
  if (r.service->accounts.ever(r.user))
    return Refusal{r.user + " is taken: choose another userid."};
  r.service->accounts.put({r.user, r.hash, "", r.service->time()});
  if (!r.words.empty()) want(*r.service, r.user, address_in(r.words));
  return Reply("Welcome, " + r.user + "." + not_confirmed(r));
}

Reply before_change_password(const Request& r) {
  need(check_new_password(r.wanted.text(), r.service->options.shortest_password));
  return Reply();
}

Reply run_change_password(Request& r) {
  r.service->accounts.set(r.user, &Account::hash, r.hash);
  // Somebody who knows the old password may be the reason for the change.
  r.service->connections.sign_out(r.user, "The password of " + r.user + " was changed elsewhere.",
                                  r.session->number());
  return Reply("The password of " + r.user + " is changed.");
}

Reply run_address(Request& r) {
  const auto address = address_in(r.words);
  const std::string now = r.service->accounts.find(r.user)->address;
  if (address == now && !now.empty()) {
    r.service->messenger.addresses().forget(r.user);
  } else if (!address.empty()) {
    may_want(r, address);
    want(*r.service, r.user, address);
  }
  return Reply((now.empty() ? r.user + " has no address."
                            : "The address of " + r.user + " is " + now + ".") +
               not_confirmed(r));
}

std::string confirm_address(Service& service, const std::string& userid, const std::string& code) {
  std::string out = need(service.messenger.addresses().confirm(userid, code, service.time()));
  service.accounts.set(userid, &Account::address, out);
  return out;
}

Reply run_confirm_address(Request& r) {
  return Reply("The address of " + r.user + " is " +
               confirm_address(*r.service, r.user, r.words[0]) + ".");
}

// Gives the same reply for any address. Only its reader gets the userids, or the code again.
Reply run_forgotten(Request& r) {
  const auto address = address_in(r.words);
  Service& service = *r.service;
  if (service.options.notify.empty())
    return Refusal{"This server tells nobody who is not connected."};
  service.messenger.send_userids(address);
  Addresses& addresses = service.messenger.addresses();
  const std::string userid = addresses.unconfirmed_at(address);
  if (const auto wanted = addresses.wanted(userid);
      wanted && addresses.may_send(NoticeKind::code, address, service.time()))
    want(service, userid, wanted->address, wanted->code);
  return Reply("If somebody has confirmed that address, his userid goes there.");
}

Reply run_signoff(Request& r) {
  Service& service = *r.service;
  std::vector<std::string> lines;
  for (const BoardKey& key : service.store.rows().of(r.user)) {
    const auto board = service.store.open(key);
    if (!board) continue;  // somebody deleted its save
    const auto seat = (*board)->summary.seat_of(r.user);
    if (!seat || !(*board)->match.plays(*seat)) continue;
    const auto deed = play(service, *board, *seat, {"resign"}, r.session->number());
    if (!deed) return Refusal{"Still here: " + deed.refusal().why};
    lines.push_back(key.to_string() + ": " + deed->summary);
  }
  service.accounts.close(r.user);
  drop_seeks(service, r.user);
  return Reply("Good-bye, " + r.user + ".", lines);
}

Reply hello(Request& r) {
  Service& service = *r.service;
  std::size_t turns = 0;
  for (const BoardSummary& board : service.store.running_of(r.user))
    if (waits_for(board, r.user)) ++turns;
  std::string said = "Hello, " + r.user + ": " +
                     (turns == 0 ? "no board waits for you"
                                 : count_of(turns, "board waits for you", "boards wait for you"));
  if (const std::size_t letters = service.mail.count(r.user))
    said += ", and " + count_of(letters, "message", "messages") + " (watch shows them)";
  return Reply(said + ".");
}

Reply run_login(Request& r) {
  if (const auto may = r.service->may_come_in(r.user, *r.session); !may)
    return for_now(may.refusal());
  r.session->log_in(r.user);
  return hello(r);
}

// True if the address belongs to the account, or if a code that went there confirms it now. A code
// for another address does not count as a wrong one.
bool reads_at(const Request& r, const Account& account) {
  const std::string& address = r.words[1];
  if (same_ignoring_case(account.address, address)) return true;
  const auto wanted = r.service->messenger.addresses().wanted(account.userid);
  if (r.words.size() < 3 || !wanted || !same_ignoring_case(wanted->address, address)) return false;
  confirm_address(*r.service, account.userid, r.words[2]);
  return true;
}

// A trusted connection needs no signup: this creates the account. No password is right for it until
// the user sets one.
Reply run_as(Request& r) {
  const std::string userid = need(check_userid(r.words[0]));
  need(r.service->may_use(r.service->accounts.find(userid)));
  need(r.session->may_speak_for(userid));
  if (const auto may = r.service->may_come_in(userid, *r.session); !may)
    return for_now(may.refusal());
  Accounts& accounts = r.service->accounts;
  const auto account = accounts.ever(userid);
  if (account && account->closed) return stays_taken(*account);
  if (r.words.size() > 1 && !(account && reads_at(r, *account)))
    return Refusal{"That is not the address of " + userid + "."};
  r.user = userid;
  if (!account) {
    need(r.service->has_room_for_account());
    accounts.put({r.user, "", "", r.service->time()});
  }
  r.session->trust(r.user);
  Reply out = hello(r);
  // A user who mistyped their userid learns that it is new before anything else.
  if (!account) out.lines.push_back(r.user + " is a new userid here, taken just now.");
  return out;
}

// Shows or sets the notifications of one board, which are only on or off.
Reply notices_of(Request& r, const BoardKey& key) {
  Accounts& accounts = r.service->accounts;
  const auto wish = r.words.size() > 1 ? read_notice_wish(joined(r.words, 1, r.words.size()))
                                       : accounts.notices(*accounts.find(r.user), key.id());
  if (!wish || (r.words.size() > 1 && wish->of != NoticeWish::Of::never &&
                wish->of != NoticeWish::Of::turns))
    return Refusal{"Of one board there is: never, turns."};
  const auto board = need(r.service->store.open(key));
  const auto users = r.service->audience(board->summary);
  if (std::ranges::find(users, r.user) == users.end())
    return Refusal{r.user + " neither plays nor watches " + key.to_string() + "."};
  if (r.words.size() > 1) accounts.set_notices(r.user, key.id(), *wish);
  return Reply(r.user + " is told " +
               (wish->of == NoticeWish::Of::never ? "nothing" : "of what happens") + " on " +
               key.to_string() + " while away." + not_confirmed(r));
}

Reply run_set_notices(Request& r) {
  if (r.service->options.notify.empty())
    return Refusal{"This server tells nobody who is not connected."};
  if (!r.words.empty())
    if (const auto key = read_board_id(lower(r.words[0]))) return notices_of(r, *key);
  auto wish = read_notice_wish(joined(r.words, 0, r.words.size()));
  if (!wish && !r.words.empty()) return Refusal{"Write: " + command_syntax(*r.row)};
  if (wish) r.service->accounts.set(r.user, &Account::notices, *wish);
  else wish = r.service->accounts.find(r.user)->notices;
  static constexpr const char* kTold[]{"nothing while away.", "of challenges while away.",
                                       "of whatever waits while away.",
                                       "what waits once a day, at "};
  return Reply(r.user + " is told " + kTold[static_cast<std::size_t>(wish->of)] +
               (wish->of == NoticeWish::Of::digest ? to_string(*wish).substr(7) + "." : "") +
               not_confirmed(r));
}

// Allowed only without running games: opponents must know beforehand, as the game may be unrated.
Reply run_set_computer(Request& r) {
  Accounts& accounts = r.service->accounts;
  const std::string text = r.words.empty() ? "" : lower(r.words[0]);
  if (!text.empty() && text != "yes" && text != "no")
    return Refusal{"'" + fit(text, 20) + "': a program plays for " + r.user + ", yes or no."};
  const bool was = accounts.find(r.user)->computer, on = text.empty() ? was : text == "yes";
  if (was != on) {
    std::size_t n = 0;
    for (const BoardSummary& board : r.service->store.running_of(r.user))
      n += board.engages(r.user);
    if (n > 0)
      return Refusal{r.user + " has " + count_of(n, "board", "boards") +
                     " running: who plays for a userid changes only while it has none."};
    accounts.set(r.user, &Account::computer, on);
  }
  return Reply(on ? "Everybody sees that " + r.user + " is a computer."
                  : r.user + " is no computer.");
}

Reply run_vacation(Request& r) {
  const Time now = r.service->time();
  Vacations& vacations = r.service->timekeeper.vacations;
  if (!r.words.empty()) {
    const std::string text = lower(r.words[0]);
    const auto days = read_whole_number<int>(text);
    if (text != "off" && (!days || *days < 1 || *days > kVacationDays))
      return Refusal{"'" + fit(text, 20) + "': a vacation has 1 to " +
                     std::to_string(kVacationDays) + " days; off ends it."};
    if (text == "off" && !back_at(vacations.of(r.user), now))
      return Refusal{r.user + " is not on vacation."};
    need(vacations.set(r.user, days.value_or(0), now));
    r.service->clocks_changed(r.user, r.session->number());
  }
  const Spans& then = vacations.of(r.user);
  const auto until = back_at(then, now);
  return Reply(
      (until ? r.user + " is on vacation until " + iso_time(*until) + ", and no clock of " +
                   r.user + " runs"
             : r.user + " is not on vacation") +
      ": " + count_of(static_cast<std::size_t>(vacation_left(then, year_of(now))), "day", "days") +
      " left of " + std::to_string(year_of(now)) + ".");
}

Reply run_limit(Request& r) {
  Accounts& accounts = r.service->accounts;
  if (!r.words.empty()) {
    const std::string text = lower(r.words[0]);
    const auto n = read_whole_number<std::size_t>(text);
    if (!(n && *n <= kMaxLimit) && text != "all" && text != "none")
      return Refusal{"'" + fit(text, 20) + "': a limit is a number to " +
                     std::to_string(kMaxLimit) + ", all or none."};
    accounts.set_limit(r.user, r.game->name,
                       text == "all" ? std::nullopt : std::optional(n.value_or(0)));
  }
  const auto limit = accounts.limit(r.user, r.game->name);
  if (!limit) return Reply(r.user + " takes any number of boards of " + title(r) + ".");
  if (*limit == 0) return Reply(r.user + " takes no new boards of " + title(r) + ".");
  return Reply(r.user + " takes " + count_of(*limit, "board", "boards") + " of " + title(r) +
               " at most.");
}

Reply run_set(Request& r) {
  const std::string fields(r.game->fields);
  if (fields.empty()) return Refusal{title(r) + " has one drawing only."};
  std::vector<std::string> letters;
  for (const char c : fields) letters.emplace_back(1, c);
  if (r.words.empty())
    return Reply(r.user + " sees field " + std::string(1, view_for(r, *r.game).field) + " of " +
                 one_of(letters) + ".");
  const std::string text = lower(r.words[0]);
  if (text.size() != 1 || fields.find(text[0]) == std::string::npos)
    return Refusal{"'" + fit(text, 20) + "' is no field: there is " + one_of(letters) + "."};
  r.service->accounts.set_field(r.user, r.game->name, text[0]);
  return Reply(r.user + " sees field " + text + " of " + title(r) + " from now on.");
}

}  // namespace

std::span<const CommandRow> accounts_rows() {
  static const CommandRow rows[] = {
      {"signup", "userid password [address...]", "take a userid", run_signup, Proof::fresh,
       before_signup},
      {"change password", "[userid] password new-password", "choose another password",
       run_change_password, Proof::again, before_change_password},
      {"change address", "[userid password] [address...]", "choose another address; or see it",
       run_address},
      {"confirm address", "[userid password] code",
       "have an address count, by the code that was sent there", run_confirm_address},
      {"signoff", "[userid] password", "leave: the boards still running are resigned", run_signoff},
      {"login", "userid password",
       "speak for a userid: from now on it and its password may be left out", run_login},
      {"as", "userid [address [code]]",
       "first of all, on a Unix socket: speak for a userid you are trusted with, where that is its "
       "confirmed address, or is by that code",
       run_as},
      {"set computer", "[userid password] [yes|no]",
       "say that a program plays for a userid; or see whether", run_set_computer},
      {"forgotten", "address...", "have the userid of that address sent there, or its code again",
       run_forgotten},
      {"set notices", "[userid password] [board] [never|challenges|turns|digest HH:MM]",
       "choose of what you are told while you are not here; or see it", run_set_notices},
      {"vacation", "[userid password] [days|off]",
       "stop all your clocks for so many days; how many of the year are left", run_vacation},
      {"GAME limit", "[userid password] [n|all|none]", "how many boards you take", run_limit},
      {"GAME set", "[userid password] [a|b|c]", "the field you see, of several", run_set},
  };
  return rows;
}

}  // namespace pbm
