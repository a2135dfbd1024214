// SPDX-License-Identifier: MIT
// A screen to read and search a text: the help for keys, or the rules of a game. Leaves the text to
// the caller.
#include "ui/screens/screens.hpp"

#include <algorithm>
#include <functional>

#include "base/markdown.hpp"
#include "ui/widgets/line_editor.hpp"
#include "ui/screen.hpp"

namespace pbm {

namespace {

constexpr int kTextRow = 2;  // the first row of the text

class TextScreen final : public Screen {
 public:
  TextScreen(std::string title, std::function<std::string(int columns)> markdown,
             std::string lesson)
      : title_(std::move(title)), markdown_(std::move(markdown)), lesson_(std::move(lesson)) {}

  // As high as the terminal, because the text may be long.
  Size wanted(Size terminal) override {
    return {terminal.rows, std::min(terminal.columns, kWidest)};
  }

  void draw(Canvas& canvas) override {
    constexpr int kMaxWidth = 78;  // longer lines are hard to read
    const Size size = canvas.size();
    draw_title(canvas, title_, "? help  Esc back",
               {{"? help", typed('?')}, {"Esc back", {Key::Code::escape}}});
    lay_out(std::min(size.columns - 2, kMaxWidth));
    const int lines = static_cast<int>(lines_.size());
    page_ = std::max(1, size.rows - 4);
    last_top_ = std::max(0, lines - page_);
    // Show some lines above the match for context.
    if (show_ && (*show_ < top_ || *show_ >= top_ + page_)) top_ = *show_ - page_ / 3;
    show_.reset();
    top_ = std::clamp(top_, 0, last_top_);
    for (int i = 0; i < page_ && top_ + i < lines; ++i) {
      const TextLine& line = lines_[static_cast<std::size_t>(top_ + i)];
      const Style style = line.kind == TextLine::Kind::heading    ? Style::title
                          : line.kind == TextLine::Kind::verbatim ? Style::key
                                                                  : Style::text;
      canvas.put(kTextRow + i, 1, fit(line.text, size.columns - 2), style);
    }
    canvas.cursor = Point{size.rows - 1, 0};
    draw_matches(canvas);
    draw_bottom(canvas);
  }

  void press(const Key& key) override {
    if (searching_) return press_in_search(key);
    notice_.clear();
    if (const auto act = command_for<Act<TextScreen>>(bindings(), key)) (*act)(*this);
  }

  void paste(char32_t c) override {
    if (searching_) press_in_search(typed(c));
  }
  std::string title() const override { return title_; }
  Kind kind() const override { return Kind::text; }
  std::vector<KeyHelp> keys() const override { return key_help<Act<TextScreen>>(bindings()); }

 private:
  static const std::vector<Binding<Act<TextScreen>>>& bindings() {
    using enum Key::Code;
    using Text = TextScreen;
    static const std::vector<Binding<Act<Text>>> table{
        {act<&Text::scroll, 1>, by_keys(down, typed('j')), "a line on"},
        {act<&Text::scroll, -1>, by_keys(up, typed('k')), "a line back"},
        {act<&Text::turn, 1>, by_keys(page_down, typed(' '), ctrl('F')), "a page on"},
        {act<&Text::turn, -1>, by_keys(page_up, typed('b'), ctrl('B')), "a page back"},
        {act<&Text::first>, by_keys(home, typed('g')), "to the start"},
        {act<&Text::last>, by_keys(end, typed('G')), "to the end"},
        {act<&Text::search>, by_keys(typed('/')),
         "search for words; Enter keeps what is found, Esc goes back to where one was"},
        {act<&Text::next_match, false>, by_keys(typed('n')), "to the next place where they stand"},
        {act<&Text::next_match, true>, by_keys(typed('N')), "to the place before"},
        {act<&Text::next_heading, false>, by_keys(tab), "to the next heading"},
        {act<&Text::next_heading, true>, by_keys(back_tab), "to the heading before"},
        {act<&Text::lesson>, by_keys(typed('l')), "of the rules of a game: its lesson, by playing"},
        {asks<ShowKeys>, by_keys(typed('?'), fkey(1)), "this help"},
        {asks<GoBack>, by_keys(escape, typed('q'), enter), "back"},
    };
    return table;
  }

  void go_to(int line) { top_ = std::clamp(line, 0, last_top_); }
  void scroll(int lines) { go_to(top_ + lines); }
  void turn(int pages) { scroll(pages * (page_ - 1)); }
  void first() { go_to(0); }
  void last() { go_to(last_top_); }

  void search() {
    searching_ = true;
    before_ = top_;
    wanted_before_ = wanted_;
    search_.set("");
  }

  void lesson() {
    if (!lesson_.empty()) request(GoToBoard{lesson_});
  }

  void lay_out(int width) {
    if (width == width_ && !lines_.empty()) return;
    width_ = width;
    lines_ = layout_markdown(markdown_(width), width);
    find();
    if (!matches_.empty()) show_ = matches_[at_].front().row;
  }

  // Finds all places of the words. A line break counts as a blank; only an empty line separates
  // words.
  void find() {
    matches_.clear();
    if (trim(wanted_).empty()) return;
    std::string text;
    std::vector<Point> places;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const std::string line = safe_text(lines_[i].text);
      Point place{static_cast<int>(i), 0};
      for (std::string_view rest = line; !rest.empty();) {
        const Decoded d = decode_utf8(rest);
        // Skip the indentation of a continued line.
        if (d.c != U' ' || !text.ends_with(' ')) {
          text += lower(rest.substr(0, d.bytes));
          places.resize(text.size(), place);
        }
        place.column += columns(d.c);
        rest.remove_prefix(d.bytes);
      }
      text += line.empty() ? '\n' : ' ';
      places.push_back({static_cast<int>(i), -1});
    }
    const std::string wanted = lower(wanted_);
    for (std::size_t at = text.find(wanted); at != std::string::npos;
         at = text.find(wanted, at + wanted.size()))
      matches_.emplace_back(places.begin() + static_cast<std::ptrdiff_t>(at),
                            places.begin() + static_cast<std::ptrdiff_t>(at + wanted.size()));
    at_ = std::min(at_, matches_.size() - !matches_.empty());
  }

  void draw_matches(Canvas& canvas) const {
    for (std::size_t i = 0; i < matches_.size(); ++i) {
      bool first = i == at_;
      for (const Point& place : matches_[i]) {
        const int row = place.row - top_;
        if (row < 0 || row >= page_ || place.column < 0) continue;
        canvas.mark(kTextRow + row, 1 + place.column, i == at_ ? Mark::last : Mark::win);
        if (first) canvas.cursor = Point{kTextRow + row, 1 + place.column};
        first = false;
      }
    }
  }

  void draw_bottom(Canvas& canvas) {
    const int row = canvas.size().rows - 1, width = canvas.size().columns;
    if (searching_) {
      const std::string right = found();
      const int c = canvas.put(row, 1, "search: ", Style::key), end = width - 1 - columns(right);
      search_.draw(canvas, row, c, end - c - 2, Style::text,
                   matches_.empty() ? std::optional<std::size_t>(0) : std::nullopt);
      canvas.put(row, end, right, matches_.empty() ? Style::bad : Style::dim);
      return;
    }
    const int below = static_cast<int>(lines_.size()) - top_ - page_;
    // On a narrow screen "more lines" would leave no room for the last key.
    const std::string more = std::to_string(below) + (width < 60   ? " more"
                                                      : below == 1 ? " more line"
                                                                   : " more lines");
    FootKeys keys;
    std::string said = below > 0 ? "" : "the end";
    if (!wanted_.empty()) {
      if (!matches_.empty()) keys = {{typed('n'), "next"}, {typed('N'), "previous"}};
      const std::string where = "': " + found();
      const int room = width - 3 - columns(where) - (matches_.empty() ? 0 : 20) -
                       (matches_.empty() || width >= 60 ? 10 : 0);
      said = "'" + fit(wanted_, std::max(1, room)) + where;
    } else if (below > 0) {
      keys = {{typed(' '), more}};
    }
    keys.emplace_back(typed('/'), "search");
    if (!lesson_.empty() && wanted_.empty()) keys.emplace_back(typed('l'), "lesson");
    canvas.link(row, 0, width, {{Key::Code::page_down}});
    draw_foot(canvas, notice_, said, keys);
  }

  // Searches at every key, from where the reader was before the search.
  void press_in_search(const Key& key) {
    if (key.code == Key::Code::escape) {
      searching_ = false;
      wanted_ = wanted_before_;
      search_from(before_);
      show_.reset();
      top_ = before_;
    } else if (key.code == Key::Code::enter) {
      searching_ = false;
    } else if (search_.press(key)) {
      wanted_ = search_.text();
      search_from(before_);
    }
  }

  void search_from(int line) {
    lay_out(width_);
    find();
    at_ = 0;
    while (at_ < matches_.size() && matches_[at_].front().row < line) ++at_;
    if (at_ == matches_.size()) at_ = 0;
    show_.reset();
    if (matches_.empty()) top_ = line;
    else show_ = matches_[at_].front().row;
  }

  void next_match(bool back) {
    if (matches_.empty())
      return tell(wanted_.empty() ? "Type / and the words to search for."
                                  : "'" + wanted_ + "' is not found.");
    const std::size_t n = matches_.size();
    at_ = (at_ + (back ? n - 1 : 1)) % n;
    show_ = matches_[at_].front().row;
  }

  void next_heading(bool back) {
    lay_out(width_);
    const int lines = static_cast<int>(lines_.size());
    for (int i = top_ + (back ? -1 : 1); i >= 0 && i < lines; i += back ? -1 : 1)
      if (lines_[static_cast<std::size_t>(i)].kind == TextLine::Kind::heading) return go_to(i);
    top_ = back ? 0 : last_top_;
  }

  // Returns "3 of 7" or "not found".
  std::string found() const {
    if (wanted_.empty()) return "";
    return matches_.empty() ? "not found"
                            : std::to_string(at_ + 1) + " of " + std::to_string(matches_.size());
  }

  std::string title_;
  std::function<std::string(int columns)> markdown_;  // called again for each width
  std::string lesson_;
  std::vector<TextLine> lines_;  // the text, laid out for width_ columns
  int width_ = 78;
  int top_ = 0, page_ = 1, last_top_ = 0;

  LineEditor search_;
  bool searching_ = false;
  int before_ = 0;                           // top_ when the search began
  std::string wanted_, wanted_before_;       // the words to find, or ""
  std::vector<std::vector<Point>> matches_;  // the line and column of every character of each match
  std::size_t at_ = 0;                       // the current match
  std::optional<int> show_;                  // a line that the next drawing must show
};

}  // namespace

std::string keys_as_text(const std::vector<KeyHelp>& keys, int columns) {
  const int left = columns >= 60 ? 18 : 12;
  std::string out;
  for (const KeyHelp& k : keys) {
    if (k.keys.empty()) {
      out += "\n# " + k.about + "\n";
      continue;
    }
    // The layout removes two of the four blanks.
    const auto about = wrap(k.about, columns - left - 2);
    std::vector<std::string> names = wrap(k.keys, left - 1);
    for (std::size_t i = 0; i < std::max(about.size(), names.size()); ++i)
      out += "    " + pad(i < names.size() ? names[i] : "", left) +
             (i < about.size() ? about[i] : "") + "\n";
  }
  return out;
}

std::unique_ptr<Screen> text_screen(std::string title,
                                    std::function<std::string(int columns)> markdown,
                                    std::string lesson) {
  return std::make_unique<TextScreen>(std::move(title), std::move(markdown), std::move(lesson));
}

}  // namespace pbm
