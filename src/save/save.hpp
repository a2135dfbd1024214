// SPDX-License-Identifier: MIT
// Reads and writes a match as the text of a save, format 1 (pbmplay-save in the manual): a head,
// then `plies:` with one line for each action. Leaves files, locks and directories to store/ and
// boards/.
#pragma once

#include "game/match.hpp"

namespace pbm {

// The largest size of a save. Larger files are refused.
inline constexpr std::size_t kMaxSave = 2U << 20;  // bytes

struct LoadedMatch {
  Match match;
  std::size_t valid_bytes;      // valid bytes of the text: less than all after an unfinished write
  std::string warning;          // a sentence about the part that was dropped, or ""
  std::string challenger = {};  // the userid of the challenger on a server, or ""
};

// Reads the match in `text` and replays it from the start. Refuses with "NAME, line 7: ..." a text
// that is no save, is newer than this program, or contains an illegal action.
Result<LoadedMatch> load_match(std::string_view text, std::string_view name);

// Returns the size without an unfinished write: trailing zeros, or a last line of the plies without
// line feed that is no whole, legal ply.
std::size_t complete_size(std::string_view text);

// True if `beginning`, the first bytes of a file, may belong to a save.
bool looks_like_save(std::string_view beginning);

// Formats a whole save. The userid `challenger` goes to the head unless it is "".
std::string save_text(const Match& match, std::string_view challenger = "");

// Formats an action as a map, "{move: BT, seat: 1, at: 2026-11-21T12:00:00Z}". `seat` includes the
// seat of a ply. save_line() returns the line of a save, with its line feed.
std::string action_text(const LogEntry& entry, bool seat);
std::string save_line(const LogEntry& entry);

// An addition to a save, for a writer that appends. `kept_bytes` bytes of the old text stay and
// `new_text` follows them. All old bytes stay except a byte order mark, an unfinished last line and
// the `[]` of an empty list.
struct SaveAddition {
  std::size_t kept_bytes;  // bytes of the old text
  std::string new_text;    // the new text after them
};
// Adds `entries` to `text`, a valid save. If a line has several plies, rewrites the whole text, or
// refuses if it has comments or unknown keys.
Result<SaveAddition> add_to_save(std::string_view text, std::string_view name,
                                 const std::vector<LogEntry>& entries);

// Returns `text`, a valid save, with the names and computer levels of `match`; the rest stays the
// same. Refuses a head that does not have these keys on lines of their own.
Result<std::string> replace_computers(std::string_view text, std::string_view name,
                                      const Match& match);
// Refuses to let a save, "toot-101.yaml", become `bytes` large. `before` is the match before
// `entries`. The last kEndReserve bytes are reserved for actions that are legal on a full board.
inline constexpr std::size_t kEndReserve =
    2000;  // bytes: offers, answers and resignations of four seats
Result<Success> check_save_size(std::size_t bytes, std::string_view save, const Match& before,
                                const std::vector<LogEntry>& entries);

}  // namespace pbm
