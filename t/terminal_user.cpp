// SPDX-License-Identifier: MIT
#include "terminal_user.hpp"

#include <algorithm>
#include <fstream>

#include "base/text.hpp"
#include "boards/local_boards.hpp"
#include "save/save.hpp"

namespace pbm::test {

namespace fs = std::filesystem;

LaunchOptions TerminalUser::make_launch(std::vector<std::string> arguments) const {
  LaunchOptions l;
  l.home = home_.path();
  l.arguments = std::move(arguments);
  return l;
}

void TerminalUser::write_settings(const std::string& lines) const {
  fs::create_directories(home_ / "config/pbmplay");
  std::ofstream(home_ / "config/pbmplay/settings.yaml") << lines << "size: 1\n";
}

fs::path TerminalUser::write_toot_board(const std::vector<std::string>& options,
                                        std::string_view plies,
                                        const std::vector<std::string>& names,
                                        const std::string& name) const {
  return write_board("toot", plies, names, options, name);
}

fs::path TerminalUser::write_board(const std::string& game, std::string_view plies,
                                   const std::vector<std::string>& names,
                                   const std::vector<std::string>& options,
                                   const std::string& name) const {
  const GameType* type = find_game(game);
  REQUIRE(type != nullptr);
  auto match = Match::start(*type, *read_options(*type, options), names, Time{});
  REQUIRE(match.ok());
  for (const std::string& typed : split_words(plies)) {
    const auto entry = match->validate(match->position().to_move(), typed, Time{});
    REQUIRE(entry.ok());
    match->add(*entry);
  }
  return write_save(name.empty() ? game + "-101" : name, save_text(*match));
}

fs::path TerminalUser::write_save(const std::string& name, const std::string& text) const {
  fs::create_directories(saves_directory());
  std::ofstream(save_file(name), std::ios::binary) << text;
  return save_file(name);
}

std::string TerminalUser::program_output(const std::vector<std::string>& arguments,
                                         int status) const {
  TerminalRun run(make_launch(arguments));
  const ExitResult end = run.wait_exit();
  std::string out = run.output();
  out.erase(std::remove(out.begin(), out.end(), '\r'), out.end());
  INFO(out);
  REQUIRE(end.status == status);
  return out;
}

std::vector<std::string> read_plies(const fs::path& file) {
  const auto board = open_save(file);
  INFO((board ? "" : board.refusal().reason));
  REQUIRE(board.ok());
  std::vector<std::string> out;
  for (const auto& ply : board->match.plies()) out.push_back(ply.text);
  return out;
}

std::vector<std::string> output_lines(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    out.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

bool is_drawing_shown(const TerminalRun& run, const std::vector<std::string>& drawing) {
  std::size_t width = 0;
  for (const std::string& line : drawing) width = std::max(width, line.size());
  const auto stands_at = [&](int row, std::size_t column) {
    for (std::size_t r = 0; r < drawing.size(); ++r) {
      std::string wanted = drawing[r], there = run.row(row + static_cast<int>(r));
      wanted.resize(width, ' ');
      there.resize(std::max(there.size(), column + width), ' ');
      if (there.substr(column, width) != wanted) return false;
    }
    return true;
  };
  for (int row = 0; row + static_cast<int>(drawing.size()) <= run.rows(); ++row) {
    const std::string there = run.row(row);
    for (std::size_t at = there.find(drawing.front()); at != std::string::npos;
         at = there.find(drawing.front(), at + 1))
      if (stands_at(row, at)) return true;
  }
  return false;
}

std::vector<std::string> read_drawing(const fs::path& file) {
  const auto board = open_save(file);
  REQUIRE(board.ok());
  return board->match.position().draw({}).rows;
}

void play_ply(TerminalRun& run, const std::string& ply, std::size_t n) {
  run.type(ply + "\r");
  run.wait_for(" " + std::to_string(n) + " " + upper(ply));
}

std::string one_per_line(const std::vector<std::string>& items) {
  std::string out;
  for (const std::string& item : items) out += item + "\n";
  return out;
}

bool has_escape(std::string_view bytes) { return bytes.find('\033') != std::string_view::npos; }
bool is_ascii(std::string_view bytes) {
  return std::all_of(bytes.begin(), bytes.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

bool has_colours(std::string_view output) {
  for (std::size_t at = output.find("\033["); at != std::string_view::npos;
       at = output.find("\033[", at + 2)) {
    std::size_t end = at + 2;
    while (end < output.size() && (is_digit(output[end]) || output[end] == ';')) ++end;
    if (end >= output.size() || output[end] != 'm') continue;
    std::string number;
    for (std::size_t i = at + 2; i <= end; ++i) {
      if (i < end && is_digit(output[i])) {
        number += output[i];
        continue;
      }
      const int n = number.empty() ? 0 : std::stoi(number);
      if ((n >= 30 && n <= 49) || (n >= 90 && n <= 107)) return true;
      number.clear();
    }
  }
  return false;
}

}  // namespace pbm::test
