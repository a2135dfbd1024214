// SPDX-License-Identifier: MIT
#include "ui/screens/form.hpp"

#include <algorithm>

namespace pbm {

namespace {

constexpr int kFirstRow = 2;  // of the area that scrolls
constexpr int kLabel = 3, kValue = 16, kWidth = 20, kAbout = kValue + kWidth + 1;
constexpr int kAboutAtLeast = 16;  // columns; with less room a row has no explanation

void draw_row(Canvas& canvas, int row, const FormRow& field, bool here) {
  using Kind = FormRow::Kind;
  const int form = canvas.size().columns, width = std::min(kWidth, form - kValue - 1);
  if (here) canvas.put(row, 1, ">", Style::turn);
  else if (field.wrong) canvas.put(row, 1, "!", Style::bad);
  canvas.put(row, kLabel, field.label, Style::key);
  const auto cursor = canvas.cursor;
  const bool choice = field.kind == Kind::choice;
  const int column = kValue + (choice ? 2 : 0), room = width - (choice ? 4 : 0);
  int end = column;
  if (field.typed()) {
    LineEditor shown = field.text;
    if (field.kind == Kind::secret && !shown.empty())
      shown.set(std::string(static_cast<std::size_t>(std::max(1, columns(shown.text()))), '*'));
    shown.draw(canvas, row, column, room, field.wrong ? Style::bad : Style::text);
    end += std::min(columns(shown.text()), room);
    if (shown.empty()) end = canvas.put(row, column, fit(field.offered, room), Style::dim);
  } else if (choice) {
    end = canvas.put(row, column, fit(field.value(), room), Style::text);
    canvas.cursor = Point{row, column};
  } else {
    canvas.put(row, column, field.on() ? "[x]" : "[ ]", Style::text);
    canvas.cursor = Point{row, column + 1};
  }
  if (choice) {
    canvas.put(row, kValue, "<", Style::text);
    canvas.put(row, end + 1, ">", Style::text);
  }
  if (!here) canvas.cursor = cursor;
  if (form - kAbout >= kAboutAtLeast)
    canvas.put(row, kAbout, beginning(field.about, form - kAbout), Style::dim);
}

}  // namespace

const std::vector<Binding<Act<Form>>>& Form::bindings() {
  using enum Key::Code;
  static const std::vector<Binding<Act<Form>>> table{
      {act<&Form::enter>, by_keys(Key::Code::enter), ""},
      {act<&Form::leave>, by_keys(escape), ""},
      {act<&Form::move, 1>, by_keys(tab, down), "next row; Tab completes a userid first"},
      {act<&Form::move, -1>, by_keys(back_tab, up), "previous row"},
      {act<&Form::change, 1>, by_keys(right), "next of several; switch on or off"},
      {act<&Form::change, -1>, by_keys(left), "the one before; switch on or off"},
      {act<&Form::change, 1>, by_keys(typed(' ')), "the same as Right"},
      {act<&Form::first>, by_keys(home), "first row"},
      {act<&Form::last>, by_keys(end), "last row"},
      {act<&Form::scroll, 1>, by_keys(page_down, ctrl('F')),
       "scroll down to what is below the rows"},
      {act<&Form::scroll, -1>, by_keys(page_up, ctrl('B')), "scroll up"},
      {asks<ShowKeys>, by_keys(fkey(1), ctrl('O'), typed('?')), "this help (? in a text is text)"},
  };
  return table;
}

std::vector<KeyHelp> Form::keys() const {
  std::vector<KeyHelp> out = key_help<Act<Form>>(bindings());
  out[0].about = enter_;
  out[1].about = leave_;
  out.insert(out.begin() + 2, {"", "In every form"});
  out.push_back({"", "In a line that is typed"});
  for (KeyHelp& k : LineEditor::keys()) out.push_back(std::move(k));
  return out;
}

FormRow* Form::find(std::string_view label) {
  const auto found =
      std::ranges::find_if(rows_, [&](const FormRow& row) { return row.label == label; });
  return found == rows_.end() ? nullptr : &*found;
}

void Form::draw(Canvas& canvas) {
  look();
  const int width = canvas.size().columns;
  const std::string out = "Esc " + std::string(leave_.substr(0, leave_.find_first_of(" ;")));
  draw_title(canvas, title(), "F1 help  " + out,
             {{"F1 help", fkey(1)}, {out, {Key::Code::escape}}});
  const Notice said = notice_.empty() ? foot() : notice_;
  int bottom = draw_message(canvas, canvas.size().rows, 4, said.text, said.style);
  link_words(canvas, bottom, 1, said.text, {{"Enter", {Key::Code::enter}}});
  // If the row had no room for its explanation, show all of it here.
  const std::string& about = rows_[at_].about;
  if (width - kAbout < std::max(kAboutAtLeast, columns(about)))
    bottom = draw_message(canvas, bottom, 2, about, Style::dim);

  const int rows = static_cast<int>(rows_.size());
  page_ = std::max(1, bottom - kFirstRow);
  const Canvas more = below({page_ - rows - 1, width});
  lines_ = rows + (more.size().rows > 0 ? 1 + more.size().rows : 0);
  const bool scrolls = lines_ > page_ && page_ > 1;
  page_ -= scrolls;
  if (follow_) top_ = page_start(rows, page_, static_cast<int>(at_), top_);
  follow_ = false;
  top_ = std::clamp(top_, 0, std::max(0, lines_ - page_));
  Canvas all({lines_, width});
  for (int i = 0; i < rows; ++i)
    draw_row(all, i, rows_[static_cast<std::size_t>(i)], i == static_cast<int>(at_));
  const std::optional<Point> cursor = std::exchange(all.cursor, std::nullopt);
  if (more.size().rows > 0) all.paste(rows + 1, 0, more);
  Canvas window({page_, width});
  window.paste(-top_, 0, all);
  canvas.paste(kFirstRow, 0, window);
  if (scrolls && top_ + page_ < lines_) {
    canvas.put(kFirstRow + page_, 1, "PgDn: more", Style::dim);
    canvas.link(kFirstRow + page_, 1, 10, {{Key::Code::page_down}});
  }
  if (cursor && cursor->row >= top_ && cursor->row < top_ + page_)
    canvas.cursor = Point{kFirstRow + cursor->row - top_, cursor->column};
}

// True if the key edits the text instead of its usual command. Home and End edit while the cursor
// can still move that way; so do Left and Right in a choice with a typed value.
bool Form::takes(const Key& key) const {
  using enum Key::Code;
  const FormRow& row = rows_[at_];
  if (!row.typed()) return false;
  const bool choice = row.kind == FormRow::Kind::choice;
  const bool secret = row.kind == FormRow::Kind::secret;  // the cursor stays at its end
  return key.code == character || (key.code == home && (secret || !row.text.at_start())) ||
         (key.code == end && (secret || !row.text.at_end())) ||
         (key.code == left && !(choice && row.text.at_start())) ||
         (key.code == right && !(choice && row.text.at_end()));
}

void Form::press(const Key& key) {
  notice_.clear();
  follow_ = true;
  FormRow& row = rows_[at_];
  const bool takes_away = key.code == Key::Code::backspace || key.code == Key::Code::remove;
  const auto text = std::ranges::find(row.values, "");
  // Typing into a choice with a typed value selects that value.
  if (!row.typed() && text != row.values.end() &&
      ((key.code == Key::Code::character && key.c > U' ') || takes_away)) {
    row.chosen = static_cast<std::size_t>(text - row.values.begin());
    row.text.set("");
    row.edited = false;
    changed(row);
    if (takes_away) return;
  }
  if (takes(key)) return type(key);
  if (const auto act = command_for<Act<Form>>(bindings(), key)) return (*act)(*this);
  if (rows_[at_].typed()) type(key);
  else if (key.code == Key::Code::character)
    say("Nothing is typed here: Space changes it.", Style::warning);
}

void Form::type(const Key& key) {
  FormRow& row = rows_[at_];
  const std::string before = row.text.text();
  if (fresh_ && row.replaced && key.code == Key::Code::character) row.text.set("");
  if (row.text.press(key)) fresh_ = false;
  // The cursor of a secret stays at the end: between stars it would mean nothing.
  if (row.kind == FormRow::Kind::secret) row.text.press({Key::Code::end});
  const bool takes_away = key.code == Key::Code::backspace || key.code == Key::Code::remove ||
                          key == ctrl('U') || key == ctrl('W');
  if (row.text.text() == before && !(before.empty() && takes_away)) return;
  row.edited = true;
  changed(row);
}

void Form::paste(char32_t c) {
  if (!rows_[at_].typed()) return;
  notice_.clear();
  type(typed(c));
}

void Form::click(Point place) {
  const int row = place.row - kFirstRow + top_;
  if (place.row < kFirstRow || place.row >= kFirstRow + page_ || row >= std::ssize(rows_)) return;
  notice_.clear();
  go_to(static_cast<std::size_t>(row));
  if (!rows_[at_].typed()) change(1);
}

void Form::change(int step) {
  FormRow& row = rows_[at_];
  if (row.values.empty()) return;
  row.chosen = step_round(row.chosen, row.values.size(), step);
  changed(row);
}

}  // namespace pbm
