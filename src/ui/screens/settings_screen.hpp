// SPDX-License-Identifier: MIT
// What can be chosen, a row each, and how the chosen theme looks. Leaves
// remembering it to settings.hpp and what it changes to the application.
#pragma once

#include "ui/screen.hpp"
#include "ui/widgets/form.hpp"
#include "ui/settings.hpp"
#include "ui/theme.hpp"

namespace pbm {

class SettingsScreen final : public Screen {
 public:
  // With the themes in `directories` to choose from.
  SettingsScreen(Settings& settings, const std::vector<std::filesystem::path>& directories);

  void draw(Canvas& canvas) override;
  // Whatever is changed holds at once and is remembered.
  ScreenRequest press(const Key& key) override;
  void paste(char32_t c) override;
  // Goes to a row and changes it.
  ScreenRequest click(Point place) override;
  std::string title() const override { return "Settings"; }
  std::vector<KeyHelp> keys() const override;

 private:
  enum class Command : std::uint8_t;
  static const std::vector<Binding<Command>>& bindings();

  // One setting.
  struct Row {
    enum class Kind : std::uint8_t { theme, field, on_off, pace, name };
    Kind kind;
    std::string_view label, about;
    bool Preferences::*on = nullptr;  // of a switch
  };
  static const std::vector<Row>& rows();

  FormField field_of(const Row& row) const;
  std::vector<std::string> broken_themes() const;
  Canvas sample(int width) const;
  void go(std::size_t row);
  void change(int step);
  std::string next_theme(int step) const;
  char next_field(int step) const;
  void name_typed();
  void keep(const Preferences& wanted);

  Settings& settings_;
  std::vector<ListedTheme> themes_;
  LineEditor name_;
  std::size_t at_ = 0;
  int top_ = 0, page_ = 1,
      lines_ = 0;       // of what can be scrolled: the first shown, those that fit, all
  bool follow_ = true;  // the row is to be seen in the next drawing
};

}  // namespace pbm
