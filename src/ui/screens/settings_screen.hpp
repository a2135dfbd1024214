// SPDX-License-Identifier: MIT
// What can be chosen, a row each, and how the chosen theme looks. Leaves
// remembering it to settings.hpp and what it changes to the application.
#pragma once

#include "ui/screens/form.hpp"
#include "ui/settings.hpp"
#include "ui/theme.hpp"

namespace pbm {

class SettingsScreen final : public Form {
 public:
  // With the themes in `directories` to choose from.
  SettingsScreen(Settings& settings, const std::vector<std::filesystem::path>& directories);

  // The largest drawing of a game that has several stands below the rows.
  Size wanted(Size terminal) override {
    return {std::min(terminal.rows, 44), std::min(terminal.columns, kWidest)};
  }
  std::string title() const override { return "Settings"; }

 private:
  // Whatever is changed holds at once and is remembered.
  void changed(FormRow& row) override;
  // What was chosen elsewhere meanwhile.
  void look() override;
  Notice foot() const override;
  // Every style and mark of the theme by its name, so that it can be seen without a game.
  Canvas below(Size room) const override;

  Settings& settings_;
  std::vector<ListedTheme> themes_;
};

}  // namespace pbm
