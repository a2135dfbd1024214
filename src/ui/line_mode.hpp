// SPDX-License-Identifier: MIT
// The program as questions and answers, for dumb terminals, screen readers and pipes. Writes no
// control characters. Leaves rules and files to the same modules as the screens.
#pragma once

#include <functional>
#include <iosfwd>

#include "boards/boards.hpp"
#include "ui/settings.hpp"

namespace pbm {

inline constexpr int kLineWidth = 78;  // columns of the output

// Runs until the player leaves the lobby or the input ends; opens `board` first if there is one.
// With `echo`, writes each line that it reads: a pipe, unlike a terminal, does not show it.
void run_line_mode(Boards& boards, View view, Settings settings,
                   std::function<Result<std::string>(const std::string&)> rules, std::istream& in,
                   std::ostream& out, bool echo = false, std::optional<Board> board = {});

}  // namespace pbm
