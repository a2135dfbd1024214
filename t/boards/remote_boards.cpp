// SPDX-License-Identifier: MIT
// Tests boards on a server, from the side of a client.
#include "boards/fake_network.hpp"
#include "protocol/new_board.hpp"

using namespace pbm;
using namespace pbm::test;

TEST_CASE("a server's boards are listed as one's own are, those that wait first", "[remote]") {
  TwoUsers two;
  CHECK(two.fred.play(two.id, "BT") == "");
  const Setup tootris = make_setup("toot", {"-tootris", "-size=7x9"});
  REQUIRE(
      create_challenge(two.wilma.remote, *tootris.game, tootris.options, {"fred", "wilma"}).ok());
  TestUser betty(two.network, two.home.path(), "betty");
  CHECK(betty.remote.list().empty());
  REQUIRE(betty.remote.set_watching("toot-101", true).ok());

  two.fred.take_notifications();
  const auto list = two.fred.remote.list();
  REQUIRE(list.size() == 2);
  CHECK(list[0].id == "toot-102");
  CHECK(list[0].title() == title_with_options(*tootris.game, tootris.options));
  CHECK(list[0].names == Words{"fred", "wilma"});
  CHECK(list[0].state() == "fred's turn");
  CHECK(list[0].user == "fred");
  CHECK(is_waiting_for(list[0], ""));
  CHECK(list[1].id == "toot-101");
  CHECK(list[1].ply_count == 1);
  CHECK(list[1].last_change == two.server.time);
  CHECK_FALSE(is_waiting_for(list[1], "wilma"));
  CHECK_FALSE(list[1].is_watched);
  CHECK(two.fred.remote.count_waiting("") == 1);
  CHECK(two.fred.remote.count_waiting("toot-102") == 0);

  const auto watched = betty.remote.list();
  REQUIRE(watched.size() == 1);
  CHECK(watched[0].is_watched);
  CHECK(watched[0].state() == "wilma's turn");

  // The client does not ask again for an unchanged list.
  const std::size_t sent = two.network.sent.size();
  two.fred.remote.list();
  CHECK(two.network.sent.size() == sent);
}

TEST_CASE("a long list comes in pieces, between which the person is served", "[remote]") {
  TemporaryDirectory home;
  TestServer hall;
  for (int n = 101; n <= 470; ++n)
    std::ofstream(hall.directory / ("toot-" + std::to_string(n) + ".yaml"))
        << "format: 1\ngame: toot\noptions: []\nseats: [fred, wilma]\nstarted: "
           "2026-11-01T12:00:00Z\nplies:\n- {move: BT, at: 2026-11-01T12:00:00Z}\n- {move: CO, at: "
           "2026-11-01T12:00:00Z}\n"
        << (n <= 350 ? "- {move: resign, seat: 1, at: 2026-11-02T12:00:00Z}\n" : "");
  hall.restart();
  FakeNetwork cable(hall);
  TestUser fred(cable, home.path(), "fred");
  CHECK(fred.remote.list().size() == 120);
  cable.sent.clear();
  // Each part is asked for when the part before rang; a ply goes out before the next part.
  for (const std::size_t size : {220u, 320u}) {
    fred.wait_for_retry();
    CHECK(fred.remote.list().size() == size);
    CHECK(cable.sent.size() == 1);
    cable.sent.clear();
  }
  CHECK(fred.play("toot-470", "DT") == "");
  fred.remote.take_changes();
  CHECK(fred.remote.list().size() == 370);
  cable.sent.clear();
  fred.remote.take_changes();
  CHECK(fred.remote.list().size() == 370);
  CHECK(cable.sent.empty());
  std::set<std::string> ids;
  for (const BoardSummary& board : fred.remote.list()) ids.insert(board.id);
  CHECK(ids.size() == 370);
}

TEST_CASE("a server's board is opened as its save says, with the seat of whoever is connected",
          "[remote]") {
  TwoUsers two;
  CHECK(two.fred.play(two.id, "BT") == "");
  const auto fred = two.fred.remote.open("toot-101");
  REQUIRE(fred.ok());
  CHECK(save_text(fred->match, "fred") == two.save_text());
  CHECK(fred->remote->own_seat == 0);
  CHECK(fred->remote->watcher_count == 0);
  const auto wilma = two.wilma.remote.open("101");
  REQUIRE(wilma.ok());
  CHECK(wilma->id == "toot-101");
  CHECK(wilma->remote->own_seat == 1);
  TestUser betty(two.network, two.home.path(), "betty");
  REQUIRE(betty.remote.set_watching("toot-101", true).ok());
  auto watched = betty.remote.open("toot-101");
  REQUIRE(watched.ok());
  CHECK_FALSE(watched->remote->own_seat);
  CHECK(watched->remote->watcher_count == 1);
  CHECK(watched->remote->is_watcher);
  const auto played = betty.remote.play(*watched, {MoveRequest{std::nullopt, "CO"}});
  REQUIRE_FALSE(played.ok());
  CHECK(played.refusal().reason == "You are watching. fred and wilma play here.");
  CHECK(two.fred.take_notifications() == "");

  CHECK(two.fred.remote.open("toot-102").refusal().reason == "There is no board 102 of Toot.");
  CHECK(two.fred.remote.open("nonsense").refusal().reason ==
        "'nonsense' is not a board of a server. Their names are a game and a number: GAME-101.");
  CHECK(two.fred.remote.open("toot-0").refusal().reason ==
        "'toot-0' is not a board of a server. Their names are a game and a number: GAME-101.");
  CHECK_FALSE(two.fred.remote.open("../toot-101").ok());
}

TEST_CASE("moves are sent in the game's own spelling, and what can be refused here is not sent",
          "[remote]") {
  TwoUsers two;
  auto board = *two.fred.remote.open(two.id);
  CHECK(two.fred.remote.play(board, {MoveRequest{std::nullopt, " bt "}}).ok());
  CHECK(two.network.sent.size() > 0);
  CHECK(std::find(two.network.sent.begin(), two.network.sent.end(), "toot move 101 BT#1") !=
        two.network.sent.end());
  CHECK(board.match.plies().size() == 1);
  CHECK(save_text(board.match, "fred") == two.save_text());
  const std::size_t sent = two.network.sent.size();
  const auto again = two.fred.remote.play(board, {MoveRequest{std::nullopt, "CO"}});
  CHECK(again.refusal().reason == "It is wilma's turn (OTTO).");
  CHECK_FALSE(two.fred.remote.play(board, {MoveRequest{std::nullopt, "accept"}}).ok());
  CHECK_FALSE(
      two.fred.remote.play(board, {MoveRequest{std::nullopt, "CO#1\ntoot resign 101 fred *"}})
          .ok());
  CHECK(two.network.sent.size() == sent);
  CHECK(two.wilma.take_notifications() == "toot-101: fred plays BT.\ntoot-101: It is your turn.\n");
  // An event about a ply from another connection of the same user counts as the user's own ply.
  TestUser elsewhere(two.network, two.home.path(), "fred");
  CHECK(two.wilma.play(two.id, "CO") == "");
  CHECK(elsewhere.take_notifications() ==
        "toot-101: wilma plays CO.\ntoot-101: It is your turn.\n");
}

TEST_CASE(
    "on a board that somebody else has played on nothing is played, and the newer one is shown",
    "[remote]") {
  TwoUsers two;
  auto mine = *two.fred.remote.open(two.id);
  auto other = mine;
  CHECK(two.fred.remote.play(other, {MoveRequest{std::nullopt, "BT"}}).ok());
  const auto late = two.fred.remote.play(mine, {MoveRequest{std::nullopt, "CT"}});
  CHECK(late.refusal().reason ==
        "Not played. Look at the position again. BT: You drop a T down column B. It is "
        "wilma's turn (OTTO).");
  CHECK(mine.match.plies().size() == 1);
  CHECK(two.count_played("CT") == 0);
}

TEST_CASE("a move is one request for who plays it and none for who sees it", "[remote]") {
  TwoUsers two;
  auto board = *two.fred.remote.open(two.id);
  auto other = *two.wilma.remote.open(two.id);
  two.fred.remote.list();
  two.wilma.remote.list();
  const auto look = [&](TestUser& who) {
    who.remote.take_changes();
    who.remote.list();
    return *who.remote.open(two.id);
  };
  for (const std::string ply : {"BT", "CO", "AT", "propose", "reject", "AO", "undo", "accept"}) {
    INFO(ply);
    TestUser& plays = board.match.acting_seat(ply) == 0 ? two.fred : two.wilma;
    TestUser& sees = &plays == &two.fred ? two.wilma : two.fred;
    two.server.time += std::chrono::seconds(7);
    two.network.sent.clear();
    REQUIRE(plays.remote.play(board, {MoveRequest{std::nullopt, ply}}).ok());
    // The screens read all of this after a ply.
    CHECK(look(plays).match.log() == board.match.log());
    CHECK(look(sees).match.log() == board.match.log());
    CHECK(plays.remote.count_waiting("") + sees.remote.count_waiting("") >= 1);
    CHECK(two.network.sent.size() == 1);
    board = look(sees);
    CHECK(save_text(board.match, "fred") == two.save_text());
    const auto fresh = two.wilma.remote.list();
    TestUser again(two.network, two.home.path(), "wilma");
    CHECK(again.remote.list() == fresh);
  }
  // A queued ply arrives together with the ply before it.
  two.network.sent.clear();
  REQUIRE(two.fred.remote.queue_move(look(two.fred), "DT").ok());
  CHECK(look(two.fred).remote->queued_ply == "Queued on toot 101: DT.");
  board = look(two.wilma);
  REQUIRE(two.wilma.remote.play(board, {MoveRequest{std::nullopt, "AO"}}).ok());
  CHECK(board.match.plies().back().text == "DT");
  CHECK(look(two.fred).match.log() == board.match.log());
  CHECK(look(two.fred).remote->queued_ply == "");
  CHECK(two.network.sent.size() == 2);
  // So do watchers, and a ply queued by another program of the same userid.
  TestUser betty(two.network, two.home.path(), "betty");
  REQUIRE(betty.remote.set_watching(two.id, true).ok());
  TestUser elsewhere(two.network, two.home.path(), "fred");
  look(elsewhere);
  two.network.sent.clear();
  CHECK(look(two.wilma).remote->watcher_count == 1);
  REQUIRE(two.fred.remote.queue_move(look(two.fred), "ET").ok());
  CHECK(look(elsewhere).remote->queued_ply == "Queued on toot 101: ET.");
  CHECK(two.network.sent.size() == 1);
}

TEST_CASE("a challenge is there at once for both, and gone at once when it is refused",
          "[remote]") {
  TwoUsers two;
  two.fred.remote.list();
  two.wilma.remote.list();
  const Setup toot = make_setup("toot");
  two.network.sent.clear();
  const auto made = create_challenge(two.fred.remote, *toot.game, toot.options, {"fred", "wilma"});
  REQUIRE(made.ok());
  CHECK(made->id == "toot-102");
  two.wilma.remote.take_changes();
  CHECK(two.wilma.remote.list().size() == 2);
  CHECK(two.fred.remote.list().size() == 2);
  CHECK(two.network.sent == Words{"toot challenge fred wilma", "toot save 102"});
  auto board = *two.wilma.remote.open("toot-102");
  two.network.sent.clear();
  REQUIRE(two.wilma.remote.play(board, {MoveRequest{std::nullopt, "resign"}}).ok());
  two.fred.remote.take_changes();
  CHECK(two.fred.remote.list().size() == 1);
  CHECK(two.wilma.remote.list().size() == 1);
}

TEST_CASE("offers go from seat to seat, and undo is one of them", "[remote]") {
  TwoUsers two;
  CHECK(two.fred.play(two.id, "BT") == "");
  auto board = *two.wilma.remote.open(two.id);
  CHECK(two.fred.play(two.id, "undo") == "");
  CHECK(two.fred.play(two.id, "accept") == "Only the other players can answer this offer.");
  CHECK(two.wilma.take_notifications() ==
        "toot-101: fred plays BT.\ntoot-101: It is your turn.\ntoot-101: fred (TOOT) asks to take "
        "back BT. Type accept or reject.\n");
  CHECK(two.wilma.play(two.id, "accept") == "");
  board = *two.wilma.remote.open(two.id);
  CHECK(board.match.plies().empty());
  CHECK(two.fred.play(two.id, "CT") == "");
  CHECK(two.wilma.play(two.id, "propose") == "");
  CHECK(two.fred.play(two.id, "reject") == "");
  CHECK(two.wilma.play(two.id, "DO") == "");
  CHECK(two.wilma.play(two.id, "resign") == "");
  board = *two.fred.remote.open(two.id);
  CHECK(board.match.status() == "fred (TOOT) wins. wilma resigned.");
}

TEST_CASE("a challenge makes a board, and what cannot be one is refused", "[remote]") {
  TwoUsers two;
  const Setup toot = make_setup("toot");
  CHECK(create_challenge(two.fred.remote, *toot.game, toot.options, {"wilma", "betty"})
            .refusal()
            .reason == "You are signed in as fred and must be one of the players.");
  CHECK(create_challenge(two.fred.remote, *toot.game, toot.options, {"fred", "nobody"})
            .refusal()
            .reason == "There is no userid nobody here yet. Its owner must sign in first.");
  CHECK(read_new_board(*toot.game, {{}, {"fred", "a b"}}, {"fred", true}).refusal().reason ==
        "'a b' is not a userid. On a server, every player has one.");
  // A player who resigns before their first ply refuses the challenge: the board is gone.
  auto board = *two.wilma.remote.open(two.id);
  CHECK(two.wilma.remote.play(board, {MoveRequest{std::nullopt, "resign"}}).ok());
  CHECK(board.warning ==
        "wilma (OTTO) refused the challenge. The board is closed; no rating changes.");
  CHECK(board.match.ending());
  CHECK(two.fred.take_notifications() == "toot-101: wilma refused the challenge.\n");
  CHECK(two.fred.remote.list().empty());
}

TEST_CASE("what only makes sense for files is refused on a server, and copies are one's own",
          "[remote]") {
  TwoUsers two;
  CHECK(two.fred.play(two.id, "BT") == "");
  Boards& boards = two.fred.all_boards;
  CHECK(boards.repository_of(two.id).remove(two.id).refusal().reason ==
        "Games on a server cannot be deleted. Resign to end one that runs.");
  CHECK(boards.repository_of(two.id).rename(two.id, "x").refusal().reason ==
        "Games on a server keep their names.");
  const auto copy = boards.local().save_new(boards.open(two.id)->match);
  REQUIRE(copy.ok());
  CHECK(copy->id == "own:toot-101");
  CHECK_FALSE(boards.open("own:toot-101")->remote);
  CHECK(read_bytes(two.home.path() / "fred" / "saves" / "toot-101.yaml") ==
        save_text(load_match(two.save_text(), "it")->match));
  auto own = *boards.open(copy->id);
  CHECK(boards.play(own, {MoveRequest{std::nullopt, "CO"}}).ok());
  CHECK(own.id == "own:toot-101");
  CHECK(two.count_played("CO") == 0);
  CHECK(*boards.repository_of(copy->id).rename(copy->id, "mine") == "own:mine");
  const auto list = boards.list();
  REQUIRE(list.size() == 2);
  CHECK(list[0].id == "toot-101");
  CHECK(list[1].id == "own:mine");
  CHECK(boards.repository_of("own:mine").remove("own:mine").ok());
  CHECK(boards.repository_of("own:mine").restore("own:mine").ok());
  CHECK(boards.open((two.home.path() / "fred" / "saves" / "mine.yaml").string()).ok());
  fs::copy(two.home.path() / "fred" / "saves" / "mine.yaml",
           two.home.path() / "fred" / "saves" / "own:mine.yaml");
  for (const BoardSummary& line : boards.list()) CHECK(boards.open(line.id)->id == line.id);
}

TEST_CASE("who shares a login is held to his own directory", "[remote][boards]") {
  TemporaryDirectory dir;
  LocalBoards theirs(dir / "theirs", source_root() / "saves");
  const Setup toot = make_setup("toot");
  REQUIRE(create_board(theirs, *toot.game, toot.options, {"a", "b"}).ok());
  REQUIRE(theirs.remove("toot-101").ok());
  REQUIRE(theirs.restore("toot-101").ok());
  LocalBoards mine(dir / "mine", source_root() / "saves", LocalBoards::Scope::directory);
  REQUIRE(create_board(mine, *toot.game, toot.options, {"c", "d"}).ok());
  const fs::path before = fs::current_path();
  fs::current_path(dir / "theirs");
  for (const std::string id : {"../theirs/toot-101", "../theirs/toot-101.yaml", "toot-101.yaml",
                               "example:../../theirs/toot-101", "example:/etc/passwd",
                               "/etc/passwd", ".deleted/x", "", ".", "example:", "example:.."}) {
    INFO(id);
    CHECK_FALSE(mine.open(id).ok());
    CHECK_FALSE(mine.remove(id).ok());
    CHECK_FALSE(mine.restore(id).ok());
    CHECK_FALSE(mine.rename(id, "stolen").ok());
  }
  fs::current_path(before);
  CHECK(mine.open("toot-101")->match.names() == Words{"c", "d"});
  CHECK(mine.open("101").ok());
  CHECK(mine.open("example:toot").ok());
}

TEST_CASE("notes on a server's board stay on this side, with the move they were made on",
          "[remote]") {
  TwoUsers two;
  CHECK(two.fred.play(two.id, "BT") == "");
  auto board = *two.fred.remote.open(two.id);
  const std::string before = two.save_text();
  const std::size_t sent = two.network.sent.size();
  CHECK(two.fred.remote.play(board, {MoveRequest{std::nullopt, "why: \"so\"", 1}}).ok());
  CHECK(board.match.note(1) == "why: \"so\"");
  CHECK_FALSE(two.fred.remote.play(board, {MoveRequest{std::nullopt, "x", 2}}).ok());
  CHECK(two.network.sent.size() == sent);
  CHECK(two.save_text() == before);
  CHECK(two.wilma.remote.open(two.id)->match.note(1).empty());

  CHECK(two.fred.remote.open(two.id)->match.note(1) == "why: \"so\"");
  // After a take-back another ply is played: the note does not belong to it.
  CHECK(two.fred.play(two.id, "undo") == "");
  CHECK(two.wilma.play(two.id, "accept") == "");
  CHECK(two.fred.play(two.id, "CT") == "");
  CHECK(two.fred.remote.open(two.id)->match.note(1).empty());
  CHECK(two.fred.play(two.id, "undo") == "");
  CHECK(two.wilma.play(two.id, "accept") == "");
  CHECK(two.fred.play(two.id, "BT") == "");
  board = *two.fred.remote.open(two.id);
  CHECK(board.match.note(1) == "why: \"so\"");
  CHECK(two.fred.remote.play(board, {MoveRequest{std::nullopt, "", 1}}).ok());
  CHECK(two.fred.remote.open(two.id)->match.note(1).empty());
  // A note changes nothing in the requests to the server.
  CHECK(two.wilma.play(two.id, "CO") == "");

  const fs::path file = two.home.path() / "fred" / "servers" / "fred" / "toot-101.notes.yaml";
  REQUIRE(fs::exists(file));
  replace_file(file, "format: 1\nnotes:\n- {after: 1, ply: 1, note: half");
  CHECK(two.fred.remote.open(two.id)->warning == "");
  replace_file(file, "nonsense: [\n");
  CHECK(contains(two.fred.remote.open(two.id)->warning,
                 "The program cannot read your notes. toot-101.notes.yaml, "));
  CHECK(read_bytes(file) == "nonsense: [\n");
}

TEST_CASE("a board with notes is the same board", "[remote]") {
  const TemporaryDirectory home;
  LocalNotes notes(home.path());
  Match board = *Match::start(*find_game("toot"), {}, {"fred", "wilma"}, Time{});
  board.set_limits({3, 9, {}});
  board.set_origin("toot-101@the hall");
  REQUIRE(notes.add("toot-101", board, {{std::nullopt, "well", 0}}).ok());
  std::string warning;
  const Match with = notes.with_notes("toot-101", board.prefix_copy(0), warning);
  CHECK(with.note(0) == "well");
  CHECK(with.origin() == board.origin());
  Match without = *Match::start(*find_game("toot"), {}, {"fred", "wilma"}, Time{});
  without.set_limits(board.limits());
  CHECK(notes.with_notes("toot-101", without, warning).limits() == board.limits());
}

TEST_CASE("chat and messages are told, and the last of them can be read again", "[remote]") {
  TwoUsers two;
  const auto said = two.fred.remote.send_chat(two.id, "have fun : really");
  REQUIRE(said.ok());
  CHECK(two.wilma.take_notifications() == "toot-101: fred: have fun : really\n");
  CHECK(two.fred.take_notifications() == "toot-101: fred: have fun : really\n");
  CHECK(two.fred.remote.run_command("message wilma : hello")->summary == "Sent to wilma.");
  CHECK(two.wilma.take_notifications() == "fred to you: hello\n");
  CHECK_FALSE(two.fred.remote.send_chat(two.id, " ").ok());
  CHECK_FALSE(two.fred.remote.send_chat(two.id, "a\nb").ok());
  CHECK_FALSE(two.fred.remote.send_chat(two.id, std::string(2000, 'x')).ok());
  auto lines = two.wilma.remote.chat_lines();
  REQUIRE(lines.size() == 2);
  CHECK(contains(lines[0], "  toot-101  fred: have fun : really"));
  CHECK(contains(lines[1], "  fred to you: hello"));

  // Another program of wilma receives the same line; the file has it once.
  TestUser elsewhere(two.network, two.home.path(), "wilma");
  REQUIRE(two.fred.remote.send_chat(two.id, "again").ok());
  elsewhere.take_notifications();
  two.wilma.take_notifications();
  CHECK(two.wilma.remote.chat_lines().size() == 3);
  LocalNotes notebook(two.home.path() / "wilma" / "servers" / "wilma");
  std::string much = "format: 1\ntalk:\n";
  for (int i = 0; i < 395; ++i)
    much +=
        "- {at: 2026-11-21T12:00:00Z, board: toot-101, said: \"line " + std::to_string(i) + "\"}\n";
  replace_file(two.home.path() / "wilma" / "servers" / "wilma" / "talk.yaml", much);
  for (int i = 395; i < 500; i += 8)
    add_chat_line(notebook, "toot-101", "line " + std::to_string(i), two.server.time);
  lines = notebook.chat_lines();
  CHECK(lines.size() == LocalNotes::kMaxChatLines);
  CHECK(contains(lines.back(), "line 499"));
  CHECK(fs::file_size(two.home.path() / "wilma" / "servers" / "wilma" / "talk.yaml") < 100'000);
}

TEST_CASE("what was said is said, whether it can be kept or not", "[remote]") {
  TwoUsers two;
  fs::create_directories(two.home.path() / "fred" / "servers" / "fred" / "talk.yaml");
  const auto said = two.fred.remote.send_chat(two.id, "hello");
  REQUIRE(said.ok());
  CHECK(two.wilma.take_notifications() == "toot-101: fred: hello\n");
  const auto news = two.fred.remote.notifications().take();
  REQUIRE(news.size() == 2);
  CHECK(news[0].is_own);
  CHECK(news[0].text == "fred: hello");
  CHECK(news[1].text == (two.home.path() / "fred" / "servers" / "fred" / "talk.yaml").string() +
                            " is a directory, not a save.");
  CHECK(contains(two.fred.remote.chat_lines().at(0), "The program cannot read the chat. "));
}

TEST_CASE("a line that cannot be read takes no other line of the talk along", "[remote]") {
  const TemporaryDirectory dir;
  LocalNotes notebook(dir.path());
  const Time at = *read_iso_time("2026-11-21T12:00:00Z");
  add_chat_line(notebook, "toot-101", "one", at);
  add_chat_line(notebook, "toot-101", "two", at);
  const std::string before = read_bytes(dir / "talk.yaml");
  replace_file(dir / "talk.yaml", before + "- {at: [\n- \"\n");
  add_chat_line(notebook, "toot-101", "three", at);
  add_chat_line(notebook, "toot-101", "two", at);  // kept already by another program
  CHECK(read_bytes(dir / "talk.yaml").substr(0, before.size()) == before);
  const auto lines = notebook.chat_lines();
  REQUIRE(lines.size() == 3);
  CHECK(contains(lines[0], "one"));
  CHECK(contains(lines[2], "three"));
  // A last line without a line end was not written completely.
  replace_file(dir / "talk.yaml", before + "- {at: 2026");
  add_chat_line(notebook, "", "four", at);
  CHECK(notebook.chat_lines().size() == 3);
}

TEST_CASE("two programs that hear different things at once lose none of them", "[remote]") {
  const TemporaryDirectory dir;
  const Time at = *read_iso_time("2026-11-21T12:00:00Z");
  std::string much = "format: 1\ntalk:\n";
  for (std::size_t i = 0; i < 2 * LocalNotes::kMaxChatLines - 20; ++i)
    much += "- {at: 2026-11-20T12:00:00Z, said: before}\n";
  replace_file(dir / "talk.yaml", much);
  constexpr int kEach = 60;
  std::vector<pid_t> children;
  for (const std::string who : {"a", "b", "c"}) {
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      ::alarm(120);
      LocalNotes notebook(dir.path());
      for (int i = 0; i < kEach; ++i) add_chat_line(notebook, "", who + std::to_string(i), at);
      ::_exit(0);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    ::waitpid(child, &status, 0);
    CHECK(status == 0);
  }
  const std::string text = read_bytes(dir / "talk.yaml");
  for (const std::string who : {"a", "b", "c"})
    for (int i = 0; i < kEach; ++i)
      if (!contains(text, "said: " + who + std::to_string(i) + "}\n"))
        FAIL_CHECK(who << i << " is lost");
}

TEST_CASE("what was said and done while one was away is told on coming back", "[remote]") {
  TwoUsers two;
  two.wilma.remote.notifications().take();
  TemporaryDirectory other;
  {
    TestUser dino(two.network, other.path(), "dino");
    const Setup toot = make_setup("toot");
    REQUIRE(create_challenge(dino.remote, *toot.game, toot.options, {"dino", "wilma"}).ok());
  }
  REQUIRE(two.wilma.play("toot-102", "resign") == "");
  TestUser dino(two.network, other.path(), "dino", false);
  REQUIRE(dino.remote.connect_as("dino").ok());
  CHECK(dino.take_notifications() == "toot-102: wilma refused the challenge. (2026-11-21 12:00)\n");
}
