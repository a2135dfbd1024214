// SPDX-License-Identifier: MIT
// The wire format: events, boards and other values read back as written.
#include "protocol/board_summary.hpp"
#include "protocol/events.hpp"
#include "protocol/framing.hpp"

#include "base/text.hpp"
#include "support.hpp"

using namespace pbm;
using namespace pbm::test;

namespace {

// Returns an event of a row, with all parts of its syntax.
Event make_full_event(const EventRow& row) {
  Event e{row.kind};
  if (row.has_board) e.board = BoardKey{&all_games().front(), 101};
  for (const std::string& word : split_words(row.syntax)) {
    if (word == "number") e.number = 7;
    if (word == "userid") e.userid = "fred";
    if (word == "move" || word == "name") e.move = "BT";
    if (word == "[(Auto)]") e.is_automatic = true;
    if (word == "map") e.text = "{board: toot-101, done: [], note: \"a : b\"}";
    if (word == "text") e.text = "well: \"so\" : (and so on)";
  }
  return e;
}

Event set_text(Event e, const std::string& text) {
  e.text = text;
  return e;
}

}  // namespace

TEST_CASE("every event of the table is read as it was written", "[protocol]") {
  std::size_t i = 0;
  for (const EventRow& row : event_rows()) {
    INFO(row.name);
    CHECK(static_cast<std::size_t>(row.kind) == i++);
    const Event e = make_full_event(row);
    INFO(encode(e));
    CHECK(decode_event(encode(e)) == e);
    if (contains(std::string(row.syntax), "text")) {
      Event late = e;
      late.original_time = *read_iso_time("2026-11-21T12:00:00Z");
      CHECK(encode(late) == encode(e) + " (2026-11-21T12:00:00Z)");
      CHECK(decode_event(encode(late)) == late);
      CHECK(decode_event(encode(set_text(e, ""))) == set_text(e, ""));
      CHECK_FALSE(decode_event(encode(e).substr(0, encode(e).find(" : "))));
    }
  }
}

TEST_CASE("names with blanks and several queued words are read as what they are", "[protocol]") {
  const BoardKey key{&all_games().front(), 101};
  Event ply{Event::Kind::ply, key, "Fred the First", 2, "BT"};
  CHECK(decode_event(encode(ply)) == ply);
  ply.is_automatic = true;
  CHECK(decode_event(encode(ply)) == ply);
  Event dropped{Event::Kind::queue_dropped, key};
  dropped.move = "A1 B2 : C3";
  dropped.text = "No.";
  const auto read = decode_event(encode(dropped));
  REQUIRE(read);
  CHECK(read->move == "A1 B2");
}

TEST_CASE("what is no event of the table is none", "[protocol]") {
  for (const char* line : {"",
                           " : ",
                           ":",
                           "toot 101",
                           "toot 0 turn 1",
                           "toot 101 turn",
                           "toot 101 turn x",
                           "toot 101 turn 1 2",
                           "toot 101 ply",
                           "toot 101 ply a",
                           "toot 101 ply 1 fred",
                           "toot 101 ply x fred BT",
                           "toot 101 chat fred",
                           "toot 101 dance fred : x",
                           "message fred",
                           "message : x",
                           "broadcast",
                           "chat fred : x",
                           "toot 101 message fred : x",
                           "dance : x"}) {
    INFO(line);
    CHECK_FALSE(decode_event(line));
  }
}

TEST_CASE("every summary of a board is read as it was written", "[protocol]") {
  BoardSummary board;
  board.id = all_games().front().name;
  board.id += "-101";
  board.game = &all_games().front();
  board.names = {"fred", "wilma"};
  board.last_change = *read_iso_time("2026-11-21T12:00:00Z");
  board.ply_count = 5;
  board.user = "fred";
  const auto there_and_back = [&](const BoardSummary& b) {
    INFO(encode(b));
    CHECK(decode_board(encode(b), b.user) == b);
  };
  SECTION("running") {
    board.to_move = 1;
    there_and_back(board);
    CHECK(board.state() == "wilma's turn");
  }
  SECTION("with an offer") {
    board.to_move = 1;
    board.offer = {true, 0, {1}};
    there_and_back(board);
    CHECK(board.state() == "fred offers a draw");
    board.offer->is_draw = false;
    there_and_back(board);
    CHECK(board.offer_text() == "fred asks to take a move back");
    CHECK_FALSE(is_waiting_for(board, ""));
    board.to_move = 0;
    board.user = "wilma";
    CHECK(is_waiting_for(board, ""));
  }
  SECTION("with seats that have never played, or play no more") {
    board.to_move = 1;
    board.seats.unplayed = {0, 1};
    there_and_back(board);
    board.seats.unplayed.clear();
    CHECK(board.is_active_for("Fred"));
    CHECK_FALSE(board.is_active_for("betty"));
    board.seats.resigned = {0};
    there_and_back(board);
    CHECK_FALSE(board.is_active_for("fred"));
  }
  SECTION("over") {
    there_and_back(board);
    CHECK(board.state() == "a tie");
    board.winner = 0;
    there_and_back(board);
    CHECK(board.state() == "fred won");
    CHECK(board.is_over());
  }
  SECTION("watched") {
    board.to_move = 0;
    board.user = "betty";
    board.is_watched = true;
    board.watcher_count = 2;
    board.watcher_names = {"betty", "dino"};
    there_and_back(board);
  }
  SECTION("with options, and names that YAML would take for something else") {
    board.to_move = 0;
    board.options = {"-size=7x9", "-tootris"};
    board.names = {"yes", "a: b, [c]"};
    board.user = "yes";
    there_and_back(board);
    CHECK(board.title() == "Toot -size=7x9 -tootris");
  }
  SECTION("with a field") {
    for (const GameType& game : all_games())
      if (!game.drawing_styles.empty()) {
        board.id = std::string(game.name) + "-7";
        board.game = &game;
        board.field = game.drawing_styles.back();
        there_and_back(board);
      }
  }
  SECTION("unreadable") {
    BoardSummary broken;
    broken.id = board.id;
    broken.user = "fred";
    broken.load_error = "line 3: \"what\" is this?";
    there_and_back(broken);
    CHECK(broken.state() == broken.load_error);
  }
}

TEST_CASE("how many older boards there are is read as it was written", "[protocol]") {
  CHECK(encode_older_count(3863) == "{older: 3863}");
  CHECK(is_older_count(encode_older_count(3863)));
  CHECK_FALSE(is_older_count("{board: toot-101, gone: true}"));
  CHECK_FALSE(is_older_count("older"));
  // Older clients skip this line: it is no board.
  CHECK_FALSE(decode_board(encode_older_count(5), "fred"));
}

TEST_CASE("what was done on a board is read as it was written", "[protocol]") {
  const GameType& game = all_games().front();
  const Time at = *read_iso_time("2026-11-21T12:00:00Z");
  Match match = *Match::start(game, *read_options(game, {}), {"fred", "wilma"}, at);
  for (const std::string text : {"BT", "CO"})
    match.add(*match.validate(*match.to_move(), text, at));
  match.add(*match.validate_note(1, "why: \"so\", {and}", at));
  match.add(*match.validate(1, "propose", at));
  BoardSummary update = summarize_match(std::string(game.name) + "-101", match);
  update.user = "wilma";
  update.queued_ply = "AO AT#7";
  CHECK_FALSE(decode_update(encode(update), "wilma"));  // a board of a list has no `done`
  update.latest_actions = match.log();
  INFO(encode(update));
  CHECK(update.entry_count == 4);
  CHECK(decode_update(encode(update), "wilma") == update);
  update.latest_actions->clear();
  CHECK(decode_update(encode(update), "wilma") == update);
  BoardSummary gone;
  gone.id = update.id;
  gone.user = "wilma";
  gone.is_deleted = true;
  CHECK(decode_update(encode(gone), "wilma") == gone);
  // Other lines are no updates.
  CHECK_FALSE(decode_update("A B C D", "wilma"));
  CHECK_FALSE(decode_update("{done: []}", "wilma"));
  const BoardKey key{&game, 101};
  CHECK(describe_queued(key, "CO") == "Queued on " + key.to_string() + ": CO.");
  CHECK(describe_queued(key, "CO#4") == "Queued on " + key.to_string() + ": CO, as move 4.");
}

TEST_CASE("every reply is read as it was written, in whatever pieces it comes", "[protocol]") {
  const std::vector<Reply> replies{Reply("Done."),
                                   Reply(Refusal{"No."}),
                                   Reply(""),
                                   Reply("Drawn.", {"", ".", "..", ". .", "* x", "+OK", "a"}),
                                   Reply(false, "Half.", {"done"}),
                                   make_busy_reply(Refusal{"Later."})};
  const std::string event = "toot 101 turn 3";
  std::string all;
  for (const Reply& reply : replies) all += frame_reply(reply) + frame_event(event);
  for (std::size_t piece = 1; piece < 40; ++piece) {
    WireReader came;
    for (std::size_t at = 0; at < all.size(); at += piece)
      REQUIRE(came.add_bytes(std::string_view(all).substr(at, piece)).ok());
    for (const Reply& reply : replies) {
      REQUIRE(came.has_reply());
      CHECK(came.take_reply() == reply);
    }
    CHECK_FALSE(came.has_reply());
    CHECK(came.take_events() == std::vector<std::string>(replies.size(), event));
  }
  CHECK(frame_reply(Reply("a\nb", {"c\x1B"})) == "+OK a?b\nc?\n.\n");
}
