// SPDX-License-Identifier: MIT
// The program as questions and answers, for dumb terminals, screen readers
// and pipes: not one control character is written. Leaves rules and files to
// the same services as the screens.
#pragma once

#include <functional>
#include <iosfwd>

#include "boards/boards.hpp"
#include "ui/settings.hpp"

namespace pbm {

inline constexpr int kLineWidth = 78;  // columns of what is written

// The lobby until it is left or the input ends; with `board`, that board first. With `echo`, what
// is read is written too: for pipes, where no terminal shows it.
void line_by_line(Boards& boards, View view, Settings settings,
                  std::function<Result<std::string>(const std::string&)> rules, std::istream& in,
                  std::ostream& out, bool echo = false, std::optional<Board> board = {});

}  // namespace pbm
