// SPDX-License-Identifier: MIT
// The form for the settings, with a sample of the chosen theme. Leaves storing them to settings.hpp
// and applying them to app.hpp.
#include "ui/screens/screens.hpp"

#include <algorithm>

#include "ui/screens/form.hpp"
#include "ui/settings.hpp"
#include "ui/theme.hpp"
#include "game/match.hpp"
#include "ui/widgets/board_view.hpp"

namespace pbm {
namespace {

constexpr int kLabel = 3;
constexpr int kSampleBoard = 36;  // columns of a board beside the samples

// Draws samples of the theme's styles and marks. Returns the row after them.
int draw_theme_samples(Canvas& out, int row) {
  constexpr int kWords = 13;  // the first column of the samples
  int column = 0;
  const auto heading = [&](std::string_view text) {
    out.put_text(row, kLabel, text, Style::dim);
    column = kWords;
  };
  const auto put = [&](std::string_view name, Style style, Mark mark) {
    if (column + static_cast<int>(name.size()) >= out.size().columns) {
      ++row;
      column = kWords;
    }
    const int end = out.put_text(row, column, name, style, mark);
    if (is_piece(style) && mark != Mark::wrong) out.make_tile(row, column, end);
    column = end + 2;
  };
  heading("words");
  for (std::size_t i = 0; i < style_keys().size(); ++i) {
    if (static_cast<Style>(i) == Style::board) {
      ++row;
      heading("board");
    }
    put(style_keys()[i].description, static_cast<Style>(i), Mark::none);
  }
  ++row;
  for (const auto& [name, style] :
       {std::pair("free", Style::empty), std::pair("player 1", Style::piece1),
        std::pair("player 2", Style::piece2)}) {
    heading(name);
    for (std::size_t i = 0; i < mark_keys().size(); ++i)
      put(mark_keys()[i].description, style, static_cast<Mark>(i));
    ++row;
  }
  return row;
}

// Draws the start of a game that has several drawings.
Canvas sample_drawing(char field, int width) {
  const auto game = std::ranges::find_if(
      all_games(), [](const GameType& g) { return !g.drawing_styles.empty(); });
  const char shown = field == '\0' ? game->drawing_styles.front() : field;
  BoardView view;
  view.set_drawing(Match::start(*game, Options{}, Seating{{"player1", "player2"}, {0, 0}}, now())
                       ->draw(0, View{.drawing_style = shown}));
  const Size size = view.size();
  Canvas out({size.rows + 2, width});
  const std::string by_room = field == '\0' ? " (auto takes the first of " +
                                                  std::string(game->drawing_styles) + " that fits)"
                                            : "";
  out.put_text(0, kLabel,
               fit(std::string(game->title) + ", field " + shown + by_room + ".", width - kLabel),
               Style::dim);
  view.draw(out, {2, kLabel, size.rows, std::min(size.columns, width - kLabel)});
  out.cursor.reset();
  return out;
}

class SettingsScreen final : public Form {
 public:
  SettingsScreen(Settings& settings, const std::vector<std::filesystem::path>& directories)
      : Form("go to the next row; after the last one, back",
             "back; your choices are saved already"),
        settings_(settings),
        themes_(list_themes(directories)) {
    const std::string& chosen = settings_.preferences().theme;
    // Keep a theme given as a file in the list, so that the player can choose it again.
    if (std::ranges::none_of(themes_, [&](const ListedTheme& t) { return t.name == chosen; }))
      themes_.push_back({chosen, find_theme(chosen, directories)});
    std::vector<std::string> themes;
    for (const ListedTheme& t : themes_)
      if (t.theme || t.name == chosen) themes.push_back(t.name);
    for (const Setting& setting : all_settings()) {
      if (setting.description.empty()) continue;
      const std::vector<std::string> values =
          setting.list_values ? setting.list_values(themes) : std::vector<std::string>{};
      const bool on_off = values == std::vector<std::string>{"no", "yes"};
      FormRow& row = rows_.emplace_back(!setting.list_values ? FormRow::Kind::text
                                        : on_off             ? FormRow::Kind::toggle
                                                             : FormRow::Kind::choice,
                                        setting.key, setting.description, values);
      row.placeholder = "-";
      row.text.set_text(setting.value_text(settings_.preferences()));
      row.is_replaceable = !row.text.empty();
    }
  }

  // High enough for the largest drawing below the rows.
  Size wanted_size(Size terminal) override {
    return {std::min(terminal.rows, 44), std::min(terminal.columns, kMaxColumns)};
  }
  std::string title() const override { return "Settings"; }
  Kind kind() const override { return Kind::settings; }

 private:
  // Applies and stores every change at once.
  void handle_change(FormRow& row) override {
    Preferences wanted = settings_.preferences();
    const std::string value(
        trim(row.values.empty() ? row.text.text() : row.values[row.chosen_index]));
    const auto choose = [&](Preferences& p) {
      return all_settings()[current_index_].set_value(p, value);
    };
    // A refused name changes nothing.
    if (!choose(wanted)) show_notice(check_local_name(value).refusal().reason, Style::bad);
    else if (const auto kept = settings_.change(choose); !kept)
      show_notice(kept.refusal().reason, Style::bad);
  }

  // Shows changes that were made on another screen.
  void update_rows() override {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const std::vector<std::string>& values = rows_[i].values;
      const auto now =
          std::ranges::find(values, all_settings()[i].value_text(settings_.preferences()));
      if (now != values.end()) rows_[i].chosen_index = index(now - values.begin());
    }
  }

  Notice foot_notice() const override {
    return {rows_[current_index_].is_typed() ? "Type a name." : "Left and Right change it.",
            Style::dim};
  }

  // Shows every style and mark of the theme, so that the player needs no game to see them.
  Canvas draw_below(Size room) const override {
    const int width = room.columns;
    if (rows_[current_index_].label == "field")
      return sample_drawing(settings_.preferences().field, width);
    Canvas out({60, width});
    int row = 0;
    for (const ListedTheme& t : themes_)
      if (t.name == settings_.preferences().theme && t.theme)
        for (const std::string& line : wrap(t.theme->description, width - kLabel - 1))
          out.put_text(row++, kLabel, line);
    for (const ListedTheme& t : themes_)
      for (const std::string& line : t.theme ? std::vector<std::string>{}
                                             : wrap(t.theme.refusal().reason, width - kLabel - 1))
        if (row < out.size().rows / 2) out.put_text(row++, kLabel, line, Style::bad);
    // A board stands beside the samples, or below them.
    constexpr int kSamples = 84;  // columns
    const Canvas board = sample_drawing(settings_.preferences().field, width);
    const bool beside = width >= kSamples + kSampleBoard;
    const int end = draw_theme_samples(out, row);
    out.draw_canvas(beside ? 0 : end + 1, beside ? kSamples - kLabel : 0, board);
    Canvas used({std::max(end, (beside ? 0 : end + 1) + board.size().rows), width});
    used.draw_canvas(0, 0, out);
    return used;
  }

  Settings& settings_;
  std::vector<ListedTheme> themes_;
};

}  // namespace

std::unique_ptr<Screen> make_settings_screen(
    Settings& settings, const std::vector<std::filesystem::path>& directories) {
  return std::make_unique<SettingsScreen>(settings, directories);
}

}  // namespace pbm
