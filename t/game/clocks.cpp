// SPDX-License-Identifier: MIT
// Tests clocks, time limits and vacations.
#include "catch.hpp"
#include "game/clocks.hpp"
#include "game/match.hpp"
#include "protocol/match_description.hpp"
#include "row_text.hpp"
#include "save/save.hpp"
#include "support.hpp"
#include "ui/widgets/players_panel.hpp"

namespace pbm::test {
namespace {

using namespace std::chrono_literals;
using std::chrono::days;

Time parse_time(const char* text) { return *read_iso_time(std::string(text) + "T12:00:00Z"); }

RunningClock clock_since(const char* since, TimeLimits limits) {
  return {limits, parse_time(since)};
}

}  // namespace

TEST_CASE("a move is late and then lost after so many days", "[clocks]") {
  const BoardClock told = board_clock(clock_since("2026-11-01", kDefaultLimits), {}, {});
  CHECK(told.late_time == parse_time("2026-11-08"));
  CHECK(told.loss_time == parse_time("2026-11-22"));
  CHECK(board_clock(clock_since("2026-11-01", {}), {}, {}) == BoardClock{});
  // Without the time of the previous ply no clock runs.
  CHECK(board_clock(RunningClock{kDefaultLimits, Time{}}, {}, {}) == BoardClock{});
}

TEST_CASE("all moves of a seat together have a limit of their own", "[clocks]") {
  RunningClock clock = clock_since("2026-11-01", {std::nullopt, 21, 10});
  clock.used_time = days(7);
  CHECK(board_clock(clock, {}, {}).loss_time == parse_time("2026-11-04"));
  clock.used_time = days(70);
  CHECK(board_clock(clock, {}, {}).loss_time == parse_time("2026-11-01"));
  clock.used_time = days(0);
  clock.limits.total_days = 100;
  CHECK(board_clock(clock, {}, {}).loss_time == parse_time("2026-11-22"));
  const std::vector<Turn> turns{
      {0, parse_time("2026-11-01")}, {1, parse_time("2026-11-03")},
      {0, parse_time("2026-11-04")}, {std::nullopt, parse_time("2026-11-08")},
      {0, parse_time("2026-11-18")}, {1, parse_time("2026-11-19")}};
  CHECK(thinking_time(turns, 0, {}) == days(2 + 4 + 1));
  CHECK(thinking_time(turns, 1, {}) == days(1));  // without the turn that still runs
  CHECK(thinking_time(turns, 0, {{parse_time("2026-11-02"), parse_time("2026-11-05")}}) ==
        days(1 + 3 + 1));
  // A system clock set back, or a ply without a time, adds no thinking time.
  CHECK(thinking_time({{0, parse_time("2026-11-05")}, {1, parse_time("2026-11-01")}}, 0, {}) == 0s);
  CHECK(thinking_time({{0, Time{}}, {1, parse_time("2026-11-01")}}, 0, {}) == 0s);
}

TEST_CASE("time stands still on vacation and while the server is down", "[clocks]") {
  const RunningClock clock = clock_since("2026-11-01", kDefaultLimits);
  const TimeSpans before{{parse_time("2026-10-01"), parse_time("2026-10-20")}};
  CHECK(board_clock(clock, before, {}).late_time == parse_time("2026-11-08"));
  const TimeSpans stops{{parse_time("2026-10-25"), parse_time("2026-11-03")},
                        {parse_time("2026-11-06"), parse_time("2026-11-10")}};
  CHECK(board_clock(clock, stops, {}).late_time == parse_time("2026-11-14"));
  CHECK(board_clock(clock, stops, {}).loss_time == parse_time("2026-11-28"));
  // No game is lost within two days of the server's start.
  CHECK(board_clock(clock, {}, parse_time("2026-11-10")).loss_time == parse_time("2026-11-22"));
  CHECK(board_clock(clock, {}, parse_time("2026-11-21")).loss_time == parse_time("2026-11-23"));
  CHECK(board_clock(clock, {}, parse_time("2026-11-30")).loss_time == parse_time("2026-12-02"));
}

TEST_CASE("spans of two kinds are one list", "[clocks]") {
  const auto span = [](int from, int to) { return TimeSpan{Time(100s * from), Time(100s * to)}; };
  const TimeSpans a{span(1, 3), span(6, 8), span(20, 21)}, b{span(2, 4), span(8, 9), span(10, 11)};
  CHECK(merge_spans(a, b, Time{}) == TimeSpans{span(1, 4), span(6, 9), span(10, 11), span(20, 21)});
  CHECK(merge_spans(a, b, Time(400s)) == TimeSpans{span(6, 9), span(10, 11), span(20, 21)});
  CHECK(merge_spans({}, {}, Time{}).empty());
}

TEST_CASE("the options of a challenge say what time there is", "[clocks]") {
  const auto taken = [](std::vector<std::string> words) {
    const auto limits = take_time_limits(words);
    INFO((limits ? "" : limits.refusal().reason));
    REQUIRE(limits.ok());
    return std::pair(*limits, words);
  };
  CHECK(taken({}).first == TimeLimits{7, 21, std::nullopt});
  const auto [limits, rest] =
      taken({"--nagtime=3", "-size=4x3", "-ForfeitTime=NONE", "--totaltime=60"});
  CHECK(limits == TimeLimits{3, std::nullopt, 60});
  CHECK(rest == std::vector<std::string>{"-size=4x3"});
  for (const char* wrong : {"--nagtime", "--nagtime=", "--nagtime=0", "--nagtime=3651",
                            "--nagtime=-1", "--nagtime=1.5", "--nagtime=99999999999999999999"}) {
    std::vector<std::string> words{wrong};
    const auto refused = take_time_limits(words);
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.refusal().reason ==
          "'" + std::string(fit(wrong, 30)) +
              "' is not valid. Write --nagtime=DAYS, a number from 1 to 3650, or "
              "--nagtime=none.");
  }
  CHECK(TimeLimits{3, std::nullopt, 60}.option_words() ==
        std::vector<std::string>{"--nagtime=3", "--forfeittime=none", "--totaltime=60"});
  CHECK(kDefaultLimits.option_words().empty());
  std::vector<std::string> twice{"--totaltime=3", "-totaltime=4"};
  CHECK(take_time_limits(twice).refusal().reason == "--totaltime is given twice. Write it once.");
}

TEST_CASE("what is told of time is told as people say it", "[clocks]") {
  const BoardClock clock{parse_time("2026-11-08"), parse_time("2026-11-22"), {}};
  const auto now = [](const char* text) { return *read_iso_time(text); };
  CHECK(clock.text(0, 0, parse_time("2026-11-02")) == "20 days left");
  // The days left are rounded up.
  CHECK(clock.text(0, 0, parse_time("2026-11-01") + std::chrono::seconds(1)) == "21 days left");
  CHECK(clock.text(1, 0, parse_time("2026-11-02")).empty());
  CHECK(clock.short_text(0, parse_time("2026-11-02")).empty());
  CHECK(clock.text(0, 0, parse_time("2026-11-09")) == "late since yesterday, 13 days left");
  CHECK(clock.short_text(0, parse_time("2026-11-09")) == "late 24 hours");
  CHECK(clock.text(0, 0, parse_time("2026-11-12")) == "late since Nov 8, 10 days left");
  CHECK(clock.short_text(0, parse_time("2026-11-12")) == "late 4 days");
  CHECK(clock.short_text(0, parse_time("2026-11-19")) == "3 days left");
  CHECK(clock.short_text(0, now("2026-11-22T09:30:00Z")) == "3 hours left");
  CHECK(clock.short_text(0, now("2026-11-22T11:00:00Z")) == "60 minutes left");
  CHECK(clock.short_text(0, now("2026-11-22T11:59:00Z")) == "1 minute left");
  CHECK(clock.short_text(0, parse_time("2026-11-22")) == "out of time");
  CHECK(clock.short_text(std::nullopt, parse_time("2026-11-22")).empty());
  const BoardClock away{clock.late_time, clock.loss_time, {{1, parse_time("2026-11-20")}}};
  CHECK(away.text(1, 0, parse_time("2026-11-02")) == "on vacation until Nov 20");
  CHECK(away.short_text(1, parse_time("2026-11-02")) == "on vacation");
  CHECK(away.text(1, 0, parse_time("2026-11-20")).empty());
  CHECK(TimeLimits{7, 21, 60}.text() ==
        "late after 7 days, lost after 21 days, lost after 60 days in total");
  CHECK(TimeLimits{}.text().empty());
  // A player who has lost is no longer late.
  CHECK(TimeLimits{3, 2, {}}.text() == "lost after 2 days");
}

TEST_CASE("a year has thirty days of vacation", "[clocks]") {
  CHECK(vacation_days_left({}, 2026) == 30);
  const TimeSpans spans{{parse_time("2026-03-01"), parse_time("2026-03-11")},
                        {parse_time("2026-12-20"), parse_time("2027-01-04")}};
  CHECK(vacation_days_left(spans, 2026) == 30 - 10 - 12);  // a day counts from its start
  CHECK(vacation_days_left(spans, 2027) == 30 - 4);
  CHECK_FALSE(first_overlong_year(spans));
  CHECK(first_overlong_year({{parse_time("2026-12-01"), parse_time("2027-01-15")}}) == 2026);
  CHECK(first_overlong_year({{parse_time("2026-12-30"), parse_time("2027-02-15")}}) == 2027);
  CHECK(vacation_end(spans, parse_time("2026-12-31")) == parse_time("2027-01-04"));
  CHECK_FALSE(vacation_end(spans, parse_time("2026-03-11")));
  CHECK_FALSE(vacation_end(spans, parse_time("2026-02-11")));
}

TEST_CASE("a save says what time there is, and that it ran out", "[clocks][save]") {
  const std::string text =
      "format: 1\ngame: toot\noptions: []\nseats: [fred, wilma]\nstarted: 2026-11-01T12:00:00Z\n"
      "time: {nag: 7, total: 60}\nplies:\n- {move: BT, at: 2026-11-02T12:00:00Z}\n"
      "- {move: resign, seat: 2, why: time, at: 2026-12-12T12:00:00Z}\n";
  const auto loaded = load_match(text, "g.yaml");
  REQUIRE(loaded.ok());
  CHECK(loaded->match.limits() == TimeLimits{7, std::nullopt, 60});
  CHECK(loaded->match.status() == "fred (TOOT) wins. wilma ran out of time.");
  CHECK(describe_last_action(loaded->match) == "wilma (OTTO) ran out of time.");
  CHECK(save_text(loaded->match) == text);
  const auto with = [&](const std::string& time) {
    std::string other = text;
    const std::string usual = "{nag: 7, total: 60}";
    return load_match(other.replace(other.find(usual), usual.size(), time), "g.yaml");
  };
  CHECK_FALSE(with("")->match.limits().has_limit());
  CHECK_FALSE(with("{}")->match.limits().has_limit());
  CHECK_FALSE(with("{byoyomi: 3}")->match.limits().has_limit());
  CHECK(with("soon").refusal().reason ==
        "g.yaml, line 6: 'time:' should be limits in days, such as {nag: 7, forfeit: 21}.");
  for (const char* wrong : {"{nag: 0}", "{total: much}", "{forfeit: 3651}", "{nag: [1]}"})
    CHECK(with(wrong).refusal().reason.find(":' should be days, from 1 to 3650") !=
          std::string::npos);
  // Any other reason in the save counts as a resignation.
  std::string other = text;
  other.replace(other.find("why: time"), 9, "why: tired");
  CHECK(load_match(other, "g.yaml")->match.status() == "fred (TOOT) wins. wilma resigned.");
}

TEST_CASE("time stands with the players, below them or beside", "[clocks]") {
  const GameType& toot = *find_game("toot");
  const Match m = *Match::start(toot, *read_options(toot, {}),
                                std::vector<std::string>{"fred", "wilma"}, Time{});
  const auto drawn = [&](int rows, int columns) {
    Canvas canvas({5, columns});
    draw_players(canvas, {0, 0, rows, columns}, m, m.position(), false, std::nullopt,
                 {"late since Nov 8, 10 days left", "on vacation until Nov 20"});
    return canvas_text(canvas);
  };
  CHECK(drawn(4, 44) ==
        "> TOOT fred                          6 T 6 O\n    late since Nov 8, 10 days left\n"
        "  OTTO wilma                         6 T 6 O\n    on vacation until Nov 20\n\n");
  CHECK(drawn(4, 24) ==
        "> TOOT fred      6 T 6 O\n    late since Nov 8\n"
        "  OTTO wilma     6 T 6 O\n    on vacation until N~\n\n");
  CHECK(drawn(2, 60) ==
        "> TOOT fred  late since Nov 8, 10 days left          6 T 6 O\n"
        "  OTTO wilma  on vacation until Nov 20               6 T 6 O\n\n\n\n");
  CHECK(drawn(2, 26) == "> TOOT fred        6 T 6 O\n  OTTO wilma       6 T 6 O\n\n\n\n");
}

TEST_CASE("a match knows whose turn it was since when", "[clocks]") {
  const GameType& toot = *find_game("toot");
  Match m = *Match::start(toot, *read_options(toot, {}), std::vector<std::string>{"fred", "wilma"},
                          parse_time("2026-11-01"));
  const auto does = [&](Seat seat, const char* typed, const char* when) {
    m.add(*m.validate(seat, typed, parse_time(when)));
  };
  const auto turns = [&] {
    std::string out;
    for (const Turn& t : m.turns())
      out += (t.seat ? std::to_string(*t.seat) : "-") + iso_time(t.start).substr(7, 3) + " ";
    return out;
  };
  does(0, "BT", "2026-11-02");
  does(0, "undo", "2026-11-03");  // an offer does not restart the clock
  does(1, "reject", "2026-11-04");
  CHECK(turns() == "0-01 1-02 ");
  does(1, "CO", "2026-11-05");
  does(1, "undo", "2026-11-06");
  does(0, "accept", "2026-11-07");
  CHECK(turns() == "0-01 1-02 0-05 1-07 ");
  m.add(*m.validate_note(1, "hm", parse_time("2026-11-08")));
  does(0, "resign", "2026-11-09");
  CHECK(turns() == "0-01 1-02 0-05 1-07 --09 ");
}

TEST_CASE("dashes alone are no option of time, and are left to who reads the others", "[clocks]") {
  std::vector<std::string> options{"--", "-"};
  const auto limits = take_time_limits(options);
  REQUIRE(limits.ok());
  CHECK(*limits == kDefaultLimits);
  CHECK(options == std::vector<std::string>{"--", "-"});
}

}  // namespace pbm::test
