// SPDX-License-Identifier: MIT
#include "save/save.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "save/yaml.hpp"

namespace pbm {
namespace {

constexpr int kFormat = 1;
constexpr std::string_view kPliesKey = "plies:";
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::size_t kMaxName = 200;  // bytes of a player's name in a save

Refusal add_file_name(std::string_view name, const Refusal& r) {
  return {safe_text(name) + ", " + r.reason, r.offset};
}

// True for a blank line or a comment.
bool is_blank_or_comment(std::string_view line) {
  const std::string_view t = trim(line);
  return t.empty() || t.front() == '#';
}

// Returns `text` without the zeros at its end. Some file systems lengthen a file before its bytes
// arrive. After a power cut the file ends in zeros, or its last line contains some.
std::string_view strip_trailing_zeros(std::string_view text) {
  const std::size_t zero = text.find('\0');
  const bool above_plies = text.substr(0, zero).find("\nplies:") == std::string_view::npos;
  if (above_plies && text.find_first_not_of('\0', zero) != std::string_view::npos) return text;
  for (std::size_t at = text.find('\n', zero); at != std::string_view::npos;) {
    const std::size_t end = text.find('\n', at + 1);
    // A complete line follows the zeros, so this is no unfinished write.
    if (end != std::string_view::npos &&
        text.substr(at, end - at).find('\0') == std::string_view::npos)
      return text;
    at = end;
  }
  return text.substr(0, zero);
}

const YamlNode* find_scalar(const YamlNode& map, std::string_view key) {
  const YamlNode* node = map.find(key);
  return node && node->kind == YamlNode::Kind::scalar ? node : nullptr;
}

// The functions below throw a Refusal, which parse_match() catches.

// Returns the scalar value of `key`.
const YamlNode& require_scalar(const YamlNode& map, std::string_view key) {
  if (const YamlNode* node = find_scalar(map, key)) return *node;
  const YamlNode* wrong = map.find(key);
  const std::string k = "'" + std::string(key) + ":'";
  throw wrong ? yaml_refusal(*wrong, k + " should be followed by one word")
              : yaml_refusal(map, "the key " + k + " is missing");
}

std::vector<std::string> read_word_list(const YamlNode& map, std::string_view key, bool needed) {
  const YamlNode* node = map.find(key);
  if (!node && needed) throw yaml_refusal(map, "the key '" + std::string(key) + ":' is missing");
  std::vector<std::string> out;
  if (!node || (node->kind == YamlNode::Kind::null && !needed)) return out;
  if (node->kind != YamlNode::Kind::list)
    throw yaml_refusal(*node, "'" + std::string(key) + ":' should be a list, such as [one, two]");
  for (const YamlNode& item : node->items) {
    if (item.kind != YamlNode::Kind::scalar || item.text.size() > kMaxName)
      throw yaml_refusal(item, "each of '" + std::string(key) + ":' should be one short word");
    out.push_back(item.text);
  }
  return out;
}

Time read_time(const YamlNode& map, std::string_view key) {
  const YamlNode* node = map.find(key);
  if (!node) return Time{};
  const auto t = node->kind == YamlNode::Kind::scalar ? read_yaml_time(node->text) : std::nullopt;
  if (!t)
    throw yaml_refusal(
        *node, "'" + std::string(key) + ":' should be a time, such as 2026-11-21T11:35:10Z");
  return *t;
}

void check_format(const YamlNode& root) {
  const YamlNode& format = require_scalar(root, "format");
  const auto n = read_whole_number<int>(format.text);
  if (!n || *n < 1) throw yaml_refusal(format, "'format:' should be a number, such as 1");
  if (*n > kFormat)
    throw yaml_refusal(format, "format " + format.text +
                                   " is newer than this program, which reads format " +
                                   std::to_string(kFormat) + "; use a newer pbmplay");
}

Match read_head(const YamlNode& root) {
  check_format(root);
  const YamlNode& name = require_scalar(root, "game");
  const GameType* game = find_game(name.text);
  if (!game)
    throw yaml_refusal(
        name, "there is no game '" + fit(name.text, 20) + "': choose " + list_game_names());
  const auto options = read_options(*game, read_word_list(root, "options", false));
  if (!options) throw yaml_refusal(*root.find("options"), options.refusal().reason);
  const std::vector<std::string> seats = read_word_list(root, "seats", true);
  for (const YamlNode& seat : root.find("seats")->items)
    if (trim(seat.text).empty()) throw yaml_refusal(seat, "a player should have a name");
  auto match = Match::start(*game, *options, seats, read_time(root, "started"));
  if (!match) throw yaml_refusal(*root.find("seats"), match.refusal().reason);
  return *std::move(match);
}

// Reads `computer: {2: 3}`: the computer has seat 2, at level 3.
void read_computers(const YamlNode& root, Match& match) {
  const YamlNode* node = root.find("computer");
  if (!node || node->kind == YamlNode::Kind::null) return;
  if (node->kind != YamlNode::Kind::map)
    throw yaml_refusal(*node, "'computer:' should be seats and their levels, such as {2: 3}");
  for (const YamlNode::Entry& e : node->entries) {
    const auto seat = read_whole_number<int>(e.key.text);
    if (!seat || *seat < 1 || *seat > match.seats())
      throw yaml_refusal(e.key,
                         "a seat should be a number from 1 to " + std::to_string(match.seats()));
    const auto level = read_whole_number<int>(e.value.text);
    if (!level || *level < 1 || *level > kMaxLevel)
      throw yaml_refusal(e.value, "the computer's level should be a number from 1 to " +
                                      std::to_string(kMaxLevel));
    match.set_computer_level(*seat - 1, *level);
  }
}

// The keys of `time: {nag: 7, forfeit: 21, total: 60}`, in days. A missing key means no limit.
struct LimitKey {
  std::string_view key;
  std::optional<int> TimeLimits::*limit;
};
constexpr std::array<LimitKey, 3> kLimits{{{"nag", &TimeLimits::reminder_days},
                                           {"forfeit", &TimeLimits::forfeit_days},
                                           {"total", &TimeLimits::total_days}}};

void read_limits(const YamlNode& root, Match& match) {
  const YamlNode* node = root.find("time");
  if (!node || node->kind == YamlNode::Kind::null) return;
  if (node->kind != YamlNode::Kind::map)
    throw yaml_refusal(*node, "'time:' should be limits in days, such as {nag: 7, forfeit: 21}");
  TimeLimits limits;
  for (const LimitKey& row : kLimits) {
    const YamlNode* value = node->find(row.key);
    if (!value) continue;
    const auto n = read_whole_number<int>(value->text);
    if (!n || *n < 1 || *n > TimeLimits::kMaxDays)
      throw yaml_refusal(*value, "'" + std::string(row.key) + ":' should be days, from 1 to " +
                                     std::to_string(TimeLimits::kMaxDays));
    limits.*(row.limit) = n;
  }
  match.set_limits(limits);
}

// Returns the line `time:` of the head, with its line feed, or "" if there is no limit.
std::string format_limits(const Match& match) {
  std::string out;
  for (const LimitKey& row : kLimits)
    if (const auto n = match.limits().*(row.limit))
      out += (out.empty() ? "time: {" : ", ") + std::string(row.key) + ": " + std::to_string(*n);
  return out.empty() ? out : out + "}\n";
}

// Returns the line `computer:` of the head, with its line feed, or "" without a computer.
std::string format_computers(const Match& match) {
  std::string out;
  for (Seat s = 0; s < match.seats(); ++s)
    if (match.computer_level(s) > 0)
      out += (out.empty() ? "computer: {" : ", ") + std::to_string(s + 1) + ": " +
             std::to_string(match.computer_level(s));
  return out.empty() ? out : out + "}\n";
}

// Reads {note: "...", ply: 3, at: ...}.
LogEntry read_note(const YamlNode& item, const YamlNode& note, const Match& match) {
  if (note.kind != YamlNode::Kind::scalar && note.kind != YamlNode::Kind::null)
    throw yaml_refusal(note, "'note:' should be a line of text");
  const YamlNode& ply = require_scalar(item, "ply");
  const auto n = read_whole_number<std::size_t>(ply.text);
  if (!n) throw yaml_refusal(ply, "'ply:' should be a number");
  auto entry = match.validate_note(*n, note.text, read_time(item, "at"));
  if (!entry) throw yaml_refusal(note, "this note is not possible: " + entry.refusal().reason);
  return *std::move(entry);
}

// Reads one item of `plies:`: "BT", {move: BT, seat: 1, at: ...}, or a note.
LogEntry read_entry(const YamlNode& item, const Match& match) {
  if (const YamlNode* note = item.find("note"); note && !item.find("move"))
    return read_note(item, *note, match);
  const bool map = item.kind == YamlNode::Kind::map;
  if (!map && item.kind != YamlNode::Kind::scalar)
    throw yaml_refusal(item, "a move should be its text, or {move: ..., at: ...}");
  const YamlNode& move = map ? require_scalar(item, "move") : item;
  const Time at = map ? read_time(item, "at") : Time{};
  Seat seat = match.acting_seat(move.text);
  if (const YamlNode* node = item.find("seat")) {
    const std::string& text = node->text;
    if (text.size() != 1 || text[0] < '1' || text[0] >= '1' + match.seats())
      throw yaml_refusal(*node,
                         "'seat:' should be a number from 1 to " + std::to_string(match.seats()));
    seat = text[0] - '1';
  }
  auto entry = match.validate(seat, move.text, at);
  if (!entry)
    throw yaml_refusal(move, "move " + std::to_string(match.plies().size() + 1) + ", '" +
                                 fit(move.text, 40) +
                                 "', is not possible: " + entry.refusal().reason);
  if (entry->text == "resign") entry->forfeit_reason = find_forfeit_reason(get_text(item, "why"));
  return *std::move(entry);
}

// Reads the tree of a save. Plies are most of it, usually in the form that this program writes, so
// that the slow YAML library reads only the head. It reads the whole text if the form differs.
Result<YamlNode> read_tree(std::string_view text) {
  constexpr std::string_view key = "\nplies:\n";
  const std::size_t found = text.find(key);
  if (found == std::string_view::npos) return read_yaml(text);
  const std::size_t start = found + key.size();
  std::size_t number =
      1 + index(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(start), '\n'));
  std::vector<YamlNode> items;
  for (std::size_t at = start; at < text.size(); ++number) {
    const std::size_t end = text.find('\n', at);
    if (end == std::string_view::npos) return read_yaml(text);
    auto item = read_flow_line(text.substr(at, end - at), number, at);
    if (!item) return read_yaml(text);
    items.push_back(std::move(*item));
    at = end + 1;
  }
  auto root = read_yaml(text.substr(0, start));
  if (!root || root->entries.back().key.text != "plies") return read_yaml(text);
  YamlNode& plies = root->entries.back().value;
  if (plies.kind != YamlNode::Kind::null) return read_yaml(text);
  if (!items.empty()) {
    plies.kind = YamlNode::Kind::list;
    plies.line = items.front().line;
    plies.offset = start;
    plies.items = std::move(items);
  }
  return root;
}

// Returns the bytes of the byte order mark that some editors put first: 3 or 0.
std::size_t mark_bytes(std::string_view text) {
  return text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
}

Result<LoadedMatch> load_whole(std::string_view text) try {
  const YamlNode root = value_or_throw(read_tree(text));
  Match match = read_head(root);
  read_computers(root, match);
  read_limits(root, match);
  const YamlNode* plies = root.find("plies");
  if (!plies) throw yaml_refusal(root, "the key 'plies:' is missing");
  if (plies->kind != YamlNode::Kind::list && plies->kind != YamlNode::Kind::null)
    throw yaml_refusal(*plies, "'plies:' should be a list, one '- move' a line");
  for (const YamlNode& item : plies->items) match.add(read_entry(item, match));
  if (const YamlNode* origin = find_scalar(root, "origin")) match.set_origin(origin->text);
  const YamlNode* challenger = find_scalar(root, "challenger");
  return LoadedMatch{std::move(match), text.size(), "", challenger ? challenger->text : ""};
} catch (const Refusal& refusal) {
  return refusal;
}

// Returns the bytes up to the last line feed if a ply without one follows, else all. Zeros at the
// end do not count.
std::size_t bytes_of_lines(std::string_view whole) {
  const std::string_view text = strip_trailing_zeros(whole);
  if (text.empty() || text.back() == '\n') return text.size();
  const std::size_t last = text.find_last_of('\n') + 1;
  if (last == 0 || is_blank_or_comment(text.substr(last))) return text.size();
  // The last line that begins a key tells whether this one belongs to the plies.
  for (std::size_t at = last;;) {
    const char first = text[at];
    if (first != '-' && first != ' ' && first != '#' && first != '\n' && first != '\r')
      return at != last && text.substr(at, kPliesKey.size()) == kPliesKey ? last : text.size();
    if (at == 0) return text.size();
    at = at == 1 ? 0 : text.rfind('\n', at - 2) + 1;
  }
}

// Leaves out a last line that is no whole, legal ply.
Result<LoadedMatch> parse_match(std::string_view text) {
  const std::size_t lines = bytes_of_lines(text);
  if (lines < text.size())
    if (auto all = load_whole(text)) return all;
  return load_whole(text.substr(0, lines));
}

// Returns the offset after the line feed of the line that contains `offset`.
std::size_t line_end(std::string_view text, std::size_t offset) {
  const std::size_t feed = text.find('\n', offset);
  return feed == std::string_view::npos ? text.size() : feed + 1;
}

std::string_view line_at(std::string_view text, std::size_t start) {
  const std::size_t end = line_end(text, start);
  const std::string_view line = text.substr(start, end - start);
  return line.empty() || line.back() != '\n' ? line : line.substr(0, line.size() - 1);
}

// Returns the offset of a new list item: after the last line of the list, or the end of `text` if
// only comments follow.
std::size_t find_list_end(std::string_view text, std::size_t from, std::size_t indent) {
  std::size_t end = from;
  for (std::size_t at = from; at < text.size(); at = line_end(text, at)) {
    const std::string_view line = line_at(text, at);
    if (is_blank_or_comment(line)) continue;
    const std::size_t column = line.find_first_not_of(' ');
    if (column < indent || (column == indent && line[column] != '-') ||
        line.substr(0, 3) == "---" || line.substr(0, 3) == "...")
      return end;
    end = line_end(text, at);
  }
  return text.size();
}

// The place for new plies in the text of a save.
struct InsertionPoint {
  std::size_t offset;           // the offset of the new plies
  std::size_t resume_offset;    // the offset of the old text that follows them
  std::size_t last_ply_offset;  // the offset of the last ply, or of the key if there is none
  std::size_t indent;           // blanks before each new line
  std::string line_end;         // ends the line before the new plies
};

// Finds the place for the first plies: after "plies:" or "plies: []", also with a comment.
std::optional<InsertionPoint> find_first_insertion(std::string_view text, const YamlNode& root,
                                                   const YamlNode& plies) {
  std::size_t key = 0;
  for (const auto& e : root.entries)
    if (e.key.text == "plies") key = e.key.offset;
  const std::size_t next = line_end(text, key);
  if (plies.kind == YamlNode::Kind::list) {
    const std::size_t close = text.find(']', plies.offset);
    if (close == std::string_view::npos || close > next) return std::nullopt;
    std::string rest(text.substr(close + 1, next - close - 1));
    if (rest.empty() || rest.back() != '\n') rest += '\n';
    return InsertionPoint{plies.offset, next, key, 0, std::move(rest)};
  }
  // "plies: ~" is empty too, but no list can follow it.
  const std::string_view line = line_at(text, key);
  if (line.substr(0, kPliesKey.size()) != kPliesKey ||
      !is_blank_or_comment(line.substr(kPliesKey.size())))
    return std::nullopt;
  const std::size_t end = find_list_end(text, next, 0);
  const std::size_t at = end == text.size() ? end : next;
  return InsertionPoint{at, at, key, 0, text[at - 1] == '\n' ? "" : "\n"};
}

// Finds the place after the plies of `root`, the tree of `text`. Returns nothing if a line has
// several plies.
std::optional<InsertionPoint> find_insertion(std::string_view text, const YamlNode& root) {
  const YamlNode& plies = *root.find("plies");
  if (plies.items.empty()) return find_first_insertion(text, root, plies);
  if (plies.is_flow) return std::nullopt;
  const auto line_of = [&](const YamlNode& node) {
    return text.substr(0, node.offset).rfind('\n') + 1;
  };
  const std::size_t first = line_of(plies.items.front());
  const std::size_t indent = line_at(text, first).find_first_not_of(' ');
  if (indent == std::string_view::npos || text[first + indent] != '-') return std::nullopt;
  const std::size_t at = find_list_end(text, line_end(text, plies.items.back().offset), indent);
  return InsertionPoint{at, at, line_of(plies.items.back()), indent,
                        text[at - 1] == '\n' ? "" : "\n"};
}

// True if save_text() would lose nothing of `text`: it has no comments and no unknown keys.
bool is_lossless(std::string_view text, const YamlNode& root) {
  const auto all_of = [](const YamlNode& map, std::initializer_list<std::string_view> keys) {
    return std::ranges::all_of(map.entries, [&](const YamlNode::Entry& e) {
      return std::ranges::find(keys, e.key.text) != keys.end();
    });
  };
  const auto& plies = root.find("plies")->items;
  return text.find('#') == std::string_view::npos &&
         all_of(root, {"format", "game", "options", "seats", "computer", "started", "challenger",
                       "origin", "time", "plies"}) &&
         std::ranges::all_of(plies, [&](const YamlNode& ply) {
           return all_of(ply, {"move", "note", "ply", "seat", "why", "at"});
         });
}

// True if the text with `added` at `gap` reads as the old plies and `entries`. Other programs may
// have written the file in any layout.
bool is_addition_valid(std::string_view text, const InsertionPoint& gap, const std::string& added,
                       const std::vector<LogEntry>& entries) {
  if (gap.offset == text.size()) {
    // At the end of the text it is enough to check the last ply and the new ones.
    std::string tail(text.substr(gap.last_ply_offset));
    const bool first = tail.substr(0, kPliesKey.size()) == kPliesKey;
    if (!first) tail = std::string(kPliesKey) + "\n" + tail;
    const auto then = read_yaml(tail + added);
    return then && then->entries.size() == 1 &&
           then->entries[0].value.items.size() == entries.size() + (first ? 0 : 1);
  }
  const auto before = parse_match(text);
  const auto then = parse_match(std::string(text.substr(0, gap.offset)) + added);
  if (!before || !then) return false;
  std::vector<LogEntry> wanted = before->match.log();
  wanted.insert(wanted.end(), entries.begin(), entries.end());
  return then->match.log() == wanted;
}

}  // namespace

std::size_t complete_size(std::string_view text) {
  const std::size_t mark = mark_bytes(text), lines = mark + bytes_of_lines(text.substr(mark));
  return lines < text.size() && load_whole(text.substr(mark)) ? text.size() : lines;
}

bool looks_like_save(std::string_view beginning) {
  // Finds `format` as a key in any form: quoted, tagged, in braces.
  constexpr std::string_view key = "format";
  for (std::size_t at = 0; (at = beginning.find(key, at)) != std::string_view::npos;) {
    const std::string_view before = beginning.substr(0, at);
    at = std::min(beginning.find_first_not_of(" \t\r\n\"'", at + key.size()), beginning.size());
    const bool comment = before.substr(before.rfind('\n') + 1).find('#') != std::string_view::npos;
    const bool word = before.empty() || !(is_letter(before.back()) || is_digit(before.back()));
    if (word && !comment && beginning.substr(at).starts_with(':')) return true;
  }
  return false;
}

Result<LoadedMatch> load_match(std::string_view text, std::string_view name) {
  const std::string file = safe_text(name);
  if (text.empty()) return Refusal{file + " is empty."};
  if (text.size() > kMaxSave) return Refusal{file + " is too large for a save."};
  if (!looks_like_save(text))
    return Refusal{file + " is not a save. A save begins with 'format: 1'."};
  const std::size_t mark = mark_bytes(text);
  auto loaded = parse_match(text.substr(mark));
  if (!loaded)
    return add_file_name(name, {loaded.refusal().reason, loaded.refusal().offset + mark});
  loaded->valid_bytes += mark;
  if (loaded->valid_bytes < text.size())
    loaded->warning = file + " ends in an unfinished line, which is ignored: '" +
                      fit(trim(text.substr(loaded->valid_bytes)), 40) + "'.";
  return loaded;
}

std::string action_text(const LogEntry& e, bool seat) {
  std::string out = (e.note_ply ? "{note: " : "{move: ") + yaml_scalar(e.text);
  if (e.note_ply) out.append(", ply: ").append(std::to_string(*e.note_ply));
  else if (seat) out.append(", seat: ").append(std::to_string(e.seat + 1));
  if (e.forfeit_reason != ForfeitReason::none)
    out.append(", why: ").append(to_string(e.forfeit_reason));
  if (e.time != Time{}) out.append(", at: ").append(iso_time(e.time));
  return out + "}";
}

std::string save_line(const LogEntry& e) {
  return "- " + action_text(e, is_match_word(e.text)) + "\n";
}

std::string save_text(const Match& match, std::string_view challenger) {
  std::string out = "format: " + std::to_string(kFormat) + "\n";
  out += "game: " + std::string(match.game().name) + "\n";
  out += "options: " + yaml_list(match.options().to_words()) + "\n";
  out += "seats: " + yaml_list(match.names()) + "\n";
  out += format_computers(match);
  if (match.start_time() != Time{}) out += "started: " + iso_time(match.start_time()) + "\n";
  if (!challenger.empty()) out += "challenger: " + yaml_scalar(challenger) + "\n";
  if (!match.origin().empty()) out += "origin: " + yaml_scalar(match.origin()) + "\n";
  out += format_limits(match);
  out += "plies:\n";
  for (const LogEntry& e : match.log()) out += save_line(e);
  return out;
}

Result<std::string> replace_computers(std::string_view text, std::string_view name,
                                      const Match& match) {
  std::string out(text.substr(mark_bytes(text)));
  const auto before = parse_match(out);
  // Replaces the line of `key`, or inserts it before `plies:`.
  const auto put = [&](const std::string& key, const std::string& line) {
    const std::size_t plies = out.find("\n" + std::string(kPliesKey)), old = out.find("\n" + key);
    const std::size_t from = std::min(plies, old) + 1;
    if (plies != std::string::npos)
      out.replace(from, old < plies ? line_end(out, from) - from : 0, line);
  };
  put("computer:", format_computers(match));
  if (before && before->match.names() != match.names())
    put("seats:", "seats: " + yaml_list(match.names()) + "\n");
  const auto then = parse_match(out);
  if (then && then->match.is_same_game(match)) return out;
  return Refusal{safe_text(name) +
                 ": the players cannot be changed, because 'seats:' and 'computer:' are not "
                 "on lines of their own above 'plies:'."};
}

Result<Success> check_save_size(std::size_t bytes, std::string_view save, const Match& before,
                                const std::vector<LogEntry>& entries) {
  const bool fits = std::ranges::all_of(entries, [&](const LogEntry& e) {
    return !e.note_ply && before.is_allowed_when_full(e.text);
  });
  if (bytes <= (fits ? kMaxSave : kMaxSave - kEndReserve)) return Success{};
  return Refusal{std::string(save) +
                 " has reached the size limit of a save. Resign or agree on a draw."};
}

Result<SaveAddition> add_to_save(std::string_view whole, std::string_view name,
                                 const std::vector<LogEntry>& entries) {
  if (const std::size_t mark = mark_bytes(whole)) {
    auto out = add_to_save(whole.substr(mark), name, entries);
    if (out) *out = {0, std::string(whole.substr(mark, out->kept_bytes)) + out->new_text};
    return out;
  }
  const std::string_view text = whole.substr(0, complete_size(whole));
  const auto root = read_tree(text);
  check(root.ok() && root->find("plies"), "a move was added to what is no save");
  if (const auto gap = find_insertion(text, *root)) {
    std::string added = gap->line_end;
    for (const LogEntry& entry : entries) added += std::string(gap->indent, ' ') + save_line(entry);
    added += text.substr(gap->resume_offset);
    if (is_addition_valid(text, *gap, added, entries))
      return SaveAddition{gap->offset, std::move(added)};
  }
  // The layout is foreign, but the content is not: writes the save anew in the usual layout.
  if (is_lossless(text, *root)) {
    auto loaded = parse_match(text);
    check(loaded.ok(), "a move was added to what is no save");
    for (const LogEntry& entry : entries) loaded->match.add(entry);
    return SaveAddition{0, save_text(loaded->match, loaded->challenger)};
  }
  return add_file_name(
      name, yaml_refusal(*root->find("plies"),
                         "this game cannot be continued, because its moves are not one per line "
                         "below 'plies:', and it has comments or unknown keys"));
}

}  // namespace pbm
