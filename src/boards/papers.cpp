// SPDX-License-Identifier: MIT
#include "boards/papers.hpp"

#include <algorithm>
#include <charconv>

#include "base/files.hpp"
#include "save/yaml.hpp"

namespace pbm {

namespace {

constexpr std::size_t kLargestPaper = std::size_t{1} << 20;  // bytes
constexpr std::string_view kNotesHead = "format: 1\nnotes:\n", kTalkHead = "format: 1\ntalk:\n";
constexpr auto kAtOnce = std::chrono::seconds(5);

// A note, and after how many things done on the board it was made: plies are
// taken back and others played, and a note stays with its own.
struct Kept {
  std::size_t after;
  Entry note;
};

std::size_t number_in(const YamlNode* node) {
  std::size_t n = 0;
  if (node) std::from_chars(node->text.data(), node->text.data() + node->text.size(), n);
  return n;
}

std::string text_in(const YamlNode& item, std::string_view key) {
  const YamlNode* node = item.find(key);
  return node ? node->text : "";
}

Time time_in(const YamlNode& item) { return read_iso_time(text_in(item, "at")).value_or(Time{}); }

// The maps in the list `key` of a file; none where there is no file.
Result<std::vector<YamlNode>> items_of(const std::filesystem::path& file, std::string_view key) {
  std::error_code error;
  if (!std::filesystem::exists(file, error)) return std::vector<YamlNode>{};
  const auto text = read_file(file, kLargestPaper);
  if (!text) return text.refusal();
  // A last line without its end was never finished.
  auto root = read_yaml(text->substr(0, text->rfind('\n') + 1));
  if (!root) return Refusal{safe_text(file.filename().string()) + ", " + root.refusal().why};
  const YamlNode* list = root->find(key);
  return list ? list->items : std::vector<YamlNode>{};
}

// Adds a line to a file that starts with `head`.
Result<Done> add_line(const std::filesystem::path& file, std::string_view head, const std::string& line) {
  std::error_code error;
  if (!std::filesystem::exists(file, error) && create_file(file, std::string(head) + line)) return Done{};
  auto locked = LockedFile::open(file, kLargestPaper);
  if (!locked) return locked.refusal();
  const std::size_t whole = locked->text().rfind('\n') + 1;
  if (whole + line.size() > kLargestPaper) return Refusal{safe_text(file.filename().string()) + " is as large as it may be."};
  locked->write(whole, line);
  return Done{};
}

// Those that have their end.
std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> out;
  for (std::size_t end; (end = text.find('\n')) != std::string_view::npos; text.remove_prefix(end + 1)) out.push_back(text.substr(0, end));
  return out;
}

std::size_t done_on(const Match& match) {
  return static_cast<std::size_t>(std::count_if(match.log().begin(), match.log().end(), [](const Entry& e) { return !e.note_on; }));
}

std::string talk_line(const std::string& id, const std::string& said, Time at) {
  return "- {at: " + iso_time(at) + (id.empty() ? "" : ", board: " + yaml_scalar(id)) + ", said: " + yaml_scalar(said) + "}\n";
}

}  // namespace

Match Papers::with_notes(const std::string& id, Match match, std::string& warning) const {
  if (directory_.empty()) return match;
  const auto items = items_of(notes_file(id), "notes");
  if (!items) {
    warning = "Your notes cannot be read: " + items.refusal().why;
    return match;
  }
  if (items->empty()) return match;
  std::vector<Kept> notes;
  for (const YamlNode& item : *items) notes.push_back({number_in(item.find("after")), {text_in(item, "note"), 0, time_in(item), number_in(item.find("ply"))}});
  Match out = *Match::start(match.game(), match.options(), match.names(), match.started());
  std::size_t done = 0, next = 0;
  const auto add_notes = [&] {
    for (; next < notes.size() && notes[next].after <= done; ++next)
      if (const auto note = out.judge_note(*notes[next].note.note_on, notes[next].note.text, notes[next].note.at)) out.add(*note);
  };
  for (const Entry& entry : match.log()) {
    if (!entry.note_on) {
      add_notes();
      ++done;
    }
    out.add(entry);
  }
  add_notes();
  return out;
}

Result<Done> Papers::note(const std::string& id, const Match& match, const Entry& note) {
  if (directory_.empty()) return Refusal{"There is no place here to keep notes."};
  return add_line(notes_file(id), kNotesHead,
                  "- {after: " + std::to_string(done_on(match)) + ", ply: " + std::to_string(*note.note_on) + ", note: " + yaml_scalar(note.text) + ", at: " + iso_time(note.at) + "}\n");
}

void Papers::keep_talk(const std::string& id, const std::string& said, Time at) {
  if (directory_.empty()) return;
  constexpr std::size_t kLookedAt = 8;  // of the last lines: two programs of one person hear the same at once
  std::error_code error;
  const auto text = std::filesystem::exists(talk_file(), error) ? read_file(talk_file(), kLargestPaper) : Result<std::string>(std::string());
  // A file that is none is not worth a word: it begins anew.
  std::vector<std::string_view> lines = text ? lines_of(*text) : std::vector<std::string_view>{};
  std::erase_if(lines, [](std::string_view line) { return line.substr(0, 2) != "- "; });
  std::string tail = std::string(kTalkHead);
  for (std::size_t i = lines.size() > kLookedAt ? lines.size() - kLookedAt : 0; i < lines.size(); ++i) tail += std::string(lines[i]) + "\n";
  const auto last = read_yaml(tail);
  if (last)
    for (const YamlNode& item : last->find("talk")->items)
      if (text_in(item, "said") == said && text_in(item, "board") == id && at - time_in(item) <= kAtOnce) return;
  const std::string line = talk_line(id, said, at);
  if (text && last && lines.size() < 2 * kMostTalk && add_line(talk_file(), kTalkHead, line)) return;
  std::string whole(kTalkHead);
  for (std::size_t i = lines.size() > kMostTalk ? lines.size() - kMostTalk : 0; last && i < lines.size(); ++i) whole += std::string(lines[i]) + "\n";
  if (!create_file(talk_file(), whole + line)) replace_file(talk_file(), whole + line);
}

std::vector<std::string> Papers::talk() const {
  std::vector<std::string> out;
  const auto items = directory_.empty() ? Result<std::vector<YamlNode>>(std::vector<YamlNode>{}) : items_of(talk_file(), "talk");
  if (!items) return {"What was said cannot be read: " + items.refusal().why};
  for (std::size_t i = items->size() > kMostTalk ? items->size() - kMostTalk : 0; i < items->size(); ++i) {
    const YamlNode& item = (*items)[i];
    const std::string board = text_in(item, "board");
    out.push_back(safe_text(long_time(time_in(item)) + "  " + (board.empty() ? "" : board + "  ") + text_in(item, "said")));
  }
  return out;
}

}  // namespace pbm
