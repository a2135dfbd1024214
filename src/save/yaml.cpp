// SPDX-License-Identifier: MIT
#include "save/yaml.hpp"

#include <yaml-cpp/anchor.h>
#include <yaml-cpp/emitterstyle.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <array>
#include <istream>
#include <regex>
#include <streambuf>
#include <unordered_set>

#include "base/text.hpp"

namespace pbm {
namespace {

constexpr std::size_t kMaxDepth = 8;
// The prefix of tags that some writers give to plain values.
constexpr std::string_view kTagPrefix = "tag:yaml.org,2002:";
constexpr std::array<std::string_view, 6> kPlainTypes{"str", "int", "null",
                                                      "seq", "map", "timestamp"};
constexpr std::size_t kMaxNodes = 200'000;  // about twenty for each ply of the longest match
// The library reads a whole [...], and anything that may be a key, before it calls the builder. It
// takes some 230 bytes of memory for each character. Comments cost nothing.
constexpr std::size_t kMaxLookahead = std::size_t{64}
                                      << 10;  // bytes to read without a call of the builder

Refusal line_refusal(std::size_t line, std::size_t offset, const std::string& why) {
  return Refusal{"line " + std::to_string(line) + ": " + why + ".", offset};
}

// Builds the tree. Throws a Refusal through the parser at the first feature that no save has,
// before it can take time or memory.
class TreeBuilder final : public YAML::EventHandler {
 public:
  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& m, YAML::anchor_t anchor) override {
    add_scalar(YamlNode::Kind::null, m, "", anchor, "");
  }
  void OnAlias(const YAML::Mark& m, YAML::anchor_t) override {
    throw_refusal(m, "an alias (*name) is not allowed in this file");
  }
  void OnScalar(const YAML::Mark& m, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    const bool nothing = tag.starts_with(kTagPrefix) && tag.ends_with(":null");
    add_scalar(nothing ? YamlNode::Kind::null : YamlNode::Kind::scalar, m, tag, anchor, value);
  }
  void OnSequenceStart(const YAML::Mark& m, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override {
    open_node(YamlNode::Kind::list, m, tag, anchor, style);
  }
  void OnSequenceEnd() override { close_node(); }
  void OnMapStart(const YAML::Mark& m, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override {
    open_node(YamlNode::Kind::map, m, tag, anchor, style);
  }
  void OnMapEnd() override { close_node(); }

  std::optional<YamlNode> root;
  std::size_t node_count() const { return node_count_; }

 private:
  struct OpenNode {
    YamlNode node;
    std::optional<YamlNode> current_key;
    std::unordered_set<std::string>
        used_keys;  // the keys so far; searching a vector would take minutes in a large file
  };

  [[noreturn]] static void throw_refusal(const YAML::Mark& m, const std::string& why) {
    throw line_refusal(static_cast<std::size_t>(std::max(0, m.line)) + 1,
                       static_cast<std::size_t>(std::max(0, m.pos)), why);
  }

  // The library turns "\\N" and "\\_" into the bytes 85 and A0, and all else into UTF-8. Only these
  // bytes can be invalid.
  static std::string to_utf8(const std::string& value) {
    if (is_valid_utf8(value)) return value;
    std::string out;
    for (std::string_view rest = value; !rest.empty();) {
      const DecodedCharacter d = decode_utf8(rest);
      append_utf8(out, d.is_valid ? d.code_point : static_cast<unsigned char>(rest.front()));
      rest.remove_prefix(d.is_valid ? d.size : 1);
    }
    return out;
  }

  YamlNode make_node(YamlNode::Kind kind, const YAML::Mark& m, const std::string& tag,
                     YAML::anchor_t anchor) {
    if (++node_count_ > kMaxNodes) throw_refusal(m, "this file has too many items");
    if (anchor != YAML::NullAnchor)
      throw_refusal(m, "an anchor (&name) is not allowed in this file");
    // yaml-cpp gives quoted scalars the tag "!" and plain ones "?".
    const bool typed =
        tag.starts_with(kTagPrefix) &&
        std::ranges::find(kPlainTypes, tag.substr(kTagPrefix.size())) != kPlainTypes.end();
    if (!tag.empty() && tag != "!" && tag != "?" && !typed)
      throw_refusal(m, "a tag (!name) is not allowed in this file");
    YamlNode node;
    node.kind = kind;
    node.line = static_cast<std::size_t>(std::max(0, m.line)) + 1;
    node.offset = static_cast<std::size_t>(std::max(0, m.pos));
    return node;
  }
  void add_scalar(YamlNode::Kind kind, const YAML::Mark& m, const std::string& tag,
                  YAML::anchor_t anchor, const std::string& value) {
    YamlNode node = make_node(kind, m, tag, anchor);
    node.text = to_utf8(value);
    add_node(std::move(node));
  }
  void open_node(YamlNode::Kind kind, const YAML::Mark& m, const std::string& tag,
                 YAML::anchor_t anchor, YAML::EmitterStyle::value style) {
    if (open_nodes_.size() >= kMaxDepth) throw_refusal(m, "this is nested too deeply");
    YamlNode node = make_node(kind, m, tag, anchor);
    node.is_flow = style == YAML::EmitterStyle::Flow;
    open_nodes_.push_back({std::move(node), std::nullopt, {}});
  }
  void close_node() {
    YamlNode node = std::move(open_nodes_.back().node);
    open_nodes_.pop_back();
    add_node(std::move(node));
  }
  void add_node(YamlNode node) {
    if (open_nodes_.empty()) {
      root = std::move(node);
      return;
    }
    OpenNode& in = open_nodes_.back();
    if (in.node.kind == YamlNode::Kind::list) {
      in.node.items.push_back(std::move(node));
    } else if (!in.current_key) {
      if (node.kind != YamlNode::Kind::scalar)
        throw line_refusal(node.line, node.offset, "a key should be a word");
      if (!in.used_keys.insert(node.text).second)
        throw line_refusal(node.line, node.offset,
                           "the key '" + fit(node.text, 30) + "' appears twice");
      in.current_key = std::move(node);
    } else {
      // The parser notices an empty value late: gives it the place of its key.
      if (node.kind == YamlNode::Kind::null && node.line > in.current_key->line) {
        node.line = in.current_key->line;
        node.offset = in.current_key->offset;
      }
      in.node.entries.push_back({std::move(*in.current_key), std::move(node)});
      in.current_key.reset();
    }
  }

  std::vector<OpenNode> open_nodes_;
  std::size_t node_count_ = 0;
};

// Lets the parser read a text without a copy. Throws a Refusal if it reads too far without calling
// the builder.
class LimitedStream final : public std::streambuf {
 public:
  LimitedStream(std::string_view text, const TreeBuilder& builder)
      : text_(text), builder_(builder) {}

 protected:
  int_type underflow() override {
    const std::size_t read = static_cast<std::size_t>(gptr() - eback());
    if (read == text_.size()) return traits_type::eof();
    if (builder_.node_count() != seen_nodes_) {
      seen_nodes_ = builder_.node_count();
      seen_offset_ = read;
      bytes_ahead_ = 0;
    }
    if (bytes_ahead_ >= kMaxLookahead) {
      const auto line =
          1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(seen_offset_),
                         '\n');
      throw line_refusal(static_cast<std::size_t>(line), seen_offset_,
                         "the text from here on is too long for one item");
    }
    char* begin = const_cast<char*>(text_.data());
    setg(begin, begin + read, begin + std::min(text_.size(), read + kStep));
    count_ahead(text_.substr(read, kStep));
    return traits_type::to_int_type(*gptr());
  }

 private:
  void count_ahead(std::string_view piece) {
    for (const char c : piece) {
      if (is_line_start_ && c != ' ') is_comment_ = c == '#';
      is_line_start_ = c == '\n' || (is_line_start_ && c == ' ');
      if (!is_comment_) ++bytes_ahead_;
    }
  }

  static constexpr std::size_t kStep = 4096;
  std::string_view text_;
  const TreeBuilder& builder_;
  std::size_t seen_nodes_ = 0,
              seen_offset_ = 0;  // the builder's nodes at the last look, and the bytes read then
  std::size_t bytes_ahead_ = 0;  // bytes read since then, without comments
  bool is_line_start_ = true, is_comment_ = false;
};

// Characters that this program writes without quotes.
bool is_word_character(char c) { return is_letter(c) || is_digit(c); }
bool is_plain_character(char c) {
  return is_word_character(c) || c == '-' || c == '_' || c == '.' || c == ':' || c == '=';
}

// YAML treats a single dash, a colon at the end and the word null specially. An option begins with
// a dash, "-size=7x9".
bool is_null_word(std::string_view text) { return equals_ignoring_case(text, "null"); }
bool is_plain_value(std::string_view text) {
  const std::string_view behind = text.substr(text.starts_with('-') ? 1 : 0);
  return !behind.empty() && is_word_character(behind.front()) && text.back() != ':' &&
         !is_null_word(text);
}

// Removes a quoted text and the quote after it from `rest` and returns the text. Returns nothing if
// only the library can read it.
std::optional<std::string> take_quoted(std::string_view& rest) {
  std::string out;
  while (!rest.empty() && rest.front() != '"') {
    if (rest.starts_with("\\\"") || rest.starts_with("\\\\")) rest.remove_prefix(1);
    else if (rest.front() == '\\') return std::nullopt;
    const DecodedCharacter d = decode_utf8(rest);
    if (!d.is_valid || is_control(d.code_point)) return std::nullopt;
    out += rest.substr(0, d.size);
    rest.remove_prefix(d.size);
  }
  if (rest.empty()) return std::nullopt;
  rest.remove_prefix(1);
  return out;
}

// Counts the lines. Refuses control characters and invalid UTF-8, which yaml-cpp would accept.
Result<std::size_t> count_lines(std::string_view text) {
  std::size_t line = 1;
  for (std::size_t i = 0; i < text.size();) {
    const DecodedCharacter d = decode_utf8(text.substr(i));
    if (!d.is_valid) return line_refusal(line, i, "this is not UTF-8 text");
    if (d.code_point == '\n') ++line;
    if (is_control(d.code_point) && d.code_point != '\n' && d.code_point != '\t' &&
        d.code_point != '\r')
      return line_refusal(line, i, "a control character is not allowed in this file");
    i += d.size;
  }
  return line;
}

}  // namespace

const YamlNode* YamlNode::find(std::string_view key) const {
  for (const Entry& e : entries)
    if (e.key.text == key) return &e.value;
  return nullptr;
}

std::optional<YamlNode> read_flow_line(std::string_view line, std::size_t number,
                                       std::size_t offset) {
  std::string_view rest = line;
  const auto eat = [&](std::string_view literal) {
    const bool here = rest.starts_with(literal);
    if (here) rest.remove_prefix(literal.size());
    return here;
  };
  // Takes the characters at the front of `rest` for which `fits` is true.
  const auto scalar = [&](auto fits) {
    const auto n = static_cast<std::size_t>(std::ranges::find_if_not(rest, fits) - rest.begin());
    const std::string_view out = rest.substr(0, n);
    rest.remove_prefix(n);
    return out;
  };
  const auto node = [&](YamlNode::Kind kind, std::string_view from, std::string text) {
    YamlNode n;
    n.kind = kind;
    n.line = number;
    n.offset = offset + static_cast<std::size_t>(from.data() - line.data());
    n.text = std::move(text);
    return n;
  };
  if (line.size() >= kMaxLookahead || !eat("- {")) return std::nullopt;
  YamlNode map = node(YamlNode::Kind::map, line.substr(2), "");
  map.is_flow = true;
  do {
    const std::string_view key = scalar(is_word_character);
    if (key.empty() || is_null_word(key) || map.find(key) || !eat(": ")) return std::nullopt;
    const bool quoted = eat("\"");
    const std::string_view from = rest;
    auto value =
        quoted ? take_quoted(rest) : std::optional(std::string(scalar(is_plain_character)));
    if (!value || (!quoted && !is_plain_value(*value))) return std::nullopt;
    map.entries.push_back({node(YamlNode::Kind::scalar, key, std::string(key)),
                           node(YamlNode::Kind::scalar, from, *std::move(value))});
  } while (eat(", "));
  return rest == "}" ? std::optional(std::move(map)) : std::nullopt;
}

std::string get_text(const YamlNode& map, std::string_view key) {
  const YamlNode* node = map.find(key);
  return node ? node->text : "";
}

std::size_t get_number(const YamlNode& map, std::string_view key) {
  return read_whole_number<std::size_t>(get_text(map, key)).value_or(0);
}

std::vector<std::string> get_texts(const YamlNode& map, std::string_view key) {
  std::vector<std::string> out;
  if (const YamlNode* list = map.find(key))
    for (const YamlNode& item : list->items) out.push_back(item.text);
  return out;
}

Time get_time(const YamlNode& map, std::string_view key) {
  return read_iso_time(get_text(map, key)).value_or(Time{});
}

std::optional<Time> read_yaml_time(std::string_view text) {
  constexpr std::size_t kLongest = 100;  // std::regex needs stack for each character
  if (const auto t = read_iso_time(text)) return t;
  static const std::regex form(
      R"((\d{4})-(\d\d?)-(\d\d?))"                                  // the day
      R"((?:(?:[Tt]|[ \t]+)(\d\d?):(\d\d):(\d\d)(?:\.\d*)?[ \t]*)"  // the time of day
      R"((?:Z|UTC|([-+])(\d\d?)(?::(\d\d))?)?)?)");                 // the offset from UTC
  std::cmatch part;
  if (text.size() > kLongest ||
      !std::regex_match(text.data(), text.data() + text.size(), part, form))
    return std::nullopt;
  const auto two = [&](std::size_t n) {
    const std::string digits = part[n].str();
    return std::string(2 - std::min<std::size_t>(2, digits.size()), '0') + digits;
  };
  const auto moment = read_iso_time(part[1].str() + "-" + two(2) + "-" + two(3) + "T" + two(4) +
                                    ":" + two(5) + ":" + two(6) + "Z");
  if (!moment || !part[7].matched) return moment;
  const auto off = std::chrono::hours(std::stoi(two(8))) + std::chrono::minutes(std::stoi(two(9)));
  return part[7] == "+" ? *moment - off : *moment + off;
}

Refusal yaml_refusal(const YamlNode& node, const std::string& why) {
  // `why` may be a whole sentence already.
  const bool ended = !why.empty() && (why.back() == '.' || why.back() == '?');
  return line_refusal(node.line, node.offset, ended ? why.substr(0, why.size() - 1) : why);
}

Result<YamlNode> read_yaml(std::string_view text) {
  const auto lines = count_lines(text);
  if (!lines) return lines.refusal();
  TreeBuilder builder;
  LimitedStream memory(text, builder);
  std::istream in(&memory);
  try {
    YAML::Parser parser(in);
    parser.HandleNextDocument(builder);
    const bool one = builder.root.has_value();
    if (one && builder.root->kind == YamlNode::Kind::map) {
      TreeBuilder more;
      if (parser.HandleNextDocument(more)) {
        const std::size_t second = more.root ? more.root->line : *lines;
        return line_refusal(second, more.root ? more.root->offset : text.size(),
                            "a second document (---) is not allowed in this file");
      }
    }
  } catch (const Refusal& refusal) {
    return refusal;
  } catch (const YAML::Exception& e) {
    // Some versions of the library repeat the line after a colon.
    const bool placed = !e.mark.is_null();
    return line_refusal(placed ? static_cast<std::size_t>(e.mark.line) + 1 : 1,
                        placed ? static_cast<std::size_t>(e.mark.pos) : 0,
                        "this is not YAML (" + safe_text(e.msg.substr(0, e.msg.find(':'))) + ")");
  }
  if (!builder.root || builder.root->kind != YamlNode::Kind::map)
    return line_refusal(1, 0, "there should be lines of the form 'key: value'");
  return std::move(*builder.root);
}

std::string yaml_scalar(std::string_view text) {
  static constexpr std::array<std::string_view, 12> reserved{
      "null", "true", "false", "yes", "no", "on", "off", "y", "n", "nan", "inf", ""};
  const std::string folded = lower(text);
  const bool plain = std::ranges::find(reserved, folded) == reserved.end() &&
                     is_letter(text.front()) && std::ranges::all_of(text, [](char c) {
                       return is_letter(c) || is_digit(c) || c == '-' || c == '_' || c == '.';
                     });
  // An option (-size=7x9) needs no quotes either.
  const bool option = text.size() > 1 && text[0] == '-' && is_letter(text[1]) &&
                      std::all_of(text.begin() + 1, text.end(), [](char c) {
                        return is_letter(c) || is_digit(c) || c == '=' || c == '-';
                      });
  if (plain || option) return std::string(text);
  std::string out = "\"";
  for (std::string_view rest = text; !rest.empty();) {
    const DecodedCharacter d = decode_utf8(rest);
    if (is_control(d.code_point)) {
      static constexpr std::string_view digits = "0123456789ABCDEF";
      out += {'\\', 'x', digits[d.code_point >> 4], digits[d.code_point & 0xF]};
    } else {
      if (d.code_point == '"' || d.code_point == '\\') out += '\\';
      append_utf8(out, d.code_point);
    }
    rest.remove_prefix(d.size);
  }
  return out + "\"";
}

std::string yaml_list(const std::vector<std::string>& items) {
  std::string out = "[";
  for (const std::string& item : items)
    out.append(out.size() > 1 ? ", " : "").append(yaml_scalar(item));
  return out + "]";
}

}  // namespace pbm
