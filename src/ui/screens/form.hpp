// SPDX-License-Identifier: MIT
// A form: rows that are chosen, switched or typed in, with the same keys, mouse, scrolling and
// refusals in each. Leaves which rows there are, and what comes of them, to each form.
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
  // Of a choice; "" among them stands for what is typed in `text`. Of a switch off and on.
  std::vector<std::string> values;
  std::size_t chosen = 0;
  LineEditor text = {};      // a secret is shown as stars
  std::string offered = {};  // stands for a text that is empty
  bool replaced = false;     // by the first character that is typed in it
  bool wrong = false;        // it cannot be as it is
  bool edited = false;       // something was typed, or taken away where it was only offered

  bool typed() const {
    return kind == Kind::text || kind == Kind::secret ||
           (kind == Kind::choice && values[chosen].empty());
  }
  bool on() const { return chosen == 1; }
  // What stands in a choice or a text.
  std::string value() const { return typed() ? text.text() : values[chosen]; }
};

class Form : public Screen {
 public:
  void draw(Canvas& canvas) override;
  void press(const Key& key) override;
  void paste(char32_t c) override;
  // Goes to a row; where there is nothing to type it is changed, too.
  void click(Point place) override;
  std::vector<KeyHelp> keys() const override;

 protected:
  // What Enter and Esc do in it, for help.
  Form(std::string_view enter, std::string_view leave) : enter_(enter), leave_(leave) {}

  // Enter: the next row, and behind the last one done().
  virtual void enter() { at_ + 1 == rows_.size() ? done() : go_to(at_ + 1); }
  virtual void done() { leave(); }
  virtual void leave() { request(GoBack{}); }
  // A row was changed. `rows_` may become others by it.
  virtual void changed(FormRow& row) = 0;
  // Before a picture: what follows from one row for others is put there.
  virtual void look() {}
  // What stands at the foot until something is said.
  virtual Notice foot() const = 0;
  // What stands below the rows where so much is free; it scrolls with them.
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
  Handle asking_;  // a server, about what was entered

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
  bool fresh_ = false;                  // nothing was typed since this row was gone to
  int top_ = 0, page_ = 1, lines_ = 0;  // of what scrolls: the first shown, those that fit, all
  bool follow_ = true;                  // the row is to be seen in the next picture
};

}  // namespace pbm
