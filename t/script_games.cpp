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

std::vector<GoldenGame> golden_games() {
  std::vector<GoldenGame> out;
  for (const auto& entry : fs::directory_iterator(source_root() / "t" / "golden")) {
    std::istringstream in(bytes_of(entry.path()));
    std::string head;
    std::getline(in, head);
    GoldenGame golden{entry.path().stem().string(), setup_named(head), {}};
    for (std::string line; std::getline(in, line);)
      if (line.starts_with("> ")) golden.plies.push_back(line.substr(2));
    out.push_back(std::move(golden));
  }
  std::sort(out.begin(), out.end(),
            [](const GoldenGame& a, const GoldenGame& b) { return a.file < b.file; });
  return out;
}

namespace {

// Writes a script while it runs, because only the screen tells the places to click.
class Writer {
 public:
  Writer(const GoldenGame& golden, std::string way, Size size, bool screens)
      : golden_(golden), way_(std::move(way)), screens_(screens), position_(golden.setup.start()) {
    desk_.size = size;
    desk_.start(golden.setup);
    if (screens)
      out_ += "# A whole game, " +
              std::string(way_ == "typed"    ? "typed"
                          : way_ == "cursor" ? "by the cursor, which goes to what is picked"
                                             : "by clicks only") +
              ": t/golden/" + golden.file + ".txt.\n";
    out_ += "sizes: " + std::to_string(size.columns) + "x" + std::to_string(size.rows) +
            "\nboard: " + std::string(golden.setup.game->name) + "-101 " +
            std::string(golden.setup.game->name);
    for (const std::string& option : golden.setup.options.words()) out_ += " " + option;
    out_ += ",";
    for (const std::string& name : players(golden.setup.seats)) out_ += " " + name;
    out_ += "\nopen: " + std::string(golden.setup.game->name) + "-101\n";
  }

  std::string written() {
    if (way_ == "cursor") keys({kTab});
    for (n_ = 0; n_ < golden_.plies.size(); ++n_) {
      const std::string& ply = golden_.plies[n_];
      if (way_ == "typed") {
        type(ply);
        keys({kEnter});
      } else if (way_ == "cursor") {
        by_cursor(ply);
      } else {
        by_mouse(ply);
      }
      position_.play(ply);
      if (!all_screens() && (way_ == "typed" || n_ % 5 == 4 || n_ + 1 == golden_.plies.size()))
        screen();
    }
    return out_;
  }

 private:
  bool all_screens() const { return way_ != "typed" && n_ < 2; }
  void screen() {
    if (screens_) out_ += "changed:\n";
  }
  void done(const std::string& line) {
    out_ += line + "\n";
    if (all_screens()) screen();
  }
  void keys(const std::vector<Key>& keys) {
    std::string line = "keys:";
    for (const Key& key : keys) {
      line += " " + key_name(key);
      desk_.press(key);
    }
    done(line);
  }
  void type(const std::string& text) {
    if (text.empty()) return;
    desk_.type(text);
    done("type: " + text);
  }
  void click(Point place, const std::string& what) {
    desk_.click(place);
    done("click: " + std::to_string(place.row) + " " + std::to_string(place.column) + " (" + what +
         ")");
  }

  // Returns the fewest keys that move the cursor there: Tab for even plies, arrows for odd ones.
  std::vector<Key> way_to(const MovePicker& from, SpotId to) const {
    using enum Key::Code;
    static const std::vector<Key> arrows{{left}, {right}, {up}, {down}};
    std::map<SpotId, std::vector<Key>> seen{{from.cursor(), {}}};
    std::vector<MovePicker> open{from};
    for (std::size_t i = 0; i < open.size(); ++i) {
      if (open[i].cursor() == to) return seen[to];
      const auto reached = [&](const MovePicker& next, const Key& key) {
        auto path = seen[open[i].cursor()];
        path.push_back(key);
        if (seen.try_emplace(next.cursor(), std::move(path)).second) open.push_back(next);
      };
      MovePicker tabbed = open[i];
      tabbed.go_to_next();
      if (n_ % 2 == 0) reached(tabbed, kTab);
      for (std::size_t d = 0; n_ % 2 == 1 && d < arrows.size(); ++d) {
        MovePicker next = open[i];
        next.go(static_cast<MovePicker::Direction>(d));
        reached(next, arrows[d]);
      }
    }
    FAIL("the cursor does not come there");
    return {};
  }

  void by_cursor(const std::string& ply) {
    // The screen has the same picker.
    MovePicker picker(position_, drawing_on(desk_.picture(), position_));
    for (const SpotId spot : position_.trail(ply)) {
      std::vector<Key> path = way_to(picker, spot);
      path.push_back(kEnter);
      picker.go_to(spot);
      REQUIRE(picker.pick());
      keys(path);
    }
    // A ply without squares is in the line already. A last letter is chosen by Tab for even plies,
    // and typed for odd ones.
    const bool open = !position_.trail(ply).empty() && picker.text() != ply;
    if (open && n_ % 2 == 0 && picker.choices().empty())
      for (int tries = 0; tries < 20 && line_typed() != ply; ++tries) keys({kTab});
    else if (open) type(ply.substr(picker.text().size()));
    keys({kEnter});
  }

  // Returns the row of the typed line; there may be a row of keys below it.
  int prompt_row(const Canvas& picture) const {
    int row = picture.size().rows - 1;
    while (row > 0 && row_text(picture, row).find('>') == std::string::npos) --row;
    return row;
  }
  std::string line_typed() {
    const Canvas picture = desk_.picture();
    const std::string text = row_text(picture, prompt_row(picture));
    const std::size_t prompt = text.find("> ");
    return prompt == std::string::npos
               ? ""
               : std::string(trim(std::string_view(text).substr(prompt + 2)));
  }

  void by_mouse(const std::string& ply) {
    const Drawing drawing = drawing_on(desk_.picture(), position_);
    const auto corner = find_drawing(desk_.picture(), drawing);
    INFO(desk_.screen());
    REQUIRE(corner.has_value());
    // A click anywhere offers a ply without squares.
    if (position_.trail(ply).empty())
      click(
          {corner->row + drawing.spots.front().row, corner->column + drawing.spots.front().column},
          "anywhere");
    for (const SpotId id : position_.trail(ply)) {
      const auto spot = std::find_if(drawing.spots.begin(), drawing.spots.end(),
                                     [&](const Spot& s) { return s.id == id; });
      REQUIRE(spot != drawing.spots.end());
      INFO("spot " << spot->name);
      REQUIRE((corner->row + spot->row > 0 &&
               corner->row + spot->row < prompt_row(desk_.picture()) - 1));
      click({corner->row + spot->row, corner->column + spot->column}, spot->name);
    }
    // Click the rest of the ply part by part, in the sentence above the line.
    for (int tries = 0; tries < 5 && !same_ignoring_case(line_typed(), ply); ++tries) {
      const std::string before = line_typed();
      std::string longest;
      std::optional<Point> at;
      const Canvas picture = desk_.picture();
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
      INFO("after '" << before << "' of " << ply << "\n" << desk_.screen());
      REQUIRE(at.has_value());
      click({at->row, at->column + 1}, longest);
    }
    const Canvas picture = desk_.picture();
    const auto enter = find_on(picture, "[Enter]");
    INFO(desk_.screen());
    REQUIRE(enter.has_value());
    click(*enter, "[Enter]");
  }

  const GoldenGame& golden_;
  std::string way_;
  bool screens_;
  Position position_;
  TestApp desk_;
  std::size_t n_ = 0;
  std::string out_;
};

}  // namespace

std::string script_of(const GoldenGame& golden, const std::string& way, Size size, bool screens) {
  return Writer(golden, way, size, screens).written();
}

std::string script_of(const GameType& game, const std::string& way) {
  std::optional<GoldenGame> shortest;
  for (GoldenGame& golden : golden_games())
    if (golden.setup.game == &game && (!shortest || golden.plies.size() < shortest->plies.size()))
      shortest = std::move(golden);
  REQUIRE(shortest.has_value());
  return script_of(*shortest, way, kScreen, true);
}

}  // namespace pbm::test
