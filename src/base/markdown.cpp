// SPDX-License-Identifier: MIT
#include "base/markdown.hpp"

#include "base/text.hpp"

namespace pbm {
namespace {

// `code` reads as well without its backticks on a terminal.
std::string without_ticks(std::string_view s) {
  std::string out;
  for (const char c : s)
    if (c != '`') out += c;
  return out;
}

class Layout {
 public:
  explicit Layout(int columns) : columns_(columns) {}

  void take(std::string_view line) {
    if (line.substr(0, 4) == "    ") {
      // A blank line between two blocks belongs to neither.
      flush();
      out_.push_back({TextLine::Kind::verbatim, std::string(line.substr(2))});
    } else if (trim(line).empty()) {
      flush();
      if (!out_.empty() && !out_.back().text.empty()) out_.push_back({TextLine::Kind::text, ""});
    } else if (line.front() == '#') {
      flush();
      out_.push_back({TextLine::Kind::heading, without_ticks(trim(line.substr(line.find_first_not_of('#'))))});
    } else if (line.substr(0, 2) == "- ") {
      flush();
      bullet_ = true;
      pending_ = without_ticks(line.substr(2));
    } else {
      pending_ += (pending_.empty() ? "" : " ") + without_ticks(trim(line));
    }
  }

  std::vector<TextLine> done() {
    flush();
    while (!out_.empty() && out_.back().text.empty()) out_.pop_back();
    return std::move(out_);
  }

 private:
  void flush() {
    bool first = true;
    for (const std::string& line : wrap(pending_, columns_ - (bullet_ ? 2 : 0))) {
      out_.push_back({TextLine::Kind::text, (bullet_ ? (first ? "- " : "  ") : "") + line});
      first = false;
    }
    pending_.clear();
    bullet_ = false;
  }

  int columns_;
  bool bullet_ = false;
  std::string pending_;
  std::vector<TextLine> out_;
};

}  // namespace

std::vector<TextLine> layout_markdown(std::string_view markdown, int columns) {
  Layout layout(columns);
  while (!markdown.empty()) {
    const std::size_t feed = markdown.find('\n');
    layout.take(markdown.substr(0, feed));
    markdown.remove_prefix(feed == std::string_view::npos ? markdown.size() : feed + 1);
  }
  return layout.done();
}

}  // namespace pbm
