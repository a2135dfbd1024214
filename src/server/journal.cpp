// SPDX-License-Identifier: MIT
#include "server/journal.hpp"

#include <algorithm>
#include <charconv>

#include "base/error.hpp"
#include "base/text.hpp"
#include "save/yaml.hpp"

namespace pbm {
namespace {

constexpr std::size_t kLargestJournal = std::size_t{1} << 30;
constexpr std::size_t kWorthWriting = 1000;  // records that no longer count

// A line as Record::line() makes nearly all of them, without the YAML library,
// which takes a hundred times as long; nothing when it is anything else.
std::optional<Record> own_record(std::string_view rest) {
  const auto eat = [&](std::string_view literal) {
    const bool here = rest.substr(0, literal.size()) == literal;
    if (here) rest.remove_prefix(literal.size());
    return here;
  };
  if (!eat("- {")) return std::nullopt;
  Record record;
  for (;;) {
    std::size_t n = 0;
    while (n < rest.size() && (is_letter(rest[n]) || is_digit(rest[n]))) ++n;
    const std::string_view key = rest.substr(0, n);
    rest.remove_prefix(n);
    if (n == 0 || !eat(": ")) return std::nullopt;
    const bool quoted = eat("\"");
    n = 0;
    while (n < rest.size() && (quoted ? rest[n] != '"' && rest[n] != '\\'
                                      : is_letter(rest[n]) || is_digit(rest[n]) || rest[n] == '-' || rest[n] == '_' || rest[n] == '.'))
      ++n;
    record.put(key, rest.substr(0, n));
    rest.remove_prefix(n);
    if (quoted && !eat("\"")) return std::nullopt;
    if (rest == "}") return record;
    if (!eat(", ")) return std::nullopt;
  }
}

}  // namespace

Record& Record::put(std::string_view key, std::string_view value) {
  fields_.emplace_back(key, value);
  return *this;
}

const std::string& Record::get(std::string_view key) const {
  static const std::string nothing;
  for (const auto& [k, v] : fields_)
    if (k == key) return v;
  return nothing;
}

bool Record::has(std::string_view key) const {
  return std::any_of(fields_.begin(), fields_.end(), [&](const auto& f) { return f.first == key; });
}

Record& Record::put_list(std::string_view key, const std::vector<std::string>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) put(std::string(key) + std::to_string(i + 1), values[i]);
  return *this;
}

std::vector<std::string> Record::list(std::string_view key) const {
  std::vector<std::string> out;
  for (std::string k = std::string(key) + "1"; has(k); k = std::string(key) + std::to_string(out.size() + 1)) out.push_back(get(k));
  return out;
}

std::size_t Record::number(std::string_view key) const {
  const std::string& text = get(key);
  std::size_t n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  return error == std::errc() && end == text.data() + text.size() ? n : 0;
}

std::string Record::line() const {
  std::string out = "- {";
  for (const auto& [key, value] : fields_) out += (out.size() > 3 ? ", " : "") + key + ": " + yaml_scalar(value);
  return out + "}\n";
}

std::optional<Record> read_record(std::string_view line) {
  if (auto own = own_record(line)) return own;
  if (line.substr(0, 2) != "- ") return std::nullopt;
  const auto tree = read_yaml(line.substr(2));
  if (!tree) return std::nullopt;
  Record record;
  for (const YamlNode::Entry& e : tree->entries) record.put(e.key.text, e.value.text);
  return record;
}

Records read_records(std::string_view text) {
  Records out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    if (end == std::string_view::npos) break;
    const std::string_view line = text.substr(at, end - at);
    at = out.used = end + 1;
    if (line.empty() || line.front() == '#' || is_letter(line.front())) continue;  // the head
    if (auto record = read_record(line))
      out.records.push_back(std::move(*record));
    else
      ++out.damaged;
  }
  return out;
}

std::string records_head(std::string_view about) { return "# " + std::string(about) + "\nformat: 1\nrecords:\n"; }

Journal::Journal(Disk& disk, std::filesystem::path file, std::string about, Owner owner)
    : disk_(disk), file_(std::move(file)), about_(std::move(about)), owner_(std::move(owner)) {}

std::string Journal::read() {
  std::error_code error;
  const bool there = std::filesystem::exists(file_, error);
  const auto text = there ? read_file(file_, kLargestJournal) : Result<std::string>(std::string());
  // To go on without what it says would be to forget it: whose userid is whose, say.
  if (!text) throw Error(text.refusal().why);
  owner_.clear();
  const Records read = read_records(*text);
  for (const Record& record : read.records) owner_.take(record);
  if (id_ == 0) {
    const std::vector<Record> live = owner_.live();
    if (read.damaged == 0 && read.records.size() > 2 * live.size() + kWorthWriting) {
      std::string fresh = records_head(about_);
      for (const Record& record : live) fresh += record.line();
      replace_file(file_, fresh);
    } else if (read.used < text->size()) {
      std::filesystem::resize_file(file_, read.used, error);
    }
  }
  if (read.damaged == 0) return "";
  return safe_text(file_.string()) + ": " + count_of(read.damaged, "line", "lines") + " could not be read and " + (read.damaged == 1 ? "was" : "were") + " left out.";
}

std::string Journal::load() {
  std::string warning = read();
  id_ = disk_.keep(file_, [this] { reload(); });
  if (disk_.size(id_) == 0) disk_.append(id_, records_head(about_));
  return warning;
}

void Journal::add(const Record& record) { disk_.append(id_, record.line()); }

}  // namespace pbm
