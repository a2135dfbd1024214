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
             std::string lesson, std::optional<PictureRequest> picture)
      : title_(std::move(title)),
        make_markdown_(std::move(markdown)),
        lesson_id_(std::move(lesson)),
        picture_(std::move(picture)) {}

  // As high as the terminal, because the text may be long.
  Size wanted_size(Size terminal) override {
    return {terminal.rows, std::min(terminal.columns, kMaxColumns)};
  }

  void draw(Canvas& canvas) override {
    constexpr int kMaxWidth = 78;  // longer lines are hard to read
    const Size size = canvas.size();
    draw_title(canvas, title_, title_.starts_with("Help:") ? "Esc back" : "? help  Esc back");
    lay_out(std::min(size.columns - 2, kMaxWidth));
    const int lines = static_cast<int>(lines_.size());
    page_rows_ = std::max(1, size.rows - 4);
    max_top_ = std::max(0, lines - page_rows_);
    // Show some lines above the match for context.
    if (line_to_show_ && (*line_to_show_ < top_ || *line_to_show_ >= top_ + page_rows_))
      top_ = *line_to_show_ - page_rows_ / 3;
    line_to_show_.reset();
    top_ = std::clamp(top_, 0, max_top_);
    for (int i = 0; i < page_rows_ && top_ + i < lines; ++i) {
      const TextLine& line = lines_[static_cast<std::size_t>(top_ + i)];
      const Style style = line.kind == TextLine::Kind::heading    ? Style::title
                          : line.kind == TextLine::Kind::verbatim ? Style::key
                                                                  : Style::text;
      canvas.put_text(kTextRow + i, 1, fit(line.text, size.columns - 2), style);
    }
    canvas.cursor = Point{size.rows - 1, 0};
    draw_matches(canvas);
    draw_bottom(canvas);
  }

  void press(const Key& key) override {
    if (is_searching_) return edit_search(key);
    notice_.clear();
    if (const auto act = bound_command<KeyAction<TextScreen>>(bindings(), key)) (*act)(*this);
  }

  void paste(char32_t c) override {
    if (is_searching_) edit_search(character_key(c));
  }
  std::string title() const override { return title_; }
  Kind kind() const override { return Kind::text; }
  std::vector<KeyHelp> keys() const override { return key_help<KeyAction<TextScreen>>(bindings()); }

 private:
  static const std::vector<Binding<KeyAction<TextScreen>>>& bindings() {
    using enum Key::Code;
    using Text = TextScreen;
    static const std::vector<Binding<KeyAction<Text>>> table{
        {make_action<&Text::scroll, 1>, key_list(down, character_key('j')), "scroll a line down"},
        {make_action<&Text::scroll, -1>, key_list(up, character_key('k')), "scroll a line up"},
        {make_action<&Text::scroll_pages, 1>,
         key_list(page_down, character_key(' '), control_key('F')), "scroll a page down"},
        {make_action<&Text::scroll_pages, -1>,
         key_list(page_up, character_key('b'), control_key('B')), "scroll a page up"},
        {make_action<&Text::go_to_start>, key_list(home, character_key('g')), "go to the start"},
        {make_action<&Text::go_to_end>, key_list(end, character_key('G')), "go to the end"},
        {make_action<&Text::start_search>, key_list(character_key('/')),
         "search for words; Enter stays at the match, Esc goes back"},
        {make_action<&Text::go_to_next_match, false>, key_list(character_key('n')),
         "go to the next match"},
        {make_action<&Text::go_to_next_match, true>, key_list(character_key('N')),
         "go to the match before"},
        {make_action<&Text::go_to_next_heading, false>, key_list(tab), "go to the next heading"},
        {make_action<&Text::go_to_next_heading, true>, key_list(back_tab),
         "go to the heading before"},
        {make_action<&Text::open_lesson>, key_list(character_key('l')),
         "in the rules of a game: play its lesson"},
        {make_action<&Text::request_picture, false>, key_list(character_key('p')),
         "in a record: save a picture of the board"},
        {make_action<&Text::request_picture, true>, key_list(character_key('m')),
         "in a record: save a moving picture of the game"},
        {request_action<KeysRequest>, key_list(character_key('?'), function_key(1)),
         "show this help"},
        {request_action<BackRequest>, key_list(escape, character_key('q'), enter), "go back"},
    };
    return table;
  }

  void go_to(int line) { top_ = std::clamp(line, 0, max_top_); }
  void scroll(int lines) { go_to(top_ + lines); }
  void scroll_pages(int pages) { scroll(pages * (page_rows_ - 1)); }
  void go_to_start() { go_to(0); }
  void go_to_end() { go_to(max_top_); }

  void start_search() {
    is_searching_ = true;
    top_before_search_ = top_;
    words_before_search_ = search_words_;
    search_line_.set_text("");
  }

  void open_lesson() {
    if (!lesson_id_.empty()) request(OpenBoardRequest{lesson_id_});
  }

  void request_picture(bool moves) {
    if (!picture_) return;
    PictureRequest wanted = *picture_;
    wanted.has_moves = moves;
    request(std::move(wanted));
  }

  void lay_out(int width) {
    if (width == width_ && !lines_.empty()) return;
    width_ = width;
    lines_ = format_markdown(make_markdown_(width), width);
    find_matches();
    if (!matches_.empty()) line_to_show_ = matches_[match_index_].front().row;
  }

  // Finds all places of the words. A line break counts as a blank; only an empty line separates
  // words.
  void find_matches() {
    matches_.clear();
    if (trim(search_words_).empty()) return;
    std::string text;
    std::vector<Point> places;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const std::string line = safe_text(lines_[i].text);
      Point place{static_cast<int>(i), 0};
      for (std::string_view rest = line; !rest.empty();) {
        const DecodedCharacter d = decode_utf8(rest);
        // Skip the indentation of a continued line.
        if (d.code_point != U' ' || !text.ends_with(' ')) {
          text += lower(rest.substr(0, d.size));
          places.resize(text.size(), place);
        }
        place.column += columns(d.code_point);
        rest.remove_prefix(d.size);
      }
      text += line.empty() ? '\n' : ' ';
      places.push_back({static_cast<int>(i), -1});
    }
    const std::string wanted = lower(search_words_);
    for (std::size_t at = text.find(wanted); at != std::string::npos;
         at = text.find(wanted, at + wanted.size()))
      matches_.emplace_back(places.begin() + static_cast<std::ptrdiff_t>(at),
                            places.begin() + static_cast<std::ptrdiff_t>(at + wanted.size()));
    match_index_ = std::min(match_index_, matches_.size() - !matches_.empty());
  }

  void draw_matches(Canvas& canvas) const {
    for (std::size_t i = 0; i < matches_.size(); ++i) {
      bool first = i == match_index_;
      for (const Point& place : matches_[i]) {
        const int row = place.row - top_;
        if (row < 0 || row >= page_rows_ || place.column < 0) continue;
        canvas.mark_cell(kTextRow + row, 1 + place.column,
                         i == match_index_ ? Mark::last : Mark::win);
        if (first) canvas.cursor = Point{kTextRow + row, 1 + place.column};
        first = false;
      }
    }
  }

  void draw_bottom(Canvas& canvas) {
    const int row = canvas.size().rows - 1, width = canvas.size().columns;
    if (is_searching_) {
      const std::string right = match_text();
      const int c = canvas.put_text(row, 1, "search: ", Style::key),
                end = width - 1 - columns(right);
      search_line_.draw(canvas, row, c, end - c - 2, Style::text,
                        matches_.empty() ? std::optional<std::size_t>(0) : std::nullopt);
      canvas.put_text(row, end, right, matches_.empty() ? Style::bad : Style::dim);
      return;
    }
    const int below = static_cast<int>(lines_.size()) - top_ - page_rows_;
    // On a narrow screen "more lines" would leave no room for the last key.
    const std::string more = std::to_string(below) + (width < 60   ? " more"
                                                      : below == 1 ? " more line"
                                                                   : " more lines");
    FootKeys keys;
    std::string said = below > 0 ? "" : "the end";
    if (!search_words_.empty()) {
      if (!matches_.empty())
        keys = {{character_key('n'), "next"}, {character_key('N'), "previous"}};
      const std::string where = "': " + match_text();
      const int room = width - 3 - columns(where) - (matches_.empty() ? 0 : 20) -
                       (matches_.empty() || width >= 60 ? 10 : 0);
      said = "'" + fit(search_words_, std::max(1, room)) + where;
    } else if (below > 0) {
      keys = {{character_key(' '), more}};
    }
    keys.emplace_back(character_key('/'), "search");
    if (!lesson_id_.empty() && search_words_.empty())
      keys.emplace_back(character_key('l'), "lesson");
    if (picture_ && search_words_.empty()) {
      keys.emplace_back(character_key('p'), "picture");
      keys.emplace_back(character_key('m'), "moving picture");
    }
    canvas.add_link(row, 0, width, {{Key::Code::page_down}});
    draw_foot(canvas, notice_, said, keys);
  }

  // Searches at every key, from where the reader was before the search.
  void edit_search(const Key& key) {
    if (key.code == Key::Code::escape) {
      is_searching_ = false;
      search_words_ = words_before_search_;
      search_from(top_before_search_);
      line_to_show_.reset();
      top_ = top_before_search_;
    } else if (key.code == Key::Code::enter) {
      is_searching_ = false;
    } else if (search_line_.press(key)) {
      search_words_ = search_line_.text();
      search_from(top_before_search_);
    }
  }

  void search_from(int line) {
    lay_out(width_);
    find_matches();
    match_index_ = 0;
    while (match_index_ < matches_.size() && matches_[match_index_].front().row < line)
      ++match_index_;
    if (match_index_ == matches_.size()) match_index_ = 0;
    line_to_show_.reset();
    if (matches_.empty()) top_ = line;
    else line_to_show_ = matches_[match_index_].front().row;
  }

  void go_to_next_match(bool back) {
    if (matches_.empty())
      return set_notice(search_words_.empty() ? "Type / and the words to search for."
                                              : "'" + search_words_ + "' is not found.");
    const std::size_t n = matches_.size();
    match_index_ = (match_index_ + (back ? n - 1 : 1)) % n;
    line_to_show_ = matches_[match_index_].front().row;
  }

  void go_to_next_heading(bool back) {
    lay_out(width_);
    const int lines = static_cast<int>(lines_.size());
    for (int i = top_ + (back ? -1 : 1); i >= 0 && i < lines; i += back ? -1 : 1)
      if (lines_[static_cast<std::size_t>(i)].kind == TextLine::Kind::heading) return go_to(i);
    top_ = back ? 0 : max_top_;
  }

  // Returns "3 of 7" or "not found".
  std::string match_text() const {
    if (search_words_.empty()) return "";
    return matches_.empty()
               ? "not found"
               : std::to_string(match_index_ + 1) + " of " + std::to_string(matches_.size());
  }

  std::string title_;
  std::function<std::string(int columns)> make_markdown_;  // called again for each width
  std::string lesson_id_;
  std::optional<PictureRequest> picture_;
  std::vector<TextLine> lines_;  // the text, laid out for width_ columns
  int width_ = 78;
  int top_ = 0, page_rows_ = 1, max_top_ = 0;

  LineEditor search_line_;
  bool is_searching_ = false;
  int top_before_search_ = 0;                       // top_ when the search began
  std::string search_words_, words_before_search_;  // the words to find, or ""
  std::vector<std::vector<Point>> matches_;  // the line and column of every character of each match
  std::size_t match_index_ = 0;              // the current match
  std::optional<int> line_to_show_;          // a line that the next drawing must show
};

}  // namespace

std::string keys_as_markdown(const std::vector<KeyHelp>& keys, int columns) {
  const int left = columns >= 60 ? 18 : 12;
  std::string out;
  for (const KeyHelp& k : keys) {
    if (k.key_names.empty()) {
      out += "\n# " + k.description + "\n";
      continue;
    }
    // The layout removes two of the four blanks.
    const auto about = wrap(k.description, columns - left - 2);
    std::vector<std::string> names = wrap(k.key_names, left - 1);
    for (std::size_t i = 0; i < std::max(about.size(), names.size()); ++i)
      out += "    " + pad(i < names.size() ? names[i] : "", left) +
             (i < about.size() ? about[i] : "") + "\n";
  }
  return out;
}

std::unique_ptr<Screen> make_text_screen(std::string title,
                                         std::function<std::string(int columns)> markdown,
                                         std::string lesson,
                                         std::optional<PictureRequest> picture) {
  return std::make_unique<TextScreen>(std::move(title), std::move(markdown), std::move(lesson),
                                      std::move(picture));
}

}  // namespace pbm
