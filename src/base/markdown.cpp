// SPDX-License-Identifier: MIT
#include "base/markdown.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace pbm {
namespace {

// A term and the paragraphs that explain it.
struct DefinedTerm {
  std::string name;
  std::vector<std::string> paragraphs;
  bool has_gap_before;  // an empty line separates it from the item before
};

class MarkdownFormatter {
 public:
  MarkdownFormatter(std::string_view markdown, int columns)
      : lines_(split_lines(markdown)), columns_(columns) {}

  std::vector<TextLine> format() {
    while (line_index_ < lines_.size()) {
      const std::string_view line = lines_[line_index_];
      if (is_term(line_index_)) {
        flush_paragraph();
        add_terms(take_terms());
      } else {
        add_line(line);
        ++line_index_;
      }
    }
    flush_paragraph();
    while (!out_.empty() && out_.back().text.empty()) out_.pop_back();
    return std::move(out_);
  }

 private:
  void add_line(std::string_view line) {
    if (line.substr(0, 4) == "    ") {
      // A blank line between two blocks belongs to neither.
      flush_paragraph();
      out_.push_back({TextLine::Kind::verbatim, std::string(line.substr(2))});
    } else if (trim(line).empty()) {
      flush_paragraph();
      add_blank_line();
    } else if (line.front() == '#') {
      flush_paragraph();
      out_.push_back(
          {TextLine::Kind::heading,
           strip_marks(trim(line.substr(std::min(line.find_first_not_of('#'), line.size()))))});
    } else if (line.substr(0, 2) == "- ") {
      flush_paragraph();
      is_list_item_ = true;
      paragraph_ = strip_marks(line.substr(2));
    } else {
      paragraph_ += (paragraph_.empty() ? "" : " ") + strip_marks(trim(line));
    }
  }

  bool is_definition(std::size_t i) const {
    return i < lines_.size() && lines_[i].substr(0, 2) == ": ";
  }
  bool is_term(std::size_t i) const {
    return i < lines_.size() && is_definition(i + 1) && !lines_[i].empty() &&
           lines_[i].front() != ' ' && lines_[i].front() != '#';
  }

  std::vector<DefinedTerm> take_terms() {
    std::vector<DefinedTerm> out;
    bool apart = false;
    while (is_term(line_index_)) {
      DefinedTerm item{strip_marks(lines_[line_index_]),
                       {strip_marks(lines_[line_index_ + 1].substr(2))},
                       apart};
      line_index_ += 2;
      apart = false;
      for (; line_index_ < lines_.size(); ++line_index_) {
        const std::string_view line = lines_[line_index_];
        if (line.empty()) {
          apart = true;
        } else if (line.substr(0, 2) == "  " && line.substr(0, 4) != "    ") {
          if (apart) item.paragraphs.emplace_back();
          std::string& last = item.paragraphs.back();
          last += (last.empty() ? "" : " ") + strip_marks(trim(line));
          apart = false;
        } else {
          break;
        }
      }
      out.push_back(std::move(item));
    }
    has_blank_after_ = apart;
    return out;
  }

  // Puts short terms beside their meanings, long ones above.
  void add_terms(const std::vector<DefinedTerm>& items) {
    constexpr int kBeside = 4, kGap = 2;
    int longest = 0;
    for (const DefinedTerm& item : items) longest = std::max(longest, columns(item.name));
    const int indent = longest <= (columns_ >= 60 ? 18 : 12) ? longest + kGap : kBeside;
    const std::string blanks(static_cast<std::size_t>(indent), ' ');
    for (const DefinedTerm& item : items) {
      if (item.has_gap_before) add_blank_line();
      bool beside = columns(item.name) + 1 < indent;
      if (!beside)
        for (const std::string& line : wrap(item.name, columns_))
          out_.push_back({TextLine::Kind::text, line});
      for (std::size_t i = 0; i < item.paragraphs.size(); ++i) {
        if (i > 0) add_blank_line();
        for (const std::string& line : wrap(item.paragraphs[i], columns_ - indent)) {
          out_.push_back({TextLine::Kind::text, (beside ? pad(item.name, indent) : blanks) + line});
          beside = false;
        }
      }
    }
    if (has_blank_after_) add_blank_line();
  }

  void add_blank_line() {
    if (!out_.empty() && !out_.back().text.empty()) out_.push_back({TextLine::Kind::text, ""});
  }

  void flush_paragraph() {
    bool first = true;
    for (const std::string& line : wrap(paragraph_, columns_ - (is_list_item_ ? 2 : 0))) {
      out_.push_back({TextLine::Kind::text, (is_list_item_ ? (first ? "- " : "  ") : "") + line});
      first = false;
    }
    paragraph_.clear();
    is_list_item_ = false;
  }

  std::vector<std::string_view> lines_;
  std::size_t line_index_ = 0;
  int columns_;
  bool is_list_item_ = false, has_blank_after_ = false;
  std::string paragraph_;
  std::vector<TextLine> out_;
};

}  // namespace

std::string strip_marks(std::string_view s) {
  std::string out;
  bool code = false;
  for (const char c : s) {
    if (c == '`') code = !code;
    else if (c != '*' || code) out += c;
  }
  return out;
}

std::vector<TextLine> format_markdown(std::string_view markdown, int columns) {
  return MarkdownFormatter(markdown, columns).format();
}

std::string find_markdown_section(std::string_view markdown, std::string_view heading) {
  std::string out;
  bool inside = false;
  for (const std::string_view line : split_lines(markdown)) {
    if (line.substr(0, 3) == "## ") inside = equals_ignoring_case(trim(line.substr(3)), heading);
    if (inside) out += std::string(line) + "\n";
  }
  return out;
}

}  // namespace pbm
