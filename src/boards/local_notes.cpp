// SPDX-License-Identifier: MIT
#include "boards/local_notes.hpp"

#include <algorithm>

#include "base/files.hpp"
#include "save/yaml.hpp"

namespace pbm {

namespace {

constexpr std::size_t kMaxPaper = std::size_t{1} << 20;  // bytes
constexpr std::string_view kNotesHead = "format: 1\nnotes:\n", kTalkHead = "format: 1\ntalk:\n";
constexpr auto kAtOnce = std::chrono::seconds(5);

// A note and the number of actions on the board before it. After a take-back other plies can have
// the same number, so the number of the ply alone is not enough.
struct Kept {
  std::size_t after;
  Action note;
};

// Returns the maps in the list `key` of a file; none if there is no file.
Result<std::vector<YamlNode>> items_of(const std::filesystem::path& file, std::string_view key) {
  std::error_code error;
  if (!std::filesystem::exists(file, error)) return std::vector<YamlNode>{};
  const auto text = read_settled_file(file, kMaxPaper);
  if (!text) return text.refusal();
  // A last line without a line end was not written completely.
  auto root = read_yaml(text->substr(0, text->rfind('\n') + 1));
  if (!root) return Refusal{safe_text(file.filename().string()) + ", " + root.refusal().why};
  const YamlNode* list = root->find(key);
  return list ? list->items : std::vector<YamlNode>{};
}

// Appends lines to a file; creates it with `head` if necessary.
Result<Done> add_lines(const std::filesystem::path& file, std::string_view head,
                       const std::string& lines) {
  std::error_code error;
  if (!std::filesystem::exists(file, error) && create_file(file, std::string(head) + lines))
    return Done{};
  auto locked = LockedFile::open(file, kMaxPaper);
  if (!locked) return locked.refusal();
  const std::size_t whole = locked->text().rfind('\n') + 1;
  if (whole + lines.size() > kMaxPaper)
    return Refusal{safe_text(file.filename().string()) + " is as large as it may be."};
  locked->write(whole, lines);
  return Done{};
}

// Returns the complete lines of a list.
std::vector<std::string_view> lines_of(std::string_view text) {
  auto out = split_lines(text.substr(0, text.rfind('\n') + 1));
  std::erase_if(out, [](std::string_view line) { return !line.starts_with("- "); });
  return out;
}

// Returns the last `most` items. Parses each line separately, so that a broken one is skipped and
// the others remain.
std::vector<YamlNode> last_items(const std::vector<std::string_view>& lines, std::size_t most) {
  std::vector<YamlNode> out;
  for (std::size_t i = lines.size() > most ? lines.size() - most : 0; i < lines.size(); ++i)
    if (auto root = read_yaml("line:\n" + std::string(lines[i]) + "\n"))
      if (auto& items = root->entries[0].value.items;
          items.size() == 1 && items[0].kind == YamlNode::Kind::map)
        out.push_back(std::move(items[0]));
  return out;
}

// A chat line in the file begins with its time. The rest of the line is the same for all programs
// that received it.
constexpr std::string_view kAt = "- {at: ";
constexpr std::size_t kTime = std::string_view("2026-11-21T12:00:00Z").size();

std::string behind_time(const LocalNotes::Said& said) {
  return (said.board.empty() ? "" : ", board: " + yaml_scalar(said.board)) +
         ", said: " + yaml_scalar(said.text) + "}";
}

}  // namespace

Match LocalNotes::with_notes(const std::string& id, Match match, std::string& warning) const {
  if (directory_.empty()) return match;
  const auto items = items_of(notes_file(id), "notes");
  if (!items) {
    warning = "Your notes cannot be read: " + items.refusal().why;
    return match;
  }
  if (items->empty()) return match;
  std::vector<Kept> notes;
  for (const YamlNode& item : *items)
    notes.push_back({number_in(item, "after"),
                     {text_in(item, "note"), 0, time_in(item, "at"), number_in(item, "ply")}});
  Match out = *Match::start(match.game(), match.options(), match.names(), match.started());
  out.set_limits(match.limits());
  out.set_origin(match.origin());
  std::size_t done = 0, next = 0;
  const auto add_notes = [&] {
    for (; next < notes.size() && notes[next].after <= done; ++next)
      if (const auto note = out.validate_note(*notes[next].note.note_on, notes[next].note.text,
                                              notes[next].note.at))
        out.add(*note);
  };
  for (const Action& entry : match.log()) {
    if (!entry.note_on) {
      add_notes();
      ++done;
    }
    out.add(entry);
  }
  add_notes();
  return out;
}

Result<Done> LocalNotes::add(const std::string& id, Match& match,
                             const std::vector<MoveRequest>& turns) {
  Match noted = match;
  const auto notes = judge_turns(noted, turns);
  if (!notes) return notes.refusal();
  if (directory_.empty()) return Refusal{"There is no place here to keep notes."};
  const auto done =
      std::ranges::count_if(match.log(), [](const Action& entry) { return !entry.note_on; });
  std::string lines;
  for (const Action& note : *notes)
    lines += "- {after: " + std::to_string(done) + ", ply: " + std::to_string(*note.note_on) +
             ", note: " + yaml_scalar(note.text) + ", at: " + iso_time(note.at) + "}\n";
  if (const auto kept = add_lines(notes_file(id), kNotesHead, lines); !kept) return kept.refusal();
  match = std::move(noted);
  return Done{};
}

void LocalNotes::keep_talk(std::span<const Said> said) {
  if (directory_.empty() || said.empty()) return;
  constexpr std::size_t kLookedAt = 8;  // lines that another program may have added since
  said = said.last(std::min(said.size(), kMaxTalk));
  std::error_code error;
  if (!std::filesystem::exists(talk_file(), error)) create_file(talk_file(), kTalkHead);
  auto locked = LockedFile::open(talk_file(), kMaxPaper);
  if (!locked) throw Error(locked.refusal().why);
  const std::string& text = locked->text();
  const std::vector<std::string_view> lines = lines_of(text);
  const auto known =
      std::span(lines).last(std::min(lines.size(), std::max(said.size(), kLookedAt)));
  std::string added;
  std::size_t n = 0;
  for (const Said& one : said) {
    const std::string rest = behind_time(one);
    const bool heard = std::ranges::any_of(known, [&](std::string_view line) {
      if (!line.ends_with(rest) || line.size() != kAt.size() + kTime + rest.size()) return false;
      const auto at = read_iso_time(line.substr(kAt.size(), kTime));
      return at && one.at - *at <= kAtOnce;
    });
    if (heard) continue;
    added += std::string(kAt) + iso_time(one.at) + rest + "\n";
    ++n;
  }
  if (n == 0) return;
  const std::size_t whole = text.rfind('\n') + 1;
  if (text.starts_with(kTalkHead) && lines.size() + n <= 2 * kMaxTalk &&
      whole + added.size() <= kMaxPaper)
    return locked->write(whole, added);
  std::string anew(kTalkHead);
  for (std::size_t i = lines.size() > kMaxTalk ? lines.size() - kMaxTalk : 0; i < lines.size(); ++i)
    anew += std::string(lines[i]) + "\n";
  locked->write(0, anew + added);
}

std::vector<std::string> LocalNotes::talk() const {
  std::vector<std::string> out;
  std::error_code error;
  if (directory_.empty() || !std::filesystem::exists(talk_file(), error)) return out;
  const auto text = read_settled_file(talk_file(), kMaxPaper);
  if (!text) return {"What was said cannot be read: " + text.refusal().why};
  for (const YamlNode& item : last_items(lines_of(*text), kMaxTalk)) {
    const std::string board = text_in(item, "board");
    out.push_back(safe_text(long_time(time_in(item, "at")) + "  " +
                            (board.empty() ? "" : board + "  ") + text_in(item, "said")));
  }
  return out;
}

}  // namespace pbm
