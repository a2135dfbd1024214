// SPDX-License-Identifier: MIT
#include "base/markdown.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace pbm {
namespace {

// A term and the paragraphs that explain it.
struct Item {
  std::string term;
  std::vector<std::string> paragraphs;
  bool apart;  // an empty line separates it from the item before
};

class Layout {
 public:
  Layout(std::string_view markdown, int columns)
      : lines_(split_lines(markdown)), columns_(columns) {}

  std::vector<TextLine> run() {
    while (at_ < lines_.size()) {
      const std::string_view line = lines_[at_];
      if (is_term(at_)) {
        flush();
        lay_out_terms(take_terms());
      } else {
        take(line);
        ++at_;
      }
    }
    flush();
    while (!out_.empty() && out_.back().text.empty()) out_.pop_back();
    return std::move(out_);
  }

 private:
  void take(std::string_view line) {
    if (line.substr(0, 4) == "    ") {
      // A blank line between two blocks belongs to neither.
      flush();
      out_.push_back({TextLine::Kind::verbatim, std::string(line.substr(2))});
    } else if (trim(line).empty()) {
      flush();
      blank();
    } else if (line.front() == '#') {
      flush();
      out_.push_back(
          {TextLine::Kind::heading,
           without_marks(trim(line.substr(std::min(line.find_first_not_of('#'), line.size()))))});
    } else if (line.substr(0, 2) == "- ") {
      flush();
      bullet_ = true;
      pending_ = without_marks(line.substr(2));
    } else {
      pending_ += (pending_.empty() ? "" : " ") + without_marks(trim(line));
    }
  }

  bool is_meaning(std::size_t i) const {
    return i < lines_.size() && lines_[i].substr(0, 2) == ": ";
  }
  bool is_term(std::size_t i) const {
    return i < lines_.size() && is_meaning(i + 1) && !lines_[i].empty() &&
           lines_[i].front() != ' ' && lines_[i].front() != '#';
  }

  std::vector<Item> take_terms() {
    std::vector<Item> out;
    bool apart = false;
    while (is_term(at_)) {
      Item item{without_marks(lines_[at_]), {without_marks(lines_[at_ + 1].substr(2))}, apart};
      at_ += 2;
      apart = false;
      for (; at_ < lines_.size(); ++at_) {
        const std::string_view line = lines_[at_];
        if (line.empty()) {
          apart = true;
        } else if (line.substr(0, 2) == "  " && line.substr(0, 4) != "    ") {
          if (apart) item.paragraphs.emplace_back();
          std::string& last = item.paragraphs.back();
          last += (last.empty() ? "" : " ") + without_marks(trim(line));
          apart = false;
        } else {
          break;
        }
      }
      out.push_back(std::move(item));
    }
    blank_after_ = apart;
    return out;
  }

  // Puts short terms beside their meanings, long ones above.
  void lay_out_terms(const std::vector<Item>& items) {
    constexpr int kBeside = 4, kGap = 2;
    int longest = 0;
    for (const Item& item : items) longest = std::max(longest, columns(item.term));
    const int indent = longest <= (columns_ >= 60 ? 18 : 12) ? longest + kGap : kBeside;
    const std::string blanks(static_cast<std::size_t>(indent), ' ');
    for (const Item& item : items) {
      if (item.apart) blank();
      bool beside = columns(item.term) + 1 < indent;
      if (!beside)
        for (const std::string& line : wrap(item.term, columns_))
          out_.push_back({TextLine::Kind::text, line});
      for (std::size_t i = 0; i < item.paragraphs.size(); ++i) {
        if (i > 0) blank();
        for (const std::string& line : wrap(item.paragraphs[i], columns_ - indent)) {
          out_.push_back({TextLine::Kind::text, (beside ? pad(item.term, indent) : blanks) + line});
          beside = false;
        }
      }
    }
    if (blank_after_) blank();
  }

  void blank() {
    if (!out_.empty() && !out_.back().text.empty()) out_.push_back({TextLine::Kind::text, ""});
  }

  void flush() {
    bool first = true;
    for (const std::string& line : wrap(pending_, columns_ - (bullet_ ? 2 : 0))) {
      out_.push_back({TextLine::Kind::text, (bullet_ ? (first ? "- " : "  ") : "") + line});
      first = false;
    }
    pending_.clear();
    bullet_ = false;
  }

  std::vector<std::string_view> lines_;
  std::size_t at_ = 0;
  int columns_;
  bool bullet_ = false, blank_after_ = false;
  std::string pending_;
  std::vector<TextLine> out_;
};

}  // namespace

std::string without_marks(std::string_view s) {
  std::string out;
  bool code = false;
  for (const char c : s) {
    if (c == '`') code = !code;
    else if (c != '*' || code) out += c;
  }
  return out;
}

std::vector<TextLine> layout_markdown(std::string_view markdown, int columns) {
  return Layout(markdown, columns).run();
}

std::string markdown_section(std::string_view markdown, std::string_view heading) {
  std::string out;
  bool inside = false;
  for (const std::string_view line : split_lines(markdown)) {
    if (line.substr(0, 3) == "## ") inside = same_ignoring_case(trim(line.substr(3)), heading);
    if (inside) out += std::string(line) + "\n";
  }
  return out;
}

}  // namespace pbm
