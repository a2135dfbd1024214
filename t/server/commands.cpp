// SPDX-License-Identifier: MIT
// The syntax of commands, and each command in its long form and its short form.
#include "server/session/commands.hpp"

#include <set>

#include "base/text.hpp"
#include "test_server.hpp"

using namespace pbm;
using namespace pbm::test;

namespace {

const CommandRow& find_row(std::string_view name) {
  for (const CommandRow& row : command_rows())
    if (row.name == name) return row;
  throw std::runtime_error("no command " + std::string(name));
}

// A command with its text before and after userid and password, which may be left out. `first` has
// the commands to send before it; those with a password may be wilma's.
struct CommandForms {
  std::string_view name;
  std::string before, after;
  Words setup = {};
  std::string with_account(const std::string& account) const {
    return before + " " + account + (after.empty() ? "" : " ") + after;
  }
  std::string short_form() const { return before + (after.empty() ? "" : " ") + after; }
};

const std::vector<CommandForms>& all_forms() {
  static const Words begun{"toot move 101 fred secret BT", "toot move 101 wilma secret CO"};
  static const Words offered{"toot move 101 fred secret BT", "toot move 101 wilma secret propose"};
  static const Words over{"toot move 101 fred secret BT", "toot move 101 wilma secret CO",
                          "toot resign 101 wilma secret"};
  static const std::vector<CommandForms> forms{
      {"change address", "change address", "fred@example.org"},
      {"change address", "change address", "", {"change address fred secret here"}},
      {"confirm address", "confirm address", "abcdefgh", {"change address fred secret here"}},
      {"set computer", "set computer", ""},
      {"set computer", "set computer", "yes"},
      {"set notices", "set notices", "challenges"},
      {"set notices", "set notices", "digest 18:30"},
      {"set notices", "set notices", ""},
      {"vacation", "vacation", "5"},
      {"vacation", "vacation", "off", {"vacation fred secret 3"}},
      {"vacation", "vacation", ""},
      {"GAME limit", "toot limit", "3"},
      {"GAME limit", "toot limit", "none"},
      {"GAME limit", "toot limit", "", {"toot limit fred secret 7"}},
      {"GAME set", "soccolot set", "b"},
      {"GAME set", "soccolot set", ""},
      {"GAME rematch", "toot rematch 101", "", over},
      {"GAME seek", "toot seek", ""},
      {"GAME seek", "toot seek", "-size=5x5 -pair"},
      {"GAME seek", "toot seek [ -size=5x5 ]", "[-tootris]"},
      {"take", "take 1", "", {"toot seek wilma secret"}},
      {"unseek", "unseek 1", "", {"toot seek fred secret"}},
      {"block", "block", "wilma"},
      {"block", "block", "wilma barney"},
      {"block", "block", "", {"block fred secret wilma"}},
      {"unblock", "unblock", "wilma", {"block fred secret wilma"}},
      {"GAME move", "toot move 101", "BT : good luck"},
      {"GAME move", "toot 101", "BT"},
      {"GAME move", "toot board 101", "b t#1"},
      {"GAME move", "toot move 101", "T - B"},
      {"GAME move", "toot move 101", "undo", begun},
      {"GAME move", "toot move 101", "accept", offered},
      {"GAME move", "chaos move 101", "a1-c1", {"chaos challenge fred wilma"}},
      {"GAME move", "soccolot move 101", "3k5", {"soccolot challenge fred wilma"}},
      {"GAME move", "soccolot move 101", "b 5 r s", {"soccolot challenge fred wilma"}},
      {"GAME move", "FloopRail move 101", "E3-F3", {"flooprail challenge fred wilma"}},
      {"GAME move", "plotto move 101", "a3", {"plotto challenge fred wilma"}},
      {"GAME queue", "toot queue 101", "AT#3", {"toot move 101 fred secret BT"}},
      {"GAME queue", "toot queue 101", "CO:DT BO:AT.CT:DT *:DO", {"toot move 101 fred secret BT"}},
      {"GAME queue", "toot queue 101", "none"},
      {"GAME queue", "toot queue 101", ""},
      {"GAME submit", "toot submit 101", "BT"},
      {"GAME confirm", "toot confirm 101", ": so be it", {"toot submit 101 fred secret BT"}},
      {"GAME refuse", "toot refuse 101", ": no time"},
      {"GAME propose", "toot propose 101", "", begun},
      {"GAME undo", "toot undo 101", ": oops", begun},
      {"GAME accept", "toot accept 101", "", offered},
      {"GAME reject", "toot reject 101", ": not yet", offered},
      {"GAME resign", "toot resign 101", "", begun},
      {"GAME chat", "toot chat 101", ": hi"},
      {"message", "message", "wilma : hi"},
      {"message", "message", "wilma barney betty : hi"},
      {"broadcast", "broadcast", ": hi"},
      {"GAME subscribe", "chaos subscribe all", ""},
      {"GAME unsubscribe", "chaos unsubscribe all", "", {"chaos subscribe all fred secret"}},
  };
  return forms;
}

// A reply, and the events that another user receives.
struct FormOutcome {
  std::string reply, events;
  friend bool operator==(const FormOutcome&, const FormOutcome&) = default;
};

FormOutcome run_form(const CommandForms& forms, const std::string& line, bool signed_in) {
  TestServer hall;
  hall.change_options = [](ServiceOptions& o) { o.notify_program = "/bin/true"; };
  hall.restart();
  User wilma(hall, "wilma"), barney(hall, "barney"), betty(hall, "betty"), fred(hall, "fred");
  fred.say("toot challenge fred wilma");
  for (const std::string& said : forms.setup) {
    // A command without a password is for fred's connection.
    INFO(said);
    REQUIRE(
        contains((contains(said, "secret") ? TestClient(hall).say(said) : fred.say(said)), "+OK "));
  }
  wilma.say("watch");
  TestClient stranger(hall);
  FormOutcome out;
  out.reply = (signed_in ? fred : stranger).say(line);
  out.events = wilma.take_received();
  return out;
}

}  // namespace

TEST_CASE("a syntax says how many words there are and what else belongs to a command",
          "[commands][session]") {
  const auto takes = [](const char* syntax) { return Syntax(syntax); };
  const auto words = [&](const char* syntax) {
    return std::pair(takes(syntax).min_words, takes(syntax).max_words);
  };
  CHECK(words("") == std::pair<std::size_t, std::size_t>(0, 0));
  CHECK(words("board") == std::pair<std::size_t, std::size_t>(1, 1));
  CHECK(words("userid|all [#number]") == std::pair<std::size_t, std::size_t>(1, 2));
  CHECK(words("userid1 [userid2 [userid3 [userid4]]] [-options] [: text]") ==
        std::pair<std::size_t, std::size_t>(1, 4));
  CHECK(words("board [userid password] [never|digest HH:MM]") ==
        std::pair<std::size_t, std::size_t>(1, 3));
  CHECK(words("game board | new").first == 1);
  CHECK(words("game board | new").second == 2);
  CHECK(words("word...").second > 100);
  CHECK(words("[a [b...] | c]").first == 0);
  CHECK(words("[a [b...] | c]").second > 100);
  CHECK(takes("board [-options]").has_options);
  CHECK_FALSE(takes("board [some-word]").has_options);
  for (const char* text : {": text", "[: text]", "board : text", "userid text..."})
    CHECK(takes(text).has_text);
  CHECK_FALSE(takes("board").has_text);
  CHECK_FALSE(takes("userid other").userid_index);
  CHECK(takes("[userid password] userid...").has_userid_list);
  CHECK_FALSE(takes("[userid password] address...").has_userid_list);
  CHECK(takes("board [userid password] move").userid_index == 1U);
  CHECK(takes("board [userid password] move").omittable_words == 2);
  CHECK(takes("[userid] password").omittable_words == 1);
  CHECK(takes("userid password [address...]").omittable_words == 0);
  CHECK(takes("[userid] password new-password").new_password_index == 0U);
  CHECK(find_row("change password").proof == Proof::repeated_password);
  CHECK(find_row("GAME move").proof == Proof::password);
  CHECK(find_row("signup").proof == Proof::new_account);
  std::set<std::string_view> names;
  for (const CommandRow& row : command_rows()) {
    INFO(row.name);
    CHECK(names.insert(row.name).second);
    CHECK((row.proof == Proof::owner) == row.name.starts_with("admin "));
  }
}

TEST_CASE("a command does the same with userid and password and without", "[commands][session]") {
  std::set<std::string_view> tried;
  for (const CommandForms& forms : all_forms()) {
    tried.insert(forms.name);
    const FormOutcome brief = run_form(forms, forms.short_form(), true);
    INFO(forms.short_form() << "\n" << brief.reply);
    CHECK(run_form(forms, forms.with_account("fred *"), true) == brief);
    CHECK(run_form(forms, forms.with_account("FRED secret"), true) == brief);
    FormOutcome alone = run_form(forms, forms.with_account("fred secret"), false);
    if (forms.name == "GAME submit")
      CHECK(contains(alone.reply, "toot confirm 101 fred and the password."));
    else if (forms.name == "GAME queue" || forms.name == "GAME chat" || forms.name == "broadcast")
      CHECK(alone.reply.substr(0, 4) == brief.reply.substr(0, 4));
    else CHECK(alone == brief);
    // Without userid and sign-in it is refused, and nothing happens.
    const FormOutcome nobody = run_form(forms, forms.short_form(), false);
    CHECK(contains(nobody.reply, "-ERR "));
    CHECK(nobody.events == "");
  }
  for (const CommandRow& row : command_rows()) {
    INFO(row.name);
    CHECK((row.parsed_syntax.omittable_words == 2) == (tried.count(row.name) == 1));
  }
}

TEST_CASE("with a password that is wanted each time only the userid is left out",
          "[commands][session]") {
  TestServer hall;
  User fred(hall, "fred");
  TestClient t(hall);
  CHECK(contains(t.first_reply_line("change password secret other"),
                 "-ERR Sign in with login userid password"));
  CHECK(contains(t.first_reply_line("signoff secret"), "-ERR Sign in with login userid password"));
  CHECK(fred.first_reply_line("change password * other") ==
        "-ERR Write the old password itself, not '*'.");
  CHECK(fred.first_reply_line("change password secret other") ==
        "+OK The password of fred is changed.");
  CHECK(fred.first_reply_line("change password fred other third") ==
        "+OK The password of fred is changed.");
  CHECK(fred.first_reply_line("change password third") ==
        "-ERR Write: change password [userid] password new-password");
  TestClient trusted(hall, "fred");
  CHECK(trusted.first_reply_line("change password * fourth") ==
        "+OK The password of fred is changed.");
  TestClient again(hall);
  CHECK(contains(again.first_reply_line("login fred fourth"), "+OK"));
  CHECK(again.first_reply_line("signoff *") == "-ERR Write the password itself, not '*'.");
  CHECK(again.first_reply_line("signoff wrong") == "-ERR That is not the password of fred.");
  CHECK(again.first_reply_line("signoff fourth") == "+OK Good-bye, fred.");
}

TEST_CASE("what could be userid and password is that where a userid stands, but in a list of them",
          "[commands][session]") {
  TestServer hall;
  User fred(hall, "fred"), wilma(hall, "wilma"), betty(hall, "betty"), carl(hall, "carl");
  // These are three receivers, not a userid and its password.
  CHECK(fred.first_reply_line("message wilma betty carl : hi") ==
        "+OK Sent to wilma, betty and carl.");
  CHECK(fred.first_reply_line("message fred wilma : hi") == "+OK Sent to fred and wilma.");
  CHECK(fred.first_reply_line("message fred wilma betty : hi") ==
        "-ERR That is not the password of fred.");
  CHECK(fred.first_reply_line("message wilma * betty : hi") ==
        "-ERR You are not signed in as wilma. Write the password, not '*'.");
  fred.say("toot challenge wilma");
  CHECK(contains(fred.first_reply_line("toot 101 B - T"),
                 "+OK Move 1: fred (TOOT) drops a T down column B."));
  CHECK(contains(fred.first_reply_line("toot 101 wilma secret CO"), "+OK Move 2: wilma (OTTO)"));
  CHECK(fred.first_reply_line("toot 101 wilma wrong CO") ==
        "-ERR That is not the password of wilma.");
  CHECK(contains(fred.first_reply_line("toot 101 nobody wrong CO"), "-ERR "));
  // A userid may be the same as a word of a command.
  User digest(hall, "digest"), c(hall, "c");
  CHECK(fred.first_reply_line("set notices digest 18:30") ==
        "-ERR This server sends no notifications.");
  CHECK(contains(fred.first_reply_line("toot 101 C O"), "+OK Move 3"));
  CHECK(contains(fred.first_reply_line("toot queue 101 c t"), "+OK c t is queued on toot 101"));
  // With more words than the short form has, the first two are a userid and its password.
  CHECK(fred.first_reply_line("toot limit wilma secret none") ==
        "+OK You accept no new games of Toot.");
  CHECK(fred.first_reply_line("toot limit wilma wrong none") ==
        "-ERR That is not the password of wilma.");
}

TEST_CASE("what the help of the old server has for examples is understood", "[commands][session]") {
  TestServer hall;
  User fred(hall, "fred"), dzander(hall, "dzander"), third(hall, "userid3");
  int toot = 101, others = 101;
  const auto board = [&](const std::string& line, const std::string& told, int& number) {
    INFO(line);
    CHECK(fred.first_reply_line(line) ==
          "+OK Board " + std::to_string(number++) + " of " + told + ".");
    fred.say(lower(split_words(line)[0]) + " refuse " + std::to_string(number - 1));
  };
  board("toot challenge -tootris fred dzander", "Toot -tootris: fred and dzander", toot);
  board("toot challenge -tootris dzander fred", "Toot -tootris: dzander and fred", toot);
  board("Toot challenge -size=7x9 fred dzander", "Toot -size=7x9: fred and dzander", toot);
  board("Toot challenge [-size=7x9] fred dzander", "Toot -size=7x9: fred and dzander", toot);
  board("Toot challenge --size=7x9 dzander", "Toot -size=7x9: fred and dzander", toot);
  board("Toot challenge dzander [ --SIZE=7x9 -tootris ]",
        "Toot -size=7x9 -tootris: fred and dzander", toot);
  for (const char* option : {"-reverse", "-misere", "-losing", "[ -losing ]"})
    board("FloopRail challenge fred dzander " + std::string(option),
          "FloopRail -reverse: fred and dzander", others);
  others = 101;
  board("plotto challenge fred dzander [ -tournament ]", "Plotto -tournament: fred and dzander",
        others);
  board("plotto challenge fred dzander userid3", "Plotto: fred, dzander and userid3", others);
  others = 101;
  board("chaos challenge fred dzander", "Chaos: fred and dzander", others);
  CHECK(fred.first_reply_line("soccolot set fred secret b") ==
        "+OK You see field b of Soccolot from now on.");
  CHECK(fred.first_reply_line("toot challenge dzander --size=0x0 ").substr(0, 18) ==
        "-ERR '--size=0x0' ");
}

TEST_CASE("a board's full name is as good as its number", "[commands][session]") {
  TestServer hall;
  User fred(hall, "fred"), wilma(hall, "wilma");
  fred.say("toot challenge wilma");
  CHECK(contains(fred.first_reply_line("toot show toot-101"), "+OK 1 board of Toot."));
  CHECK(contains(fred.first_reply_line("toot show Toot-101#0"), "+OK 1 board of Toot."));
  CHECK(contains(fred.first_reply_line("toot showas fred toot-101"), "+OK 1 board of Toot."));
  CHECK(contains(fred.first_reply_line("toot preview toot-101 BT"), "+OK The board after 1 move"));
  for (const char* line : {"toot toot-101", "toot 101", "toot move 101", "toot board toot-101"})
    CHECK(contains(fred.first_reply_line(line), "+OK 1 board of Toot."));
  CHECK(contains(fred.first_reply_line("toot toot-101 BT"), "+OK Move 1"));
  CHECK(contains(wilma.first_reply_line("toot move toot-101 CO"), "+OK Move 2"));
  CHECK(contains(fred.first_reply_line("toot move toot-101 fred secret DO"), "+OK Move 3"));
  CHECK(contains(fred.first_reply_line("toot chat toot-101 : hi"), "+OK Sent to toot 101."));
  CHECK(fred.first_reply_line("chaos show toot-101") ==
        "-ERR 'toot-101' is a board of Toot, not of Chaos.");
  CHECK(fred.first_reply_line("chaos move toot-101 BT") ==
        "-ERR 'toot-101' is a board of Toot, not of Chaos.");
  CHECK(fred.first_reply_line("exit") == "+OK Good-bye.");
}

TEST_CASE("what is told needs no colon, and stays as it was written", "[commands][session]") {
  TestServer hall;
  User fred(hall, "fred"), wilma(hall, "wilma");
  wilma.say("watch");
  const auto told = [&](const std::string& line) {
    CHECK(fred.first_reply_line(line) == "+OK Sent to wilma.");
    return wilma.take_received();
  };
  CHECK(told("tell wilma hello there") == "* message fred : hello there\n");
  CHECK(told("TELL Wilma  -no-  ** a : b") == "* message fred : -no-  ** a : b\n");
  CHECK(told("tell wilma : hi") == "* message fred : hi\n");
  CHECK(told("tell wilma :) ") == "* message fred : :)\n");
  CHECK(fred.first_reply_line("tell wilma") == "-ERR There is no text. Write: tell userid text...");
  CHECK(fred.first_reply_line("tell") == "-ERR Write: tell userid text...");
  CHECK(fred.first_reply_line("tell nobody hi") ==
        "-ERR There is no userid nobody. Nothing was sent.");
  CHECK(TestClient(hall).first_reply_line("tell wilma hi") ==
        "-ERR Sign in first with login userid password.");
  fred.say("multiple");
  fred.say("tell wilma one");
  fred.say(" two");
  fred.say(".");
  CHECK(wilma.take_received() == "* message fred : one\n* message fred : two\n");
}

TEST_CASE("games, standings and history need no game", "[commands][session]") {
  TestServer hall;
  TestClient t(hall);
  CHECK(t.say("standings") == "+OK There are no ratings yet.\n.\n");
  CHECK(t.say("history") == "+OK No finished games yet.\n.\n");
  CHECK(t.first_reply_line("games") ==
        "-ERR Sign in first, or write: games [userid] [all|active|inactive|next]");
  User fred(hall, "fred"), wilma(hall, "wilma");
  fred.say("toot challenge wilma -size=4x3");
  fred.say("chaos challenge wilma");
  CHECK(fred.say("games") == t.say("all show fred"));
  CHECK(fred.say("games NEXT") == t.say("games fred next"));
  CHECK(contains(fred.say("games"), "+OK 2 boards of fred: game, number, moves, players, "));
  CHECK(fred.first_reply_line("games wilma fred") ==
        "-ERR Write: games [userid] [all|active|inactive|next]");
  for (const char* line :
       {"toot 101 BT", "toot 101 CO", "toot 101 AT", "toot 101 CO", "toot 101 AT", "toot 101 DO"})
    REQUIRE(contains((std::string(line).back() == 'T' ? fred : wilma).first_reply_line(line),
                     "+OK Move"));
  wilma.say("toot resign 101");
  fred.say("chaos 101 a1-c1");
  fred.say("chaos resign 101");
  wilma.say("chaos resign 101");
  CHECK(contains(t.say("standings"),
                 "+OK The ratings of each game.\n2 ratings for Toot: rating (? below 20 games), "
                 "games, won, lost, tied.\n  1784?     1     1     0     0  fred\n"));
  const std::string toot = t.say("toot history");
  CHECK(contains(t.say("history"), "\ntoot         101     6  2026-11-21T12:00:00Z  fred, wilma"));
  CHECK(t.say("history fred") == t.say("history"));
  CHECK(contains(t.first_reply_line("history"),
                 "finished game: game, number, moves, end, players, result."));
  CHECK(t.first_reply_line("history #x") ==
        "-ERR '#x' is not a number. Write #200 for the games before the latest 200.");
}

TEST_CASE("a challenge is refused by whoever has not played on it, and a game is resigned",
          "[commands][session]") {
  ServerPair p;
  p.fred.say("toot 101 BT");
  p.wilma.take_received();
  CHECK(p.fred.first_reply_line("toot refuse 101") ==
        "-ERR fred has already played on toot 101. Type resign to give up.");
  CHECK(p.wilma.first_reply_line("toot refuse 101 : no time") ==
        "+OK wilma (OTTO) refused the challenge. The board is closed; no rating changes.");
  CHECK(contains(p.fred.take_received(), "* toot 101 gone : wilma refused the challenge.\n"));
  CHECK(p.wilma.first_reply_line("toot refuse 101") == "-ERR There is no board 101 of Toot.");
  p.fred.say("toot challenge wilma");
  User betty(p.server, "betty");
  CHECK(betty.first_reply_line("toot refuse 102") ==
        "-ERR betty does not play on toot 102. Players: fred and wilma.");
  CHECK(contains(p.fred.first_reply_line("toot resign 102"),
                 "+OK fred (TOOT) refused the challenge"));
}
