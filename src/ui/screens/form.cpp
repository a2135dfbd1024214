// SPDX-License-Identifier: MIT
#include "ui/screens/form.hpp"

#include <algorithm>

namespace pbm {

namespace {

constexpr int kFirstRow = 2;  // of the area that scrolls
constexpr int kLabel = 3, kValue = 16, kWidth = 20, kAbout = kValue + kWidth + 1;
constexpr int kAboutAtLeast = 16;   // columns; with less room a row has no explanation
constexpr int kBesideAtLeast = 43;  // columns of the rows beside a picture

void draw_row(Canvas& canvas, int row, const FormRow& field, bool here) {
  using Kind = FormRow::Kind;
  const int form = canvas.size().columns, width = std::min(kWidth, form - kValue - 1);
  if (here) canvas.put_text(row, 1, ">", Style::turn);
  else if (field.is_wrong) canvas.put_text(row, 1, "!", Style::bad);
  canvas.put_text(row, kLabel, field.label, Style::key);
  const auto cursor = canvas.cursor;
  const bool choice = field.kind == Kind::choice;
  const int column = kValue + (choice ? 2 : 0), room = width - (choice ? 4 : 0);
  int end = column;
  if (field.is_typed()) {
    LineEditor shown = field.text;
    if (field.kind == Kind::secret && !shown.empty())
      shown.set_text(
          std::string(static_cast<std::size_t>(std::max(1, columns(shown.text()))), '*'));
    shown.draw(canvas, row, column, room, field.is_wrong ? Style::bad : Style::text);
    end += std::min(columns(shown.text()), room);
    if (shown.empty()) end = canvas.put_text(row, column, fit(field.placeholder, room), Style::dim);
  } else if (choice) {
    end = canvas.put_text(row, column, fit(field.value(), room), Style::text);
    canvas.cursor = Point{row, column};
  } else {
    canvas.put_text(row, column, field.is_on() ? "[x]" : "[ ]", Style::text);
    canvas.cursor = Point{row, column + 1};
  }
  if (choice) {
    canvas.put_text(row, kValue, "<", Style::text);
    canvas.put_text(row, end + 1, ">", Style::text);
  }
  if (!here) canvas.cursor = cursor;
  if (form - kAbout >= kAboutAtLeast)
    canvas.put_text(row, kAbout, fit_beginning(field.help_text, form - kAbout), Style::dim);
}

}  // namespace

const std::vector<Binding<KeyAction<Form>>>& Form::bindings() {
  using enum Key::Code;
  static const std::vector<Binding<KeyAction<Form>>> table{
      {make_action<&Form::enter>, key_list(Key::Code::enter), ""},
      {make_action<&Form::leave>, key_list(escape), ""},
      {make_action<&Form::move_by, 1>, key_list(tab, down),
       "go to the next row; Tab first completes a userid"},
      {make_action<&Form::move_by, -1>, key_list(back_tab, up), "go to the row before"},
      {make_action<&Form::change_value, 1>, key_list(right),
       "choose the next value; switch on or off"},
      {make_action<&Form::change_value, -1>, key_list(left),
       "choose the value before; switch on or off"},
      {make_action<&Form::change_value, 1>, key_list(character_key(' ')),
       "choose the next value, as Right does"},
      {make_action<&Form::go_to_first>, key_list(home), "go to the first row"},
      {make_action<&Form::go_to_last>, key_list(end), "go to the last row"},
      {make_action<&Form::scroll, 1>, key_list(page_down, control_key('F')), "scroll down"},
      {make_action<&Form::scroll, -1>, key_list(page_up, control_key('B')), "scroll up"},
      {request_action<KeysRequest>, key_list(function_key(1), control_key('O'), character_key('?')),
       "show this help; in a text row ? is only text"},
  };
  return table;
}

std::vector<KeyHelp> Form::keys() const {
  std::vector<KeyHelp> out = key_help<KeyAction<Form>>(bindings());
  out[0].description = enter_help_;
  out[1].description = leave_help_;
  out.insert(out.begin() + 2, {"", "In every form"});
  out.push_back({"", "In a text row"});
  for (KeyHelp& k : LineEditor::keys()) out.push_back(std::move(k));
  return out;
}

FormRow* Form::find(std::string_view label) {
  const auto found =
      std::ranges::find_if(rows_, [&](const FormRow& row) { return row.label == label; });
  return found == rows_.end() ? nullptr : &*found;
}

void Form::draw(Canvas& canvas) {
  update_rows();
  const int width = width_ = canvas.size().columns;
  const std::string out =
      "Esc " + std::string(leave_help_.substr(0, leave_help_.find_first_of(" ;")));
  draw_title(canvas, title(), "F1 help  " + out,
             {{"F1 help", function_key(1)}, {out, {Key::Code::escape}}});
  const Notice said = notice_.empty() ? foot_notice() : notice_;
  int bottom = draw_message(canvas, canvas.size().rows, 4, said.text, said.style);
  link_words(canvas, bottom, 1, said.text, {{"Enter", {Key::Code::enter}}});
  const std::string& about = rows_[current_index_].help_text;
  const int form = std::max(kBesideAtLeast, width * 2 / 5),
            about_rows = std::clamp(static_cast<int>(wrap(about, width - 2).size()), 1, 2);
  const Canvas picture = draw_beside({bottom - about_rows - kFirstRow, width - form - 2});
  const bool is_beside = picture.size().rows > 0;
  rows_width_ = is_beside ? form : width;
  // If the row had no room for its explanation, show all of it here.
  if (is_beside || width - kAbout < std::max(kAboutAtLeast, columns(about)))
    bottom = draw_message(canvas, bottom, 2, about, Style::dim);

  const int rows = static_cast<int>(rows_.size());
  visible_lines_ = std::max(1, bottom - kFirstRow);
  const Canvas more = draw_below({visible_lines_ - rows - 1, width});
  line_count_ = rows + (more.size().rows > 0 ? 1 + more.size().rows : 0);
  const bool scrolls = line_count_ > visible_lines_ && visible_lines_ > 1;
  visible_lines_ -= scrolls;
  if (should_show_row_)
    first_line_ =
        first_line_to_show(rows, visible_lines_, static_cast<int>(current_index_), first_line_);
  should_show_row_ = false;
  first_line_ = std::clamp(first_line_, 0, std::max(0, line_count_ - visible_lines_));
  Canvas all({line_count_, is_beside ? kAbout : width});
  for (int i = 0; i < rows; ++i)
    draw_row(all, i, rows_[static_cast<std::size_t>(i)], i == static_cast<int>(current_index_));
  const std::optional<Point> cursor = std::exchange(all.cursor, std::nullopt);
  if (more.size().rows > 0) all.draw_canvas(rows + 1, 0, more);
  Canvas window({visible_lines_, width});
  window.draw_canvas(-first_line_, 0, all);
  canvas.draw_canvas(kFirstRow, 0, window);
  if (is_beside) {
    canvas.draw_wall(kFirstRow, form, picture.size().rows);
    canvas.draw_canvas(kFirstRow, form + 2, picture);
  }
  draw_values(canvas, kFirstRow + rows + 1, visible_lines_ - line_count_ - 1, rows_width_);
  if (scrolls && first_line_ + visible_lines_ < line_count_) {
    canvas.put_text(kFirstRow + visible_lines_, 1, "PgDn: more", Style::dim);
    canvas.add_link(kFirstRow + visible_lines_, 1, 10, {{Key::Code::page_down}});
  }
  if (cursor && cursor->row >= first_line_ && cursor->row < first_line_ + visible_lines_)
    canvas.cursor = Point{kFirstRow + cursor->row - first_line_, cursor->column};
}

// Lists the values of the selected row with their words, if it has any and there is room.
void Form::draw_values(Canvas& canvas, int top, int rows, int width) {
  constexpr int kRowsAtLeast = 3, kValues = kLabel + 2;
  const FormRow& row = rows_[current_index_];
  const int count = rows < kRowsAtLeast ? 0 : static_cast<int>(row.value_help.size());
  value_list_.set_row_count(count);
  value_list_.select(static_cast<int>(row.chosen_index));
  value_list_.set_layout(top, count > rows ? rows - 1 : rows);
  int words = 0;  // the first column of the words
  std::vector<std::string> values = row.values;
  for (std::string& value : values) {
    if (value.empty()) value = row.text.empty() ? row.placeholder : row.text.text();
    if (value.empty()) value = "a name";
    words = std::max(words, kValues + columns(value) + 2);
  }
  for (int i = value_list_.first_visible(); i < value_list_.end_visible(); ++i) {
    const auto n = static_cast<std::size_t>(i);
    const int at = value_list_.screen_row(i);
    const bool is_chosen = n == row.chosen_index;
    if (is_chosen) canvas.put_text(at, kLabel, "*", Style::turn);
    canvas.put_text(at, kValues, fit(values[n], width - kValues),
                    is_chosen ? Style::turn : Style::text);
    canvas.put_text(at, words, fit(row.value_help[n], std::max(0, width - words)), Style::dim);
  }
  if (count > rows) canvas.put_text(top + rows - 1, kValues, value_list_.more_text(), Style::dim);
}

// True if the key edits the text instead of its usual command. Home and End edit while the cursor
// can still move that way; so do Left and Right in a choice with a typed value.
bool Form::is_text_key(const Key& key) const {
  using enum Key::Code;
  const FormRow& row = rows_[current_index_];
  if (!row.is_typed()) return false;
  const bool choice = row.kind == FormRow::Kind::choice;
  const bool secret = row.kind == FormRow::Kind::secret;  // the cursor stays at its end
  return key.code == character || (key.code == home && (secret || !row.text.is_at_start())) ||
         (key.code == end && (secret || !row.text.is_at_end())) ||
         (key.code == left && !(choice && row.text.is_at_start())) ||
         (key.code == right && !(choice && row.text.is_at_end()));
}

void Form::press(const Key& key) {
  notice_.clear();
  should_show_row_ = true;
  FormRow& row = rows_[current_index_];
  const bool takes_away = key.code == Key::Code::backspace || key.code == Key::Code::delete_key;
  const auto text = std::ranges::find(row.values, "");
  // Typing into a choice with a typed value selects that value.
  if (!row.is_typed() && text != row.values.end() &&
      ((key.code == Key::Code::character && key.value > U' ') || takes_away)) {
    row.chosen_index = static_cast<std::size_t>(text - row.values.begin());
    row.text.set_text("");
    row.is_edited = false;
    handle_change(row);
    if (takes_away) return;
  }
  if (is_text_key(key)) return edit_text(key);
  if (const auto act = bound_command<KeyAction<Form>>(bindings(), key)) return (*act)(*this);
  FormRow& now = current_row();  // the row before may be gone
  if (now.is_typed()) return edit_text(key);
  if (key.code != Key::Code::character) return;
  // A letter chooses the next value that begins with it.
  for (std::size_t step = 1; step <= now.values.size() && key.value < 128; ++step) {
    const std::size_t next = (now.chosen_index + step) % now.values.size();
    const std::string typed(1, static_cast<char>(key.value));
    if (!starts_with_ignoring_case(now.values[next], typed)) continue;
    now.chosen_index = next;
    return handle_change(now);
  }
  show_notice("This row takes no text. Press Space to change it.", Style::warning);
}

void Form::edit_text(const Key& key) {
  FormRow& row = rows_[current_index_];
  const std::string before = row.text.text();
  if (is_untouched_ && row.is_replaceable && key.code == Key::Code::character)
    row.text.set_text("");
  if (row.text.press(key)) is_untouched_ = false;
  // The cursor of a secret stays at the end: between stars it would mean nothing.
  if (row.kind == FormRow::Kind::secret) row.text.press({Key::Code::end});
  const bool takes_away = key.code == Key::Code::backspace || key.code == Key::Code::delete_key ||
                          key == control_key('U') || key == control_key('W');
  if (row.text.text() == before && !(before.empty() && takes_away)) return;
  row.is_edited = true;
  handle_change(row);
}

void Form::paste(char32_t c) {
  if (!rows_[current_index_].is_typed()) return;
  notice_.clear();
  edit_text(character_key(c));
}

void Form::click(Point place) {
  if (place.column >= rows_width_) return;
  if (const auto value = value_list_.row_at(place);
      value && *value < std::ssize(current_row().values)) {
    notice_.clear();
    current_row().chosen_index = static_cast<std::size_t>(*value);
    return handle_change(current_row());
  }
  const int row = place.row - kFirstRow + first_line_;
  if (place.row < kFirstRow || place.row >= kFirstRow + visible_lines_ || row >= std::ssize(rows_))
    return;
  notice_.clear();
  go_to(static_cast<std::size_t>(row));
  if (!rows_[current_index_].is_typed()) change_value(1);
}

void Form::change_value(int step) {
  FormRow& row = rows_[current_index_];
  if (row.values.empty()) return;
  row.chosen_index = wrap_index(row.chosen_index, row.values.size(), step);
  handle_change(row);
}

}  // namespace pbm
