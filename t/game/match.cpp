// SPDX-License-Identifier: MIT
// Tests matches: who may do what and when, offers, taking back, and the sentences about them.
#include "game/match.hpp"

#include <ctime>

#include "protocol/board_summary.hpp"
#include "support.hpp"

using namespace pbm;
using namespace pbm::test;

namespace {

using Words = std::vector<std::string>;

Match match_of(std::string_view game = "toot", const Words& options = {},
               const Words& names = {"fred", "wilma"}) {
  const Setup s = make_setup(game, options);
  auto match = Match::start(*s.game, s.options, names, Time{});
  INFO((match ? "" : match.refusal().reason));
  REQUIRE(match.ok());
  return *match;
}

// Does what `seat` types. Returns "" or the refusal.
std::string type_as(Match& match, Seat seat, std::string_view typed) {
  const auto entry = match.validate(seat, typed, Time{});
  if (!entry) return entry.refusal().reason;
  match.add(*entry);
  return "";
}

// Does everything typed at one keyboard. Requires that all of it is legal.
Match play_all(Match match, std::string_view typed) {
  for (const std::string& word : split_words(typed)) {
    INFO(word);
    const auto entry = match.validate(match.acting_seat(word), word, Time{});
    INFO((entry ? "" : entry.refusal().reason));
    REQUIRE(entry.ok());
    match.add(*entry);
  }
  return match;
}

std::string bad_names(const Words& names, std::string_view game = "toot") {
  const auto checked = complete_seating(*find_game(game), names);
  return checked ? "accepted" : checked.refusal().reason;
}

// Returns the plies that stand, separated by blanks.
std::string plies_text(const Match& match) {
  std::string out;
  for (const Match::Ply& ply : match.plies()) out += (out.empty() ? "" : " ") + ply.text;
  return out;
}

// Checks that replaying the log gives an equal match.
void check_replays(const Match& match) {
  Match again = *Match::start(match.game(), match.options(), match.names(), match.start_time());
  for (const LogEntry& e : match.log()) {
    const auto entry = e.note_ply ? again.validate_note(*e.note_ply, e.text, e.time)
                                  : again.validate(e.seat, e.text, e.time);
    INFO(e.text << (entry ? "" : ": " + entry.refusal().reason));
    REQUIRE(entry.ok());
    CHECK(*entry == e);
    again.add(*entry);
  }
  CHECK(again.position() == match.position());
  CHECK(plies_text(again) == plies_text(match));
  CHECK(again.status() == match.status());
  CHECK(again.offer_text() == match.offer_text());
  CHECK(again.redo_ply() == match.redo_ply());
  for (std::size_t n = 0; n <= match.plies().size() + 1; ++n) {
    CHECK(again.position_after(n) == match.position_after(n));
    CHECK(again.note(n) == match.note(n));
    CHECK(again.side_lines(n) == match.side_lines(n));
  }
}

constexpr std::string_view kTootWins = "BT CO DO FO ET";

}  // namespace

TEST_CASE("names that are missing become player1 and player2", "[match]") {
  const GameType& toot = *find_game("toot");
  CHECK(complete_seating(toot, {})->names == Words{"player1", "player2"});
  CHECK(complete_seating(toot, {"fred"})->names == Words{"fred", "player2"});
  // A single person among computers gets the login's name by default.
  ::setenv("USER", "anna", 1);
  CHECK(complete_seating(toot, {"computer:1"})->names == Words{"computer", "anna"});
  CHECK(complete_seating(toot, {"fred"})->names == Words{"fred", "player2"});
  ::setenv("USER", "computer", 1);
  CHECK(complete_seating(toot, {"computer:1"})->names == Words{"computer", "player2"});
  ::setenv("USER", "", 1);
  CHECK(complete_seating(toot, {"Fred Feuerstein", "w\xc3\xads"})->names ==
        Words{"Fred Feuerstein", "w\xc3\xads"});
  CHECK(bad_names({"player2"}) == "Two players are called player2. Give them different names.");
}

TEST_CASE("names that are no good are refused with the reason", "[match]") {
  CHECK(bad_names({"a", "b", "c"}) == "Toot is for 2 players. You wrote 3 names.");
  CHECK(bad_names({""}) == "A name cannot be empty. It cannot start or end with a space.");
  CHECK(bad_names({" fred"}) == "A name cannot be empty. It cannot start or end with a space.");
  CHECK(bad_names({"fred\n"}) == "A name cannot be empty. It cannot start or end with a space.");
  CHECK(bad_names({"fr\x1b[2Jed"}) == "The name 'fr?[2Jed' has characters that cannot be shown.");
  CHECK(bad_names({"fr\xff"}) == "The name 'fr?' has characters that cannot be shown.");
  CHECK(bad_names({"fr\xe2\x80\xae"
                   "de"}) == "The name 'fr?de' has characters that cannot be shown.");
  CHECK(bad_names({"fred", "FRED"}) == "Two players are called FRED. Give them different names.");
  CHECK(bad_names({"seventeen columns"}) ==
        "The name 'seventeen colum~' is too long. A name has at most 16 characters.");
  CHECK(bad_names({"sixteen columns!"}) == "accepted");
}

TEST_CASE("a board wants as many names as the game has seats", "[match]") {
  const GameType& toot = *find_game("toot");
  const auto one = Match::start(toot, {}, {"fred"}, Time{}),
             three = Match::start(toot, {}, {"a", "b", "c"}, Time{});
  REQUIRE_FALSE(one.ok());
  CHECK(one.refusal().reason == "Toot is for 2 players, not for 1.");
  REQUIRE_FALSE(three.ok());
  CHECK(three.refusal().reason == "Toot is for 2 players, not for 3.");
}

TEST_CASE("players take turns, and the refusal says whose it is", "[match]") {
  Match m = match_of();
  CHECK(m.status() == "It is fred's turn (TOOT).");
  CHECK(summarize_match("", m).state() == "fred's turn");
  CHECK(type_as(m, 1, "BT") == "It is fred's turn (TOOT).");
  CHECK(type_as(m, 0, " bt ") == "");
  CHECK(m.log().back() == LogEntry{"BT", 0, Time{}});
  CHECK(m.plies().back().description == "drops a T down column B");
  CHECK(m.status() == "It is wilma's turn (OTTO).");
  CHECK(m.to_move() == 1);
  CHECK(type_as(m, 0, "BT") == "It is wilma's turn (OTTO).");
  CHECK(type_as(m, 1, "ZT") == "There is no column Z. The columns are A to F.");
  CHECK(m.log().size() == 1);
  check_replays(m);
}

TEST_CASE("either player may resign at any time, and the other has won", "[match]") {
  for (const Seat seat : {0, 1}) {
    Match m = play_all(match_of(), "BT");
    CHECK(type_as(m, seat, "RESIGN") == "");
    CHECK(m.status() ==
          (seat == 0 ? "wilma (OTTO) wins. fred resigned." : "fred (TOOT) wins. wilma resigned."));
    CHECK(summarize_match("", m).state() == (seat == 0 ? "wilma won" : "fred won"));
    CHECK(m.to_move() == std::nullopt);
    CHECK_FALSE(m.is_playing(seat));
    CHECK_FALSE(m.ending()->is_by_rules);
    for (const char* typed : {"CO", "resign", "propose", "undo", "accept", "reject"})
      for (const Seat s : {0, 1}) CHECK(type_as(m, s, typed) == "The game is over. " + m.status());
    check_replays(m);
  }
}

TEST_CASE("a player who resigns while an offer is open has lost, and nothing was agreed",
          "[match]") {
  for (const char* offer : {"propose", "undo"})
    for (const Seat by : {0, 1})
      for (const Seat resigns : {0, 1}) {
        CAPTURE(offer, by, resigns);
        Match m = play_all(match_of(), "BT CO");
        REQUIRE(type_as(m, by, offer) == "");
        REQUIRE(type_as(m, resigns, "resign") == "");
        CHECK(m.status() == (resigns == 0 ? "wilma (OTTO) wins. fred resigned."
                                          : "fred (TOOT) wins. wilma resigned."));
        CHECK(plies_text(m) == "BT CO");
        CHECK_FALSE(m.offer());
        check_replays(m);
      }
}

TEST_CASE("a draw is offered and accepted", "[match]") {
  Match m = play_all(match_of(), "BT");
  CHECK(type_as(m, 0, "propose") == "");
  CHECK(m.offer_text() == "fred (TOOT) offers a draw.");
  const std::string again = type_as(m, 0, "propose");
  CHECK(again == "fred (TOOT) offers a draw. Wait for the answer.");
  CHECK(address_player(again, m, Seat{0}).starts_with("You offer a draw."));
  CHECK(address_player(again, m, std::nullopt) == again);
  CHECK(type_as(m, 1, "undo") == "fred (TOOT) offers a draw. Type accept or reject first.");
  CHECK(type_as(m, 0, "accept") == "Only the other players can answer this offer.");
  CHECK(type_as(m, 0, "reject") == "Only the other players can answer this offer.");
  CHECK(m.acting_seat("accept") == 1);
  CHECK(type_as(m, 1, "Accept") == "");
  CHECK(m.status() == "The players agreed on a draw.");
  CHECK(summarize_match("", m).state() == "a tie");
  CHECK(m.offer_text() == "");
  CHECK(m.to_move() == std::nullopt);
  CHECK(type_as(m, 1, "CO") == "The game is over. The players agreed on a draw.");
  CHECK(type_as(m, 1, "undo") == "The game is over. The players agreed on a draw.");
  check_replays(m);
}

TEST_CASE("an offer is rejected, and can be made again", "[match]") {
  Match m = match_of();
  CHECK(type_as(m, 0, "accept") == "There is no offer to accept.");
  CHECK(type_as(m, 1, "reject") == "There is no offer to reject.");
  CHECK(type_as(m, 1, "propose") == "");
  CHECK(m.offer_text() == "wilma (OTTO) offers a draw.");
  CHECK(m.acting_seat("reject") == 0);
  CHECK(type_as(m, 0, "reject") == "");
  CHECK(m.offer_text() == "");
  CHECK(type_as(m, 0, "propose") == "");
  CHECK(m.status() == "It is fred's turn (TOOT).");
  check_replays(m);
}

TEST_CASE("a move ends an open offer", "[match]") {
  for (const char* offer : {"propose", "undo"}) {
    Match m = play_all(match_of(), "BT");
    CHECK(type_as(m, 0, offer) == "");
    CHECK(type_as(m, 1, "CO") == "");
    CHECK(m.offer_text() == "");
    CHECK(type_as(m, 1, "accept") == "There is no offer to accept.");
    check_replays(m);
  }
}

TEST_CASE("the last move is taken back by the others' leave", "[match]") {
  Match m = match_of();
  CHECK(type_as(m, 0, "undo") == "There is no move to take back.");
  m = play_all(m, "BT CO");
  const Position before = m.position_after(1);
  CHECK(type_as(m, 1, "undo") == "");
  CHECK(m.offer_text() == "wilma (OTTO) asks to take back CO.");
  CHECK(plies_text(m) == "BT CO");
  CHECK(type_as(m, 0, "accept") == "");
  CHECK(plies_text(m) == "BT");
  CHECK(m.position() == before);
  CHECK(m.status() == "It is wilma's turn (OTTO).");
  CHECK(m.log().size() == 4);
  CHECK(type_as(m, 1, "DT") == "");
  CHECK(plies_text(m) == "BT DT");
  check_replays(m);
  m = play_all(m, "undo accept undo accept");
  CHECK(plies_text(m) == "");
  CHECK(type_as(m, 0, "undo") == "There is no move to take back.");
  check_replays(m);
}

TEST_CASE("a winning move can be taken back by the others' leave, a resignation cannot",
          "[match]") {
  Match m = play_all(match_of(), kTootWins);
  CHECK(m.status() == "fred (TOOT) wins. TOOT stands in the bottom row, B to E.");
  CHECK(type_as(m, 1, "propose") == "The game is over. " + m.status());
  CHECK(type_as(m, 1, "resign") == "The game is over. " + m.status());
  CHECK(type_as(m, 1, "accept") == "The game is over. " + m.status());
  CHECK(type_as(m, 0, "undo") == "");
  CHECK(type_as(m, 0, "resign") == "The game is over. " + m.status());
  CHECK(type_as(m, 1, "propose") == "fred (TOOT) asks to take back " + m.plies().back().text +
                                        ". Type accept or reject first.");
  CHECK(type_as(m, 1, "reject") == "");
  CHECK(m.ending());
  CHECK(type_as(m, 0, "undo") == "");
  CHECK(type_as(m, 1, "accept") == "");
  CHECK_FALSE(m.ending());
  CHECK(m.status() == "It is fred's turn (TOOT).");
  CHECK(plies_text(m) == "BT CO DO FO");
  check_replays(m);
}

TEST_CASE("a game that is over takes no more moves, and the refusal says who won", "[match]") {
  Match m = play_all(match_of(), kTootWins);
  for (const Seat s : {0, 1}) {
    CHECK(type_as(m, s, "AT") ==
          "The game is over. fred (TOOT) wins. TOOT stands in the bottom row, B to E.");
    CHECK(type_as(m, s, "nonsense") ==
          "The game is over. fred (TOOT) wins. TOOT stands in the bottom row, B to E.");
    CHECK(type_as(m, s, "") ==
          "The game is over. fred (TOOT) wins. TOOT stands in the bottom row, B to E.");
  }
  CHECK(m.ending()->winner == 0);
  CHECK(m.ending()->is_by_rules);
  CHECK(m.ending()->spots.size() == 4);
  check_replays(m);
}

TEST_CASE("the position after every move can be looked at again", "[match]") {
  const Match m = play_all(match_of(), "BT CO undo accept DT EO");
  CHECK(plies_text(m) == "BT DT EO");
  CHECK(drawing_text(m.position_after(0)) == drawing_text(make_setup("toot").start()));
  CHECK(m.position_after(1) == play_plies(make_setup("toot").start(), "BT"));
  CHECK(m.position_after(2) == play_plies(make_setup("toot").start(), "BT DT"));
  CHECK(m.position_after(3) == m.position());
  CHECK(m.position_after(99) == m.position());
  CHECK(m.status_after(0) == "It is fred's turn (TOOT).");
  CHECK(m.status_after(1) == "It is wilma's turn (OTTO).");
  const Match won = play_all(match_of(), kTootWins);
  CHECK(won.status_after(4) == "It is fred's turn (TOOT).");
  CHECK(won.status_after(5) == won.status());
  CHECK(won.status_after(6) == won.status());
}

TEST_CASE("a tie on the board is told", "[match]") {
  const Match m = play_all(match_of("toot", {"-size=1x1"}), "AT");
  CHECK(m.status() == "The game is a tie. The board is full and has no name.");
  CHECK(summarize_match("", m).state() == "a tie");
}

TEST_CASE("names from elsewhere are told harmlessly", "[match]") {
  Match m = match_of("toot", {}, {"fr\x1b[2Jed\n", std::string(200, 'w')});
  CHECK(m.status() == "It is fr?[2Jed?'s turn (TOOT).");
  CHECK(m.player_label(1) == "wwwwwwwwwwwwwww~ (OTTO)");
  CHECK(type_as(m, 0, "resign") == "");
  CHECK(safe_text(m.status()) == m.status());
  CHECK(safe_text(summarize_match("", m).state()) == summarize_match("", m).state());
}

TEST_CASE("words are told from moves in any case", "[match]") {
  for (const char* word : {"resign", "Propose", "UNDO", "accept", "reject"})
    CHECK(is_match_word(word));
  for (const char* word : {"", "resig", "resigns", "BT", "undo "}) CHECK_FALSE(is_match_word(word));
}

TEST_CASE("a board at its last entry can still be ended", "[match]") {
  Match full = match_of("toot", {"-tootris"});
  const LogEntry offer{"propose", 0, Time{}}, no{"reject", 1, Time{}};
  while (full.log().size() < Match::kMaxEntries) full.add(full.log().size() % 2 ? no : offer);
  Match m = full;
  const std::string most =
      "This game has 10000 entries, the most a save can hold. Resign or agree on a draw.";
  CHECK(type_as(m, 0, "BT") == most);
  CHECK(type_as(m, 0, "undo") == most);
  CHECK(type_as(m, 0, "propose") == "");
  CHECK(type_as(m, 1, "reject") == most);
  CHECK(type_as(m, 1, "accept") == "");
  CHECK(m.status() == "The players agreed on a draw.");
  m = full;
  CHECK(type_as(m, 1, "resign") == "");
  CHECK(m.status() == "fred (TOOT) wins. wilma resigned.");
}

TEST_CASE("leave to take back can be refused on a board at its last entry", "[match]") {
  Match m = play_all(match_of("toot", {"-tootris"}), "BT");
  const LogEntry offer{"propose", 0, Time{}}, no{"reject", 1, Time{}};
  while (m.log().size() < Match::kMaxEntries - 1) m.add(m.log().size() % 2 ? offer : no);
  CHECK(type_as(m, 0, "undo") == "");
  REQUIRE(m.offer());
  CHECK(m.log().size() == Match::kMaxEntries);
  CHECK(type_as(m, 1, "Reject") == "");
  CHECK_FALSE(m.offer());
  CHECK(type_as(m, 0, "undo").find("the most a save can hold") != std::string::npos);
  CHECK(type_as(m, 0, "propose") == "");
}

TEST_CASE("random matches with every word replay to the same", "[match]") {
  constexpr unsigned seed = 77;
  INFO("seed " << seed);
  std::mt19937 random(seed);
  for (const Setup& setup : all_setups()) {
    INFO(setup.name);
    Words names;
    for (int s = 0; s < setup.seats; ++s) names.push_back("p" + std::to_string(s));
    Match m = *Match::start(*setup.game, setup.options, names, Time{});
    Words wrong;
    for (int i = 0; i < 60; ++i) {
      std::string typed;
      if (random_below(random, 3) == 0) {
        typed = Words{"propose", "undo", "accept", "reject", "undo", "accept", "reject", "resign"}
            [random_below(random, i > 40 ? 8 : 7)];
      } else {
        const auto legal = m.position().legal_plies();
        typed = legal.empty() ? "undo" : legal[random_below(random, legal.size())];
      }
      const Seat seat =
          static_cast<Seat>(random_below(random, static_cast<std::size_t>(setup.seats)));
      const auto entry =
          m.validate(random_below(random, 2) ? seat : m.acting_seat(typed), typed, Time{});
      if (!entry) continue;
      m.add(*entry);
      if (!m.ending() && m.position().outcome()) wrong.push_back("a game that is over goes on");
      if (!m.ending() && m.offer() && !m.is_playing(m.offer()->seat))
        wrong.push_back("an offer of one who has resigned");
      if (!m.ending() && !m.is_playing(m.position().to_move()))
        wrong.push_back("the turn of one who has resigned");
    }
    CHECK(wrong == Words{});
    check_replays(m);
  }
}

// Returns the position after `n` plies, played from the start.
Position position_from_start(const Match& m, std::size_t n) {
  Position p = *m.game().start(m.options(), m.seats());
  for (std::size_t i = 0; i < n; ++i) p.play(m.plies()[i].text);
  return p;
}

TEST_CASE("long games go back and forth, and every position of them is as played from the start",
          "[match]") {
  constexpr unsigned seed = 78;
  INFO("seed " << seed);
  std::mt19937 random(seed);
  Match m = match_of("toot", {"-tootris", "-size=14x20"});
  const auto back = [&] {
    const Seat by = *m.to_move();
    m.add({"undo", by, Time{}});
    m.add({"accept", 1 - by, Time{}});
  };
  while (m.log().size() < 4000 && !m.ending()) {
    const std::size_t many = 1 + random_below(random, random_below(random, 4) == 0 ? 100 : 6);
    const bool down = random_below(random, 5) < 2;
    for (std::size_t i = 0; i < many && !m.ending(); ++i) {
      if (down && !m.plies().empty()) {
        back();
        continue;
      }
      // The column may be full.
      const auto ply = m.validate(
          *m.to_move(), std::string(1, static_cast<char>('A' + random_below(random, 14))) + "T",
          Time{});
      if (ply) m.add(*ply);
    }
    if (random_below(random, 8) != 0) continue;
    const std::size_t n = random_below(random, m.plies().size() + 1);
    REQUIRE(m.position_after(n) == position_from_start(m, n));
    REQUIRE(m.position() == position_from_start(m, m.plies().size()));
  }
  CHECK(m.plies().size() > 200);
  const Match copy = m;
  for (std::size_t n = 0; n <= m.plies().size(); n += 7) {
    CHECK(copy.position_after(n) == position_from_start(m, n));
    CHECK(m.prefix_copy(n).position() == copy.position_after(n));
    CHECK(m.rewound_copy(n).position() == copy.position_after(n));
  }
}

TEST_CASE("a game of as many entries as there can be is played back and forth in a moment",
          "[match]") {
  // Replaying the whole game for each ply taken back took half a minute.
  for (const std::size_t turn : {1, 2, 31, 32, 33, 500}) {
    Match m = match_of("toot", {"-tootris", "-size=14x20"});
    const auto ply = [&] {
      if (m.ending()) return;
      const std::size_t n = m.plies().size();
      m.add(
          *m.validate(*m.to_move(), std::string(1, static_cast<char>('A' + n % 14)) + "T", Time{}));
    };
    const auto begun = std::clock();
    while (m.log().size() < 4000) ply();
    while (m.log().size() + 3 * turn <= Match::kMaxEntries) {
      for (std::size_t i = 0; i < turn; ++i) {
        m.add({"undo", 0, Time{}});
        m.add({"accept", 1, Time{}});
      }
      for (std::size_t i = 0; i < turn; ++i) ply();
    }
    const double seconds = static_cast<double>(std::clock() - begun) / CLOCKS_PER_SEC;
    INFO(turn << " at a time: " << seconds << " s");
    CHECK(m.plies().size() == 4000);
    CHECK(seconds < 5);
  }
}

TEST_CASE("with three players one resigns and two play on", "[match]") {
  Match m = match_of("plotto", {}, {"fred", "wilma", "betty"});
  REQUIRE(type_as(m, 0, "a1") == "");
  CHECK(type_as(m, 1, "resign") == "");
  CHECK_FALSE(m.ending());
  CHECK(type_as(m, 1, "resign") == "wilma (2) has resigned.");
  CHECK(type_as(m, 1, "propose") == "wilma (2) has resigned.");
  CHECK(type_as(m, 1, m.position().legal_plies().front()) == "wilma (2) has resigned.");
  CHECK(m.to_move() == 2);
  check_replays(m);
  CHECK(type_as(m, 2, "resign") == "");
  CHECK(m.status() == "fred (1) wins. betty resigned.");
  check_replays(m);
}

TEST_CASE("with four players an offer wants everyone's leave who still plays", "[match]") {
  Match m = match_of("plotto", {}, {"a", "b", "c", "d"});
  CHECK(type_as(m, 2, "propose") == "");
  CHECK(type_as(m, 0, "accept") == "");
  CHECK(type_as(m, 0, "accept") == "a (1) has already accepted.");
  CHECK(m.acting_seat("accept") == 1);
  CHECK_FALSE(m.ending());
  CHECK(type_as(m, 1, "accept") == "");
  CHECK_FALSE(m.ending());
  Match resigned = m;
  CHECK(type_as(resigned, 3, "resign") == "");
  CHECK(resigned.status() == "a, b and c agreed on a draw.");
  check_replays(resigned);
  CHECK(type_as(m, 3, "accept") == "");
  CHECK(m.status() == "The players agreed on a draw.");
  check_replays(m);
}

TEST_CASE("with four players one reject ends the offer, and one who resigns takes the offer along",
          "[match]") {
  Match m = match_of("plotto", {}, {"a", "b", "c", "d"});
  CHECK(type_as(m, 2, "propose") == "");
  CHECK(type_as(m, 0, "accept") == "");
  CHECK(type_as(m, 3, "reject") == "");
  CHECK(m.offer_text() == "");
  CHECK(type_as(m, 1, "propose") == "");
  CHECK(type_as(m, 0, "accept") == "");
  CHECK(type_as(m, 1, "resign") == "");
  CHECK(m.offer_text() == "");
  CHECK_FALSE(m.ending());
  check_replays(m);
}

TEST_CASE("taking back with three players leaves a resignation in force", "[match]") {
  Match m = match_of("plotto", {}, {"a", "b", "c"});
  CHECK(type_as(m, 0, "a1") == "");
  CHECK(type_as(m, 1, "resign") == "");
  CHECK(m.to_move() == 2);
  CHECK(type_as(m, 2, "undo") == "");
  CHECK(type_as(m, 0, "accept") == "");
  CHECK(plies_text(m) == "");
  CHECK_FALSE(m.is_playing(1));
  CHECK(m.to_move() == 0);
  check_replays(m);
  const std::string first = m.position().legal_plies().front();
  CHECK(type_as(m, 0, first) == "");
  CHECK(m.to_move() == 2);
  check_replays(m);
}

namespace {

std::string add_note(Match& match, std::size_t n, std::string_view text) {
  const auto entry = match.validate_note(n, text, Time{});
  if (!entry) return entry.refusal().reason;
  match.add(*entry);
  return "";
}

std::string side_lines_text(const Match& match, std::size_t n) {
  std::string out;
  for (const Words& line : match.side_lines(n)) {
    for (const std::string& ply : line) out += ply + " ";
    out += "/ ";
  }
  return out;
}

}  // namespace

TEST_CASE("what is taken back stays as a side line, and redo plays it again", "[match]") {
  Match m = play_all(match_of(), "BT CO DO");
  CHECK(m.redo_ply().empty());
  m = play_all(m, "undo accept undo accept");
  CHECK(plies_text(m) == "BT");
  CHECK(m.redo_ply() == "CO");
  CHECK(side_lines_text(m, 1) == "CO DO / ");
  CHECK(side_lines_text(m, 0).empty());
  Match again = play_all(play_all(m, m.redo_ply()), "DO");
  CHECK(plies_text(again) == "BT CO DO");
  CHECK(side_lines_text(again, 1).empty());
  check_replays(again);
  // Another ply keeps the old line as a side line, and later becomes one itself.
  m = play_all(m, "AT FO");
  CHECK(side_lines_text(m, 1) == "CO DO / ");
  CHECK(m.redo_ply().empty());
  m = play_all(m, "undo accept undo accept");
  CHECK(m.redo_ply() == "AT");
  CHECK(side_lines_text(m, 1) == "AT FO / CO DO / ");
  m = play_all(m, "CO");
  CHECK(m.redo_ply() == "DO");
  check_replays(m);
}

TEST_CASE("redo offers nothing that cannot be played any more", "[match]") {
  Match m = play_all(match_of("plotto", {}, {"a", "b", "c"}), "");
  const std::string first = m.position().legal_plies().front();
  m = play_all(m, first + " undo accept accept");
  CHECK(m.redo_ply() == first);
  CHECK(type_as(m, 0, "resign").empty());
  // Now it is seat 1's turn, and the ply was seat 0's.
  const auto legal = m.position().legal_plies();
  CHECK(m.redo_ply() == (std::find(legal.begin(), legal.end(), first) == legal.end() ? "" : first));
  check_replays(m);
  Match over = play_all(match_of(), "BT undo accept resign");
  CHECK(over.redo_ply().empty());
}

TEST_CASE("a note is kept with its move, and goes and comes back with it", "[match]") {
  Match m = play_all(match_of(), "BT CO");
  CHECK(add_note(m, 2, " resign ").empty());  // as a note it is text, not a command
  CHECK(add_note(m, 0, "blitz").empty());
  CHECK_FALSE(m.ending());
  CHECK(m.note(2) == "resign");
  CHECK(m.note(0) == "blitz");
  CHECK(m.note(1).empty());
  CHECK(m.status() == "It is fred's turn (TOOT).");
  m = play_all(m, "undo accept");
  CHECK(m.note(2).empty());  // there is no ply 2 now
  m = play_all(m, "DO");
  CHECK(m.note(2).empty());
  m = play_all(m, "undo accept CO");
  CHECK(m.note(2) == "resign");
  CHECK(add_note(m, 2, "").empty());
  CHECK(m.note(2).empty());
  check_replays(m);
}

TEST_CASE("a move that is not there has no note", "[match]") {
  Match m = play_all(match_of(), "BT");
  m.add(*m.validate_note(0, "well begun", Time{}));
  CHECK(m.note(0) == "well begun");
  CHECK(m.note(1) == "");
  CHECK(m.note(2) == "");
}

TEST_CASE("a note that cannot be is refused", "[match]") {
  Match m = play_all(match_of(), "BT");
  CHECK(add_note(m, 2, "x") == "There is no move 2 for a note.");
  CHECK(add_note(m, 1, " ") == "There is no note on move 1 to delete.");
  CHECK(add_note(m, 1, std::string(401, 'x')) == "A note has at most 400 bytes. This one has 401.");
  std::string umlauts = "x";
  for (int i = 0; i < 200; ++i) umlauts += "\u00FC";
  const auto long_one = m.validate_note(1, "  " + umlauts, Time{});
  REQUIRE_FALSE(long_one.ok());
  CHECK(long_one.refusal() == Refusal{"A note has at most 400 bytes. This one has 401.", 2 + 399});
  CHECK(add_note(m, 1, "a\nb") == "A note is one line of text. Remove invisible characters.");
  CHECK(add_note(m, 1, "\x1b[2J") == "A note is one line of text. Remove invisible characters.");
  CHECK(add_note(m, 1, std::string(400, 'x')).empty());
  while (m.log().size() < Match::kMaxEntries) m.add(*m.validate_note(1, "x", Time{}));
  CHECK(add_note(m, 1, "y") == "This game has 10000 entries, the most a save can hold.");
  CHECK(type_as(m, 0, "resign").empty());
}

TEST_CASE("a match cut short is the same game up to there and goes on by itself", "[match]") {
  Match m = play_all(match_of(), "BT CO undo accept DO FO ET propose accept");
  REQUIRE(m.ending());
  CHECK(add_note(m, 1, "here").empty());
  for (std::size_t n = 0; n <= m.plies().size(); ++n) {
    const Match c = m.prefix_copy(n);
    CHECK(c.plies().size() == n);
    CHECK(c.position() == m.position_after(n));
    CHECK_FALSE(c.ending());
    CHECK(c.offer_text().empty());
    CHECK(c.note(1) == (n >= 1 ? "here" : ""));
    check_replays(c);
    const Match b = m.rewound_copy(n);
    CHECK(b.position() == c.position());
    CHECK(b.redo_ply() == (n < m.plies().size() ? m.plies()[n].text : ""));
    CHECK(b.is_same_game(c));
  }
  Match tried = m.rewound_copy(1);
  CHECK(side_lines_text(tried, 1) == "DO FO ET / CO / ");
  tried = play_all(tried, tried.redo_ply());
  CHECK(tried.redo_ply() == "FO");
}

TEST_CASE("a match cut short has the resignations that made its turns", "[match]") {
  Match m = match_of("plotto", {}, {"a", "b", "c"});
  for (int i = 0; i < 4; ++i) m = play_all(m, m.position().legal_plies().front());
  CHECK(type_as(m, 2, "resign").empty());
  for (int i = 0; i < 3; ++i) m = play_all(m, m.position().legal_plies().back());
  CHECK(type_as(m, 1, "resign").empty());
  REQUIRE(m.ending());
  for (std::size_t n = 0; n <= m.plies().size(); ++n) {
    const Match c = m.prefix_copy(n);
    CHECK(c.position() == m.position_after(n));
    CHECK(c.is_playing(2) == (n < 4));
    CHECK(c.is_playing(1));
  }
}

TEST_CASE("two matches are the same game whatever is noted on them", "[match]") {
  const Match a = play_all(match_of(), "BT CO");
  Match b = a;
  CHECK(add_note(b, 1, "x").empty());
  CHECK(a.is_same_game(b));
  CHECK_FALSE(a.log() == b.log());
  CHECK_FALSE(a.is_same_game(play_all(b, "DO")));
  CHECK_FALSE(a.is_same_game(play_all(match_of("toot", {"-tootris"}), "BT CO")));
}

TEST_CASE("a drawing has each player's name in the place of his seat", "[match]") {
  const auto rows = [](const std::vector<std::string>& names) {
    std::string out;
    const Match match = *Match::start(*find_game("soccolot"), {}, names, Time{});
    for (const std::string& row : match.draw(0, View{'c'}).rows)
      if (const std::size_t at = row.find(" : "); at != std::string::npos)
        out += row.substr(33, at - 33) + "\n";
    return out;
  };
  CHECK(rows({"fred", "wilma"}) == "fred\nwilma\n");
  CHECK(rows({"player2", "player1"}) == "player2\nplayer1\n");          // after a rematch
  CHECK(rows({"Bartholomew-Long", "wilma"}) == "Bartholom~\nwilma\n");  // cut to ten columns
  // A drawing has one byte a column, so a name that is not ASCII does not appear.
  CHECK(rows({"Zo\u00eb", "wilma"}) == "player1\nwilma\n");
}

TEST_CASE("a new player is not called you", "[match]") {
  const GameType& toot = *find_game("toot");
  for (const std::string name : {"you", "You", "YOU"}) {
    CHECK_FALSE(check_player_name(name).ok());
    const auto seats = complete_seating(toot, {"fred", name});
    REQUIRE_FALSE(seats.ok());
    CHECK(contains(seats.refusal().reason, "'" + name + "'"));
  }
  for (const char* name : {"young", "yo", "thank you", "your"}) CHECK(check_player_name(name).ok());
  ::setenv("USER", "you", 1);  // a login name is only a proposal
  CHECK(local_player_name("", "player1") == "player1");
  ::setenv("USER", "", 1);
}
