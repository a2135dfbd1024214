// SPDX-License-Identifier: MIT
// The list of the userids on a server, with presence and ratings, the best first. Leaves a player's
// page to contest_screen.cpp.
#include "ui/screens/screens.hpp"

#include "boards/boards.hpp"
#include "ui/screen.hpp"
#include "ui/widgets/row_list.hpp"

namespace pbm {
namespace {

constexpr int kPeopleRow = 3;  // the first row of the list

// The columns of the list.
struct PeopleColumns {
  explicit PeopleColumns(int width) : is_wide(width >= 60), has_boards(width >= boards + 15) {}
  bool is_wide;  // with room for the word "(computer)" and the results
  int name = 3, name_width = is_wide ? 27 : 16, presence = name + name_width + 1,
      rating = presence + 5, results = rating + 8, boards = results + 21;
  bool has_boards;
};

void draw_person(Canvas& canvas, int row, const PeopleColumns& at, const Person& person,
                 std::string_view game) {
  const auto right = [](std::size_t n, std::size_t to) {
    const std::string text = std::to_string(n);
    return std::string(text.size() < to ? to - text.size() : 0, ' ') + text;
  };
  canvas.put_text(row, at.name,
                  fit(at.is_wide ? person.display_name() : person.userid, at.name_width),
                  Style::text);
  if (person.is_online) canvas.put_text(row, at.presence, "here", Style::turn);
  if (const auto found = person.ratings.find(std::string(game)); found != person.ratings.end()) {
    const RatingRecord& x = found->second;
    canvas.put_text(row, at.rating, x.rating_text(), Style::text);
    if (at.is_wide)
      canvas.put_text(row, at.results, right(x.wins, 6) + right(x.losses, 6) + right(x.ties, 6),
                      Style::text);
  }
  if (at.has_boards && person.board_count > 0)
    canvas.put_text(row, at.boards, right(person.board_count, 6), Style::dim);
}

class PeopleScreen final : public Screen {
 public:
  explicit PeopleScreen(Boards& boards) : boards_(boards) {
    update_people();
    request_people();
  }

  void draw(Canvas& canvas) override {
    const int rows = canvas.size().rows;
    const PeopleColumns at(canvas.size().columns);
    draw_title(canvas, "Players of " + std::string(shown_game().title));
    canvas.put_text(2, at.name, "userid", Style::dim);
    canvas.put_text(2, at.rating, "rating", Style::key);
    if (at.is_wide) canvas.put_text(2, at.results, "   won  lost  tied", Style::dim);
    if (at.has_boards) canvas.put_text(2, at.boards, "running games", Style::dim);
    list_.set_layout(kPeopleRow, rows - kPeopleRow - 2);
    for (int i = list_.first_visible(); i < list_.end_visible(); ++i) {
      if (i == list_.selected_row()) canvas.put_text(list_.screen_row(i), 1, ">", Style::turn);
      draw_person(canvas, list_.screen_row(i), at, people_[index(i)], shown_game().name);
    }
    canvas.put_text(rows - 2, 1, list_.more_text(), Style::dim);
    if (people_.empty())
      draw_message(canvas, 6, 3, "Asking the server for the players.", Style::text);
    draw_foot(canvas, notice_, at.is_wide ? "?: after few games" : "",
              {{{Key::Code::enter}, "page"},
               {character_key('s'), "challenge"},
               {{Key::Code::right}, "next game"}});
    canvas.cursor = Point{list_.screen_row(list_.selected_row()), 1};
  }

  void press(const Key& key) override {
    notice_.clear();
    const auto act = bound_command<KeyAction<PeopleScreen>>(bindings(), key);
    if (!list_.press(key) && act) (*act)(*this);
  }
  // Selects a player; a click on the selected one opens their page.
  void click(Point place) override {
    if (list_.select_at(place)) press({Key::Code::enter});
  }
  void resume() override { request_people(); }
  bool boards_changed() override {
    update_people();
    return false;
  }
  std::string title() const override { return "Players"; }
  std::vector<KeyHelp> keys() const override {
    return key_help<KeyAction<PeopleScreen>>(bindings()) + RowList::keys();
  }

 private:
  static const std::vector<Binding<KeyAction<PeopleScreen>>>& bindings() {
    using enum Key::Code;
    using People = PeopleScreen;
    static const std::vector<Binding<KeyAction<People>>> table{
        {make_action<&People::open_page>, key_list(enter, character_key('o')),
         "read the player's page: ratings and results"},
        {make_action<&People::challenge>, key_list(character_key('s')), "challenge the player"},
        {make_action<&People::change_game, 1>, key_list(right, tab, character_key('l')),
         "show the ratings of the next game"},
        {make_action<&People::change_game, -1>, key_list(left, back_tab, character_key('h')),
         "show the ratings of the game before"},
        {make_action<&People::request_people>, key_list(character_key('r')),
         "ask the server again"},
        {request_action<KeysRequest>, key_list(character_key('?'), function_key(1)),
         "show this help"},
        {request_action<BackRequest>, key_list(escape, character_key('q')),
         "go back to the list of games"},
    };
    return table;
  }

  const GameType& shown_game() const { return all_games()[game_index_]; }
  const Person* selected_person() const {
    return people_.empty() ? nullptr : &people_[index(list_.selected_row())];
  }

  void request_people() {
    boards_.start_task(
        pending_people_, "",
        [&server = boards_.server()] { return server.request_lobby(true, server.lists_others()); },
        [this](const Result<Success>&) { update_people(); }, Priority::display);
  }

  // Reads the list again and keeps the selected player.
  void update_people() {
    const std::string at = selected_person() ? selected_person()->userid : "";
    people_ = boards_.server().people();
    sort_people();
    list_.set_row_count(static_cast<int>(people_.size()));
    for (std::size_t i = 0; i < people_.size(); ++i)
      if (people_[i].userid == at) list_.select(static_cast<int>(i));
  }

  // Sorts by rating, the best first; then provisional ratings, then players without a rating.
  void sort_people() {
    const std::string name(shown_game().name);
    const auto key = [&](const Person& p) {
      const auto found = p.ratings.find(name);
      return found == p.ratings.end()
                 ? std::make_tuple(2, 0L, !p.is_online, std::string_view(p.userid))
                 : std::make_tuple(found->second.is_provisional ? 1 : 0, -found->second.rating,
                                   !p.is_online, std::string_view(p.userid));
    };
    std::ranges::sort(people_, [&](const Person& a, const Person& b) { return key(a) < key(b); });
  }

  void open_page() {
    if (selected_person()) request(ContestRequest{"profile " + selected_person()->userid});
  }

  void challenge() {
    if (!selected_person()) return;
    if (!equals_ignoring_case(selected_person()->userid, boards_.server().userid()))
      return request(NewBoardRequest{selected_person()->userid});
    notice_ = "That is you. Choose another player.";
  }

  void change_game(int step) {
    game_index_ = wrap_index(game_index_, all_games().size(), step);
    sort_people();
    list_.select(0);
  }

  Boards& boards_;
  std::vector<Person> people_;
  RowList list_;
  std::size_t game_index_ = 0;
  TaskHandle pending_people_;
};

}  // namespace

std::unique_ptr<Screen> make_people_screen(Boards& boards) {
  return std::make_unique<PeopleScreen>(boards);
}

}  // namespace pbm
