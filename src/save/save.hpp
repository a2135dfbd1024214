// SPDX-License-Identifier: MIT
// A match to and from the text of a save, format 1 (pbmplay-save in the manual): a head, then
// `plies:` with one line for each thing done. Leaves files, locks and directories to store/ and
// boards/.
#pragma once

#include "game/match.hpp"

namespace pbm {

// No save is larger; what is larger is not one of ours.
inline constexpr std::size_t kMaxSave = 2U << 20;  // bytes

struct Loaded {
  Match match;
  std::size_t used;     // bytes of the text that count: less than all after an unfinished write
  std::string warning;  // a sentence about what was dropped, or ""
  std::string challenger = {};  // the userid that began it on a server, or ""
};

// The match in `text`, replayed from the start. Refuses with "NAME, line 7: ..." what is no save,
// is newer than this program, or says what cannot have happened.
Result<Loaded> load_match(std::string_view text, std::string_view name);

// Returns the bytes of a save that count. A last line of the plies without its line feed is left
// out as an unfinished write, unless it is a whole, legal ply; so are zeros at the end.
std::size_t finished_bytes(std::string_view text);

// Whether `beginning`, the first bytes of a file, can be those of a save at all.
bool looks_like_save(std::string_view beginning);

// The whole text of a save, which `challenger` has begun if that is said.
std::string save_text(const Match& match, std::string_view challenger = "");

// An entry as a map, "{move: BT, seat: 1, at: 2026-11-21T12:00:00Z}", of a ply with its seat if
// that is wanted; and the line of it in a save, with its line feed.
std::string action_text(const Action& entry, bool seat);
std::string save_line(const Action& entry);

// `text`, a save that load_match() took, with `entries` added: every old byte stays but a byte order
// mark, an unfinished last line and a `[]` that stood for no plies. Where only bytes at the end are new,
// `kept` of the old text stay and `added` follow, so that a writer can append. Refuses a file whose
// plies are not one a line.
struct Addition {
  std::size_t kept;   // bytes of the old text that stay in place
  std::string added;  // what follows them
};
Result<Addition> add_to_save(std::string_view text, std::string_view name,
                             const std::vector<Action>& entries);

// `text`, a save that load_match() took, with the levels that the computer has in `match`; all else
// stays as it was. Refuses a head in which they stand otherwise than on a line of their own.
Result<std::string> with_computers(std::string_view text, std::string_view name,
                                   const Match& match);
// Refuses that a save, "toot-101.yaml", becomes `bytes` large by `entries` of a match that stood so
// `before`. What is left of the largest then is for what fits when a board is full.
inline constexpr std::size_t kRoomToEnd =
    2000;  // bytes: offers, their answers and resignations of four seats
Result<Done> may_grow_to(std::size_t bytes, std::string_view save, const Match& before,
                         const std::vector<Action>& entries);

}  // namespace pbm
