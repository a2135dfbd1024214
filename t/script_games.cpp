// SPDX-License-Identifier: MIT
#include "script_games.hpp"

#include <algorithm>
#include <map>
#include <sstream>

#include "ui/widgets/move_picker.hpp"

namespace pbm::test {

namespace fs = std::filesystem;

std::string GoldenGame::plies_text() const {
  std::string out;
  for (const std::string& ply : plies) out += (out.empty() ? "" : " ") + ply;
  return out;
}

std::vector<GoldenGame> read_golden_games() {
  std::vector<GoldenGame> out;
  for (const auto& entry : fs::directory_iterator(source_root() / "t" / "golden")) {
    std::istringstream in(read_bytes(entry.path()));
    std::string head;
    std::getline(in, head);
    GoldenGame golden{entry.path().stem().string(), setup_by_name(head), {}};
    for (std::string line; std::getline(in, line);)
      if (line.starts_with("> ")) golden.plies.push_back(line.substr(2));
    out.push_back(std::move(golden));
  }
  std::sort(out.begin(), out.end(),
            [](const GoldenGame& a, const GoldenGame& b) { return a.file_name < b.file_name; });
  return out;
}

namespace {

// Writes a script while it runs, because only the screen tells the places to click.
class ScriptWriter {
 public:
  ScriptWriter(const GoldenGame& golden, std::string way, Size size, bool screens)
      : golden_(golden),
        input_(std::move(way)),
        has_screens_(screens),
        position_(golden.setup.start()) {
    app_.size = size;
    app_.start_board(golden.setup);
    if (screens)
      script_ += "# A whole game, " +
                 std::string(input_ == "typed"    ? "typed"
                             : input_ == "cursor" ? "by the cursor, which goes to what is picked"
                                                  : "by clicks only") +
                 ": t/golden/" + golden.file_name + ".txt.\n";
    script_ += "sizes: " + std::to_string(size.columns) + "x" + std::to_string(size.rows) +
               "\nboard: " + std::string(golden.setup.game->name) + "-101 " +
               std::string(golden.setup.game->name);
    for (const std::string& option : golden.setup.options.to_words()) script_ += " " + option;
    script_ += ",";
    for (const std::string& name : player_names(golden.setup.seats)) script_ += " " + name;
    script_ += "\nopen: " + std::string(golden.setup.game->name) + "-101\n";
  }

  std::string write() {
    if (input_ == "cursor") press_keys({kTab});
    for (ply_index_ = 0; ply_index_ < golden_.plies.size(); ++ply_index_) {
      const std::string& ply = golden_.plies[ply_index_];
      if (input_ == "typed") {
        type(ply);
        press_keys({kEnter});
      } else if (input_ == "cursor") {
        play_by_cursor(ply);
      } else {
        play_by_mouse(ply);
      }
      position_.play(ply);
      if (!needs_all_screens() &&
          (input_ == "typed" || ply_index_ % 5 == 4 || ply_index_ + 1 == golden_.plies.size()))
        add_screen();
    }
    return script_;
  }

 private:
  bool needs_all_screens() const { return input_ != "typed" && ply_index_ < 2; }
  void add_screen() {
    if (has_screens_) script_ += "changed:\n";
  }
  void add_line(const std::string& line) {
    script_ += line + "\n";
    if (needs_all_screens()) add_screen();
  }
  void press_keys(const std::vector<Key>& keys) {
    std::string line = "keys:";
    for (const Key& key : keys) {
      line += " " + key_name(key);
      app_.press(key);
    }
    add_line(line);
  }
  void type(const std::string& text) {
    if (text.empty()) return;
    app_.type(text);
    add_line("type: " + text);
  }
  void click(Point place, const std::string& what) {
    app_.click(place);
    add_line("click: " + std::to_string(place.row) + " " + std::to_string(place.column) + " (" +
             what + ")");
  }

  // Returns the fewest keys that move the cursor there: Tab for even plies, arrows for odd ones.
  std::vector<Key> cursor_path(const MovePicker& from, SpotId to) const {
    using enum Key::Code;
    static const std::vector<Key> arrows{{left}, {right}, {up}, {down}};
    std::map<SpotId, std::vector<Key>> seen{{from.cursor_spot(), {}}};
    std::vector<MovePicker> open{from};
    for (std::size_t i = 0; i < open.size(); ++i) {
      if (open[i].cursor_spot() == to) return seen[to];
      const auto reached = [&](const MovePicker& next, const Key& key) {
        auto path = seen[open[i].cursor_spot()];
        path.push_back(key);
        if (seen.try_emplace(next.cursor_spot(), std::move(path)).second) open.push_back(next);
      };
      MovePicker tabbed = open[i];
      tabbed.move_to_next();
      if (ply_index_ % 2 == 0) reached(tabbed, kTab);
      for (std::size_t d = 0; ply_index_ % 2 == 1 && d < arrows.size(); ++d) {
        MovePicker next = open[i];
        next.move(static_cast<MovePicker::Direction>(d));
        reached(next, arrows[d]);
      }
    }
    FAIL("the cursor does not come there");
    return {};
  }

  void play_by_cursor(const std::string& ply) {
    // The screen has the same picker.
    MovePicker picker(position_, find_shown_drawing(app_.picture(), position_));
    for (const SpotId spot : position_.selected_spots(ply)) {
      std::vector<Key> path = cursor_path(picker, spot);
      path.push_back(kEnter);
      picker.move_to(spot);
      REQUIRE(picker.pick());
      press_keys(path);
    }
    // A ply without squares is in the line already. A last letter is chosen by Tab for even plies,
    // and typed for odd ones.
    const bool open = !position_.selected_spots(ply).empty() && picker.picked_text() != ply;
    if (open && ply_index_ % 2 == 0 && picker.next_spots().empty())
      for (int tries = 0; tries < 20 && typed_text() != ply; ++tries) press_keys({kTab});
    else if (open) type(ply.substr(picker.picked_text().size()));
    press_keys({kEnter});
  }

  // Returns the row of the typed line; there may be a row of keys below it.
  int prompt_row(const Canvas& picture) const {
    int row = picture.size().rows - 1;
    while (row > 0 && row_text(picture, row).find('>') == std::string::npos) --row;
    return row;
  }
  std::string typed_text() {
    const Canvas picture = app_.picture();
    const std::string text = row_text(picture, prompt_row(picture));
    const std::size_t prompt = text.find("> ");
    return prompt == std::string::npos
               ? ""
               : std::string(trim(std::string_view(text).substr(prompt + 2)));
  }

  void play_by_mouse(const std::string& ply) {
    const Drawing drawing = find_shown_drawing(app_.picture(), position_);
    const auto corner = find_drawing(app_.picture(), drawing);
    INFO(app_.screen_text());
    REQUIRE(corner.has_value());
    // A click anywhere offers a ply without squares.
    if (position_.selected_spots(ply).empty())
      click(
          {corner->row + drawing.spots.front().row, corner->column + drawing.spots.front().column},
          "anywhere");
    for (const SpotId id : position_.selected_spots(ply)) {
      const auto spot = std::find_if(drawing.spots.begin(), drawing.spots.end(),
                                     [&](const Spot& s) { return s.id == id; });
      REQUIRE(spot != drawing.spots.end());
      INFO("spot " << spot->name);
      REQUIRE((corner->row + spot->row > 0 &&
               corner->row + spot->row < prompt_row(app_.picture()) - 1));
      click({corner->row + spot->row, corner->column + spot->column}, spot->name);
    }
    // Click the rest of the ply part by part, in the sentence above the line.
    for (int tries = 0; tries < 5 && !equals_ignoring_case(typed_text(), ply); ++tries) {
      const std::string before = typed_text();
      std::string longest;
      std::optional<Point> at;
      const Canvas picture = app_.picture();
      // The continuations are above the line, or beside the board.
      for (int row = prompt_row(picture) - 1; row > 0 && !at; --row) {
        const std::string said = row_text(picture, row) + " ";
        for (std::size_t n = ply.size(); n > before.size() && !at; --n)
          if (const std::size_t found = said.find(" " + ply.substr(0, n) + " ");
              found != std::string::npos) {
            at = Point{row, columns(said.substr(0, found))};
            longest = ply.substr(0, n);
          }
      }
      INFO("after '" << before << "' of " << ply << "\n" << app_.screen_text());
      REQUIRE(at.has_value());
      click({at->row, at->column + 1}, longest);
    }
    const Canvas picture = app_.picture();
    const auto enter = find_text(picture, "Enter");
    INFO(app_.screen_text());
    REQUIRE(enter.has_value());
    click(*enter, "Enter");
  }

  const GoldenGame& golden_;
  std::string input_;
  bool has_screens_;
  Position position_;
  TestApp app_;
  std::size_t ply_index_ = 0;
  std::string script_;
};

}  // namespace

std::string make_script(const GoldenGame& golden, const std::string& way, Size size, bool screens) {
  return ScriptWriter(golden, way, size, screens).write();
}

std::string make_script(const GameType& game, const std::string& way) {
  std::optional<GoldenGame> shortest;
  for (GoldenGame& golden : read_golden_games())
    if (golden.setup.game == &game && (!shortest || golden.plies.size() < shortest->plies.size()))
      shortest = std::move(golden);
  REQUIRE(shortest.has_value());
  return make_script(*shortest, way, kScreenSize, true);
}

}  // namespace pbm::test
