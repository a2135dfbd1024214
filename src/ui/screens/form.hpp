// SPDX-License-Identifier: MIT
// A form: rows to choose, switch or type, with the same keys, mouse, scrolling and errors in every
// form. Leaves the rows and their meaning to each form.
#pragma once

#include "ui/screen.hpp"
#include "ui/widgets/line_editor.hpp"
#include "ui/widgets/row_list.hpp"

namespace pbm {

struct FormRow {
  enum class Kind : std::uint8_t { choice, toggle, text, secret };
  FormRow(Kind its_kind, std::string_view its_label, std::string_view told,
          std::vector<std::string> all = {})
      : kind(its_kind), label(its_label), help_text(told), values(std::move(all)) {
    if (kind == Kind::toggle) values = {"no", "yes"};
  }
  Kind kind;
  std::string label, help_text;
  // The values of a choice; "" stands for the typed `text`. A switch has "no" and "yes".
  std::vector<std::string> values;
  // A word for each value, or empty. With words, the values stand in a list below the rows.
  std::vector<std::string> value_help = {};
  std::size_t chosen_index = 0;
  LineEditor text = {};          // stars hide a secret
  std::string placeholder = {};  // the default, shown if the text is empty
  bool is_replaceable = false;   // the first typed character replaces the text
  bool is_wrong = false;         // the value is not allowed
  bool is_edited = false;        // the player has typed a text, or deleted the default

  bool is_typed() const {
    return kind == Kind::text || kind == Kind::secret ||
           (kind == Kind::choice && values[chosen_index].empty());
  }
  bool is_on() const { return chosen_index == 1; }
  // Returns the text of a choice or a typed row.
  std::string value() const { return is_typed() ? text.text() : values[chosen_index]; }
};

class Form : public Screen {
 public:
  void draw(Canvas& canvas) override;
  void press(const Key& key) override;
  void paste(char32_t c) override;
  // Selects a row, and changes its value if it has no text; or chooses a value of the list.
  void click(Point place) override;
  std::vector<KeyHelp> keys() const override;

 protected:
  // `enter` and `leave` say in help what Enter and Esc do.
  Form(std::string_view enter, std::string_view leave) : enter_help_(enter), leave_help_(leave) {}

  // Handles Enter: goes to the next row, or finishes on the last one.
  virtual void enter() {
    current_index_ + 1 == rows_.size() ? finish() : go_to(current_index_ + 1);
  }
  virtual void finish() { leave(); }
  virtual void leave() { request(BackRequest{}); }
  // Handles a change of `row`. It may replace `rows_`.
  virtual void handle_change(FormRow& row) = 0;
  // Updates rows that depend on others, before each drawing.
  virtual void update_rows() {}
  // Returns the sentence at the bottom when there is no notice.
  virtual Notice foot_notice() const = 0;
  // Returns a picture to draw below the rows, given the free room. If it is higher, all scrolls.
  virtual Canvas draw_below(Size) const { return Canvas({0, 0}); }
  // Returns a picture to draw beside the rows, of the size of the free room, or none.
  virtual Canvas draw_beside(Size) { return Canvas({0, 0}); }

  FormRow& current_row() { return rows_[current_index_]; }
  FormRow* find(std::string_view label);
  const FormRow* find(std::string_view label) const { return const_cast<Form*>(this)->find(label); }
  void go_to(std::size_t row) {
    current_index_ = row;
    is_untouched_ = should_show_row_ = true;
  }
  void change_value(int step);
  void edit_text(const Key& key);

  std::vector<FormRow> rows_;
  std::size_t current_index_ = 0;
  TaskHandle pending_request_;  // a request about the entered values
  int width_ = 0;               // columns of the last drawing

 private:
  static const std::vector<Binding<KeyAction<Form>>>& bindings();
  void move_by(int step) { go_to(wrap_index(current_index_, rows_.size(), step)); }
  void scroll(int pages) {
    should_show_row_ = false;
    first_line_ = std::clamp(first_line_ + pages * (visible_lines_ / 2 + 1), 0,
                             std::max(0, line_count_ - visible_lines_));
  }
  void go_to_first() { go_to(0); }
  void go_to_last() { go_to(rows_.size() - 1); }
  bool is_text_key(const Key& key) const;
  void draw_values(Canvas& canvas, int top, int rows, int width);

  std::string_view enter_help_, leave_help_;
  bool is_untouched_ = false;  // no text typed since the row was selected
  int first_line_ = 0, visible_lines_ = 1,
      line_count_ = 0;           // scrolling: first line shown, lines that fit, all lines
  int rows_width_ = 0;           // columns of the rows, left of a picture
  bool should_show_row_ = true;  // the next drawing scrolls to the row
  RowList value_list_;           // the values of the row below the rows, if they are shown
};

}  // namespace pbm
