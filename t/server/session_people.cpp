// SPDX-License-Identifier: MIT
// Accounts: signing up, passwords, signing off, chat and watching.
#include <algorithm>
#include <fstream>

#include "base/text.hpp"
#include "test_server.hpp"

using namespace pbm;
using namespace pbm::test;

TEST_CASE("signing up takes a userid nobody has, and a password", "[session][accounts]") {
  TestServer hall;
  TestClient t(hall);
  CHECK(t.say("signup Fred secret fred@example.org at home") ==
        "+OK Welcome, fred. fred@example.org at home is not confirmed yet.\n.\n");
  CHECK(t.first_reply_line("signup FRED other") == "-ERR fred is taken. Choose another userid.");
  CHECK(t.first_reply_line("signup fred") == "-ERR Write: signup userid password [address...]");
  CHECK(
      t.first_reply_line("signup seventeen.letters x") ==
      "-ERR 'seventeen.letters' cannot be a userid. A userid has 1 to 16 letters, digits, '_', '.' "
      "and '-', but no '.' or '-' first or last.");
  for (const std::string wrong : {"..", ".bob", ".", "bob.", "bob-", "bob-."})
    CHECK(contains(t.first_reply_line("signup " + wrong + " x"), "cannot be a userid"));
  CHECK(t.first_reply_line("signup sixteen-letters_ x") == "+OK Welcome, sixteen-letters_.");
  CHECK(contains(t.first_reply_line("signup fr\xC3\xA9"
                                    "d x"),
                 "cannot be a userid"));
  CHECK(contains(t.first_reply_line("signup * x"), "cannot be a userid"));
  CHECK(t.first_reply_line("signup all x") ==
        "-ERR 'all' cannot be a userid. It is a word of the commands.");
  const std::string rule =
      "-ERR A password has 1 to 64 bytes, without blanks, quotes or colons, and does not start "
      "with a dash.";
  CHECK(t.first_reply_line("signup wilma a:b") == rule);
  CHECK(t.first_reply_line("signup wilma \"x\"") == rule);
  CHECK(t.first_reply_line("signup wilma it's") == rule);
  CHECK(t.first_reply_line("signup wilma " + std::string(65, 'x')) == rule);
  CHECK(t.first_reply_line("signup wilma *") ==
        "-ERR '*' cannot be a password. It stands for the one you signed in with.");
  CHECK(t.first_reply_line("signup wilma -x") ==
        "-ERR This command has no options. Write: signup userid password [address...]");
  CHECK(t.first_reply_line("signup wilma x " + std::string(201, 'y')) ==
        "-ERR An address has at most 200 bytes.");
  CHECK(t.first_reply_line("signup wilma x \xE2\x80\xAE") ==
        "-ERR That address has characters that cannot be shown.");
  CHECK(t.say("list") ==
        "+OK 2 userids: running games, signed in or not.\nfred                 0\nsixteen-letters_ "
        "    0\n.\n");
}

TEST_CASE("so many may sign up in a minute, and no more", "[session][accounts]") {
  TestServer hall;
  hall.change_options = [](ServiceOptions& o) { o.signups_a_minute = 8; };
  hall.restart();
  int n = 0;
  const auto sign_up = [&](const std::string& login) {
    TestClient t(hall, PeerInfo{login});
    return t.first_reply_line("signup user" + std::to_string(n++) + " x");
  };
  // One login may use a quarter of the limit, with any userids and connections.
  for (const std::string login : {"uid 1", "uid 2", "uid 3", "uid 4"}) {
    for (int i = 0; i < 2; ++i) CHECK(contains(sign_up(login), "+OK Welcome, user"));
    CHECK(sign_up(login) ==
          "-BUSY There are too many sign-ups from your login or address. Try again in a minute.");
  }
  CHECK(sign_up("uid 5") == "-BUSY There are too many sign-ups now. Try again in a minute.");
  hall.time += std::chrono::seconds(60);
  CHECK(contains(sign_up("uid 1"), "+OK Welcome, user"));
}

TEST_CASE("two who sign up with one userid at the same moment are not both let in",
          "[session][accounts]") {
  TestServer hall;
  TestClient a(hall), b(hall);
  a.send("signup fred one");
  b.send("signup fred two");
  CHECK(a.session().is_busy());
  hall.service().run_due_work();
  CHECK(a.take_received() == "+OK Welcome, fred.\n.\n");
  CHECK(b.take_received() == "-ERR fred is taken. Choose another userid.\n.\n");
}

TEST_CASE("no password is in any file or reply", "[session][accounts]") {
  TestServer hall;
  TestClient t(hall);
  std::string said = t.say("signup fred hunter2word");
  said += t.say("login fred hunter2word") + t.say("login fred hunter2word extra") +
          t.say("change password fred hunter2word hunter3word") + t.say("login fred hunter2word") +
          t.say("help");
  CHECK_FALSE(contains(said, "hunter"));
  hall.stop();
  for (const auto& entry : std::filesystem::recursive_directory_iterator(hall.directory))
    if (entry.is_regular_file()) CHECK_FALSE(contains(read_bytes(entry.path()), "hunter"));
  CHECK(contains(read_bytes(hall.directory / ".server" / "server.db"), "$argon2id$"));
  CHECK((std::filesystem::status(hall.directory / ".server" / "server.db").permissions() &
         std::filesystem::perms::others_all) == std::filesystem::perms::none);
}

TEST_CASE("the answer to a wrong password comes late, later each time, and holds up nobody else",
          "[session][accounts]") {
  TestServer hall;
  User fred(hall, "fred"), wilma(hall, "wilma");
  TestClient t(hall), other(hall);
  for (const int seconds : {1, 2, 4, 8, 8}) {
    t.send("login fred wrong");
    t.send("list");
    hall.service().run_due_work();
    CHECK(t.session().is_busy());
    // A connection that has proved the password is not delayed.
    other.send("list");
    fred.send("toot limit fred secret 3");
    hall.service().run_due_work();
    CHECK(other.take_received().substr(0, 4) == "+OK ");
    CHECK(fred.take_received().substr(0, 4) == "+OK ");
    hall.time += std::chrono::seconds(seconds - 1);
    hall.service().run_due_work();
    CHECK(t.take_received() == "");
    hall.time += std::chrono::seconds(1);
    hall.service().run_due_work();
    CHECK(t.take_received().substr(0, 59) ==
          "-ERR That is not the password of fred.\n.\n+OK 2 userids: run");
  }
  // The right password resets the delay.
  CHECK(t.first_reply_line("login fred secret").substr(0, 4) == "+OK ");
  t.send("login fred wrong");
  hall.service().run_due_work();
  hall.time += std::chrono::seconds(1);
  hall.service().run_due_work();
  CHECK(t.take_received() == "-ERR That is not the password of fred.\n.\n");
  // A closed connection gets no delayed reply.
  {
    TestClient gone(hall);
    gone.send("login fred wrong");
    hall.service().run_due_work();
  }
  CHECK_FALSE(hall.service().next_due(false).has_value());
}

TEST_CASE(
    "however many guess, a right password is let in soon, and what is guessed meanwhile is little",
    "[session][accounts]") {
  TestServer hall;
  User fred(hall, "fred");
  std::vector<std::unique_ptr<TestClient>> guessers;
  const auto guess = [&] {
    guessers.push_back(std::make_unique<TestClient>(hall));
    guessers.back()->send("login fred wrong" + std::to_string(guessers.size()));
  };
  for (int i = 0; i < 500; ++i) guess();
  // Fred uses the same login as the guessers, and more of them come after him.
  std::size_t hashed = 0;
  for (int round = 0; round < 20; ++round) {
    INFO("round " << round);
    TestClient right(hall);
    right.send("login fred secret");
    std::string said;
    const auto begun = hall.monotonic_offset;
    while (said.empty() && hall.monotonic_offset - begun < std::chrono::seconds(60)) {
      if (auto job = hall.service().take_hash()) {
        ++hashed;
        job->run();
        hall.service().finish(std::move(job));
      } else {
        guess();
        hall.monotonic_offset += std::chrono::milliseconds(250);
        hall.service().connections.send_late_replies(hall.service().moment(), false);
      }
      said = right.take_received();
      if (said.find("Try again") != std::string::npos) {
        said.clear();
        right.send("login fred secret");
      }
    }
    CHECK(said == "+OK Hello, fred. No game needs your move.\n.\n");
    CHECK(hall.monotonic_offset - begun <= std::chrono::seconds(20));
  }
  // One every 250 ms, as the manual says, except for the first few and the right ones.
  CHECK(hashed <=
        30 + static_cast<std::size_t>(hall.monotonic_offset / std::chrono::milliseconds(250)));
  // The others were refused with -BUSY and may try again.
  std::size_t put_off = 0;
  hall.finish_work();
  for (const auto& g : guessers)
    put_off += g->take_received() ==
                       "-BUSY The server has many passwords to check. Try again in a moment.\n.\n"
                   ? 1
                   : 0;
  CHECK(put_off >= 500 - HashQueue::kMaxQueued);
}

namespace {

// Takes all jobs in order, and returns their connections.
std::string take_all(HashQueue& queue, SteadyTime now = SteadyTime(std::chrono::hours(1))) {
  std::string out;
  while (auto job = queue.take(now))
    out += (out.empty() ? "" : " ") + std::to_string(job->session_number);
  return out;
}
std::uint64_t add_job(HashQueue& queue, const std::string& guesser, std::uint64_t session,
                      bool fresh = true) {
  return queue.add(
      guesser, fresh,
      std::make_unique<HashJob>(HashJob{session, Secret("x"), "", PasswordCost::minimum()}));
}

}  // namespace

TEST_CASE("who waits with a password waits for his own login's others, and for nobody else's",
          "[session][accounts]") {
  HashQueue queue;
  for (std::uint64_t i = 1; i <= 5; ++i) add_job(queue, "uid 1", i);
  add_job(queue, "uid 2", 6);
  add_job(queue, "uid 3", 7);
  add_job(queue, "uid 2", 8);
  // For each source the oldest and the newest alternate.
  CHECK(take_all(queue) == "1 6 7 5 8 2 4 3");
  // Connections that guessed wrong get every fourth turn, and the turns that are left.
  for (const std::uint64_t i : {1, 2, 3}) add_job(queue, "uid 1", i, false);
  for (const std::uint64_t i : {4, 5, 6}) add_job(queue, "uid 1", i);
  CHECK(take_all(queue) == "4 6 1 5 2 3");
  for (std::uint64_t i = 1; i <= 4; ++i) add_job(queue, "uid 1", i);
  queue.remove(3);
  CHECK(take_all(queue) == "1 4 2");
  CHECK_FALSE(queue.next_due().has_value());
}

TEST_CASE(
    "where too many wait with a password, who guessed wrong goes first, then whoever is neither "
    "old nor new",
    "[session][accounts]") {
  HashQueue queue;
  constexpr std::uint64_t kMax = HashQueue::kMaxQueued;
  for (std::uint64_t i = 1; i <= kMax; ++i)
    CHECK(add_job(queue, "uid 1", 100 + i, i != 3 && i != 5) == 0);
  CHECK(add_job(queue, "uid 2", 1) == 0);
  CHECK(add_job(queue, "uid 1", 500) == 105);
  CHECK(add_job(queue, "uid 1", 501, false) == 501);
  CHECK(add_job(queue, "uid 1", 501) == 103);
  CHECK(add_job(queue, "uid 1", 502) == 119);
  CHECK(add_job(queue, "uid 1", 99) == 118);
  CHECK(take_all(queue) ==
        "99 1 502 101 501 102 500 104 132 106 131 107 130 108 129 109 128 110 127 111 126 112 125 "
        "113 124 114 123 115 122 116 121 117 120");
}

TEST_CASE("whoever guesses from everywhere does not fill every turn of who guesses nothing",
          "[session][accounts]") {
  HashQueue queue;
  SteadyTime now(std::chrono::hours(1));
  for (std::uint64_t i = 1; i <= 200; ++i) {
    const std::string guesser = "127.0.0." + std::to_string(i);
    queue.add_wrong_guess(guesser, now);
    add_job(queue, guesser, i);
  }
  add_job(queue, "uid 1", 500);
  now += std::chrono::seconds(1);
  std::size_t before = 0;
  while (queue.take(now)->session_number != 500) ++before;
  CHECK(before <= 1);
  // The sources of guesses get their turns, too, and each only its own.
  add_job(queue, "uid 1", 500);
  add_job(queue, "uid 1", 501);
  std::set<std::uint64_t> had;
  for (int i = 0; i < 4; ++i) had.insert(queue.take(now)->session_number);
  CHECK(had.size() == 4);
  CHECK(had.count(500) == 1);
  CHECK(had.count(501) == 1);
}

TEST_CASE("a program that guesses stands back behind others of its login", "[session][accounts]") {
  TestServer hall;
  User fred(hall, "fred");
  const PeerInfo guesses{"uid 1", nullptr, 7}, other{"uid 1", nullptr, 8};
  for (const char* typed : {"wrong", "wronger", "wrongest"})
    CHECK(TestClient(hall, guesses).first_reply_line("login fred " + std::string(typed)) ==
          "-ERR That is not the password of fred.");
  // New connections come all the time, more than there is room for, before and after another one.
  std::vector<std::unique_ptr<TestClient>> crowd;
  const auto come = [&] {
    crowd.push_back(std::make_unique<TestClient>(hall, guesses));
    crowd.back()->send("login fred wrong");
  };
  for (int i = 0; i < 100; ++i) come();
  TestClient right(hall, other);
  right.send("login fred secret");
  for (int i = 0; i < 100; ++i) come();
  hall.monotonic_offset += std::chrono::seconds(1);
  const auto job = hall.service().take_hash();
  REQUIRE(job);
  CHECK(job->session_number == right.session().number());
}

TEST_CASE("a guesser takes his turns slowly, and is forgiven after a minute",
          "[session][accounts]") {
  using std::chrono::milliseconds;
  HashQueue queue;
  SteadyTime now(std::chrono::hours(1));
  const auto waits = [&](const std::string& guesser) {
    add_job(queue, guesser, 1);
    CHECK((queue.take(*queue.next_due() - milliseconds(1)) == nullptr || *queue.next_due() <= now));
    const auto out = std::chrono::duration_cast<milliseconds>(*queue.next_due() - now);
    queue.remove(1);
    return out;
  };
  for (const int pause : {50, 100, 150, 200, 250, 250}) {
    queue.add_wrong_guess("uid 1", now);
    CHECK(waits("uid 1") == milliseconds(pause));
    add_job(queue, "uid 2", 2);
    CHECK(take_all(queue, now) == "2");
  }
  now += std::chrono::seconds(61);
  queue.add_wrong_guess("uid 1", now);
  CHECK(waits("uid 1") == milliseconds(50));
}

TEST_CASE("a clock that is set shuts nobody out and lets nobody do more", "[session][accounts]") {
  TestServer hall;
  hall.change_options = [](ServiceOptions& o) {
    o.signups_a_minute = 8;
    o.texts_a_minute = 2;
    o.challenges_a_minute = 1;
  };
  hall.restart();
  User fred(hall, "fred"), wilma(hall, "wilma");
  const auto all = [&](const std::string& reply) {
    TestClient t(hall);
    CHECK(t.first_reply_line("signup betty x").substr(0, 4) == (reply == "-ERR" ? "-BUS" : reply));
    CHECK(fred.first_reply_line("message fred * wilma : hello").substr(0, 4) == reply);
    CHECK(fred.first_reply_line("toot challenge fred wilma").substr(0, 4) == reply);
  };
  CHECK(fred.first_reply_line("toot challenge fred wilma").substr(0, 4) == "+OK ");
  for (int i = 0; i < 2; ++i) fred.say("message fred * wilma : hello");
  hall.clock_offset = std::chrono::hours(24 * 365 * 3);
  all("-ERR");
  hall.clock_offset = -hall.clock_offset;
  all("-ERR");
  hall.time += std::chrono::seconds(61);
  all("+OK ");
}

TEST_CASE("while a password is hashed others are answered, and one's own lines wait in order",
          "[session][accounts]") {
  TestServer hall;
  User fred(hall, "fred");
  TestClient t(hall), other(hall);
  t.send("login fred secret");
  t.send("list");
  t.send("toot limit fred * 2");
  CHECK(t.session().is_busy());
  CHECK(t.take_received() == "");
  CHECK(other.first_reply_line("toot games") == "+OK No boards of Toot.");
  CHECK_FALSE(t.session().is_busy());
  CHECK(t.take_received() ==
        "+OK Hello, fred. No game needs your move.\n.\n+OK 1 userid: running games, signed in or "
        "not.\nfred                 0  signed in\n.\n+OK You accept at most 2 games of Toot.\n.\n");
}

TEST_CASE("login lets * stand for the password of that userid, and of no other",
          "[session][accounts]") {
  TestServer hall;
  User fred(hall, "fred"), wilma(hall, "wilma");
  TestClient t(hall);
  CHECK(t.first_reply_line("login fred *") ==
        "-ERR You are not signed in as fred. Write the password, not '*'.");
  CHECK(t.first_reply_line("login nobody x") ==
        "-ERR There is no userid nobody. Sign up to create it.");
  CHECK(t.first_reply_line("watch") == "-ERR Sign in first with login userid password.");
  CHECK(t.first_reply_line("login FRED secret") == "+OK Hello, fred. No game needs your move.");
  CHECK(t.first_reply_line("chaos limit Fred * none").substr(0, 4) == "+OK ");
  CHECK(t.first_reply_line("chaos limit wilma * none") ==
        "-ERR You are not signed in as wilma. Write the password, not '*'.");
  CHECK(t.first_reply_line("chaos limit wilma secret none").substr(0, 4) == "+OK ");
  CHECK(t.first_reply_line("login wilma secret") == "+OK Hello, wilma. No game needs your move.");
  CHECK(t.first_reply_line("chaos limit fred * none").substr(0, 4) == "-ERR");
}

TEST_CASE("a connection that is trusted needs no password for its own userid, and is nobody else",
          "[session][accounts]") {
  TestServer hall;
  User wilma(hall, "wilma");
  TestClient t(hall, "Fred");
  CHECK(t.first_reply_line("chaos limit fred * none").substr(0, 4) == "+OK ");
  CHECK(t.first_reply_line("watch").substr(0, 4) == "+OK ");
  CHECK(t.first_reply_line("chaos limit wilma * none").substr(0, 4) == "-ERR");
  // A trusted connection cannot sign up other userids.
  CHECK(t.first_reply_line("signup puppet longpassword") ==
        "-ERR This connection belongs to fred. You cannot sign up another userid on it.");
  TestClient stranger(hall);
  CHECK(stranger.first_reply_line("login fred *").substr(0, 4) == "-ERR");
  CHECK(stranger.first_reply_line("login fred x") == "-ERR That is not the password of fred.");
  // With a password of its own the account can be used from elsewhere.
  CHECK(t.first_reply_line("change password fred * secret") ==
        "+OK The password of fred is changed.");
  CHECK(stranger.first_reply_line("login fred secret").substr(0, 4) == "+OK ");
}

TEST_CASE("a server may let nobody take a userid but by a login it trusts", "[session][accounts]") {
  TestServer hall;
  User fred(hall, "fred");
  hall.change_options = [](ServiceOptions& o) { o.signup = Signup::closed; };
  hall.restart();
  TestClient t(hall);
  CHECK(t.first_reply_line("signup wilma secret") ==
        "-ERR Sign-up is closed here. Ask the owner of the server for an account.");
  CHECK(t.first_reply_line("login fred secret").substr(0, 4) == "+OK ");
  TestClient owner(hall, "wilma");
  CHECK(owner.first_reply_line("change password wilma * hush") ==
        "+OK The password of wilma is changed.");
  CHECK(t.first_reply_line("login wilma hush").substr(0, 4) == "+OK ");
}

TEST_CASE("a new password is not too short, an older one is let in", "[session][accounts]") {
  TestServer hall;
  User fred(hall, "fred");
  hall.change_options = [](ServiceOptions& o) {
    o.min_password_bytes = ServiceOptions().min_password_bytes;
  };
  hall.restart();
  TestClient t(hall);
  const std::string rule =
      "-ERR A password has 8 to 64 bytes, without blanks, quotes or colons, and does not start "
      "with a dash.";
  CHECK(t.first_reply_line("login fred secret").substr(0, 4) == "+OK ");
  CHECK(t.first_reply_line("change password fred secret 1234567") == rule);
  CHECK(t.first_reply_line("signup wilma 1234567") == rule);
  CHECK(t.first_reply_line("signup wilma x") == rule);
  CHECK(t.first_reply_line("change password fred secret 12345678").substr(0, 4) == "+OK ");
  CHECK(t.first_reply_line("signup wilma 12345678").substr(0, 4) == "+OK ");
}

TEST_CASE("password and address are changed by their owner only", "[session][accounts]") {
  TestServer hall;
  User fred(hall, "fred");
  TestClient t(hall);
  CHECK(t.first_reply_line("change password fred wrong new") ==
        "-ERR That is not the password of fred.");
  CHECK(t.first_reply_line("change password fred secret") ==
        "-ERR Sign in with login userid password, or write: change password [userid] password "
        "new-password");
  CHECK(t.first_reply_line("change password fred secret a:b").substr(0, 19) ==
        "-ERR A password has");
  CHECK(contains(t.first_reply_line("change password fred secret *"),
                 "-ERR '*' cannot be a password"));
  CHECK(t.first_reply_line("change password fred secret new") ==
        "+OK The password of fred is changed.");
  CHECK(t.first_reply_line("login fred secret") == "-ERR That is not the password of fred.");
  CHECK(t.first_reply_line("login fred new").substr(0, 4) == "+OK ");
  CHECK(t.first_reply_line("change address fred * fred at home") ==
        "+OK fred has no address. fred at home is not confirmed yet.");
  CHECK(t.first_reply_line("change address fred *") ==
        "+OK fred has no address. fred at home is not confirmed yet.");
  CHECK(t.first_reply_line("change address fred * " + std::string(201, 'x')) ==
        "-ERR An address has at most 200 bytes.");
  hall.restart();
  TestClient later(hall);
  CHECK(later.first_reply_line("login fred new").substr(0, 4) == "+OK ");
}

TEST_CASE("who signs off while his new password is hashed has none", "[session][accounts]") {
  TestServer hall;
  const std::string userid = "sixteen-letters_";
  User there(hall, userid);
  TestClient one(hall, userid), other(hall, userid);
  one.send("change password * hush");
  auto hash = hall.service().take_hash();
  REQUIRE(hash);
  CHECK(other.first_reply_line("signoff *") == "+OK Good-bye, sixteen-letters_.");
  hash->run();
  hall.service().finish(std::move(hash));
  hall.finish_work();
  CHECK(one.take_received() == "-ERR There is no userid sixteen-letters_ any more.\n.\n");
}

TEST_CASE(
    "who has a connection of somebody's cannot change his password by it, and loses it when he "
    "does",
    "[session][accounts]") {
  TestServer hall;
  User fred(hall, "fred"), stolen(hall, "fred"), quiet(hall, "fred"), wilma(hall, "wilma");
  TestClient trusted(hall, "fred");
  stolen.say("watch");
  trusted.say("watch");
  CHECK(stolen.first_reply_line("change password fred * mine") ==
        "-ERR Write the old password itself, not '*'.");
  // It cannot sign him off either.
  CHECK(stolen.first_reply_line("signoff fred *") == "-ERR Write the password itself, not '*'.");
  // Even a connection that has proved the password must prove it again.
  wilma.send("change password wilma secret hush");
  auto proof = hall.service().take_hash();
  REQUIRE(proof);
  CHECK(proof->hash == hall.service().accounts.find("wilma")->password_hash);
  proof->run();
  hall.service().finish(std::move(proof));
  hall.finish_work();
  CHECK(wilma.take_received().substr(0, 4) == "+OK ");

  CHECK(fred.first_reply_line("change password fred secret third") ==
        "+OK The password of fred is changed.");
  // A watching connection is informed at once, another one by its next reply.
  CHECK(stolen.take_received() == "* signout fred : The password of fred was changed elsewhere.\n");
  CHECK(quiet.take_received() == "");
  const std::string out =
      "-ERR You are signed out. The password of fred was changed elsewhere. Type login fred and "
      "the new password.";
  for (User* user : {&stolen, &quiet}) {
    CHECK(user->first_reply_line("toot limit fred * 3") == out);
    CHECK(user->first_reply_line("watch") == out);
    CHECK(user->first_reply_line("toot limit fred secret 3") ==
          "-ERR That is not the password of fred.");
  }
  wilma.say("message wilma hush fred : psst");
  CHECK(stolen.take_received() == "");
  CHECK(stolen.first_reply_line("login fred third").substr(0, 4) == "+OK ");
  // The trusted connection and the one that changed the password stay signed in.
  CHECK(trusted.take_received() == "* message wilma : psst\n");
  CHECK(trusted.first_reply_line("toot limit fred * 3").substr(0, 4) == "+OK ");
  CHECK(fred.first_reply_line("toot limit fred * 3").substr(0, 4) == "+OK ");
  CHECK(wilma.first_reply_line("toot limit wilma * 3").substr(0, 4) == "+OK ");
}

TEST_CASE("a password that is proved while it is changed is worth nothing", "[session][accounts]") {
  TestServer hall;
  User fred(hall, "fred");
  TestClient a(hall), b(hall), c(hall);
  const auto finish = [&](std::unique_ptr<HashJob> job) {
    job->run();
    hall.service().finish(std::move(job));
  };
  const std::string wanted =
      "-ERR The password of fred was changed just now. Write the new one.\n.\n";
  // The password changes while the old one is compared,
  a.send("login fred secret");
  auto job = hall.service().take_hash();
  CHECK(fred.first_reply_line("change password fred secret other") ==
        "+OK The password of fred is changed.");
  finish(std::move(job));
  CHECK(a.take_received() == wanted);
  // and after that, while the new one is hashed.
  b.send("change password fred other mine");
  finish(hall.service().take_hash());
  job = hall.service().take_hash();
  CHECK(fred.first_reply_line("change password fred other third") ==
        "+OK The password of fred is changed.");
  finish(std::move(job));
  CHECK(b.take_received() == wanted);
  CHECK(c.first_reply_line("login fred third").substr(0, 4) == "+OK ");
}

TEST_CASE("signing off resigns what runs, and the userid stays taken", "[session][accounts]") {
  TestServer hall;
  User fred(hall, "fred"), wilma(hall, "wilma");
  wilma.say("watch");
  fred.say("toot challenge fred wilma");  // 101: no plies
  fred.say("toot challenge fred wilma");  // 102: one round of plies
  fred.say("toot move 102 fred * BT");
  wilma.say("toot move 102 wilma * BT");
  fred.say("toot challenge fred wilma");  // 103: three rounds
  for (const char* ply : {"BT", "CT", "DT"}) {
    fred.say(std::string("toot move 103 fred * ") + ply);
    wilma.say(std::string("toot move 103 wilma * ") + ply);
  }
  wilma.take_received();
  CHECK(fred.say("signoff fred secret") ==
        "+OK Good-bye, fred.\ntoot 101: fred (TOOT) refused the challenge. The board is closed; "
        "no rating changes.\n"
        "toot 102: fred (TOOT) resigns.\ntoot 103: fred (TOOT) resigns.\n.\n");
  const std::string heard = wilma.take_received();
  CHECK(contains(heard, "* toot 101 gone : fred refused the challenge.\n"));
  CHECK(contains(heard, "* toot 102 over : wilma (OTTO) wins. fred resigned.\n"));
  const std::string history = wilma.say("toot history");
  CHECK(contains(
      history,
      "   102     2  2026-11-21T12:00:00Z  fred, wilma                           wilma won "
      "(unrated: not every seat made 3 moves)\n"));
  CHECK(contains(
      history,
      "   103     6  2026-11-21T12:00:00Z  fred, wilma                           wilma won\n"));
  CHECK(contains(wilma.say("toot standings"), "  1784?     1     1     0     0  wilma\n"));
  CHECK(fred.first_reply_line("toot limit fred * all") == "-ERR fred has closed the account.");
  CHECK(fred.first_reply_line("watch") == "-ERR Sign in first with login userid password.");
  CHECK(fred.first_reply_line("signup fred again") ==
        "-ERR fred has closed the account. Choose another userid.");
  CHECK(wilma.first_reply_line("toot challenge wilma fred") == "-ERR fred has closed the account.");
  CHECK(wilma.first_reply_line("message wilma * fred : hello") ==
        "-ERR fred has closed the account. Nothing was sent.");
  hall.restart();
  CHECK(User(hall, "wilma").first_reply_line("toot challenge wilma fred") ==
        "-ERR fred has closed the account.");
}

TEST_CASE("chat, messages and broadcasts reach whom they are for", "[session][talk]") {
  ServerPair p;
  User betty(p.server, "betty");
  CHECK(p.fred.first_reply_line("toot chat 101 fred * : good luck") == "+OK Sent to toot 101.");
  CHECK(p.wilma.take_received() == "* toot 101 chat fred : good luck\n");
  CHECK(p.fred.take_received() == "");
  CHECK(p.fred.first_reply_line("toot chat 101 fred *") ==
        "-ERR There is no text. Write: GAME chat board [userid password] : text");
  CHECK(contains(p.fred.first_reply_line("toot chat 101 fred * :  "), "-ERR There is no text"));
  CHECK(p.fred.first_reply_line("toot chat 107 fred * : x") ==
        "-ERR There is no board 107 of Toot.");
  CHECK(betty.first_reply_line("toot chat 101 betty * : hi") ==
        "-ERR You do not play or watch toot 101. Subscribe to it first.");
  CHECK(betty.first_reply_line("toot subscribe 101 betty *") == "+OK You watch toot 101.");
  CHECK(betty.first_reply_line("toot chat 101 betty * : hi").substr(0, 4) == "+OK ");
  CHECK(p.fred.take_received() == "");
  CHECK(p.fred.first_reply_line(
            "message fred * betty wilma BETTY : one\xE2\x80\xAEtwo -x ** : three") ==
        "+OK Sent to betty and wilma.");
  CHECK(p.wilma.take_received() == "* message fred : one?two -x ** : three\n");
  CHECK(p.fred.first_reply_line("message fred * nobody : x") ==
        "-ERR There is no userid nobody. Nothing was sent.");
  CHECK(p.fred.first_reply_line("message fred * : x") ==
        "-ERR Write: message [userid password] userid... : text");
  CHECK(p.fred.first_reply_line("message fred * fred : a note") == "+OK Sent to fred.");
  CHECK(p.fred.take_received() == "* message fred : a note\n");
  // betty has not sent `watch`, so her message is kept.
  CHECK(betty.take_received() == "");
  const std::string heard = betty.say("watch");
  CHECK(contains(heard,
                 "+OK You see events from now on.\n.\n* message fred : one?two -x ** : three "
                 "(2026-11-21T12:00:00Z)\n"));
  CHECK(p.fred.first_reply_line("broadcast fred * : tea") ==
        "+OK Sent to everybody who is watching.");
  CHECK(betty.take_received() == "* broadcast fred : tea\n");
  CHECK(contains(p.fred.first_reply_line("broadcast fred *"), "-ERR There is no text"));
  CHECK(p.fred.first_reply_line("broadcast fred * all : x") ==
        "-ERR Write: broadcast [userid password] : text");
}

TEST_CASE("nobody says more than so much in a minute", "[session][talk]") {
  ServerPair p;
  for (int i = 0; i < 30; ++i)
    CHECK(p.fred.first_reply_line("toot chat 101 fred * : hi") == "+OK Sent to toot 101.");
  CHECK(p.fred.first_reply_line("toot chat 101 fred * : hi") ==
        "-ERR You are sending too many messages. Try again in a minute.");
  CHECK(p.fred.first_reply_line("toot move 101 fred * BT : hi") ==
        "-ERR You are sending too many messages. Try again in a minute.");
  CHECK(p.fred.first_reply_line("toot move 101 fred * BT").substr(0, 4) == "+OK ");
  p.server.time += std::chrono::seconds(60);
  CHECK(p.fred.first_reply_line("toot chat 101 fred * : hi") == "+OK Sent to toot 101.");
}

TEST_CASE("a text has so many lines and no more, and each counts as something said",
          "[session][talk]") {
  ServerPair p;
  const auto say = [&](std::size_t lines) {
    p.fred.say("multiple");
    p.fred.say("toot chat 101 fred * :");
    for (std::size_t i = 0; i < lines; ++i) {
      p.fred.say(" x");
      p.fred.say("  ");  // a blank line of text
    }
    p.fred.send(".");
    p.server.service().run_due_work();
    const std::string said = p.fred.take_received();
    return said.substr(0, said.find('\n'));
  };
  CHECK(say(21) == "-ERR That text is too long. A text has at most 20 lines.");
  CHECK(p.wilma.take_received().empty());
  CHECK(say(20) == "+OK Sent to toot 101.");
  CHECK(p.wilma.take_received().size() == 20 * std::string("* toot 101 chat fred : x\n").size());
  CHECK(say(11) == "-ERR You are sending too many messages. Try again in a minute.");
  CHECK(say(10) == "+OK Sent to toot 101.");
  CHECK(p.fred.first_reply_line("message fred * wilma : y") ==
        "-ERR You are sending too many messages. Try again in a minute.");
}

TEST_CASE("mail counts as read when the next line of that connection comes", "[session][talk]") {
  TestServer hall;
  User fred(hall, "fred"), betty(hall, "betty");
  { User wilma(hall, "wilma"); }
  const auto mail = [&] {
    TestClient t(hall);
    t.say("login wilma secret");
    return contains(t.say("watch"), "* message fred : ");
  };
  fred.say("message fred * wilma : one");
  // A client that closes after `watch` may have missed the mail, whatever it sent before.
  CHECK(mail());
  {
    TestClient t(hall);
    t.say("login wilma secret");
    t.send("multiple");
    t.send("watch");
    t.send(".");
    CHECK(contains(t.take_received(), "* message fred : one ("));
  }
  CHECK(mail());
  hall.restart();
  CHECK(mail());
  // The next line after `watch` marks the mail as read.
  for (const char* next : {"list", "quit", "nonsense", "multiple"}) {
    INFO(next);
    {
      User wilma(hall, "wilma");
      CHECK(contains(wilma.say("watch"), "* message fred : "));
      wilma.say(next);
    }
    CHECK_FALSE(mail());
    User(hall, "fred").say("message fred * wilma : more");
  }
  CHECK(mail());
  {
    TestClient t(hall);
    t.send("login wilma secret");
    t.send("watch");
    t.send("quit");
    hall.service().run_due_work();
    CHECK(contains(t.take_received(), "* message fred : more ("));
  }
  CHECK_FALSE(mail());
  // A script does, too; but mail that came since then was not shown.
  User again(hall, "fred"), wilma(hall, "wilma"), other(hall, "wilma");
  again.say("message fred * wilma : last");
  for (const char* line : {"multiple", "watch", "list", "."}) wilma.say(line);
  again.say("message fred * wilma betty : for betty, who is away");
  CHECK(contains(other.say("watch"), "You see events from now on.\n.\n"));
  CHECK_FALSE(contains(other.take_received(), "last"));
  User away(hall, "betty");
  CHECK(contains(away.say("watch"), "for betty"));
  // If this cannot be saved, the mail is shown again.
  hall.failing_file = "server.db";
  away.say("list");
  hall.failing_file.clear();
  hall.restart();
  CHECK(contains(User(hall, "betty").say("watch"), "for betty"));
}

TEST_CASE("mail for one who never reads it is bounded", "[session][talk]") {
  TestServer hall;
  User fred(hall, "fred"), wilma(hall, "wilma");
  for (int i = 0; i < 150; ++i) {
    fred.say("message fred * wilma : number " + std::to_string(i));
    hall.time += std::chrono::seconds(3);
  }
  const std::string heard = wilma.say("watch");
  CHECK_FALSE(contains(heard, "number 49 "));
  CHECK(contains(heard, "number 50 "));
  CHECK(contains(heard, "number 149 "));
}

TEST_CASE("who subscribes hears of a board, or of all of a game, and plays on none",
          "[session][talk]") {
  ServerPair p;
  User betty(p.server, "betty");
  betty.say("watch");
  CHECK(betty.first_reply_line("toot subscribe 102 betty *") ==
        "-ERR There is no board 102 of Toot.");
  CHECK(betty.first_reply_line("toot subscribe all betty *") == "+OK You watch all games of Toot.");
  CHECK(betty.first_reply_line("toot subscribe all betty *") ==
        "-ERR You already watch all games of Toot.");
  CHECK(p.fred.first_reply_line("toot subscribe 101 fred *") ==
        "-ERR You play on toot 101. You need not watch it, too.");
  p.fred.say("toot move 101 fred * BT");
  CHECK(betty.take_received() == "* toot 101 ply 1 fred BT\n");
  CHECK(contains(p.fred.say("toot show 101"), "1 watcher.\n"));
  CHECK(betty.first_reply_line("toot move 101 betty * CO").substr(0, 4) == "-ERR");
  CHECK(betty.first_reply_line("toot unsubscribe all betty *") ==
        "+OK You no longer watch all games of Toot.");
  CHECK(betty.first_reply_line("toot unsubscribe all betty *") ==
        "-ERR You do not watch all games of Toot.");
  p.wilma.say("toot move 101 wilma * BT");
  CHECK(betty.take_received() == "");
  betty.say("toot subscribe 101 betty *");
  betty.say("toot unsubscribe 101 betty *");
  CHECK_FALSE(contains(p.fred.take_received(), "betty"));
}

TEST_CASE("coming to watch and leaving again is no way around what one may say",
          "[session][talk]") {
  ServerPair p;
  User betty(p.server, "betty");
  int told = 0;
  for (int i = 0; i < 40; ++i)
    told += contains(
        betty.first_reply_line(std::string("toot ") + (i % 2 == 0 ? "subscribe" : "unsubscribe") +
                               " 101 betty *"),
        "+OK");
  CHECK(told == 30);
  CHECK(contains(betty.first_reply_line("toot subscribe all betty *"),
                 "+OK"));  // this informs nobody
}

TEST_CASE("a script's commands are answered in turn, with text below them", "[session][talk]") {
  ServerPair p;
  CHECK(p.fred.say("multiple") ==
        "+OK Write one command a line. A line with a single '.' ends the script.\n.\n");
  CHECK(p.fred.say("toot move 101 fred * BT : first") == "");
  p.fred.say("  second");
  CHECK(p.wilma.take_received() == "");
  CHECK(contains(p.fred.say("toot move 101 fred * CT"), "+OK Move 1"));
  CHECK(contains(p.wilma.take_received(), "chat fred : first\n* toot 101 chat fred : second\n"));
  CHECK(p.fred.say("multiple") == "-ERR It is wilma's turn (OTTO).\n.\n");
  CHECK(p.fred.say("list") == "-ERR A script cannot contain another script.\n.\n");
  CHECK(p.fred.say("\tbelow\x01").empty());
  CHECK(p.fred.say(".") ==
        "-ERR That line has a control character. Remove it.\n.\n+OK The script is done. 4 "
        "commands, 3 refused.\n.\n");
  p.fred.say("multiple");
  CHECK(p.fred.say(".") == "+OK The script is done. 0 commands, none refused.\n.\n");
  // A text that is too long in all, although no line of it is.
  p.fred.say("multiple");
  p.fred.say("message fred * wilma : x");
  for (int i = 0; i < 5; ++i) p.fred.say(" " + std::string(1000, 'y'));
  CHECK(p.fred.say(".") ==
        "-ERR That text is too long. A text has at most 4096 bytes.\n.\n+OK The script is done. 1 "
        "command, 1 refused.\n.\n");
  // A script in one packet, with a password to check in the middle.
  TestClient t(p.server);
  for (const char* line :
       {"multiple", "login wilma secret", "toot move 101 wilma * CO", "quit", ".", "list"})
    t.send(line);
  p.server.service().run_due_work();
  const std::string heard = t.take_received();
  CHECK(contains(heard, "+OK Hello, wilma"));
  CHECK(contains(heard, "+OK Move 2: wilma"));
  CHECK(heard.substr(heard.size() - 16) == "+OK Good-bye.\n.\n");
}

TEST_CASE("boards, challenges and userids are bounded", "[session][accounts]") {
  TestServer hall;
  hall.change_options = [](ServiceOptions& o) {
    o.boards_a_user = 2;
    o.challenges_a_minute = 3;
    o.max_accounts = 2;
  };
  hall.restart();
  User fred(hall, "fred"), wilma(hall, "wilma");
  CHECK(fred.first_reply_line("signup betty x") ==
        "-ERR This server has as many accounts as it can hold. Ask its owner.");
  CHECK(contains(fred.first_reply_line("toot challenge fred wilma"), "+OK Board 101"));
  CHECK(contains(fred.first_reply_line("chaos challenge wilma fred"), "+OK Board 101"));
  for (const char* play :
       {"toot move 101 fred secret BT", "toot move 101 wilma secret BT",
        "chaos move 101 wilma secret a3-c3", "chaos move 101 fred secret e4-c2-c4-e4"})
    REQUIRE(contains(fred.first_reply_line(play), "+OK Move"));
  CHECK(fred.first_reply_line("toot challenge fred wilma") ==
        "-ERR fred may have at most 2 boards and would have 3.");
  fred.say("toot resign 101 fred *");
  CHECK(contains(fred.first_reply_line("toot challenge fred wilma"), "+OK Board 102"));
  fred.say("toot resign 102 fred *");
  CHECK(fred.first_reply_line("toot challenge fred wilma") ==
        "-ERR You are sending too many challenges. Try again in a minute.");
  hall.time += std::chrono::seconds(60);
  CHECK(contains(fred.first_reply_line("toot challenge fred wilma"), "+OK Board 103"));
}

TEST_CASE("what people wrote is pushed out by no event, and by nobody who writes more",
          "[session][talk]") {
  TestServer hall;
  hall.change_options = [](ServiceOptions& o) {
    o.challenges_a_minute = o.texts_a_minute = o.unplayed_begun = 10'000;
  };
  hall.restart();
  { User wilma(hall, "wilma"); }
  User fred(hall, "fred"), betty(hall, "betty"), dino(hall, "dino");
  fred.say("message fred * wilma : from fred");
  // Challenges, chat and messages of a sender who tries to displace fred's message.
  for (int i = 101; i <= 230; ++i) {
    REQUIRE(contains(betty.first_reply_line("toot challenge betty wilma : " + std::to_string(i)),
                     "+OK Board"));
    REQUIRE(
        contains(betty.first_reply_line("toot resign " + std::to_string(i) + " betty *"), "+OK"));
    betty.say("message betty * wilma : much " + std::to_string(i));
  }
  dino.say("plotto challenge dino betty wilma");
  const auto end = [&](const std::string& ply) {
    return dino.first_reply_line("plotto move 101 dino * " + ply);
  };
  REQUIRE(contains(end("a1"), "+OK"));
  const std::string heard = User(hall, "wilma").say("watch");
  CHECK(contains(heard, "* message fred : from fred ("));
  CHECK(contains(heard, "* message betty : much 230 ("));
  CHECK(contains(heard, "* plotto 101 new : "));
  const auto lines = std::count(heard.begin(), heard.end(), '\n');
  CHECK(lines < 2 + 2 * static_cast<std::ptrdiff_t>(Mail::kMaxKept));
}

TEST_CASE("a challenge that is taken back before it was read takes its letter along",
          "[session][talk]") {
  TestServer hall;
  { User wilma(hall, "wilma"); }
  User fred(hall, "fred");
  fred.say("toot challenge fred wilma");
  fred.say("toot challenge fred wilma");
  fred.say("toot resign 101 fred *");
  {
    User wilma(hall, "wilma");
    CHECK(wilma.say("watch") ==
          "+OK You see events from now on.\n.\n* toot 102 new : fred challenges you to Toot. "
          "(2026-11-21T12:00:00Z)\n");
    wilma.say("quit");
  }
  // A challenge that she has read of: she learns that it is gone.
  fred.say("toot resign 102 fred *");
  CHECK(
      contains(User(hall, "wilma").say("watch"), "* toot 102 gone : fred refused the challenge."));
}

TEST_CASE("nobody signs up as one who would be taken for the owner", "[session][accounts]") {
  TestServer hall;
  hall.change_options = [](ServiceOptions& o) { o.server_login = "pbm"; };
  hall.restart();
  TestClient t(hall);
  for (const char* name : {"admin", "Root", "server", "staff", "owner", "pbmplay", "moderator"})
    CHECK(t.first_reply_line(std::string("signup ") + name + " secret") ==
          "-ERR '" + lower(name) + "' cannot be a userid. It looks like the owner of the server.");
  CHECK(t.first_reply_line("signup pbm secret") ==
        "-ERR 'pbm' cannot be a userid. It looks like the owner of the server.");
  // An SSH key with such a userid does not help.
  CHECK(contains(
      TestClient(hall,
                 PeerInfo{"x", [](const std::string&) -> Result<Success> { return Success{}; }})
          .first_reply_line("as admin"),
      "cannot be a userid"));
}
