// SPDX-License-Identifier: MIT
// The list of the userids on a server, with presence and ratings, the best first. Leaves a player's
// page to the server and to text_screen.cpp.
#include "ui/screens/screens.hpp"

#include "boards/boards.hpp"
#include "ui/screen.hpp"
#include "ui/widgets/row_list.hpp"

namespace pbm {

namespace {

constexpr int kPeopleRow = 3;  // the first row of the list

// The columns of the list.
struct Places {
  explicit Places(int width) : wide(width >= 60), running(width >= boards + 15) {}
  bool wide;  // with room for the word "(computer)" and the results
  int name = 3, name_width = wide ? 27 : 16, here = name + name_width + 1, rating = here + 5,
      results = rating + 8, boards = results + 21;
  bool running;
};

void draw_person(Canvas& canvas, int row, const Places& at, const Person& person,
                 std::string_view game) {
  const auto right = [](std::size_t n, std::size_t to) {
    const std::string text = std::to_string(n);
    return std::string(text.size() < to ? to - text.size() : 0, ' ') + text;
  };
  canvas.put(row, at.name, fit(at.wide ? person.shown() : person.userid, at.name_width),
             Style::text);
  if (person.here) canvas.put(row, at.here, "here", Style::turn);
  if (const auto found = person.standings.find(std::string(game));
      found != person.standings.end()) {
    const Standing& x = found->second;
    canvas.put(row, at.rating, x.rating_text(), Style::text);
    if (at.wide)
      canvas.put(row, at.results, right(x.won, 6) + right(x.lost, 6) + right(x.tied, 6),
                 Style::text);
  }
  if (at.running && person.boards > 0)
    canvas.put(row, at.boards, right(person.boards, 6), Style::dim);
}

class PeopleScreen final : public Screen {
 public:
  explicit PeopleScreen(Boards& boards) : boards_(boards) {
    read();
    ask();
  }

  void draw(Canvas& canvas) override {
    const int rows = canvas.size().rows;
    const Places at(canvas.size().columns);
    draw_title(canvas, "Players of " + std::string(game().title), "? help  Esc back",
               {{"? help", typed('?')}, {"Esc back", {Key::Code::escape}}});
    canvas.put(2, at.name, "userid", Style::dim);
    canvas.put(2, at.rating, "rating", Style::key);
    if (at.wide) canvas.put(2, at.results, "   won  lost  tied", Style::dim);
    if (at.running) canvas.put(2, at.boards, "boards running", Style::dim);
    list_.lay_out(kPeopleRow, rows - kPeopleRow - 2);
    for (int i = list_.begin(); i < list_.end(); ++i) {
      if (i == list_.selected()) canvas.put(list_.place_of(i), 1, ">", Style::turn);
      draw_person(canvas, list_.place_of(i), at, people_[static_cast<std::size_t>(i)], game().name);
    }
    if (list_.more_below()) canvas.put(rows - 2, 1, "v more below", Style::dim);
    if (people_.empty()) draw_message(canvas, 6, 3, "Asking the server who there is.", Style::text);
    draw_foot(canvas, notice_, at.wide ? "? after few games" : "",
              {{{Key::Code::enter}, "page"},
               {typed('s'), "start a game"},
               {{Key::Code::right}, "next game"}});
    canvas.cursor = Point{list_.place_of(list_.selected()), 1};
  }

  void press(const Key& key) override {
    notice_.clear();
    const auto act = command_for<Act<PeopleScreen>>(bindings(), key);
    if (!list_.press(key) && act) (*act)(*this);
  }
  // Selects a player; a click on the selected one opens their page.
  void click(Point place) override {
    if (list_.click(place)) press({Key::Code::enter});
  }
  void wake() override { ask(); }
  bool boards_changed() override {
    read();
    return false;
  }
  std::string title() const override { return "Players"; }
  std::vector<KeyHelp> keys() const override {
    return key_help<Act<PeopleScreen>>(bindings()) + RowList::keys();
  }

 private:
  static const std::vector<Binding<Act<PeopleScreen>>>& bindings() {
    using enum Key::Code;
    using People = PeopleScreen;
    static const std::vector<Binding<Act<People>>> table{
        {act<&People::read_page>, by_keys(enter, typed('o')),
         "the page of whom the > is at: ratings, results by seat and first move, games"},
        {act<&People::challenge>, by_keys(typed('s')), "start a game with him"},
        {act<&People::show_game, 1>, by_keys(right, tab, typed('l')),
         "the ratings of the next game"},
        {act<&People::show_game, -1>, by_keys(left, back_tab, typed('h')), "of the one before"},
        {act<&People::ask>, by_keys(typed('r')), "ask the server again"},
        {asks<ShowKeys>, by_keys(typed('?'), fkey(1)), "this help"},
        {asks<GoBack>, by_keys(escape, typed('q')), "back to the boards"},
    };
    return table;
  }

  const GameType& game() const { return all_games()[game_]; }
  const Person* selected() const {
    return people_.empty() ? nullptr : &people_[static_cast<std::size_t>(list_.selected())];
  }

  void ask() {
    boards_.ask(
        asking_, "",
        [&server = boards_.server()] { return server.look_around(true, server.shows_others()); },
        [this](const Result<Done>&) { read(); }, Priority::picture);
  }

  // Reads the list again and keeps the selected player.
  void read() {
    const std::string at = selected() ? selected()->userid : "";
    people_ = boards_.server().people();
    sort();
    list_.resize(static_cast<int>(people_.size()));
    for (std::size_t i = 0; i < people_.size(); ++i)
      if (people_[i].userid == at) list_.select(static_cast<int>(i));
  }

  // Sorts by rating, the best first; then provisional ratings, then players without a rating.
  void sort() {
    const std::string name(game().name);
    const auto key = [&](const Person& p) {
      const auto found = p.standings.find(name);
      return found == p.standings.end()
                 ? std::make_tuple(2, 0L, !p.here, std::string_view(p.userid))
                 : std::make_tuple(found->second.provisional ? 1 : 0, -found->second.rating,
                                   !p.here, std::string_view(p.userid));
    };
    std::ranges::sort(people_, [&](const Person& a, const Person& b) { return key(a) < key(b); });
  }

  void read_page() {
    if (!selected()) return;
    const std::string line = "player " + selected()->userid;
    boards_.ask(
        reading_, "", [line, &server = boards_.server()] { return server.command(line); },
        [this](const Result<CommandAnswer>& answer) {
          if (answer) request(read_wrapped(answer->text()));
          else notice_ = answer.refusal().why;
        });
  }

  void challenge() {
    if (!selected()) return;
    if (!same_ignoring_case(selected()->userid, boards_.server().user()))
      return request(CreateBoard{selected()->userid});
    notice_ = "That is you: choose somebody else.";
  }

  void show_game(int step) {
    game_ = step_round(game_, all_games().size(), step);
    sort();
    list_.select(0);
  }

  Boards& boards_;
  std::vector<Person> people_;
  RowList list_;
  std::size_t game_ = 0;
  Handle asking_, reading_;
};

}  // namespace

std::unique_ptr<Screen> people_screen(Boards& boards) {
  return std::make_unique<PeopleScreen>(boards);
}

}  // namespace pbm
