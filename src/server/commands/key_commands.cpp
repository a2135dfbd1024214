// SPDX-License-Identifier: MIT
// Commands about SSH keys: signing in with one, a new account for one, a member's keys, and
// invitations.
#include <arpa/inet.h>

#include <array>

#include "base/text.hpp"
#include "protocol/userid.hpp"
#include "server/commands/helpers.hpp"
#include "server/net/peer_auth.hpp"
#include "store/recovery.hpp"

namespace pbm {
namespace {

constexpr int kMaxLabel = 40;  // columns

std::filesystem::path trusted_file(const Service& service) {
  return service.options.directory / kServerDirectory / "trusted";
}

constexpr std::string_view kFrom = "from ";

// Returns the first `size` bytes of an IPv6 address, as the name of a source.
std::string source_of_bytes(std::array<unsigned char, 16> bytes, std::ptrdiff_t size) {
  std::array<char, INET6_ADDRSTRLEN> out{};
  std::fill(bytes.begin() + size, bytes.end(), std::uint8_t{0});
  ::inet_ntop(AF_INET6, bytes.data(), out.data(), out.size());
  return std::string(kFrom) + out.data();
}

// Returns the name under which the server counts the sign-ups of an SSH client. An IPv6 client can
// choose the second half of its address.
std::string source_of_address(const std::string& text) {
  const std::string address = text.substr(0, text.find('%'));
  std::array<unsigned char, 16> bytes{};
  if (::inet_pton(AF_INET, address.c_str(), bytes.data()) == 1) return std::string(kFrom) + address;
  if (::inet_pton(AF_INET6, address.c_str(), bytes.data()) != 1)
    throw Refusal{"'" + fit(text, 40) + "' is not an address."};
  constexpr std::string_view kMapped = "::ffff:";
  if (starts_with_ignoring_case(address, kMapped) && address.find('.') != std::string::npos)
    return std::string(kFrom) + address.substr(kMapped.size());
  return source_of_bytes(bytes, 8);
}

Refusal ask_owner() {
  return Refusal{"Sign-up is closed here. Ask the owner of the server for an account."};
}

// Returns the new key of this connection.
std::string need_new_key(const Request& r) {
  const std::string& key = r.session->key();
  if (key.empty() || !r.session->trusted_userid().empty())
    throw Refusal{"This works only on a connection that came with a new key."};
  if (r.service->keys.find(key))
    throw Refusal{"This key belongs to an account by now. Connect again to use it."};
  return key;
}

// Logs a key once for the several connections of a visit.
void log_key(const Request& r, const std::string& what) {
  const std::string source = r.session->limit_source();
  r.service->log_on_commit(r.session->peer() + " " + what + " " + r.session->key() +
                               (source.starts_with(kFrom) ? " " + source : ""),
                           true);
}

// Signs in as `r.userid`. The earlier names of an account come with its name, so that the client
// finds the files that it keeps for the player.
Reply greet_key(Request& r) {
  r.service->keys.note_use(r.session->key(), r.service->time());
  log_key(r, "signs in as " + r.userid + " with");
  r.session->sign_in_trusted(r.userid);
  Reply out = greet(r);
  out.lines.insert(out.lines.begin(), "userid " + r.userid);
  for (const std::string& name : r.service->accounts.former_userids(r.userid))
    out.lines.push_back("was " + name);
  return out;
}

Reply sign_in_with_key(Request& r) {
  Service& service = *r.service;
  const std::string& fingerprint = r.words[0];
  const bool from = r.words.size() == 3 && equals_ignoring_case(r.words[1], "from");
  if (!is_fingerprint(fingerprint) || (r.words.size() > 1 && !from))
    return Refusal{"Write: " + command_syntax(*r.row)};
  const std::string source = from ? source_of_address(r.words[2]) : "";
  value_or_throw(r.session->check_trust(fingerprint));
  const auto key = service.keys.find(fingerprint);
  if (!key) {
    r.session->set_key(fingerprint, source);
    log_key(r, "comes with the new key");
    return Reply("That key is new.",
                 {"new " + kSignupModes[static_cast<std::size_t>(service.signup_mode())]});
  }
  value_or_throw(service.check_ban(service.accounts.find(key->userid)));
  if (const auto may = service.check_connection_limit(key->userid, *r.session); !may)
    return make_busy_reply(may.refusal());
  r.session->set_key(fingerprint, source);
  r.userid = key->userid;
  return greet_key(r);
}

Reply take_name(Request& r) {
  Service& service = *r.service;
  const std::string key = need_new_key(r), userid = lower(r.words[1]);
  const auto mode = service.signup_mode();
  if (mode == Signup::closed) return ask_owner();
  std::optional<Invitation> invitation;
  if (r.words.size() > 2) {
    // The limit comes first, so that many codes cannot be tried.
    if (const Reply may = count_try(r); !may.ok) return may;
    invitation = service.keys.find_invitation(r.words[2], service.time());
    if (!invitation) return Refusal{"The invitation is wrong, used or older than a week."};
    if (!invitation->userid.empty() && invitation->userid != userid)
      return Refusal{"The invitation is for the name " + invitation->userid + "."};
  } else if (mode == Signup::invited) {
    return Refusal{"You need an invitation. Ask somebody who plays here for one."};
  }
  if (const Reply may = check_new_account(r, userid, invitation.has_value()); !may.ok) return may;
  service.accounts.put({userid, "", "", service.time()});
  if (invitation) service.keys.drop_invitation(invitation->code);
  return sign_in_new_key(r, userid);
}

// Gives the same reply for any userid. Only the reader of its address gets a code.
Reply mail_code(Request& r) {
  Service& service = *r.service;
  need_new_key(r);
  if (service.options.notify_program.empty())
    return Refusal{"This server sends no mail. Ask its owner."};
  if (const Reply may = count_try(r); !may.ok) return may;
  const auto account = service.accounts.find(value_or_throw(check_userid(r.words[1])));
  Addresses& addresses = service.notifier.addresses();
  // Strangers ask for these mails, so half of a day's mails are left for notifications.
  if (account && !account->address.empty() &&
      addresses.check_send(MailKind::code, account->address, service.time()) &&
      addresses.mails_left(account->address, service.time()) > Addresses::kMaxMailsPerDay / 2) {
    const auto pending = addresses.find_pending(account->userid);
    // A change of the address goes on, and so does a code on its way.
    if (!pending ||
        (pending->sent_at && (equals_ignoring_case(pending->address, account->address) ||
                              *pending->sent_at + Addresses::kCodeLifetime <= service.time()))) {
      addresses.set_pending(account->userid, account->address, new_code());
      service.notifier.send_code(account->userid);
    }
  }
  return Reply("If that account has confirmed an address, the server sends a code there.");
}

Reply confirm_code(Request& r) {
  Service& service = *r.service;
  need_new_key(r);
  if (const Reply may = count_try(r); !may.ok) return may;
  const auto account = service.accounts.find(value_or_throw(check_userid(r.words[1])));
  value_or_throw(service.check_ban(account));
  Addresses& addresses = service.notifier.addresses();
  const auto pending = account ? addresses.find_pending(account->userid) : std::nullopt;
  // The refusals of confirm() name the address. It counts wrong codes of the member alone, so that
  // no stranger can use up the tries.
  if (!pending || account->address.empty() || lower(r.words[2]) != pending->code ||
      !equals_ignoring_case(pending->address, account->address) ||
      !addresses.confirm(account->userid, r.words[2], service.time()))
    return Refusal{"That is not the code that we sent, or it is too old. Ask for a new one."};
  return sign_in_new_key(r, account->userid);
}

Reply run_key(Request& r) {
  struct Verb {
    std::string_view name;
    std::size_t min_words, max_words;
    Reply (*run)(Request&);
  };
  static constexpr Verb kVerbs[]{
      {"name", 2, 3, take_name}, {"mail", 2, 2, mail_code}, {"confirm", 3, 3, confirm_code}};
  for (const Verb& verb : kVerbs)
    if (equals_ignoring_case(verb.name, r.words[0]) && r.words.size() >= verb.min_words &&
        r.words.size() <= verb.max_words)
      return verb.run(r);
  if (!equals_ignoring_case(r.words[0], "code") || r.words.size() > 1) return sign_in_with_key(r);
  const std::string key = need_new_key(r);
  return Reply(r.service->keys.make_code(key, new_code(), r.service->time()));
}

// --- a member's keys ---

std::string day_of(Time at) { return iso_time(at).substr(0, 10); }

Lines list_keys(const Request& r, const Account& account) {
  Lines out;
  std::size_t n = 0;
  for (const LoginKey& key : r.service->keys.find_all(account.userid)) {
    out.push_back(pad_left(std::to_string(++n), 2) + "  " + key.label +
                  (key.label.empty() ? "" : ": ") + "added " + day_of(key.added) +
                  (key.last_used ? ", last used " + day_of(*key.last_used) : ", never used") +
                  (key.fingerprint == r.session->key() ? ", used here" : ""));
    out.push_back("    " + key.fingerprint);
  }
  if (!account.password_hash.empty()) out.emplace_back("A password is set, too.");
  if (const auto logins = trusted_logins(trusted_file(*r.service), account.userid); !logins.empty())
    out.push_back("Logins of this machine that may also sign in as " + account.userid + ": " +
                  join_with_and(logins) + ".");
  return out;
}

}  // namespace

Reply reply_with_keys(const Request& r, const Account& account) {
  const std::size_t n = r.service->keys.find_all(account.userid).size();
  return Reply(
      account.userid + " has " + (n == 0 ? "no key" : format_count(n, "key", "keys")) + ".",
      list_keys(r, account));
}

namespace {

Reply add_key(Request& r) {
  LoginKeys& keys = r.service->keys;
  if (const Reply may = count_try(r); !may.ok) return may;
  const std::string fingerprint = keys.find_code(r.words[1], r.service->time());
  if (fingerprint.empty())
    return Refusal{
        "The code is wrong, used or older than ten minutes. Connect with the new key and ask for "
        "another one."};
  if (keys.find(fingerprint)) return Refusal{"That key belongs to an account by now."};
  value_or_throw(keys.add(fingerprint, r.userid, r.service->time()));
  keys.drop_code(r.words[1]);
  return Reply("From now on " + r.userid + " can sign in with " + fingerprint + ".");
}

Reply run_keys(Request& r) {
  Service& service = *r.service;
  const Account account = *service.accounts.find(r.userid);
  if (r.words.empty()) return reply_with_keys(r, account);
  const auto is = [&](std::string_view word, std::size_t words) {
    return equals_ignoring_case(r.words[0], word) && r.words.size() >= words;
  };
  if (is("add", 2) && r.words.size() == 2) return add_key(r);
  const bool drops = is("drop", 2) && r.words.size() == 2;
  if (!drops && !is("label", 2)) return Refusal{"Write: " + command_syntax(*r.row)};
  const std::string fingerprint = need_key(r, r.userid, r.words[1]);
  if (!drops) {
    const std::string label = join_words(r.words, 2, r.words.size());
    if (!is_text_line(label) || columns(label) > kMaxLabel)
      return Refusal{"A label has at most " + std::to_string(kMaxLabel) + " plain characters."};
    service.keys.set_label(fingerprint, label);
  } else {
    if (service.keys.find_all(r.userid).size() == 1 && account.password_hash.empty())
      return Refusal{
          "That is your last way in. Add another key first, or set a password: change password * "
          "and the new one."};
    drop_key(r, fingerprint);
  }
  return reply_with_keys(r, account);
}

// --- invitations ---

Reply run_invite(Request& r) {
  Service& service = *r.service;
  const bool owner = r.session->is_owner() && r.userid.empty();
  if (service.signup_mode() == Signup::closed) return ask_owner();
  if (!owner && r.userid.empty()) return Refusal{"Sign in first with login userid password."};
  if (!owner && service.signup_mode() == Signup::invited && !service.accounts.may_invite())
    return Refusal{"Only the owner of this server invites players."};
  const std::string name = r.words.empty() ? "" : value_or_throw(check_new_userid(r.words[0]));
  if (!name.empty() && service.accounts.find_any(name))
    return Refusal{name + " is taken. Choose another userid."};
  const auto logins = trusted_logins(trusted_file(service), kSomeFingerprint);
  const std::string line = "Play with us: ssh " + (logins.empty() ? "play" : logins.front()) + "@" +
                           service.options.host;
  const std::string send =
      logins.empty() ? "Keys do not work here yet. The owner types serve --check for the reason. "
                       "When they work, send this line:"
                     : "Send this line:";
  if (service.signup_mode() == Signup::open)
    return Reply("Everybody with an SSH key can sign up here. " + send, {line});
  const Invitation made{new_code(), owner ? std::nullopt : std::optional(r.userid), name,
                        service.time() + LoginKeys::kInvitationLifetime};
  value_or_throw(service.keys.add_invitation(made, service.time()));
  return Reply("The invitation is " + made.code + ". It is good for one key, until " +
                   iso_time(made.expires) + ". " + send,
               {line + " - your invitation is " + made.code +
                (name.empty() ? "" : ", your name is " + name)});
}

}  // namespace

std::string need_key(const Request& r, const std::string& userid, const std::string& number) {
  const auto keys = r.service->keys.find_all(userid);
  const auto n = read_whole_number<std::size_t>(number);
  if (!n || *n == 0 || *n > keys.size())
    throw Refusal{userid + " has no key number " + fit(number, 20) + "."};
  return keys[*n - 1].fingerprint;
}

void drop_key(const Request& r, const std::string& fingerprint) {
  r.service->keys.drop(fingerprint);
  for (const auto& [number, session] : r.service->connections.all())
    if (session->key() == fingerprint && number != r.session->number())
      session->disconnect("This key can no longer sign in here.");
}

Reply sign_in_new_key(Request& r, const std::string& userid) {
  const std::string key = need_new_key(r);
  if (const auto may = r.service->check_connection_limit(userid, *r.session); !may)
    return make_busy_reply(may.refusal());
  value_or_throw(r.service->keys.add(key, userid, r.service->time()));
  r.userid = userid;
  return greet_key(r);
}

std::string network_of_source(const std::string& source) {
  std::array<unsigned char, 16> bytes{};
  return source.starts_with(kFrom) &&
                 ::inet_pton(AF_INET6, source.c_str() + kFrom.size(), bytes.data()) == 1
             ? source_of_bytes(bytes, 6)
             : source;
}

std::span<const CommandRow> key_rows() {
  static const CommandRow rows[] = {
      {"key",
       "fingerprint [from address] | name userid [invitation] | code | mail userid | confirm "
       "userid code",
       "for programs: sign in with an SSH key, or give a new one an account", run_key},
      {"keys", "[add code | drop number | label number word...]",
       "list your SSH keys, add or remove one", run_keys, Proof::connection},
      {"invite", "[userid]", "make an invitation for a new player", run_invite},
  };
  return rows;
}

}  // namespace pbm
