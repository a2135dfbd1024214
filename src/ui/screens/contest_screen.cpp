// SPDX-License-Identifier: MIT
// The pages of a server's tournaments and ladders, and of a player: tables whose rows open boards
// and other pages. Leaves the lines of the server to protocol/contests.hpp.
#include "boards/exercises.hpp"
#include "protocol/contests.hpp"
#include "ui/screens/screens.hpp"
#include "ui/widgets/row_list.hpp"

namespace pbm {
namespace {

constexpr int kUserColumns = 17,
              kPlaceColumns = 4;  // columns of a userid with a blank, and of a place

// A row of a page. Enter on it makes the request, if there is one.
struct ContestRow {
  std::string text;
  Style style = Style::text;
  ScreenRequest target = {};
  bool is_own = false;                 // about the player
  std::string challenge_command = {};  // the command of the key c, or ""
  std::string id = {};                 // what the row is about: a userid, a board or a name
};

// A page made of the server's lines.
struct ContestPage {
  std::string title;
  std::string note = {};  // a sentence below the title
  std::vector<ContestRow> rows = {};
  // The other keys of the page. A key that gives something up asks twice.
  struct Action {
    char key;
    std::string command;
    std::string_view label;
    std::string question = {};
  };
  std::vector<Action> actions = {};

  void add_heading(std::string text) { rows.push_back({std::move(text), Style::title}); }
};

// Returns `text` in exactly `width` columns, the last of them a blank.
std::string cell(const std::string& text, int width) { return pad(fit(text, width - 1), width); }

// Reads the lines that `decode` knows.
template <class Decode>
auto decode_all(const std::vector<std::string>& lines, Decode decode) {
  std::vector<typename decltype(decode(std::string_view()))::value_type> out;
  for (const std::string& line : lines)
    if (auto found = decode(line)) out.push_back(std::move(*found));
  return out;
}

ContestPage make_overview(const std::vector<Tournament>& tournaments,
                          const std::vector<Ladder>& ladders, int width) {
  constexpr int kGame = 22, kForm = 20, kPlayers = 12, kWide = 76;
  using State = Tournament::State;
  ContestPage page{"Tournaments and ladders"};
  const auto add_group = [&](State from, State to, const char* heading) {
    bool is_empty = true;
    for (const Tournament& t : tournaments) {
      if (t.state < from || t.state > to) continue;
      if (std::exchange(is_empty, false)) page.add_heading(heading);
      page.rows.push_back({" " + cell(t.name, kUserColumns) + cell(t.title(), kGame) +
                               (width < kWide ? "" : cell(t.form_text(), kForm)) + t.state_text(),
                           from == State::over ? Style::dim : Style::text,
                           ContestRequest{"tournament show " + t.name}, t.has_joined, "", t.name});
    }
  };
  add_group(State::running, State::running, "Tournaments that run");
  add_group(State::open, State::open, "Open tournaments");
  add_group(State::over, State::cancelled, "Tournaments that are over");
  if (!ladders.empty()) page.add_heading("Ladders");
  for (const Ladder& l : ladders)
    page.rows.push_back({" " + cell(l.title(), kUserColumns) +
                             cell(format_count(l.player_count, "player", "players"), kPlayers) +
                             (l.own_place > 0    ? "you have place " + std::to_string(l.own_place)
                              : l.leader.empty() ? ""
                                                 : l.leader + " leads"),
                         Style::text, ContestRequest{"ladder " + l.name}, l.own_place > 0, "",
                         l.name});
  page.note = "To open one, type :tournament new NAME GAME swiss in the list of games.";
  return page;
}

// Returns the result as seats see it: "1 - 0", "tie", or what else became of the game.
std::string result_text(const TournamentGame& g) {
  switch (g.result) {
    case GameResult::pending: return g.board.empty() ? "later" : "runs";
    case GameResult::first: return "1 - 0";
    case GameResult::second: return "0 - 1";
    case GameResult::tie: return "tie";
    case GameResult::annulled: return "annulled";
    case GameResult::bye: return "bye";
  }
  return "";
}

// Returns a sign for each game of `own` against `other`: 1, 0, = for a tie, * while it runs.
std::string cross_text(const std::vector<TournamentGame>& games, std::size_t own,
                       std::size_t other) {
  if (own == other) return "x";
  std::string out;
  for (const TournamentGame& g : games) {
    const bool is_first = g.first == own && g.second == other;
    if (!is_first && !(g.first == other && g.second == own)) continue;
    out += g.result == GameResult::tie                   ? '='
           : g.result == GameResult::annulled            ? '-'
           : g.result == GameResult::pending             ? g.board.empty() ? '.' : '*'
           : (g.result == GameResult::first) == is_first ? '1'
                                                         : '0';
  }
  return out;
}

// Adds the table of the entries. The columns of tie-breaks, then of results, go if they do not fit.
void add_standings(ContestPage& page, const Tournament& t,
                   const std::vector<TournamentEntry>& entries,
                   const std::vector<TournamentGame>& games, const std::string& me, int width) {
  constexpr int kPoints = 7, kTie = 7;
  const bool has_begun = !games.empty(),
             has_ties = has_begun && t.form != Tournament::Form::knockout;
  const int cross = t.is_double ? 3 : 2, all = static_cast<int>(entries.size()) * cross,
            head = kPlaceColumns + 1 + kUserColumns + kPoints + 2, ties = 3 * kTie;
  const bool has_cross =
      has_begun && t.form == Tournament::Form::round_robin && head + all <= width;
  const bool shows_ties = has_ties && head + ties + (has_cross ? all : 0) <= width;
  std::string heading = pad("", kPlaceColumns + 1) + cell("player", kUserColumns) +
                        pad_left(has_begun ? "points" : "rating", index(kPoints));
  if (shows_ties)
    heading += " direct" +
               pad_left(t.form == Tournament::Form::swiss ? "buchh." : "so.-b.", index(kTie)) +
               "   wins";
  for (std::size_t i = 1; has_cross && i <= entries.size(); ++i)
    heading += pad_left(std::to_string(i), index(cross));
  page.rows.push_back({heading, Style::dim});
  for (const TournamentEntry& e : entries) {
    std::string text = pad_left(e.place > 0 ? std::to_string(e.place) : "", index(kPlaceColumns)) +
                       " " + cell(e.userid + (e.has_withdrawn ? " (out)" : ""), kUserColumns) +
                       pad_left(has_begun ? format_points(e.half_points) : std::to_string(e.rating),
                                index(kPoints));
    for (std::size_t i = 0; shows_ties && i < 3; ++i)
      text += pad_left(i < e.tie_breaks.size() ? e.tie_breaks[i] : "", index(kTie));
    for (const TournamentEntry& other : entries)
      if (has_cross) text += pad_left(cross_text(games, e.number, other.number), index(cross));
    page.rows.push_back({std::move(text), e.has_withdrawn ? Style::dim : Style::text,
                         ContestRequest{"profile " + e.userid}, equals_ignoring_case(e.userid, me),
                         "", e.userid});
  }
}

ContestPage make_tournament_page(const Tournament& t, const std::vector<TournamentEntry>& entries,
                                 const std::vector<TournamentGame>& games, const std::string& me,
                                 int width) {
  constexpr int kResult = 10, kNarrow = 60;
  const int name = width < kNarrow ? 12 : kUserColumns;
  ContestPage page{"Tournament " + t.name,
                   t.title() + ", " + t.form_text() + ", " + t.state_text()};
  const auto player = [&](std::size_t number) -> std::string {
    const auto found = std::ranges::find(entries, number, &TournamentEntry::number);
    return found == entries.end() ? "" : found->userid;
  };
  add_standings(page, t, entries, games, me, width);
  // The latest round first: its games run.
  std::size_t last = 0;
  for (const TournamentGame& g : games) last = std::max(last, g.round);
  for (std::size_t round = last; round > 0; --round) {
    page.add_heading("Round " + std::to_string(round));
    for (const TournamentGame& g : games) {
      if (g.round != round) continue;
      const std::string first = player(g.first), second = player(g.second);
      page.rows.push_back(
          {" " + cell(first, name) + cell(second, name) + cell(result_text(g), kResult) + g.board,
           g.result == GameResult::pending ? Style::text : Style::dim,
           g.board.empty() ? ScreenRequest{} : OpenBoardRequest{g.board},
           equals_ignoring_case(first, me) || equals_ignoring_case(second, me), "", g.board});
    }
  }
  using State = Tournament::State;
  if (t.state == State::open && !me.empty() && equals_ignoring_case(t.creator, me))
    page.actions.push_back({'b', "tournament start " + t.name, "begin", "begins " + t.name});
  if (t.state == State::open && !t.has_joined)
    page.actions.push_back({'y', "tournament join " + t.name, "join"});
  if (t.state == State::open && t.has_joined)
    page.actions.push_back({'x', "tournament leave " + t.name, "leave", "leaves " + t.name});
  if (t.state == State::running && t.has_joined)
    page.actions.push_back({'x', "tournament withdraw " + t.name, "withdraw",
                            "withdraws; you lose your games that still run"});
  return page;
}

ContestPage make_ladder_page(const Ladder& ladder, const std::vector<LadderPlace>& places,
                             const std::string& me) {
  constexpr int kRating = 8, kSince = 12;
  ContestPage page{"Ladder of " + ladder.title()};
  page.rows.push_back({pad("", kPlaceColumns + 1) + cell("player", kUserColumns) +
                           cell("rating", kRating) + cell("since", kSince),
                       Style::dim});
  for (const LadderPlace& p : places)
    page.rows.push_back(
        {pad_left(std::to_string(p.place), index(kPlaceColumns)) + " " +
             cell(p.userid, kUserColumns) + cell(std::to_string(p.rating), kRating) +
             cell(p.since ? short_time(*p.since, now()) : "", kSince) +
             (!p.challenger.empty() ? "plays " + p.challenger
              : p.may_challenge     ? "c challenges"
                                    : ""),
         Style::text,
         p.board.empty() ? ScreenRequest(ContestRequest{"profile " + p.userid})
                         : OpenBoardRequest{p.board},
         equals_ignoring_case(p.userid, me),
         p.may_challenge ? "ladder " + ladder.name + " challenge " + p.userid : "", p.userid});
  if (ladder.own_place > 0)
    page.actions.push_back(
        {'x', "ladder " + ladder.name + " leave", "leave", "leaves the ladder and your place"});
  else page.actions.push_back({'y', "ladder " + ladder.name + " join", "join at the end"});
  return page;
}

// Returns the ratings as a curve in eighth blocks between the lowest and the highest, at most
// `width` columns.
std::string rating_curve(const std::vector<std::string>& texts, int width) {
  std::vector<int> ratings;
  for (const std::string& text : texts)
    if (const auto n = read_whole_number<int>(text)) ratings.push_back(std::clamp(*n, 0, 9999));
  if (std::ssize(ratings) > width)
    ratings.erase(ratings.begin(), ratings.end() - std::max(1, width));
  if (ratings.empty()) return "";
  const int low = *std::ranges::min_element(ratings), high = *std::ranges::max_element(ratings);
  std::string out = std::to_string(low) + " ";
  for (const int n : ratings)
    append_utf8(
        out, kLowestBlock + static_cast<char32_t>(high == low ? 3 : (n - low) * 7 / (high - low)));
  return out + " " + std::to_string(high);
}

ContestPage make_profile_page(const std::vector<ProfileLine>& lines, Boards& boards, int width) {
  constexpr int kGame = 12, kRating = 7, kBesideCurve = 14;
  const ProfileLine& head = lines.front();
  ContestPage page{head.subject + (head.is_computer ? " (computer)" : "") +
                   (head.is_online ? ", here now" : "")};
  page.note = format_count(head.running, "game runs", "games run") +
              (head.since ? ". Playing here since " + short_time(*head.since, now()) : "") + ".";
  const auto title = [](const std::string& name) {
    const GameType* const game = find_game(name);
    return game ? std::string(game->title) : name;
  };
  const auto results = [](const ProfileLine& l) {
    return std::to_string(l.won) + " won, " + std::to_string(l.lost) + " lost, " +
           std::to_string(l.tied) + " tied";
  };
  std::string last;
  for (const ProfileLine& l : lines) {
    std::string heading = l.kind == "curve"      ? "Ratings"
                          : l.kind == "standing" ? "Ladders"
                          : l.kind != "results"  ? ""
                          : l.opponent.empty()   ? "Games"
                                                 : "Opponents";
    if (heading.empty()) continue;
    if (heading != last) page.add_heading(last = std::move(heading));
    if (last == "Games")
      page.rows.push_back(
          {" " + cell(title(l.subject), kGame) +
           cell(l.rating > 0 ? std::to_string(l.rating) + (l.is_provisional ? "?" : "") : "",
                kRating) +
           results(l)});
    else if (last == "Opponents")
      page.rows.push_back(
          {" " + cell(l.opponent, kUserColumns) + cell(title(l.subject), kGame) + results(l),
           Style::text, ContestRequest{"profile " + l.opponent}});
    else if (last == "Ratings")
      page.rows.push_back({" " + cell(title(l.subject), kGame) +
                           rating_curve(l.ratings, width - kGame - kBesideCurve)});
    else
      page.rows.push_back({" " + cell(l.subject, kUserColumns) + "place " +
                               std::to_string(l.place) + " of " + std::to_string(l.players),
                           Style::text, ContestRequest{"ladder " + l.subject}});
  }
  const Exercises* const exercises = boards.exercises();
  if (!exercises || !equals_ignoring_case(head.subject, boards.server().userid())) return page;
  page.add_heading("Puzzles");
  for (const GameType& game : all_games())
    page.rows.push_back(
        {" " + cell(std::string(game.title), kGame) + std::to_string(exercises->skill(game))});
  page.rows.push_back({" " +
                       format_count(static_cast<std::size_t>(exercises->streak()), "day", "days") +
                       " in a row with a solved puzzle"});
  return page;
}

ContestPage make_page(const std::vector<std::string>& lines, Boards& boards, int width) {
  const std::string me = boards.server().userid();
  const auto tournaments = decode_all(lines, decode_tournament);
  const auto ladders = decode_all(lines, decode_ladder);
  if (const auto profile = decode_all(lines, decode_profile_line); !profile.empty())
    return make_profile_page(profile, boards, width);
  const auto entries = decode_all(lines, decode_tournament_entry);
  const auto places = decode_all(lines, decode_ladder_place);
  if (tournaments.size() == 1 && ladders.empty())
    return make_tournament_page(tournaments.front(), entries,
                                decode_all(lines, decode_tournament_game), me, width);
  if (tournaments.empty() && ladders.size() == 1)
    return make_ladder_page(ladders.front(), places, me);
  return make_overview(tournaments, ladders, width);
}

class ContestScreen final : public Screen {
 public:
  ContestScreen(Boards& boards, std::string command)
      : boards_(boards), command_(std::move(command)) {
    ask();
  }

  void draw(Canvas& canvas) override {
    const int rows = canvas.size().rows, width = canvas.size().columns;
    if (std::exchange(is_stale_, false)) ask();  // not below another page
    if (shown_width_ != width) update_page(width);
    draw_title(canvas, page_.title);
    const int first = page_.note.empty() ? 2 : 3;
    if (first > 2) canvas.put_text(2, 1, fit(page_.note, width - 2), Style::dim);
    list_.set_layout(first, rows - first - 2);
    for (int i = list_.first_visible(); i < list_.end_visible(); ++i) {
      const ContestRow& row = page_.rows[index(i)];
      const int at = list_.screen_row(i);
      canvas.put_text(at, 2, fit(row.text, width - 3), row.is_own ? Style::turn : row.style);
      if (i == list_.selected_row()) canvas.put_text(at, 1, ">", Style::turn);
    }
    canvas.put_text(rows - 2, 1, list_.more_text(), Style::dim);
    if (lines_.empty())
      draw_message(canvas, 6, 3, refusal_.empty() ? "Asking the server." : refusal_, Style::text);
    FootKeys keys;
    const ContestRow* const row = selected_row();
    if (row && row->target.index() != 0) keys.push_back({{Key::Code::enter}, "open"});
    if (row && !row->challenge_command.empty()) keys.push_back({character_key('c'), "challenge"});
    for (const ContestPage::Action& action : page_.actions)
      keys.push_back({character_key(static_cast<char32_t>(action.key)), action.label});
    draw_foot(canvas, notice_, "", keys);
    canvas.cursor = Point{list_.screen_row(list_.selected_row()), 1};
  }

  void press(const Key& key) override {
    notice_.clear();
    asked_command_ = std::exchange(question_, "");
    const auto act = bound_command<KeyAction<ContestScreen>>(bindings(), key);
    if (!list_.press(key) && act) (*act)(*this);
  }
  // Selects a row; a click on the selected one opens it.
  void click(Point place) override {
    if (list_.select_at(place)) open();
  }
  void resume() override { ask(); }
  // A message without a board may be about the end of a round.
  bool handle_event(const Notification& news) override {
    is_stale_ = is_stale_ || (news.kind == Notification::Kind::message && news.board.empty() &&
                              !command_.starts_with("profile"));
    return false;
  }
  std::string title() const override { return "Tournaments and ladders"; }
  std::vector<KeyHelp> keys() const override {
    return key_help<KeyAction<ContestScreen>>(bindings()) + RowList::keys();
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
        {make_action<&ContestScreen::act, 'b'>, key_list(character_key('b')),
         "begin the tournament that you opened; press it twice"},
        {make_action<&ContestScreen::ask>, key_list(character_key('r')), "ask the server again"},
        {request_action<KeysRequest>, key_list(character_key('?'), function_key(1)),
         "show this help"},
        {request_action<BackRequest>, key_list(escape, character_key('q')), "go back"},
    };
    return table;
  }

  const ContestRow* selected_row() const {
    return page_.rows.empty() ? nullptr : &page_.rows[index(list_.selected_row())];
  }
  void open() {
    if (selected_row()) request(selected_row()->target);
  }
  void challenge() {
    if (selected_row() && !selected_row()->challenge_command.empty())
      send(selected_row()->challenge_command);
    else set_notice("Only a ladder has challenges, and only for the places just above yours.");
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
    set_notice("This page has nothing to " + std::string(key == 'y'   ? "join."
                                                         : key == 'x' ? "leave."
                                                                      : "begin."));
  }

  // Asks the server for the lines of the page. The old ones stay until then.
  void ask() {
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
    page_ = make_page(lines_, boards_, width);
    list_.set_row_count(static_cast<int>(page_.rows.size()));
    const auto wanted = is_first     ? std::ranges::find_if(page_.rows, &ContestRow::is_own)
                        : at.empty() ? page_.rows.end()
                                     : std::ranges::find(page_.rows, at, &ContestRow::id);
    if (wanted != page_.rows.end()) list_.select(static_cast<int>(wanted - page_.rows.begin()));
  }

  // Sends a command that changes something, shows the answer, and asks again.
  void send(const std::string& command) {
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
