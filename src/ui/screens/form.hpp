// SPDX-License-Identifier: MIT
// A form: rows to choose, switch or type, with the same keys, mouse, scrolling and errors in every
// form. Leaves the rows and their meaning to each form.
#pragma once

#include "ui/screen.hpp"
#include "ui/widgets/line_editor.hpp"
#include "ui/widgets/row_list.hpp"

namespace pbm {

struct FormRow {
  enum class Kind : std::uint8_t { choice, on_off, text, secret };
  FormRow(Kind its_kind, std::string_view its_label, std::string_view told,
          std::vector<std::string> all = {})
      : kind(its_kind), label(its_label), about(told), values(std::move(all)) {
    if (kind == Kind::on_off) values = {"no", "yes"};
  }
  Kind kind;
  std::string label, about;
  // The values of a choice; "" stands for the typed `text`. A switch has "no" and "yes".
  std::vector<std::string> values;
  std::size_t chosen = 0;
  LineEditor text = {};      // stars hide a secret
  std::string offered = {};  // the default, shown if the text is empty
  bool replaced = false;     // the first typed character replaces the text
  bool wrong = false;        // the value is not allowed
  bool edited = false;       // the player has typed a text, or deleted the default

  bool typed() const {
    return kind == Kind::text || kind == Kind::secret ||
           (kind == Kind::choice && values[chosen].empty());
  }
  bool on() const { return chosen == 1; }
  // Returns the text of a choice or a typed row.
  std::string value() const { return typed() ? text.text() : values[chosen]; }
};

class Form : public Screen {
 public:
  void draw(Canvas& canvas) override;
  void press(const Key& key) override;
  void paste(char32_t c) override;
  // Selects a row. If it has no text, also changes its value.
  void click(Point place) override;
  std::vector<KeyHelp> keys() const override;

 protected:
  // `enter` and `leave` say in help what Enter and Esc do.
  Form(std::string_view enter, std::string_view leave) : enter_(enter), leave_(leave) {}

  // Handles Enter: goes to the next row, or finishes on the last one.
  virtual void enter() { at_ + 1 == rows_.size() ? done() : go_to(at_ + 1); }
  virtual void done() { leave(); }
  virtual void leave() { request(GoBack{}); }
  // Handles a change of `row`. It may replace `rows_`.
  virtual void changed(FormRow& row) = 0;
  // Updates rows that depend on others, before each drawing.
  virtual void look() {}
  // Returns the sentence at the bottom when there is no notice.
  virtual Notice foot() const = 0;
  // Returns a picture to draw below the rows, given the free room. If it is higher, all scrolls.
  virtual Canvas below(Size) const { return Canvas({0, 0}); }

  FormRow& row() { return rows_[at_]; }
  FormRow* find(std::string_view label);
  const FormRow* find(std::string_view label) const { return const_cast<Form*>(this)->find(label); }
  void go_to(std::size_t row) {
    at_ = row;
    fresh_ = follow_ = true;
  }
  void change(int step);
  void type(const Key& key);

  std::vector<FormRow> rows_;
  std::size_t at_ = 0;
  Handle asking_;  // a request about the entered values

 private:
  static const std::vector<Binding<Act<Form>>>& bindings();
  void move(int step) { go_to(step_round(at_, rows_.size(), step)); }
  void scroll(int pages) {
    follow_ = false;
    top_ = std::clamp(top_ + pages * (page_ / 2 + 1), 0, std::max(0, lines_ - page_));
  }
  void first() { go_to(0); }
  void last() { go_to(rows_.size() - 1); }
  bool takes(const Key& key) const;

  std::string_view enter_, leave_;
  bool fresh_ = false;                  // no text typed since the row was selected
  int top_ = 0, page_ = 1, lines_ = 0;  // scrolling: first line shown, lines that fit, all lines
  bool follow_ = true;                  // the next drawing scrolls to the row
};

}  // namespace pbm
