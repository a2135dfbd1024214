// SPDX-License-Identifier: MIT
#include "ui/match_picture.hpp"

#include <algorithm>

#include "ui/svg.hpp"
#include "ui/widgets/players_panel.hpp"

namespace pbm {
namespace {

constexpr int kPictureColumns = 48;     // at least
constexpr Size kLargestDouble{30, 96};  // of a drawing in double size
constexpr std::size_t kMaxFrames = 300;
constexpr double kMinute = 60, kSlowest = 1, kFastest = 0.25, kPause = 4;  // seconds

// Returns the least size that has room for both.
Size larger(Size a, Size b) { return {std::max(a.rows, b.rows), std::max(a.columns, b.columns)}; }

// Describes the last of `ply` plies, and how the game stands at its start and now.
std::string describe_shown_ply(const Match& match, std::size_t ply) {
  const std::string status = match.status_after(ply);
  if (ply == 0) return status;
  const Match::Ply& last = match.plies()[ply - 1];
  return std::to_string(ply) + ". " + last.text + ": " +
         match.action_sentence(last.seat, last.description + ".") +
         (ply == match.plies().size() ? " " + status : "");
}

// Draws the title, the players, the board in the middle of `room`, and a sentence in `text_rows`.
Canvas draw_match_frame(const Match& match, std::size_t ply, const View& view, Size room,
                        int text_rows) {
  const int board_row = match.seats() + 3, text_row = board_row + room.rows + 1;
  Canvas out({text_row + text_rows, room.columns});
  out.put_text(0, 1, title_with_options(match.game(), match.options()), Style::title);
  const bool is_past = ply < match.plies().size(), is_over = !is_past && match.ending();
  draw_players(out, {2, 1, match.seats(), room.columns - 2}, match, match.position_after(ply),
               is_past);
  BoardView board;
  board.set_drawing(match.draw(ply, view));
  if (ply > 0) board.mark_spots(match.plies()[ply - 1].changed_spots, Mark::last);
  if (is_over) board.mark_ending(match.ending()->spots, match.ending()->winner, match.game());
  const Size size = board.size();
  board.draw(out, {board_row + (room.rows - size.rows) / 2, (room.columns - size.columns) / 2,
                   size.rows, size.columns});
  const auto lines = wrap(describe_shown_ply(match, ply), room.columns - 2);
  for (int i = 0; i < static_cast<int>(lines.size()); ++i)
    out.put_text(text_row + i, 1, lines[index(i)], is_over ? Style::turn : Style::text);
  return out;
}

}  // namespace

std::string draw_match_picture(const Match& match, std::size_t ply, View view, const Theme& theme,
                               bool has_moves) {
  std::vector<std::size_t> plies;
  for (std::size_t n = has_moves ? 0 : ply; n < ply; n += (ply + kMaxFrames) / kMaxFrames)
    plies.push_back(n);
  plies.push_back(ply);
  view.is_text = false;
  const auto measure = [&](int scale) {
    Size out{0, kPictureColumns - 4};
    view.scale = scale;
    for (const std::size_t n : plies) out = larger(out, shown_size(match.draw(n, view)));
    return out;
  };
  Size room = measure(2);
  if (larger(room, kLargestDouble) != kLargestDouble) room = measure(1);
  room.columns += 4;
  int text_rows = 0;
  for (const std::size_t n : plies)
    text_rows = std::max(
        text_rows, static_cast<int>(wrap(describe_shown_ply(match, n), room.columns - 2).size()));
  const SvgWriter writer(theme);
  const double pace = std::clamp(kMinute / static_cast<double>(plies.size()), kFastest, kSlowest);
  std::vector<TimedFrame> shots;
  for (const std::size_t n : plies)
    shots.push_back(
        {writer.draw_canvas(draw_match_frame(match, n, view, room, text_rows), theme), pace});
  shots.back().seconds = kPause;
  return writer.draw_window(shots, room.columns,
                            std::string(match.game().title) + ": " +
                                safe_text(join_with_and(match.names())) + ". " +
                                describe_shown_ply(match, ply));
}

}  // namespace pbm
