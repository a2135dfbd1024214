// SPDX-License-Identifier: MIT
// Pictures of games as SVG: what they show, and that every viewer can show them.
#include "test_app.hpp"
#include "ui/match_picture.hpp"
#include "ui/svg.hpp"
#include "xml_error.hpp"

using namespace pbm;
using namespace pbm::test;

namespace {

Match play_match(const Setup& setup, const std::vector<std::string>& names,
                 const std::string& typed) {
  Match out = *Match::start(*setup.game, setup.options, names, Time{});
  for (const std::string& word : split_words(typed))
    out.add(*out.validate(out.acting_seat(word), word, Time{}));
  return out;
}

Theme read_own_theme(const std::string& name) {
  return *find_theme(name, {source_root() / "themes"});
}

std::string draw(const Match& match, bool has_moves, const std::string& theme = "default") {
  return draw_match_picture(match, match.plies().size(), {}, read_own_theme(theme), has_moves);
}

std::size_t count(const std::string& text, std::string_view part) {
  std::size_t out = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size())
    ++out;
  return out;
}

}  // namespace

TEST_CASE("a picture shows game, players, board and last move, and needs no other file",
          "[picture]") {
  const Match match = play_match(make_setup("toot", {"-size=7x9"}), {"fred", "wilma"}, "BT CO");
  for (const bool moves : {false, true}) {
    const std::string svg = draw(match, moves);
    CHECK(xml_error(svg) == "");
    for (const char* said : {"Toot -size=7x9", "fred", "wilma", "drops an O down column C", ">G<"})
      CHECK(contains(svg, said));
    for (const char* forbidden : {"<script", "href", "url(", "@import", "<image", "onload"})
      CHECK_FALSE(contains(svg, forbidden));
    CHECK(count(svg, "http") == 1);  // the name of the format
  }
}

TEST_CASE("pictures of all games are well formed and of moderate size", "[picture]") {
  for (const Setup& setup : all_setups()) {
    INFO(setup.name);
    std::mt19937 random(7);
    Match match = play_match(setup, player_names(setup.seats), "");
    while (!match.ending() && match.plies().size() < 40) {
      const auto legal = match.position().legal_plies();
      const std::string ply = legal[random_below(random, legal.size())];
      match.add(*match.validate(*match.to_move(), ply, Time{}));
    }
    const std::string still = draw(match, false), moving = draw(match, true);
    CHECK(xml_error(still) == "");
    CHECK(xml_error(moving) == "");
    CHECK(still.size() < 40'000);
    CHECK(moving.size() < 600'000);
    CHECK_FALSE(contains(still, "@keyframes"));
  }
}

TEST_CASE("a moving picture shows each move, pauses at the end and begins again", "[picture]") {
  const Match match = play_match(make_setup("toot"), {"fred", "wilma"}, "BT CO DO resign");
  const std::string svg = draw(match, true);
  for (const char* said : {"It is fred", "1. BT:", "2. CO:", "3. DO:", "wins."})
    CHECK(contains(svg, said));
  CHECK(contains(svg, "infinite"));
  CHECK(contains(svg, ":f0-1 7s"));  // three seconds for three positions, and a pause
  // Up to an earlier move.
  const std::string part = draw_match_picture(match, 1, {}, read_own_theme("default"), true);
  CHECK(contains(part, "1. BT:"));
  CHECK_FALSE(contains(part, "2. CO:"));
  CHECK_FALSE(contains(part, "wins."));
}

TEST_CASE("the picture of a very long game stays small enough for a mail", "[picture]") {
  Match match = play_match(make_setup("soccolot"), {"fred", "wilma"}, "");
  std::mt19937 random(7);
  while (match.plies().size() < 3000) {
    const auto legal = match.position().legal_plies();
    match.add(*match.validate(*match.to_move(), legal[random_below(random, legal.size())], Time{}));
    if (!match.ending()) continue;
    match.add(*match.validate(0, "undo", Time{}));
    match.add(*match.validate(1, "accept", Time{}));
  }
  const std::string svg = draw(match, true);
  CHECK(svg.size() < 5'000'000);
  CHECK(contains(svg, "3000. "));
}

TEST_CASE("names in a picture are escaped, and wide characters keep to the grid", "[picture]") {
  const Match match =
      play_match(make_setup("toot"), {"<b>&\"x'", "\u65e5\u672c e\u0301\u00fc"}, "");
  const std::string svg = draw(match, false);
  CHECK(xml_error(svg) == "");
  CHECK(contains(svg, "&lt;b&gt;&amp;"));
  if (columns(U'\u65e5') != 2) return skip_test("wide characters: the locale is not UTF-8");
  // Each character outside ASCII has a place of its own: two columns for the wide ones.
  Canvas canvas({1, 12});
  canvas.put_text(0, 0, "a\u65e5\u672cb\u00fcc");
  const std::string row = SvgWriter().draw_canvas(canvas, plain_theme()).front();
  for (const char* cell :
       {"x=\"12\" y=\"25.5\">a<", "x=\"20.4\" y=\"25.5\">\u65e5<", "x=\"37.2\" y=\"25.5\">\u672c<",
        "x=\"54\" y=\"25.5\">b<", "x=\"62.4\" y=\"25.5\">\u00fc<", "x=\"70.8\" y=\"25.5\">c<"})
    CHECK(contains(row, cell));
}

TEST_CASE("a picture has the colours and attributes of styles and marks", "[picture]") {
  const Theme theme = *read_theme(
      "name: x\nstyles:\n  text: 231 on 16\n  piece1: 16 on 208 bold\n  dim: 244 dim\n"
      "  piece2: 21 on 16\nmarks:\n  last: reverse underline\n",
      "x.yaml");
  const SvgWriter writer(theme);
  Canvas canvas({1, 20});
  int column = canvas.put_text(0, 0, "ab", Style::text);
  column = canvas.put_text(0, column, "cd", Style::piece1);
  column = canvas.put_text(0, column, "ef", Style::dim);
  canvas.put_text(0, column, "gh", Style::piece2, Mark::last);
  const std::string row = writer.draw_canvas(canvas, theme).front();
  INFO(row);
  CHECK(contains(row, "<path fill=\"#ff8700\" d=\"M28.8 12h16.8v18h-16.8z\"/>"));  // behind cd
  CHECK(contains(row, " fill=\"#000000\" font-weight=\"700\">cd<"));
  CHECK(contains(row, "fill-opacity=\".65\">ef<"));
  CHECK(contains(row, "<path fill=\"#0000ff\""));  // gh is reversed
  CHECK(contains(row, " fill=\"#000000\">gh<"));
  CHECK(contains(row, "<path stroke=\"#000000\" d=\"M62.4 28.5h8.4"));  // and underlined
  CHECK(contains(row, ">ab<"));                                         // in the window's colours
  CHECK(contains(writer.draw_window({{{row}, 1}}, 20, "x"), "fill=\"#000000\" stroke="));
  // Line characters touch each other in every font.
  Canvas lines({1, 3});
  lines.put_text(0, 0, "\u250c\u2500\u2518");
  const std::string drawn = writer.draw_canvas(lines, theme).front();
  CHECK(contains(drawn, "M16.2 21h4.2M16.2 21v9M24.6 21h4.2M24.6 21h-4.2"));
  CHECK_FALSE(contains(drawn, "<text"));
}

TEST_CASE("each theme gives a picture its own paper", "[picture]") {
  const Match match = play_match(make_setup("toot"), {"fred", "wilma"}, "BT");
  CHECK(contains(draw(match, false, "paper"), "rx=\"8\" fill=\"#ffffff\""));
  CHECK(contains(draw(match, false, "amber"), "rx=\"8\" fill=\"#000000\""));
  CHECK(draw(match, false, "default") != draw(match, false, "mono"));
}

TEST_CASE("F5 offers a picture of the shown board, still or moving", "[picture]") {
  std::vector<PictureRequest> asked;
  TestApp desk;
  App app(desk.all_boards, desk.settings, read_help_topic, {}, [&](const PictureRequest& request) {
    asked.push_back(request);
    return Result<std::string>("The picture is a.svg.");
  });
  const auto press = [&](const Key& key) {
    app.draw(kScreenSize);
    app.press(key);
  };
  app.show(
      *desk.local_boards.save_new(play_match(make_setup("toot"), {"fred", "wilma"}, "BT CO DO")));
  press(function_key(5));
  CHECK(contains(canvas_text(app.draw(kScreenSize)), "p picture"));
  CHECK(contains(canvas_text(app.draw(kScreenSize)), "m moving picture"));
  press(character_key('p'));
  CHECK(contains(canvas_text(app.draw(kScreenSize)), "The picture is a.svg."));
  press(character_key('m'));
  REQUIRE(asked.size() == 2);
  CHECK_FALSE(asked[0].has_moves);
  CHECK(asked[1].has_moves);
  CHECK(asked[1].match->plies().size() == 3);
  CHECK(asked[1].board_id == "toot-101");
  press(kEsc);
  // A text that is no record has no picture.
  for (const char c : std::string("legal")) press(character_key(static_cast<char32_t>(c)));
  press(kEnter);
  CHECK_FALSE(contains(canvas_text(app.draw(kScreenSize)), "moving picture"));
  press(character_key('p'));
  CHECK(asked.size() == 2);
}
