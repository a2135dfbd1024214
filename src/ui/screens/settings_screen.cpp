// SPDX-License-Identifier: MIT
#include "ui/screens/settings_screen.hpp"

#include "game/match.hpp"

namespace pbm {

namespace {

constexpr int kSettingsRow = 2;  // of what can be scrolled
constexpr int kLabel = 3;
constexpr FormColumns kColumns{12, 20, 80};

}  // namespace

enum class SettingsScreen::Command : std::uint8_t {
  next,
  previous,
  more,
  less,
  scroll_down,
  scroll_up,
  help,
  back
};

const std::vector<Binding<SettingsScreen::Command>>& SettingsScreen::bindings() {
  using enum Key::Code;
  static const std::vector<Binding<Command>> table{
      {Command::next, {{down}, {tab}}, "next setting"},
      {Command::previous, {{up}, {back_tab}}, "previous setting"},
      {Command::more, {{right}, typed(' '), {enter}}, "next of several; switch on or off"},
      {Command::less, {{left}}, "previous of several; switch on or off"},
      {Command::scroll_down, {{page_down}, ctrl('F')}, "scroll down to the rest of the sample"},
      {Command::scroll_up, {{page_up}, ctrl('B')}, "scroll up"},
      {Command::help, {{function, 1}, typed('?')}, "this help (in a name ? is text)"},
      {Command::back, {{escape}}, "back; what was chosen holds already"},
  };
  return table;
}

const std::vector<SettingsScreen::Row>& SettingsScreen::rows() {
  using enum Row::Kind;
  static const std::vector<Row> table{
      {theme, "theme", "colours and other looks, shown below"},
      {field, "field", "the drawing, where a game has several"},
      {on_off, "mouse", "clicks count from the start, without F2", &Preferences::mouse},
      {on_off, "bell", "rings when somebody else has played", &Preferences::bell},
      {on_off, "confirm", "a second Enter plays, after a look", &Preferences::confirm},
      {on_off, "frames", "lines between the parts of a screen", &Preferences::frames},
      {on_off, "motion", "a ply is seen being played", &Preferences::motion},
      {pace, "pace", "seconds a ply, to watch computers"},
      {name, "name", "who you are; your boards come first"},
  };
  return table;
}

SettingsScreen::SettingsScreen(Settings& settings,
                               const std::vector<std::filesystem::path>& directories)
    : settings_(settings), themes_(list_themes(directories)) {
  const std::string& chosen = settings_.chosen().theme;
  // A theme that was given as a file can be come back to.
  if (std::none_of(themes_.begin(), themes_.end(),
                   [&](const ListedTheme& t) { return t.name == chosen; }))
    themes_.push_back({chosen, find_theme(chosen, directories)});
  name_.set(settings_.chosen().name);
}

std::vector<KeyHelp> SettingsScreen::keys() const {
  std::vector<KeyHelp> out = key_help<Command>(bindings());
  out.push_back({"", "In a line that is typed"});
  for (KeyHelp& k : LineEditor::keys()) out.push_back(std::move(k));
  return out;
}

// A row as it is chosen now.
FormField SettingsScreen::field_of(const Row& row) const {
  const Preferences& chosen = settings_.chosen();
  FormField out{FormField::Kind::choice, std::string(row.label), std::string(row.about)};
  switch (row.kind) {
    case Row::Kind::theme: out.value = chosen.theme; break;
    case Row::Kind::field: out.value = field_text(chosen.field); break;
    case Row::Kind::pace: out.value = pace_text(chosen.pace); break;
    case Row::Kind::on_off:
      out.kind = FormField::Kind::on_off;
      out.on = chosen.*row.on;
      break;
    case Row::Kind::name:
      out.kind = FormField::Kind::text;
      out.text = name_;
      out.offered = "-";
  }
  return out;
}

std::vector<std::string> SettingsScreen::broken_themes() const {
  std::vector<std::string> out;
  for (const ListedTheme& t : themes_)
    if (!t.theme) out.push_back(t.theme.refusal().why);
  return out;
}

// Every style and mark by its name, so that a theme can be seen without a game.
Canvas SettingsScreen::sample(int width) const {
  constexpr int kWords = 11;  // where the samples begin
  Canvas out({60, width});
  int row = 0;
  for (const ListedTheme& t : themes_)
    if (t.name == settings_.chosen().theme && t.theme)
      for (const std::string& line : wrap(t.theme->about, width - kLabel - 1))
        out.put(row++, kLabel, line);
  ++row;
  int column = 0;
  const auto heading = [&](std::string_view text) {
    out.put(row, kLabel, text, Style::dim);
    column = kWords;
  };
  const auto put = [&](std::string_view name, Style style, Mark mark) {
    if (column + static_cast<int>(name.size()) >= width) {
      ++row;
      column = kWords;
    }
    column = out.put(row, column, name, style, mark) + 2;
  };
  heading("words");
  for (std::size_t i = 0; i < style_names().size(); ++i) {
    if (static_cast<Style>(i) == Style::board) {
      ++row;
      heading("board");
    }
    put(style_names()[i], static_cast<Style>(i), Mark::none);
  }
  ++row;
  for (const auto& [name, style] :
       {std::pair("empty", Style::empty), std::pair("piece1", Style::piece1),
        std::pair("piece2", Style::piece2)}) {
    heading(name);
    for (std::size_t i = 0; i < mark_names().size(); ++i)
      put(mark_names()[i], style, static_cast<Mark>(i));
    ++row;
  }
  const auto broken = broken_themes();
  if (!broken.empty()) ++row;
  for (const std::string& why : broken)
    for (const std::string& line : wrap(why, width - kLabel - 1))
      if (row < out.size().rows) out.put(row++, kLabel, line, Style::bad);
  Canvas used({row, width});
  used.paste(0, 0, out);
  return used;
}

void SettingsScreen::draw(Canvas& canvas) {
  const int width = canvas.size().columns;
  const bool wide = width >= kColumns.wide;
  draw_title(canvas, title(), "F1 help  Esc back",
             {{"F1 help", {Key::Code::function, 1}}, {"Esc back", {Key::Code::escape}}});
  const int settings = static_cast<int>(rows().size());
  const Canvas looks = sample(width);
  lines_ = settings + 1 + looks.size().rows;
  page_ = std::max(1, canvas.size().rows - kSettingsRow - (wide ? 2 : 3));
  if (follow_) top_ = page_start(settings, page_, static_cast<int>(at_), top_);
  follow_ = false;
  top_ = std::clamp(top_, 0, std::max(0, lines_ - page_));

  Canvas all({lines_, width});
  for (std::size_t i = 0; i < rows().size(); ++i)
    draw_field(all, static_cast<int>(i), field_of(rows()[i]), i == at_, kColumns);
  const std::optional<Point> cursor = all.cursor;
  all.paste(settings + 1, 0, looks);
  Canvas window({page_, width});
  window.paste(-top_, 0, all);
  canvas.paste(kSettingsRow, 0, window);
  canvas.cursor.reset();
  if (cursor && cursor->row >= top_ && cursor->row < top_ + page_)
    canvas.cursor = Point{kSettingsRow + cursor->row - top_, cursor->column};

  std::string hint =
      rows()[at_].kind == Row::Kind::name ? "Type a name." : "Left and Right change it.";
  if (top_ + page_ < lines_) hint += " PgDn: more.";
  const int first =
      draw_message(canvas, canvas.size().rows, 3, notice_.empty() ? hint : notice_.text,
                   notice_.empty() ? Style::dim : notice_.style);
  link_words(canvas, first, 1, hint, {{"PgDn: more", {Key::Code::page_down}}});
  if (!wide && notice_.empty())
    draw_message(canvas, first, 1, std::string(rows()[at_].about), Style::dim);
}

ScreenRequest SettingsScreen::press(const Key& key) {
  notice_.clear();
  const bool name = rows()[at_].kind == Row::Kind::name;
  const auto command =
      field_of(rows()[at_]).types(key) ? std::nullopt : command_for<Command>(bindings(), key);
  if (!command) {
    if (name && name_.press(key)) name_typed();
    return {};
  }
  switch (*command) {
    case Command::next: go(step_round(at_, rows().size(), 1)); break;
    case Command::previous: go(step_round(at_, rows().size(), -1)); break;
    case Command::more: change(1); break;
    case Command::less: change(-1); break;
    case Command::scroll_down:
      top_ = std::min(top_ + page_ / 2 + 1, std::max(0, lines_ - page_));
      break;
    case Command::scroll_up: top_ = std::max(0, top_ - page_ / 2 - 1); break;
    case Command::help: return ShowKeys{};
    case Command::back: return GoBack{};
  }
  return {};
}

void SettingsScreen::paste(char32_t c) {
  if (rows()[at_].kind != Row::Kind::name) return;
  notice_.clear();
  name_.press(typed(c));
  name_typed();
}

ScreenRequest SettingsScreen::click(Point place) {
  const int row = place.row - kSettingsRow + top_;
  if (place.row < kSettingsRow || place.row >= kSettingsRow + page_ ||
      row >= static_cast<int>(rows().size()))
    return {};
  notice_.clear();
  go(static_cast<std::size_t>(row));
  if (rows()[at_].kind != Row::Kind::name) change(1);
  return {};
}

void SettingsScreen::go(std::size_t row) {
  at_ = row;
  follow_ = true;
}

void SettingsScreen::change(int step) {
  follow_ = true;
  const Row& row = rows()[at_];
  Preferences wanted = settings_.chosen();
  switch (row.kind) {
    case Row::Kind::theme: wanted.theme = next_theme(step); break;
    case Row::Kind::field: wanted.field = next_field(step); break;
    case Row::Kind::pace: wanted.pace = next_pace(wanted.pace, step); break;
    case Row::Kind::on_off: wanted.*row.on = !(wanted.*row.on); break;
    case Row::Kind::name: go(step_round(at_, rows().size(), 1)); return;
  }
  keep(wanted);
}

// The theme so many steps on, over those that are none.
std::string SettingsScreen::next_theme(int step) const {
  const std::size_t n = themes_.size();
  const std::string& chosen = settings_.chosen().theme;
  const auto now = std::find_if(themes_.begin(), themes_.end(),
                                [&](const ListedTheme& t) { return t.name == chosen; });
  auto at = static_cast<std::size_t>(now - themes_.begin());
  for (std::size_t tried = 0; tried < n; ++tried) {
    at = step_round(at, n, step);
    if (themes_[at].theme) return themes_[at].name;
  }
  return chosen;
}

char SettingsScreen::next_field(int step) const {
  std::string fields(1, '\0');
  for (const GameType& game : all_games()) fields += game.fields;
  std::sort(fields.begin(), fields.end());
  fields.erase(std::unique(fields.begin(), fields.end()), fields.end());
  const std::size_t n = fields.size(), now = std::min(fields.find(settings_.chosen().field), n - 1);
  return fields[step_round(now, n, step)];
}

// A name that is none yet is no name; the one before holds.
void SettingsScreen::name_typed() {
  Preferences wanted = settings_.chosen();
  wanted.name = trim(name_.text());
  const auto fine = wanted.name.empty() ? Result<Done>(Done{}) : check_name(wanted.name);
  if (fine) keep(wanted);
  else say(fine.refusal().why, Style::bad);
}

void SettingsScreen::keep(const Preferences& wanted) {
  if (const auto kept = settings_.set(wanted); !kept) say(kept.refusal().why, Style::bad);
}

}  // namespace pbm
