// SPDX-License-Identifier: MIT
// SSH keys as a way to sign in: new keys, codes, the keys of a member, bans and invitations.
#include <fstream>

#include "server/net/peer_auth.hpp"
#include "test_server.hpp"

using namespace pbm;
using namespace pbm::test;
using namespace std::chrono_literals;

namespace {

std::string fingerprint(char c) { return "SHA256:" + std::string(43, c); }

PeerInfo trusted_peer() {
  return {"uid 1", [](const std::string&) -> Result<Success> { return Success{}; }};
}

// A connection of the client behind sshd. It says `key` first.
class KeyClient : public TestClient {
 public:
  KeyClient(TestServer& hall, const std::string& key, const std::string& address = "")
      : TestClient(hall, trusted_peer()),
        greeting(say("key " + key + (address.empty() ? "" : " from " + address))) {}
  const std::string greeting;
};

// Signs up `userid` with a key.
void sign_up(TestServer& hall, const std::string& userid, char key) {
  KeyClient client(hall, fingerprint(key));
  REQUIRE(contains(client.say("key name " + userid), "+OK Hello, " + userid));
}

}  // namespace

TEST_CASE("a new key takes a name, and signs in with it from then on", "[session][keys]") {
  TestServer hall;
  User fred(hall, "fred");
  {
    KeyClient stranger(hall, fingerprint('a'), "192.0.2.7");
    CHECK(stranger.greeting == "+OK That key is new.\nnew open\n.\n");
    CHECK(contains(stranger.first_reply_line("keys"), "-ERR Sign in first"));
    CHECK(contains(stranger.first_reply_line("key name Fred"), "-ERR fred is taken"));
    CHECK(contains(stranger.first_reply_line("key name root"), "cannot be a userid"));
    CHECK(contains(stranger.first_reply_line("key name ../etc"), "cannot be a userid"));
    for (const char* name : {"you", "keys", "computer", "Computer2", "toot-101"})
      CHECK(contains(stranger.first_reply_line("key name " + std::string(name)),
                     "cannot be a userid"));
    CHECK(contains(stranger.first_reply_line("key name you"), "cannot be a userid"));
    CHECK(contains(stranger.first_reply_line("key"), "-ERR Write: key fingerprint"));
    CHECK(contains(stranger.first_reply_line("key name a b c"), "-ERR Write: key fingerprint"));
    CHECK(stranger.say("key name Wilma") ==
          "+OK Hello, wilma. No game needs your move.\nuserid wilma\n.\n");
    CHECK(contains(stranger.first_reply_line("key name again"), "-ERR This works only"));
    CHECK(contains(stranger.first_reply_line("signup betty secret"),
                   "-ERR This connection belongs to wilma"));
    CHECK(contains(stranger.first_reply_line("toot challenge fred"), "+OK Board 101"));
  }
  hall.restart();
  KeyClient again(hall, fingerprint('a'));
  CHECK(contains(again.greeting, "+OK Hello, wilma. 1 game needs your move.\nuserid wilma\n"));
  // No password is right for this account until there is one.
  TestClient other(hall);
  CHECK(contains(other.first_reply_line("login wilma x"), "not the password"));
  CHECK(contains(again.first_reply_line("change password wilma * hush-hush"), "+OK"));
  TestClient third(hall);
  CHECK(contains(third.first_reply_line("login wilma hush-hush"), "+OK"));
}

TEST_CASE("fingerprints that differ only in case are two keys", "[session][keys]") {
  TestServer hall;
  sign_up(hall, "wilma", 'a');
  CHECK(contains(KeyClient(hall, fingerprint('A')).greeting, "That key is new"));
  sign_up(hall, "betty", 'A');
  CHECK(contains(KeyClient(hall, fingerprint('a')).greeting, "Hello, wilma"));
  CHECK(contains(KeyClient(hall, fingerprint('A')).greeting, "Hello, betty"));
}

TEST_CASE("a key is only believed in the first line of a trusted connection", "[session][keys]") {
  TestServer hall;
  sign_up(hall, "wilma", 'a');
  TestClient stranger(hall);
  CHECK(contains(stranger.first_reply_line("key " + fingerprint('a')), "only on a Unix socket"));
  CHECK(contains(stranger.first_reply_line("key code"), "-ERR This works only"));
  CHECK(contains(stranger.first_reply_line("key name betty"), "-ERR This works only"));
  CHECK(contains(stranger.first_reply_line("key mail wilma"), "-ERR This works only"));
  CHECK(contains(stranger.first_reply_line("key confirm wilma abcdefgh"), "-ERR This works only"));
  TestClient late(hall, trusted_peer());
  late.say("list");
  CHECK(contains(late.first_reply_line("key " + fingerprint('a')), "only as the first line"));
  for (const std::string& wrong :
       {fingerprint('a') + "b", std::string("MD5:0011"), "SHA256:" + std::string(42, 'a'),
        "SHA256:" + std::string(42, 'a') + "\"", fingerprint('a') + " from",
        fingerprint('a') + " from 1.2.3.4.5", fingerprint('a') + " as wilma"})
    CHECK(contains(KeyClient(hall, wrong).greeting, "-ERR "));
  // Another login may speak for keys only by the word "keys", and for nobody else with it.
  CHECK(trusts_login("play keys", "play", fingerprint('a')));
  for (const char* list : {"play", "play *", "play fred", "door keys", "play # keys", ""})
    CHECK_FALSE(trusts_login(list, "play", fingerprint('a')));
  CHECK_FALSE(trusts_login("play keys", "play", "fred"));
  CHECK_FALSE(trusts_login("play keys", "play", "keys"));
  CHECK(trusts_login("play keys fred", "play", "fred"));
}

TEST_CASE("a code that a member types adds a new key, once and within ten minutes",
          "[session][keys]") {
  TestServer hall;
  User fred(hall, "fred");
  const auto code_of = [](KeyClient& client) {
    const std::string said = client.first_reply_line("key code");
    REQUIRE(said.size() == 12);
    return said.substr(4);
  };
  KeyClient first(hall, fingerprint('a')), second(hall, fingerprint('b'));
  const std::string code = code_of(first);
  CHECK(code_of(first) == code);
  CHECK(code_of(second) != code);
  CHECK(contains(fred.first_reply_line("keys add abcdefgh"), "-ERR The code is wrong"));
  CHECK(fred.first_reply_line("keys add " + upper(code)) ==
        "+OK From now on fred can sign in with " + fingerprint('a') + ".");
  CHECK(contains(fred.first_reply_line("keys add " + code), "-ERR The code is wrong"));
  CHECK(contains(KeyClient(hall, fingerprint('a')).greeting, "Hello, fred"));
  CHECK(contains(first.first_reply_line("key name barney"), "-ERR This key belongs"));
  const std::string late = code_of(second);
  hall.time += 10min;
  CHECK(contains(fred.first_reply_line("keys add " + late), "-ERR The code is wrong"));
  // A key that got a name meanwhile stays with it.
  const std::string third = code_of(second);
  CHECK(third != late);
  CHECK(contains(second.say("key name betty"), "Hello, betty"));
  CHECK(contains(fred.first_reply_line("keys add " + third), "-ERR That key belongs"));
}

TEST_CASE("name and password, given once, add a new key", "[session][keys]") {
  TestServer hall;
  User fred(hall, "fred");
  KeyClient client(hall, fingerprint('a'));
  CHECK(contains(client.first_reply_line("login fred wrong"), "-ERR That is not the password"));
  CHECK(contains(client.say("login fred secret"), "userid fred\n"));
  CHECK(client.session().trusted_userid() == "fred");
  CHECK(contains(KeyClient(hall, fingerprint('a')).greeting, "Hello, fred"));
}

TEST_CASE("a member sees, labels and drops keys, but never the last way in", "[session][keys]") {
  TestServer hall;
  sign_up(hall, "wilma", 'a');
  hall.time += 48h;
  KeyClient wilma(hall, fingerprint('a'));
  CHECK(contains(wilma.first_reply_line("keys drop 1"), "-ERR That is your last way in"));
  KeyClient laptop(hall, fingerprint('b'));
  wilma.say("keys add " + laptop.first_reply_line("key code").substr(4));
  CHECK(wilma.say("keys label 2 the old laptop") ==
        "+OK wilma has 2 keys.\n"
        " 1  added 2026-11-21, last used 2026-11-23, used here\n    " +
            fingerprint('a') + "\n 2  the old laptop: added 2026-11-23, never used\n    " +
            fingerprint('b') + "\n.\n");
  for (const char* wrong : {"keys drop 3", "keys drop 0", "keys drop x", "keys label 9 x"})
    CHECK(contains(wilma.first_reply_line(wrong), "-ERR wilma has no key number"));
  for (const std::string wrong :
       {"keys drop", "keys drop 1 2", "keys add", "keys add a b", "keys other 1"})
    CHECK(contains(wilma.first_reply_line(wrong), "-ERR Write: keys"));
  CHECK(contains(wilma.first_reply_line("keys label 1 " + std::string(41, 'x')), "at most 40"));
  CHECK(contains(wilma.first_reply_line("keys label 1 \xE2\x80\xAE"), "plain characters"));
  // The connections of a dropped key end.
  KeyClient here(hall, fingerprint('b'));
  CHECK(contains(wilma.first_reply_line("keys drop 2"), "+OK wilma has 1 key."));
  CHECK(contains(here.take_received(), "This key can no longer sign in here."));
  CHECK(here.session().is_over());
  CHECK(contains(KeyClient(hall, fingerprint('b')).greeting, "That key is new"));
  CHECK(contains(wilma.first_reply_line("keys drop 1"), "last way in"));
  wilma.say("change password wilma * hush-hush");
  CHECK(contains(wilma.first_reply_line("keys drop 1"), "+OK wilma has no key."));
  // Uses are written once a minute.
  hall.pass_time(1min);
  hall.restart();
  TestClient owner(hall, PeerInfo{"uid 0", nullptr, 0, true});
  sign_up(hall, "betty", 'c');
  CHECK(contains(owner.say("admin keys betty"), fingerprint('c')));
  // The owner can remove a stolen key, also the last one.
  for (const char* wrong :
       {"admin keys betty drop", "admin keys betty 1", "admin keys betty drop 1 2"})
    CHECK(contains(owner.first_reply_line(wrong), "-ERR Write: "));
  CHECK(contains(owner.first_reply_line("admin keys betty drop 2"), "betty has no key number 2"));
  KeyClient thief(hall, fingerprint('c'));
  CHECK(contains(owner.first_reply_line("admin keys betty drop 1"), "+OK betty has no key."));
  CHECK(thief.session().is_over());
  CHECK(contains(owner.say("admin keys wilma"), "wilma has no key.\nA password is set, too.\n"));
}

TEST_CASE("logins that may sign in without a key stand beside the keys", "[session][keys]") {
  TestServer hall;
  sign_up(hall, "wilma", 'a');
  std::ofstream(hall.directory / ".server/trusted") << "door *\nplay keys\nwilma\nother fred\n";
  KeyClient wilma(hall, fingerprint('a'));
  CHECK(contains(wilma.say("keys"), "may also sign in as wilma: door and wilma.\n"));
}

TEST_CASE("a ban covers the keys of a person, and an end of the account frees them",
          "[session][keys]") {
  TestServer hall;
  sign_up(hall, "wilma", 'a');
  KeyClient wilma(hall, fingerprint('a')), laptop(hall, fingerprint('b'));
  wilma.say("keys add " + laptop.first_reply_line("key code").substr(4));
  TestClient owner(hall, PeerInfo{"uid 0", nullptr, 0, true});
  // An open server needs no invitation; one from before it was opened is dropped with the ban.
  const std::string open = "+OK Everybody with an SSH key can sign up here.";
  CHECK(contains(wilma.say("invite"), open + " Keys do not work here yet."));
  std::ofstream(hall.directory / ".server/trusted") << "play keys\n";
  CHECK(contains(wilma.say("invite"), open + " Send this line:\nPlay with us: ssh play@"));
  const std::string code = "abcdefgh";
  REQUIRE(hall.service().keys.add_invitation({code, "wilma", "", hall.time + 48h}, hall.time).ok());
  CHECK(contains(owner.first_reply_line("admin ban wilma : enough"), "+OK"));
  CHECK(wilma.session().is_over());
  for (const char key : {'a', 'b'})
    CHECK(contains(KeyClient(hall, fingerprint(key)).greeting, "-ERR wilma is banned: enough"));
  KeyClient back(hall, fingerprint('d'));
  CHECK(contains(back.first_reply_line("key name again " + code), "-ERR The invitation is wrong"));
  KeyClient refused(hall, fingerprint('a'));
  CHECK(contains(refused.first_reply_line("key name other"), "-ERR This works only"));
  KeyClient stranger(hall, fingerprint('c'));
  CHECK(contains(stranger.first_reply_line("login wilma x"), "-ERR wilma is banned"));
  owner.say("admin unban wilma");
  owner.say("admin rename wilma betty");
  KeyClient betty(hall, fingerprint('b'));
  CHECK(contains(betty.greeting, "Hello, betty"));
  CHECK(contains(betty.first_reply_line("signoff *"), "+OK Good-bye"));
  CHECK(contains(KeyClient(hall, fingerprint('b')).greeting, "That key is new"));
}

TEST_CASE("sign-ups are limited by the address of the SSH client", "[session][keys]") {
  TestServer hall;
  hall.change_options = [](ServiceOptions& o) { o.signups_a_minute = 20; };
  hall.restart();
  int n = 0;
  const auto try_from = [&](const std::string& address) {
    const std::string digits = std::to_string(++n);
    KeyClient client(hall, "SHA256:" + std::string(43 - digits.size(), 'x') + digits, address);
    return client.first_reply_line("key name user" + digits).substr(0, 5);
  };
  int taken = 0;
  for (int i = 0; i < 200; ++i) taken += try_from("192.0.2.7") == "+OK H";
  CHECK(taken == 5);
  CHECK(try_from("192.0.2.8") == "+OK H");
  // An IPv6 client has 2^64 addresses, which count as one.
  for (int i = 1; i <= 5; ++i) CHECK(try_from("2001:db8::" + std::to_string(i)) == "+OK H");
  CHECK(try_from("2001:db8::6:7") == "-BUSY");
  CHECK(try_from("::ffff:192.0.2.7") == "-BUSY");
  CHECK(try_from("2001:db8:0:1::1%eth0") == "+OK H");
  // A /48 is often one customer: it gets twice as many as a /64.
  for (int i = 2; i <= 5; ++i) CHECK(try_from("2001:db8:0:" + std::to_string(i) + "::") == "+OK H");
  CHECK(try_from("2001:db8:0:6::1") == "-BUSY");
  CHECK(try_from("2001:db8:1::1") == "+OK H");
  for (int i = 0; i < 10; ++i) try_from("198.51.100." + std::to_string(i));
  CHECK(try_from("203.0.113.1") == "-BUSY");
  // One address gets five times the limit of a minute in a day.
  taken = 0;
  for (int minute = 0; minute < 60; ++minute) {
    hall.time += 1min;
    for (int i = 0; i < 6; ++i) taken += try_from("203.0.113.2") == "+OK H";
  }
  CHECK(taken == 100);
}

TEST_CASE("the owner learns of many sign-ups, and frees names that never played",
          "[session][keys]") {
  TestServer hall;
  std::string log;
  hall.change_options = [&](ServiceOptions& o) {
    o.signups_a_day = 3;
    o.log = [&](const std::string& line) { log += line + "\n"; };
  };
  hall.restart();
  TestClient owner(hall, PeerInfo{"uid 0", nullptr, 0, true});
  sign_up(hall, "betty", 'a');
  sign_up(hall, "dino", 'b');
  CHECK(contains(log, "uid 1 comes with the new key " + fingerprint('a')));
  CHECK(contains(log, "uid 1 signs in as betty with " + fingerprint('a')));
  CHECK_FALSE(contains(log, "no more sign-ups"));
  sign_up(hall, "wilma", 'c');
  CHECK(contains(log, "3 accounts in a day: no more sign-ups"));
  CHECK(contains(owner.say("admin stats"), "pbmplay_signups_day 3\n"));
  KeyClient late(hall, fingerprint('d'), "2001:db8::1");
  CHECK(contains(log, "comes with the new key " + fingerprint('d') + " from 2001:db8::\n"));
  CHECK(
      contains(late.first_reply_line("key name late"), "-BUSY There are too many sign-ups today"));
  KeyClient betty(hall, fingerprint('a')), dino(hall, fingerprint('b'));
  // The several connections of a visit have one line.
  const std::string sign_in = "signs in as betty with";
  CHECK(log.find(sign_in) == log.rfind(sign_in));
  betty.say("toot challenge dino");
  // These rows go with an account.
  KeyClient wilma(hall, fingerprint('c'));
  for (const char* line : {"toot seek", "vacation 3", "block dino", "toot limit 3",
                           "toot subscribe all", "change address wilma@example.org"})
    CHECK(contains(wilma.first_reply_line(line), "+OK"));
  dino.say("block wilma");
  dino.say("tell wilma : hello");
  owner.say("admin rename wilma anna");
  CHECK(contains(KeyClient(hall, fingerprint('c')).greeting, "\nwas wilma\n"));
  CHECK(contains(owner.first_reply_line("admin free anna dino"), "-ERR dino has played"));
  CHECK(
      contains(owner.first_reply_line("admin free anna nobody"), "-ERR There is no userid nobody"));
  // A place in a tournament or on a ladder can be seen, too.
  KeyClient anna(hall, fingerprint('c'));
  for (const auto& [comes, goes] : {std::pair("ladder toot join", "ladder toot leave"),
                                    std::pair("tournament join cup", "tournament leave cup")}) {
    dino.say("tournament new cup toot swiss");
    CHECK(contains(anna.first_reply_line(comes), "+OK"));
    CHECK(contains(owner.first_reply_line("admin free anna"), "-ERR anna has played"));
    CHECK(contains(anna.first_reply_line(goes), "+OK"));
  }
  CHECK(contains(owner.first_reply_line("admin free Anna"), "+OK Anna is free again."));
  CHECK(contains(KeyClient(hall, fingerprint('c')).greeting, "That key is new"));
  CHECK(contains(late.first_reply_line("key name anna"), "+OK Hello, anna. No game"));
  hall.time += 24h;
  sign_up(hall, "wilma", 'c');
  const KeyClient again(hall, fingerprint('a'));
  CHECK(log.find(sign_in) != log.rfind(sign_in));
}

TEST_CASE("nobody can try many codes or ask for many mails", "[session][keys]") {
  TestServer hall;
  User fred(hall, "fred");
  hall.change_options = [](ServiceOptions& o) {
    o.signups_a_minute = 20;
    o.notify_program = "/bin/false";
  };
  hall.restart();
  fred.log_in_again();
  for (const char* line :
       {"key name dino abcdefgh", "key confirm fred abcdefgh", "key mail fred"}) {
    hall.time += 1min;
    KeyClient stranger(hall, fingerprint('a'), "192.0.2.7");
    std::string said;
    for (int i = 0; i < 6; ++i) said = stranger.first_reply_line(line);
    INFO(line);
    CHECK(contains(said, "-BUSY"));
  }
  std::string said;
  for (int i = 0; i < 6; ++i) said = fred.first_reply_line("keys add abcdefgh");
  CHECK(contains(said, "-BUSY"));
}

TEST_CASE("an invitation is for one key and a week", "[session][keys]") {
  TestServer hall;
  User fred(hall, "fred");
  hall.change_options = [](ServiceOptions& o) {
    o.signup = Signup::invited;
    o.host = "example.org";
  };
  hall.restart();
  std::ofstream(hall.directory / ".server/trusted") << "games keys\n";
  fred.log_in_again();
  TestClient owner(hall, PeerInfo{"uid 0", nullptr, 0, true});
  const auto invite = [](TestClient& host, const std::string& name = "") {
    const std::string said = host.say("invite " + name);
    INFO(said);
    REQUIRE(contains(said, "+OK The invitation is "));
    CHECK(contains(said, ": ssh games@example.org"));
    return said.substr(22, 8);
  };
  const auto join = [&](char key, const std::string& words) {
    KeyClient stranger(hall, fingerprint(key));
    CHECK(contains(stranger.greeting, "\nnew invited\n"));
    return stranger.first_reply_line("key name " + words);
  };
  TestClient plain(hall);
  CHECK(contains(plain.first_reply_line("signup dino secret"), "-ERR This server takes new"));
  CHECK(contains(plain.first_reply_line("invite"), "-ERR Sign in first"));
  CHECK(contains(join('a', "wilma"), "-ERR You need an invitation"));
  CHECK(contains(join('a', "wilma abcdefgh"), "-ERR The invitation is wrong"));
  const std::string code = invite(owner), other = invite(owner), named = invite(owner, "betty");
  CHECK(contains(join('a', "wilma " + code), "+OK Hello, wilma"));
  CHECK(contains(join('b', "dino " + code), "-ERR The invitation is wrong, used"));
  CHECK(contains(join('b', "dino " + named), "-ERR The invitation is for the name betty"));
  CHECK(contains(join('b', "fred " + other), "-ERR fred is taken"));
  CHECK(contains(join('b', "Betty " + upper(named)), "+OK Hello, betty"));
  hall.time += 7 * 24h;
  CHECK(contains(join('c', "dino " + other), "-ERR The invitation is wrong"));
  // Members may invite if the owner says so, and a few at a time.
  CHECK(contains(fred.first_reply_line("invite"), "-ERR Only the owner"));
  CHECK(contains(owner.first_reply_line("admin open invites"), "+OK"));
  for (int i = 0; i < 9; ++i) invite(fred);
  CHECK(contains(join('c', "dino " + invite(fred)), "+OK Hello, dino"));
  invite(fred);
  CHECK(contains(fred.first_reply_line("invite"), "-ERR You have 10 open invitations"));
  owner.say("admin close invites");
  CHECK(contains(fred.first_reply_line("invite"), "-ERR Only the owner"));
  CHECK(contains(owner.first_reply_line("invite dino"), "-ERR dino is taken"));
  owner.say("admin close signups");
  CHECK(contains(owner.first_reply_line("invite"), "-ERR Sign-up is closed"));
  KeyClient late(hall, fingerprint('d'));
  CHECK(contains(late.greeting, "\nnew closed\n"));
  CHECK(contains(late.first_reply_line("key name late"), "-ERR Sign-up is closed"));
}

TEST_CASE("a member without any key gets a code at the confirmed address", "[session][keys]") {
  TestServer hall;
  hall.change_options = [](ServiceOptions& o) { o.notify_program = "/bin/false"; };
  hall.restart();
  sign_up(hall, "wilma", 'a');
  sign_up(hall, "betty", 'b');
  hall.service().accounts.set("wilma", &Account::address, "wilma@example.org");
  hall.service().commit();
  const auto take_mail = [&] {
    std::string out;
    while (auto job = hall.service().notifier.take_due()) {
      out += job->receiver + ": " + job->text;
      hall.service().finish(std::move(job));
      hall.finish_work();
    }
    return out;
  };
  KeyClient stranger(hall, fingerprint('c'));
  const std::string said = stranger.say("key mail wilma");
  CHECK(contains(said, "+OK If that account"));
  // Nobody learns which accounts exist or have an address.
  for (const char* line : {"key mail betty", "key mail nobody", "key mail wilma"})
    CHECK(stranger.say(line) == said);
  const std::string mail = take_mail();
  CHECK(mail.starts_with("wilma@example.org: "));
  const std::string mark = "The code to type there is ";
  const std::string code = mail.substr(mail.find(mark) + mark.size(), 8);
  const std::string wrong = stranger.say("key confirm wilma abcdefgh");
  CHECK(contains(wrong, "-ERR That is not"));
  // Strangers cannot use up the tries of the member.
  for (int i = 0; i < 10; ++i) {
    hall.time += 1min;
    CHECK(stranger.say("key confirm wilma abcdefgh") == wrong);
  }
  CHECK_FALSE(contains(wrong, "@"));
  CHECK(contains(stranger.first_reply_line("key confirm betty " + code), "-ERR That is not"));
  CHECK(contains(stranger.say("key confirm wilma " + code), "userid wilma\n"));
  KeyClient other(hall, fingerprint('d'));
  CHECK(contains(other.first_reply_line("key confirm wilma " + code), "-ERR That is not"));
  // A change of the address that is not confirmed yet goes on, and its code is not for keys.
  hall.time += 2h;
  stranger.say("change address new@example.org");
  CHECK(contains(take_mail(), "new@example.org: "));
  other.say("key mail wilma");
  CHECK(take_mail().empty());
  const auto pending = hall.service().notifier.addresses().find_pending("wilma");
  REQUIRE(pending);
  CHECK(contains(other.first_reply_line("key confirm wilma " + pending->code), "-ERR That is not"));
}

TEST_CASE("the owner's welcome has at most ten harmless lines", "[session][keys]") {
  Words logged;
  TestServer hall;
  hall.change_options = [&](ServiceOptions& o) {
    o.log = [&](const std::string& what) { logged.push_back(what); };
  };
  hall.restart();
  std::ofstream out(hall.directory / "motd");
  out << "Welcome!\n\n\x1B[31mred\a\n.\n" << std::string(500, 'x') << "\n";
  for (int i = 0; i < 20; ++i) out << "line " << i << "\n";
  out.close();
  TestClient client(hall);
  const std::string said = client.say("hello 2");
  CHECK(contains(said, "}\nWelcome!\n\n?[31mred?\n..\nxxx"));
  CHECK(contains(said, "\nline 4\n.\n"));
  CHECK_FALSE(contains(said, std::string(80, 'x')));
  // The log has the reason why it cannot be read, once.
  REQUIRE(logged.empty());
  std::filesystem::remove(hall.directory / "motd");
  std::filesystem::create_directory(hall.directory / "motd");
  CHECK_FALSE(contains(client.say("hello 2"), "Welcome"));
  client.say("hello 2");
  REQUIRE(logged.size() == 1);
  CHECK(contains(logged[0], "motd"));
}
