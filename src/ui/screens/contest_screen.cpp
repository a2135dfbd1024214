// SPDX-License-Identifier: MIT
// The pages of a server's tournaments and ladders, and of a player: tables whose rows open boards
// and other pages. Leaves the tables to protocol/contest_pages.hpp.
#include "boards/exercises.hpp"
#include "protocol/contest_pages.hpp"
#include "ui/screens/screens.hpp"
#include "ui/widgets/row_list.hpp"

namespace pbm {
namespace {

// A page made of the server's lines.
struct ContestPage {
  std::string title;
  std::string note = {};  // a sentence below the title
  ContestRows rows = {};
  std::string ladder = {};  // the name of the page's ladder, or ""
  // The other keys of the page. A key that gives something up asks twice.
  struct Action {
    char key;
    std::string command;
    std::string_view label;
    std::string question = {};
  };
  std::vector<Action> actions = {};
};

// Reads the lines that `decode` knows.
template <class Decode>
auto decode_all(const std::vector<std::string>& lines, Decode decode) {
  std::vector<typename decltype(decode(std::string_view()))::value_type> out;
  for (const std::string& line : lines)
    if (auto found = decode(line)) out.push_back(std::move(*found));
  return out;
}

// Returns the keys of a tournament for `me`.
std::vector<ContestPage::Action> tournament_actions(const Tournament& t, const std::string& me) {
  using State = Tournament::State;
  std::vector<ContestPage::Action> out;
  if (t.state == State::open && !me.empty() && equals_ignoring_case(t.creator, me))
    out.push_back({'s', "tournament start " + t.name, "start", "starts " + t.name});
  if (t.state == State::open && !t.has_joined)
    out.push_back({'y', "tournament join " + t.name, "join"});
  if (t.state == State::open && t.has_joined)
    out.push_back({'x', "tournament leave " + t.name, "leave", "leaves " + t.name});
  if (t.state == State::running && t.has_joined)
    out.push_back({'x', "tournament withdraw " + t.name, "withdraw",
                   "withdraws; you lose your games that still run"});
  return out;
}

// Adds what only the player's own program knows.
void add_puzzles(ContestPage& page, const Exercises& exercises) {
  constexpr int kGame = 12;  // columns
  page.rows.push_back({"Puzzles", ContestRow::Kind::heading});
  for (const GameType& game : all_games())
    page.rows.push_back({pad(game.title, kGame) + std::to_string(exercises.skill(game))});
  page.rows.push_back({format_count(static_cast<std::size_t>(exercises.streak()), "day", "days") +
                       " in a row with a solved puzzle"});
}

ContestPage make_profile(const std::vector<ProfileLine>& lines, Boards& boards, int width) {
  const ProfileLine& head = lines.front();
  ContestPage page{head.subject + (head.is_computer ? " (computer)" : "") +
                   (head.is_online ? ", here now" : "")};
  page.note = format_count(head.running, "game runs", "games run") +
              (head.since ? ". Playing here since " + short_time(*head.since, now()) : "") + ".";
  page.rows = make_profile_page(lines, width, true);
  const Exercises* const exercises = boards.exercises();
  if (exercises && equals_ignoring_case(head.subject, boards.server().userid()))
    add_puzzles(page, *exercises);
  return page;
}

ContestPage make_page(const std::vector<std::string>& lines, Boards& boards, int width) {
  const std::string me = boards.server().userid();
  const auto tournaments = decode_all(lines, decode_tournament);
  const auto ladders = decode_all(lines, decode_ladder);
  if (const auto profile = decode_all(lines, decode_profile_line); !profile.empty())
    return make_profile(profile, boards, width);
  if (tournaments.size() == 1 && ladders.empty()) {
    const Tournament& t = tournaments.front();
    return {"Tournament " + t.name,
            t.title() + ", " + t.form_text() + ", " + t.state_text() + t.start_text(),
            make_tournament_page(t, decode_all(lines, decode_tournament_entry),
                                 decode_all(lines, decode_tournament_game), me, width, true),
            "", tournament_actions(t, me)};
  }
  if (tournaments.empty() && ladders.size() == 1) {
    const Ladder& ladder = ladders.front();
    const std::string command = "ladder " + ladder.name;
    return {
        "Ladder of " + ladder.title(),
        "",
        make_ladder_page(decode_all(lines, decode_ladder_place), me),
        ladder.name,
        {ladder.own_place > 0 ? ContestPage::Action{'x', command + " leave", "leave",
                                                    "leaves the ladder and your place"}
                              : ContestPage::Action{'y', command + " join", "join at the end"}}};
  }
  ContestPage out{"Tournaments and ladders",
                  "To open one, press Esc and type :tournament new NAME GAME swiss.",
                  make_tournament_list(tournaments)};
  std::ranges::move(make_ladder_list(ladders), std::back_inserter(out.rows));
  return out;
}

Style row_style(const ContestRow& row) {
  return row.kind == ContestRow::Kind::heading ? Style::title
         : row.is_own                          ? Style::turn
         : row.kind == ContestRow::Kind::past  ? Style::dim
                                               : Style::text;
}

constexpr int kMargin = 3;  // columns beside a row

class ContestScreen final : public Screen {
 public:
  ContestScreen(Boards& boards, std::string command)
      : boards_(boards), command_(std::move(command)) {
    ask();
  }

  void draw(Canvas& canvas) override {
    const int rows = canvas.size().rows, width = canvas.size().columns;
    if (is_stale_) ask();  // not below another page
    if (shown_width_ != width) update_page(width);
    draw_title(canvas, page_.title);
    const int first = page_.note.empty() ? 2 : 3;
    if (first > 2) canvas.put_text(2, 1, fit(page_.note, width - 2), Style::dim);
    list_.set_layout(first, rows - first - 2);
    for (int i = list_.first_visible(); i < list_.end_visible(); ++i) {
      const ContestRow& row = page_.rows[index(i)];
      const int at = list_.screen_row(i);
      const int column = row.kind == ContestRow::Kind::heading ? 1 : 2;
      canvas.put_text(at, column, fit(row.text, width - kMargin), row_style(row));
      if (i == list_.selected_row()) canvas.put_text(at, 0, ">", Style::turn);
    }
    canvas.put_text(rows - 2, 1, list_.more_text(), Style::dim);
    if (lines_.empty())
      draw_message(canvas, 6, 3, refusal_.empty() ? "Asking the server." : refusal_, Style::text);
    FootKeys keys;
    const ContestRow* const row = selected_row();
    if (row && !(row->command + row->board).empty()) keys.push_back({{Key::Code::enter}, "open"});
    if (row && !row->challenged.empty()) keys.push_back({character_key('c'), "challenge"});
    for (const ContestPage::Action& action : page_.actions)
      keys.push_back({character_key(static_cast<char32_t>(action.key)), action.label});
    draw_foot(canvas, notice_, "", keys);
    canvas.cursor = Point{list_.screen_row(list_.selected_row()), 0};
  }

  void press(const Key& key) override {
    notice_.clear();
    asked_command_ = std::exchange(question_, "");
    const auto act = bound_command<KeyAction<ContestScreen>>(bindings(), key);
    const int before = list_.selected_row();
    if (list_.press(key)) leave_heading(list_.selected_row() < before ? -1 : 1);
    else if (act) (*act)(*this);
  }
  // Selects a row; a click on the selected one opens it.
  void click(Point place) override {
    if (list_.select_at(place)) open();
    else leave_heading(1);
  }
  void resume() override { ask(); }
  // A message without a board may be about the end of a round.
  bool handle_event(const Notification& news) override {
    is_stale_ = is_stale_ ||
                (news.kind == Notification::Kind::message && news.board.empty() && !is_profile());
    return false;
  }
  std::string title() const override {
    return is_profile() ? "A player" : "Tournaments and ladders";
  }
  std::vector<KeyHelp> keys() const override {
    std::vector<KeyHelp> out = key_help<KeyAction<ContestScreen>>(bindings());
    if (is_profile()) out.erase(out.begin() + 1, out.begin() + 5);  // challenge to start
    return out + RowList::keys();
  }

 private:
  static const std::vector<Binding<KeyAction<ContestScreen>>>& bindings() {
    using enum Key::Code;
    static const std::vector<Binding<KeyAction<ContestScreen>>> table{
        {make_action<&ContestScreen::open>, key_list(enter, character_key('o')),
         "open the game, page or player of the row"},
        {make_action<&ContestScreen::challenge>, key_list(character_key('c')),
         "challenge that place of the ladder"},
        {make_action<&ContestScreen::act, 'y'>, key_list(character_key('y')),
         "join the open tournament or the ladder"},
        {make_action<&ContestScreen::act, 'x'>, key_list(character_key('x')),
         "leave it, or withdraw from a running tournament; press it twice"},
        {make_action<&ContestScreen::act, 's'>, key_list(character_key('s')),
         "start the tournament that you opened; press it twice"},
        {make_action<&ContestScreen::ask>, key_list(character_key('r')), "ask the server again"},
        {request_action<KeysRequest>, key_list(character_key('?'), function_key(1)),
         "show this help"},
        {request_action<BackRequest>, key_list(escape, character_key('q')), "go back"},
    };
    return table;
  }

  bool is_profile() const { return command_.starts_with("profile"); }

  // If a heading or blank row is selected, selects the next other row downwards (1) or upwards
  // (-1), or else in the other direction.
  void leave_heading(int step) {
    const int count = static_cast<int>(page_.rows.size());
    for (const int way : {step, -step}) {
      for (int i = list_.selected_row(); i >= 0 && i < count; i += way)
        if (const ContestRow& row = page_.rows[index(i)];
            row.kind == ContestRow::Kind::plain ||
            !(row.command + row.board + row.challenged).empty())
          return list_.select(i);
      if (way < 0) list_.scroll_to_top();  // only headings are above
    }
  }

  const ContestRow* selected_row() const {
    return page_.rows.empty() ? nullptr : &page_.rows[index(list_.selected_row())];
  }
  void open() {
    const ContestRow* const row = selected_row();
    if (row && !row->board.empty()) request(OpenBoardRequest{row->board});
    else if (row && !row->command.empty()) request(ContestRequest{row->command});
  }
  void challenge() {
    if (selected_row() && !selected_row()->challenged.empty())
      send("ladder " + page_.ladder + " challenge " + selected_row()->challenged);
    else set_notice("You can challenge only where the row of a ladder says so.");
  }

  // Does what a key of the page does, if the page has it.
  void act(int key) {
    for (const ContestPage::Action& action : page_.actions) {
      if (action.key != key) continue;
      if (action.question.empty() || asked_command_ == action.command) return send(action.command);
      question_ = action.command;
      return set_notice(std::string(1, action.key) + " again " + action.question +
                        "; any other key cancels.");
    }
    if (page_.actions.empty()) return set_notice("Press Enter on a tournament or ladder first.");
    set_notice("This page has nothing to " + std::string(key == 'y'   ? "join."
                                                         : key == 'x' ? "leave."
                                                                      : "start."));
  }

  // Asks the server for the lines of the page. The old ones stay until then.
  void ask() {
    is_stale_ = false;
    boards_.start_task(
        pending_page_, "",
        [command = command_, &server = boards_.server()]() -> Result<std::vector<std::string>> {
          std::vector<std::string> out;
          for (const std::string& line : command.empty()
                                             ? std::vector<std::string>{"tournaments", "ladders"}
                                             : std::vector<std::string>{command}) {
            const auto answer = server.run_command("data " + line);
            if (!answer) return answer.refusal();
            out.insert(out.end(), answer->lines.begin(), answer->lines.end());
          }
          return out;
        },
        [this](const Result<std::vector<std::string>>& lines) {
          refusal_ = lines ? "" : lines.refusal().reason;
          if (!lines) return lines_.empty() ? void() : set_notice(refusal_);
          lines_ = *lines;
          shown_width_ = 0;
        },
        Priority::display);
  }

  // Makes the page for the width and keeps the selected row. The first time, selects the player's
  // own row.
  void update_page(int width) {
    const std::string at = selected_row() ? selected_row()->id : "";
    const bool is_first = page_.rows.empty();
    shown_width_ = width;
    if (lines_.empty() && !command_.empty()) return;
    page_ = make_page(lines_, boards_, width - kMargin);
    list_.set_row_count(static_cast<int>(page_.rows.size()));
    const auto opens = [](const ContestRow& row) { return !(row.command + row.board).empty(); };
    const auto own = std::ranges::find_if(page_.rows, &ContestRow::is_own);
    const auto wanted =
        is_first     ? own != page_.rows.end() ? own : std::ranges::find_if(page_.rows, opens)
            : at.empty() ? page_.rows.end()
                     : std::ranges::find(page_.rows, at, &ContestRow::id);
    if (wanted != page_.rows.end()) list_.select(static_cast<int>(wanted - page_.rows.begin()));
    leave_heading(1);
  }

  // Sends a command that changes something, shows the answer, and asks again.
  void send(const std::string& command) {
    if (pending_command_) return set_notice("Wait until the server has answered.");
    boards_.start_task(
        pending_command_, "",
        [command, &server = boards_.server()] { return server.run_command(command); },
        [this](const Result<CommandAnswer>& answer) {
          set_notice(answer ? answer->summary : answer.refusal().reason);
          ask();
        });
  }

  Boards& boards_;
  std::string command_;  // of the page; "" for the list of all
  std::vector<std::string> lines_;
  std::string refusal_;  // why the server gave no lines, or ""
  ContestPage page_;
  RowList list_;
  bool is_stale_ = false;  // something may have changed on the server
  int shown_width_ = 0;    // the columns for which page_ was made
  // The command that waits for its key again, now and before the last key.
  std::string question_, asked_command_;
  TaskHandle pending_page_, pending_command_;
};

}  // namespace

std::unique_ptr<Screen> make_contest_screen(Boards& boards, std::string command) {
  return std::make_unique<ContestScreen>(boards, std::move(command));
}

}  // namespace pbm
