// SPDX-License-Identifier: MIT
#include "boards/local_notes.hpp"

#include <algorithm>

#include "base/files.hpp"
#include "save/yaml.hpp"

namespace pbm {
namespace {

constexpr std::size_t kMaxNotesFile = std::size_t{1} << 20;  // bytes
constexpr std::string_view kNotesHead = "format: 1\nnotes:\n", kChatHead = "format: 1\ntalk:\n";
constexpr auto kDuplicateWindow = std::chrono::seconds(5);

// A note and the number of actions on the board before it. After a take-back other plies can have
// the same number, so the number of the ply alone is not enough.
struct StoredNote {
  std::size_t action_count;
  LogEntry note;
};

// Returns the maps in the list `key` of a file; none if there is no file.
Result<std::vector<YamlNode>> read_items(const std::filesystem::path& file, std::string_view key) {
  std::error_code error;
  if (!std::filesystem::exists(file, error)) return std::vector<YamlNode>{};
  const auto text = read_idle_file(file, kMaxNotesFile);
  if (!text) return text.refusal();
  // A last line without a line end was not written completely.
  auto root = read_yaml(text->substr(0, text->rfind('\n') + 1));
  if (!root) return Refusal{safe_text(file.filename().string()) + ", " + root.refusal().reason};
  const YamlNode* list = root->find(key);
  return list ? list->items : std::vector<YamlNode>{};
}

// Appends lines to a file; creates it with `head` if necessary.
Result<Success> append_lines(const std::filesystem::path& file, std::string_view head,
                             const std::string& lines) {
  std::error_code error;
  if (!std::filesystem::exists(file, error) && create_file(file, std::string(head) + lines))
    return Success{};
  auto locked = LockedFile::open(file, kMaxNotesFile);
  if (!locked) return locked.refusal();
  const std::size_t whole = locked->text().rfind('\n') + 1;
  if (whole + lines.size() > kMaxNotesFile)
    return Refusal{safe_text(file.filename().string()) + " is full."};
  locked->write(whole, lines);
  return Success{};
}

// Returns the complete lines of a list.
std::vector<std::string_view> complete_items(std::string_view text) {
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
constexpr std::string_view kTimePrefix = "- {at: ";
constexpr std::size_t kTimeLength = std::string_view("2026-11-21T12:00:00Z").size();

std::string text_after_time(const LocalNotes::ChatEntry& said) {
  return (said.board.empty() ? "" : ", board: " + yaml_scalar(said.board)) +
         ", said: " + yaml_scalar(said.text) + "}";
}

}  // namespace

Match LocalNotes::with_notes(const std::string& id, Match match, std::string& warning) const {
  if (directory_.empty()) return match;
  const auto items = read_items(notes_file(id), "notes");
  if (!items) {
    warning = "The program cannot read your notes. " + items.refusal().reason;
    return match;
  }
  if (items->empty()) return match;
  std::vector<StoredNote> notes;
  for (const YamlNode& item : *items)
    notes.push_back({get_number(item, "after"),
                     {get_text(item, "note"), 0, get_time(item, "at"), get_number(item, "ply")}});
  Match out = *Match::start(match.game(), match.options(), match.names(), match.start_time());
  out.set_limits(match.limits());
  out.set_origin(match.origin());
  std::size_t done = 0, next = 0;
  const auto add_notes = [&] {
    for (; next < notes.size() && notes[next].action_count <= done; ++next)
      if (const auto note = out.validate_note(*notes[next].note.note_ply, notes[next].note.text,
                                              notes[next].note.time))
        out.add(*note);
  };
  for (const LogEntry& entry : match.log()) {
    if (!entry.note_ply) {
      add_notes();
      ++done;
    }
    out.add(entry);
  }
  add_notes();
  return out;
}

Result<Success> LocalNotes::add(const std::string& id, Match& match,
                                const std::vector<MoveRequest>& turns) {
  Match noted = match;
  const auto notes = validate_requests(noted, turns);
  if (!notes) return notes.refusal();
  if (directory_.empty()) return Refusal{"Notes cannot be saved here."};
  const auto done =
      std::ranges::count_if(match.log(), [](const LogEntry& entry) { return !entry.note_ply; });
  std::string lines;
  for (const LogEntry& note : *notes)
    lines += "- {after: " + std::to_string(done) + ", ply: " + std::to_string(*note.note_ply) +
             ", note: " + yaml_scalar(note.text) + ", at: " + iso_time(note.time) + "}\n";
  if (const auto kept = append_lines(notes_file(id), kNotesHead, lines); !kept)
    return kept.refusal();
  match = std::move(noted);
  return Success{};
}

void LocalNotes::add_chat(std::span<const ChatEntry> said) {
  if (directory_.empty() || said.empty()) return;
  constexpr std::size_t kLookedAt = 8;  // lines that another program may have added since
  said = said.last(std::min(said.size(), kMaxChatLines));
  std::error_code error;
  if (!std::filesystem::exists(chat_file(), error)) create_file(chat_file(), kChatHead);
  auto locked = LockedFile::open(chat_file(), kMaxNotesFile);
  if (!locked) throw Error(locked.refusal().reason);
  const std::string& text = locked->text();
  const std::vector<std::string_view> lines = complete_items(text);
  const auto known =
      std::span(lines).last(std::min(lines.size(), std::max(said.size(), kLookedAt)));
  std::string added;
  std::size_t n = 0;
  for (const ChatEntry& one : said) {
    const std::string rest = text_after_time(one);
    const bool heard = std::ranges::any_of(known, [&](std::string_view line) {
      if (!line.ends_with(rest) || line.size() != kTimePrefix.size() + kTimeLength + rest.size())
        return false;
      const auto at = read_iso_time(line.substr(kTimePrefix.size(), kTimeLength));
      return at && one.time - *at <= kDuplicateWindow;
    });
    if (heard) continue;
    added += std::string(kTimePrefix) + iso_time(one.time) + rest + "\n";
    ++n;
  }
  if (n == 0) return;
  const std::size_t whole = text.rfind('\n') + 1;
  if (text.starts_with(kChatHead) && lines.size() + n <= 2 * kMaxChatLines &&
      whole + added.size() <= kMaxNotesFile)
    return locked->write(whole, added);
  std::string anew(kChatHead);
  for (std::size_t i = lines.size() > kMaxChatLines ? lines.size() - kMaxChatLines : 0;
       i < lines.size(); ++i)
    anew += std::string(lines[i]) + "\n";
  locked->write(0, anew + added);
}

std::vector<std::string> LocalNotes::chat_lines() const {
  std::vector<std::string> out;
  std::error_code error;
  if (directory_.empty() || !std::filesystem::exists(chat_file(), error)) return out;
  const auto text = read_idle_file(chat_file(), kMaxNotesFile);
  if (!text) return {"The program cannot read the chat. " + text.refusal().reason};
  for (const YamlNode& item : last_items(complete_items(*text), kMaxChatLines)) {
    const std::string board = get_text(item, "board");
    out.push_back(safe_text(long_time(get_time(item, "at")) + "  " +
                            (board.empty() ? "" : board + "  ") + get_text(item, "said")));
  }
  return out;
}

}  // namespace pbm
