// SPDX-License-Identifier: MIT
// A player at the real program with a home directory and boards, and functions to read files and
// screens.
#pragma once

#include <utility>

#include "support.hpp"
#include "terminal.hpp"

namespace pbm::test {

// A player with an empty home directory, who sees boards in their usual size.
class TerminalUser {
 public:
  TerminalUser() { write_settings(""); }
  // Replaces the settings: these lines, and the usual size of boards.
  void write_settings(const std::string& lines) const;
  std::filesystem::path home_directory() const { return home_.path(); }
  std::filesystem::path saves_directory() const { return home_ / "data/pbmplay/saves"; }
  std::filesystem::path save_file(const std::string& board) const {
    return saves_directory() / (board + ".yaml");
  }

  LaunchOptions make_launch(std::vector<std::string> arguments = {}) const;

  // Writes a save of Toot with these plies, as the program does. Returns its path.
  std::filesystem::path write_toot_board(const std::vector<std::string>& options = {},
                                         std::string_view plies = "",
                                         const std::vector<std::string>& names = {"fred", "wilma"},
                                         const std::string& name = "toot-101") const;
  // The same for any game.
  std::filesystem::path write_board(const std::string& game, std::string_view plies = "",
                                    const std::vector<std::string>& names = {"fred", "wilma"},
                                    const std::vector<std::string>& options = {},
                                    const std::string& name = "") const;
  std::filesystem::path write_save(const std::string& name, const std::string& text) const;

  // Returns the program's output for these arguments. It must end with that status.
  std::string program_output(const std::vector<std::string>& arguments, int status = 0) const;

 private:
  TemporaryDirectory home_;
};

std::vector<std::string> read_plies(const std::filesystem::path& file);
std::vector<std::string> output_lines(const std::string& text);

// True if the drawing is on the screen, and only blanks are where the drawing has blanks.
bool is_drawing_shown(const TerminalRun& run, const std::vector<std::string>& drawing);
std::vector<std::string> read_drawing(const std::filesystem::path& file);

// Types a ply and waits until the list of plies has it as number `n`.
void play_ply(TerminalRun& run, const std::string& ply, std::size_t n);

std::string one_per_line(const std::vector<std::string>& items);

bool has_escape(std::string_view bytes);
bool is_ascii(std::string_view bytes);
// True if the output sets a colour: SGR 30 to 49, 90 to 107.
bool has_colours(std::string_view output);

}  // namespace pbm::test
