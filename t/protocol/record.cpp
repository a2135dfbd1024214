// SPDX-License-Identifier: MIT
// Records: what record_text() writes, read_record() reads back, also out of a mail.
#include "protocol/record.hpp"

#include <algorithm>

#include "protocol/match_description.hpp"
#include "save/save.hpp"
#include "support.hpp"

using namespace pbm;
using namespace pbm::test;

namespace {

using Words = std::vector<std::string>;

void type(Match& match, const std::string& typed, std::optional<Seat> seat = {}) {
  const auto entry = match.validate(seat.value_or(match.acting_seat(typed)), typed, Time{});
  INFO(typed << (entry ? "" : ": " + entry.refusal().reason));
  REQUIRE(entry.ok());
  match.add(*entry);
}

Match play_match(const std::string& game, const Words& options, const Words& names,
                 const std::string& typed) {
  const Setup setup = make_setup(game, options, static_cast<int>(names.size()));
  Match out =
      *Match::start(*setup.game, setup.options, names, *read_iso_time("2026-11-21T12:00:00Z"));
  for (const std::string& word : split_words(typed)) type(out, word);
  return out;
}

// A random game to its end or not, with notes, resignations and draws.
Match play_random_match(const Setup& setup, std::mt19937& random) {
  static const Words names{"fred", "wilma flint", "barney (2)", "\u00dcrs\u00fcla x"};
  static const Words notes{"a note", "resign", "1 a: b", "Start: x",
                           "a long note with many words that no mail leaves on one line as it is, "
                           "because it is longer than the lines of mails are"};
  Match out =
      *Match::start(*setup.game, setup.options, Words(names.begin(), names.begin() + setup.seats),
                    random_below(random, 2) ? Time{} : *read_iso_time("2026-11-21T12:34:00Z"));
  if (random_below(random, 3) == 0) out.set_computer_level(0, 4);
  const std::size_t most = random_below(random, 80);
  for (std::size_t i = 0; i < most && !out.ending(); ++i) {
    const auto legal = out.position().legal_plies();
    if (random_below(random, 40) == 0) {
      LogEntry entry{"resign", static_cast<Seat>(random_below(random, index(setup.seats))), Time{}};
      if (!out.is_playing(entry.seat)) continue;
      entry.forfeit_reason = static_cast<ForfeitReason>(random_below(random, 3));
      out.add(entry);
    } else if (random_below(random, 100) == 0) {
      type(out, "propose");
      while (out.offer()) type(out, "accept");
    } else {
      type(out, legal[random_below(random, legal.size())]);
    }
    if (random_below(random, 8) == 0)
      out.add(*out.validate_note(random_below(random, out.plies().size() + 1),
                                 notes[random_below(random, notes.size())], Time{}));
  }
  return out;
}

// Returns the text as a mail quotes it: lines of at most 72 columns behind `sign`.
std::string quote(const std::string& text, const std::string& sign) {
  constexpr int kColumns = 72;
  std::string out = "Hello,\n\nToot is fun. Let us go on:\n\nOn Saturday fred wrote:\n";
  for (const std::string_view line : split_lines(text)) {
    std::string rest(line);
    while (columns(rest) > kColumns && rest.rfind(' ', kColumns) != std::string::npos) {
      const std::size_t at = rest.rfind(' ', kColumns);
      out += sign + rest.substr(0, at + 1) + "\n";
      rest.erase(0, at + 1);
    }
    out += sign + rest + "\n";
  }
  return out + "\n-- \nwilma\n";
}

std::string with_carriage_returns(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '\n' ? "\r\n" : std::string(1, c);
  return out;
}

std::string refusal_of(const std::string& text) {
  const auto match = read_record(text, "g.txt");
  REQUIRE_FALSE(match.ok());
  CHECK(safe_text(match.refusal().reason) == match.refusal().reason);
  return match.refusal().reason;
}

std::string replaced(std::string text, const std::string& part, const std::string& other) {
  REQUIRE(contains(text, part));
  return text.replace(text.find(part), part.size(), other);
}

}  // namespace

TEST_CASE("the record of any game reads back to the same record, also out of a mail", "[record]") {
  constexpr int kGames = 60;
  for (const Setup& setup : all_setups()) {
    std::mt19937 random(20261128);
    for (int game = 0; game < kGames; ++game) {
      const Match match = play_random_match(setup, random);
      View view{.scale = 1 + static_cast<int>(random_below(random, 2))};
      if (!setup.game->drawing_styles.empty())
        view.drawing_style = setup.game->drawing_styles.back();
      view.is_text = random_below(random, 5) == 0;
      const std::string record = record_text(match, view);
      for (const std::string& text :
           {record, with_carriage_returns(record), quote(record, "> "), quote(record, "> > "),
            quote(record, ">> "), with_carriage_returns(quote(record, ">")),
            quote(record, "    ")}) {
        INFO(setup.name << ", game " << game << "\n" << text);
        const auto read = read_record(text, "x");
        INFO((read ? "" : read.refusal().reason));
        REQUIRE(read.ok());
        REQUIRE(record_text(*read, view) == record);
        REQUIRE(read->position() == match.position());
        REQUIRE(load_match(save_text(*read), "x").ok());
      }
    }
  }
}

TEST_CASE("a record has the game's options, start, computers, notes and end", "[record]") {
  Match match = play_match("toot", {"-size=7x9", "-tootris"}, {"fred", "hal"}, "BT CO");
  match.set_computer_level(1, 7);
  match.add(*match.validate_note(1, "why: here?", Time{}));
  type(match, "resign", 1);
  const auto read = read_record(record_text(match, {}), "x");
  REQUIRE(read.ok());
  CHECK(read->options() == match.options());
  CHECK(read->names() == match.names());
  CHECK(read->start_time() == match.start_time());
  CHECK(read->computer_level(1) == 7);
  CHECK(read->note(1) == "why: here?");
  CHECK(read->ending()->winner == 0);
  CHECK(read->plies().size() == 2);
}

TEST_CASE("a record of more than two tells after which move a player left", "[record]") {
  Match match = play_match("plotto", {}, {"a", "b", "c", "d"}, "a1");
  type(match, "resign", 2);
  for (int i = 0; i < 4; ++i) type(match, match.position().legal_plies().front());
  type(match, "resign", *match.to_move());
  const std::string record = record_text(match, {});
  const auto read = read_record(record, "x");
  INFO(record);
  REQUIRE(read.ok());
  CHECK(read->log().size() == match.log().size());
  CHECK(record_text(*read, {}) == record);
  CHECK(contains(record, "\nc (3) resigned after move 1.\n"));
  CHECK_FALSE(read_record(replaced(record, "c (3) resigned after move 1.\n", ""), "x").ok());
  CHECK_FALSE(read_record(replaced(record, "after move 1.", "after move 9."), "x").ok());
}

TEST_CASE("a text that is no record, or no game, is refused with the line", "[record]") {
  const std::string record =
      record_text(play_match("toot", {}, {"fred", "wilma"}, "BT CO DO FO ET"), {});
  REQUIRE(read_record(record, "g.txt").ok());
  const std::string head = "g.txt, line ";
  CHECK(refusal_of("").starts_with(head + "1: The text ends without"));
  CHECK(refusal_of("Hello\n\nToot\nis fun (really)\n")
            .starts_with(head + "4: The text ends without"));
  CHECK(refusal_of(replaced(record, "CO", "GO")).starts_with(head + "5: GO: There is no column G"));
  CHECK(refusal_of(replaced(record, "CO", "resign")).starts_with(head + "5: resign: "));
  CHECK(refusal_of(replaced(record, "  3  DO", "  4  DO")).starts_with(head + "6: "));
  CHECK(refusal_of(replaced(record, "  1  BT", "     BT")).starts_with(head + "5: "));
  CHECK(refusal_of(replaced(record, "Toot\n", "Toot -size=99x1\n")).starts_with(head + "1: "));
  CHECK(refusal_of(replaced(record, "wilma", "FRED ")).starts_with(head + "4: "));
  CHECK(refusal_of(replaced(record, "Started 2026-", "Started 20x6-")).starts_with(head + "2: "));
  // An end that the moves do not give, and a record that was cut.
  CHECK(contains(refusal_of(replaced(record, "fred (TOOT) wins.", "wilma (OTTO) wins.")),
                 "The record should end with: fred (TOOT) wins."));
  CHECK(
      contains(refusal_of(record.substr(0, record.rfind("fred (TOOT) wins."))), "should end with"));
  // After the end of the game.
  CHECK(refusal_of(replaced(record, "  5  ET\n", "  5  ET           AT\n"))
            .starts_with(head + "7: AT: The game is over."));
}

TEST_CASE("records with hostile parts are refused in time", "[record]") {
  std::string titles, wide = "Toot\n\n" + std::string(200'000, ' ') + "fred (TOOT)";
  for (int i = 0; i < 100'000; ++i) titles += "Toot\na (TOOT)\n";
  refusal_of(titles);
  refusal_of(wide);
  const std::string record = record_text(play_match("toot", {}, {"fred", "wilma"}, "BT"), {});
  std::string tail;
  for (int i = 0; i < 100'000; ++i) tail += "fred (TOOT) wins. x\n";
  refusal_of(record.substr(0, record.rfind("It is")) + tail);
}
