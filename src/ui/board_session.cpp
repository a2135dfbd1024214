// SPDX-License-Identifier: MIT
#include "ui/board_session.hpp"

#include <algorithm>

namespace pbm {

BoardSession::BoardSession(Boards& boards, Board board)
    : boards_(&boards), board_(std::move(board)) {}

const std::vector<BoardSession::Word>& BoardSession::words() {
  static const std::vector<Word> table{
      {"redo", "", "play again what was taken back"},
      {"note", "[#PLY] TEXT",
       "keep a note on the ply shown, or on that one; - for the text takes it away"},
      {"try", "[PLY]", "try moves from there; nothing of it is kept"},
      {"rematch", "", "after the end: a new board with the seats swapped; r alone does it"},
      {"copy", "[PLY]", "a new board that goes on from there"},
      {"chat", "TEXT", "say something to all on this board", true},
      {"queue", "[MOVE|none]", "what is to be played when your turn comes", true},
      {"talk", "", "read what was said", true},
      {"watch", "", "watch this board", true},
      {"unwatch", "", "watch it no more", true},
  };
  return table;
}

std::vector<const BoardSession::Word*> BoardSession::words_here() const {
  std::vector<const Word*> out;
  for (const Word& w : words())
    if ((!w.of_server || board_.remote) && (w.name != "redo" || !match().redo().empty()) &&
        (w.name != "rematch" || may_rematch()))
      out.push_back(&w);
  return out;
}

const BoardSession::Word* BoardSession::word_here(std::string_view typed) const {
  const Word* word = word_in(typed);
  return word && word->of_server && !board_.remote ? nullptr : word;
}

bool BoardSession::is_command(std::string_view typed) const {
  return boards_->server() && trim(typed).starts_with(':');
}

bool BoardSession::would_queue(std::string_view typed) const {
  const std::string_view text = trim(typed);
  return may_queue() && !text.empty() && text.front() != '#' && text.front() != ':' &&
         !is_match_word(meant(text).text) && !word_here(text);
}

const BoardSession::Word* BoardSession::word_in(std::string_view typed) {
  const std::string_view text = trim(typed);
  const std::string_view first = text.substr(0, text.find(' '));
  const auto found = std::find_if(words().begin(), words().end(),
                                  [&](const Word& w) { return same_ignoring_case(w.name, first); });
  return found == words().end() ? nullptr : &*found;
}

BoardSession::Meant BoardSession::meant(std::string_view typed) {
  const std::string_view text = trim(typed);
  if (same_ignoring_case(text, "draw")) return {"propose", 0};
  constexpr std::string_view kMove = "move ";
  if (!starts_ignoring_case(text, kMove)) return {typed, 0};
  const std::string_view move = trim(text.substr(kMove.size()));
  return {move, static_cast<std::size_t>(move.data() - typed.data())};
}

Result<Done> BoardSession::keep_field(char field) {
  if (!board_.remote) return Done{};
  const auto kept = boards_->server()->command(std::string(match().game().name) + " set " +
                                               boards_->server()->user() + " * " + field);
  if (!kept) return kept.refusal();
  set_field(field);
  return Done{};
}

void BoardSession::set_field(char field) {
  if (board_.remote) board_.remote->field = field;
}

bool BoardSession::asks_server(std::string_view line) const {
  if (is_command(line)) return true;
  const Word* word = word_here(meant(line).text);
  if (!board_.remote || (word && (word->name == "try" || word->name == "copy"))) return false;
  return word && word->of_server ? word->name != "talk" : !trial_;
}

void BoardSession::try_from(std::size_t n) {
  // From within a trial it goes on there: the board's own plies lead to it.
  Match from = match().back_to(n);
  if (!trial_ || n < tried_from_) tried_from_ = std::min(n, board_.match.plies().size());
  trial_ = std::move(from);
}

Result<BoardSession::Entered> BoardSession::enter(std::string_view line, std::size_t shown) {
  const auto [typed, at] = meant(line);
  if (is_command(typed)) {
    const auto answer = boards_->server()->command(trim(typed).substr(1));
    if (!answer) return answer.refusal();
    const bool played = !refresh().told.empty();
    return answer->lines.empty() ? Entered{answer->summary, played, ""}
                                 : Entered{"", played, "", answer->text()};
  }
  const Word* word = word_here(typed);
  if (!word) {
    auto played = play(typed);
    return played ? played : Refusal{played.refusal().why, played.refusal().at + at};
  }
  const std::string_view whole = trim(typed);
  const std::string_view rest = trim(whole.substr(word->name.size()));
  const auto about_rest = [&, said = typed](Refusal r) {
    return Refusal{std::move(r.why), static_cast<std::size_t>(rest.data() - said.data())};
  };
  if (word->of_server) return run_of_server(word->name, rest);
  if (word->name == "note") return note(rest, shown);
  if (word->name == "redo") {
    if (!rest.empty()) return about_rest({"Nothing follows redo."});
    const std::string ply = match().redo();
    if (ply.empty()) return Refusal{"Nothing was taken back here that could be played again."};
    return play(ply);
  }
  if (word->name == "rematch")
    return rest.empty() ? rematch() : about_rest({"Nothing follows rematch."});
  const auto from = rest.empty() ? Result<std::size_t>(shown) : match().ply_named(rest);
  if (!from) return about_rest(from.refusal());
  if (word->name == "try") {
    try_from(*from);
    return Entered{};
  }
  // A copy of all of it has what was taken back and noted too.
  const bool all = !trial_ && rest.empty() && *from == match().plies().size();
  auto made = boards_->keep(all ? match() : match().prefix(*from));
  if (!made) return made.refusal();
  return Entered{
      "This is board " + made->id + ", " + (all ? "a copy of " : "made of ") + id() + ".", false,
      made->id};
}

// On a server a challenge; whoever was second begins.
Result<BoardSession::Entered> BoardSession::rematch() {
  if (!may_rematch())
    return Refusal{match().ending() ? "That is for those who played here."
                                    : "The game is not over: a rematch comes after it."};
  const Match& m = match();
  std::vector<std::string> names = m.names();
  std::rotate(names.begin(), names.begin() + 1, names.end());
  auto made = board_.remote ? boards_->create(m.game(), m.options(), names)
                            : boards_->keep(*Match::start(m.game(), m.options(), names, now()));
  if (!made) return made.refusal();
  return Entered{"This is board " + made->id + ", with the seats swapped.", false, made->id};
}

Result<BoardSession::Entered> BoardSession::note(std::string_view text, std::size_t shown) {
  if (text.substr(0, 1) == "#") {
    const std::size_t end = std::min(text.find(' '), text.size());
    const auto ply = match().ply_named(text.substr(0, end));
    if (!ply) return ply.refusal();
    shown = *ply;
    text = trim(text.substr(end));
  }
  if (text.empty())
    return Refusal{"Type note and what is to be kept, or note - to take a note away."};
  if (text == "-") text = "";
  if (trial_) {
    const auto entry = trial_->validate_note(shown, text, now());
    if (!entry) return entry.refusal();
    trial_->add(*entry);
  } else if (const auto kept =
                 boards_->play(board_, {MoveRequest{std::nullopt, std::string(text), shown}});
             !kept) {
    return kept.refusal();
  }
  const std::string where = shown == 0 ? "the start" : "ply " + std::to_string(shown);
  return Entered{text.empty() ? "The note on " + where + " is gone." : "Noted on " + where + ".",
                 false, ""};
}

Result<BoardSession::Entered> BoardSession::run_of_server(std::string_view word,
                                                          std::string_view rest) {
  Server& server = *boards_->server();
  if (word == "queue") return queue(rest);
  if (word == "talk") {
    std::string text;
    for (const std::string& line : server.talk()) text += (text.empty() ? "" : "\n") + line;
    return text.empty() ? Entered{"Nothing was said yet.", false, ""}
                        : Entered{"", false, "", text};
  }
  const auto told = word == "chat" ? server.chat(id(), rest) : server.watch(id(), word == "watch");
  if (!told) return told.refusal();
  // What was said stands where talk does.
  if (word == "chat") return Entered{};
  refresh();
  return Entered{*told, false, ""};
}

Result<BoardSession::Entered> BoardSession::queue(std::string_view typed) {
  const auto told = boards_->server()->queue(board_, meant(typed).text);
  if (!told) return told.refusal();
  // On one's own turn it is played at once.
  const bool played = !refresh().told.empty();
  return Entered{*told, played, ""};
}

// A ply or a word for the seat one has on a server.
Result<BoardSession::Entered> BoardSession::play_there(std::string_view typed) {
  board_.warning.clear();
  const bool undo = same_ignoring_case(trim(typed), "undo"),
             draw = same_ignoring_case(trim(typed), "propose");
  const Match before = board_.match;
  if (const auto played = boards_->play(board_, {MoveRequest{std::nullopt, std::string(typed)}});
      !played)
    return played.refusal();
  // What others had queued follows at once.
  if (const auto told = told_since(before, board_.match); told && told->size() > 1)
    return Entered{in_words(*told, false), true, ""};
  if (!board_.warning.empty()) return Entered{board_.warning, true, ""};
  return Entered{undo   ? "The others are asked for leave to take the last ply back."
                 : draw ? "A draw is offered."
                        : "",
                 true, ""};
}

Result<BoardSession::Entered> BoardSession::play(std::string_view typed) {
  if (!trial_ && board_.remote) return play_there(typed);
  const std::vector<MoveRequest> turns = turns_at_one_keyboard(match(), typed);
  if (trial_) {
    Match next = *trial_;
    if (const auto entries = judge_turns(next, turns); !entries) return entries.refusal();
    trial_ = std::move(next);
  } else if (const auto played = boards_->play(board_, turns); !played) {
    return played.refusal();
  }
  return Entered{same_ignoring_case(trim(typed), "undo")
                     ? "The last ply is taken back; redo plays it again."
                     : "",
                 true, ""};
}

// Every entry in a sentence; who has to answer an offer is told how.
std::string BoardSession::in_words(const std::vector<Told>& told, bool queued) const {
  std::string out = as_text(told, queued ? board_.remote->mine : std::nullopt);
  const auto seats = answering(board_.match);
  const bool asked =
      !seats.empty() &&
      (!board_.remote || (board_.remote->mine && std::find(seats.begin(), seats.end(),
                                                           *board_.remote->mine) != seats.end()));
  if (asked && !out.empty()) out.replace(out.size() - 1, 1, ": accept or reject.");
  return out;
}

BoardSession::Meanwhile BoardSession::see(Result<Board> fresh) {
  // A file that cannot be read just now is told when somebody plays.
  if (!fresh || fresh->match.names() != board_.match.names()) return {};
  const bool queued = board_.remote && !board_.remote->queued.empty();
  board_.remote = fresh->remote;
  if (fresh->match.log() == board_.match.log()) return {};
  const auto told = told_since(board_.match, fresh->match);
  board_ = std::move(*fresh);
  if (!told)
    return {true, true,
            "This board's file was changed by something else: look at the position again."};
  // What I have queued, or is asked again, is mine.
  const auto others = [&](const Told& t) {
    return !board_.remote || t.entry.seat != board_.remote->mine;
  };
  const auto moves = [](const Told& t) {
    return t.entry.text != "propose" && t.entry.text != "undo" && t.entry.text != "reject";
  };
  return {std::any_of(told->begin(), told->end(), others),
          std::any_of(told->begin(), told->end(), moves), in_words(*told, queued)};
}

}  // namespace pbm
