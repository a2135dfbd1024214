// SPDX-License-Identifier: MIT
// A person at the real program: a home of their own, boards in it, and what
// tests of the screen read out of files and pictures.
#pragma once

#include <utility>

#include "support.hpp"
#include "terminal.hpp"

namespace pbm::test {

// A person with an empty home.
class PtyUser {
 public:
  std::filesystem::path home() const { return home_.path(); }
  std::filesystem::path saves() const { return home_ / "data/pbmplay/saves"; }
  std::filesystem::path file(const std::string& board) const { return saves() / (board + ".yaml"); }

  Launch launch(std::vector<std::string> arguments = {}) const;

  // A board of Toot as the program would have left it, with these plies; its file.
  std::filesystem::path board(const std::vector<std::string>& options = {},
                              std::string_view plies = "",
                              const std::vector<std::string>& names = {"fred", "wilma"},
                              const std::string& name = "toot-101") const;
  // The same of any game.
  std::filesystem::path board_of(const std::string& game, std::string_view plies = "",
                                 const std::vector<std::string>& names = {"fred", "wilma"},
                                 const std::vector<std::string>& options = {},
                                 const std::string& name = "") const;
  std::filesystem::path save(const std::string& name, const std::string& text) const;

  // What the program prints for these arguments, and its exit status.
  std::string prints(const std::vector<std::string>& arguments, int status = 0) const;

 private:
  TemporaryDirectory home_;
};

std::vector<std::string> plies_in(const std::filesystem::path& file);
std::vector<std::string> lines_of(const std::string& text);

// The rows of the drawing are on the screen, one below the other, and nothing of
// the drawing's width stands where they have blanks.
bool shows_drawing(const TerminalRun& run, const std::vector<std::string>& drawing);
std::vector<std::string> drawing_of(const std::filesystem::path& file);

// Types a ply and waits until the list of plies shows it as number `n`.
void play(TerminalRun& run, const std::string& ply, std::size_t n);

std::string listed(const std::vector<std::string>& items);

bool has_escape(std::string_view bytes);
bool is_ascii(std::string_view bytes);
// Whether a colour was ever set: SGR 30 to 49, 90 to 107.
bool sets_colours(std::string_view output);

}  // namespace pbm::test
