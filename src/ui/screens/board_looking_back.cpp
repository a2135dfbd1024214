// SPDX-License-Identifier: MIT
// A board as it is, and as it was after an earlier ply.
#include "boards/analysis.hpp"
#include "ui/screens/board_model.hpp"

namespace pbm {

namespace {

// What is typed shows on the board: the squares it names, and those that can come next.
void light_typed(const MoveLine& line, BoardView& picture) {
  const auto trails = line.trails_of(line.typed().text);
  const auto common = common_beginning(trails);
  std::vector<SpotId> next;
  for (const std::vector<SpotId>& trail : trails)
    if (trail.size() > common.size()) next.push_back(trail[common.size()]);
  picture.mark(next, Mark::choice);
  picture.mark(common, Mark::picked);
}

}  // namespace

void Typing::mark(const BoardModel& model, const Position& seen, BoardView& picture) const {
  if (const auto outcome = seen.outcome()) picture.mark(outcome->spots, Mark::win);
  if (!model.previews() && !model.line.empty()) light_typed(model.line, picture);
  if (const auto spot = model.help.spot()) {
    picture.mark({*spot}, Mark::win, style_of_seat(seen.to_move()));
    picture.follow(spot);
  }
}

FootKeys Typing::foot(const BoardModel& model) const {
  const BoardSession& session = model.session;
  const bool trying = session.trying(), exercise = session.board().exercise && !trying,
             found = session.may_go_on(), watches = !exercise && model.watches_computers(),
             over = !exercise && !watches && !trying && model.match().ending(),
             plays = !found && !watches && !over,
             hint = plays && !trying && (exercise || session.may_have_hint()),
             begun = !exercise && !model.match().plies().empty(),
             redo = !model.match().redo().empty();
  FootKeys out;
  const auto add = [&](bool here, const Key& key, std::string_view words) {
    if (here) out.emplace_back(key, words);
  };
  add(found, key_for(BoardCommand::enter), "goes on");
  add((found || trying) && redo, key_of_word("redo"), "next move");
  add(watches, key_for(BoardCommand::replay), model.paused ? "go on" : "pause");
  add(watches, key_for(BoardCommand::faster), "faster");
  add(watches, key_for(BoardCommand::slower), "slower");
  add(plays && session.may_move(), key_for(BoardCommand::complete), "cursor");
  add(hint, key_for(BoardCommand::computer), "hint");
  add(begun, over ? Key{Key::Code::left} : key_for(BoardCommand::past), "look back");
  add(over, key_for(BoardCommand::computer), session.analysed() ? "no analysis" : "analyse");
  add(over && !session.analysed(), key_of_word("record"), "record");
  add(over && session.analysed(), key_for(BoardCommand::mistake_before), "mistakes");
  add(plays && begun && session.plays(), key_of_word("undo"), "take back");
  add(plays && !begun && !exercise && !trying && redo, key_of_word("redo"), "play it again");
  add(trying, key_for(BoardCommand::leave), "back to the game");
  add(watches || (plays && !trying && !exercise && !(hint && begun)), key_of_word("try"),
      watches ? "try moves" : "try");
  add(over, key_of_word("next"), "next board");
  add(true, key_of_word("rules"), "rules");
  return out;
}

// The end of a line that is being typed is nearer than the end of the game.
std::optional<BoardCommand> LookingBack::command_of(const BoardModel& model, const Key& key) const {
  return key.code == Key::Code::end && model.line.empty() ? std::optional(BoardCommand::now)
                                                          : std::nullopt;
}

void LookingBack::mark(const BoardModel&, const Position& seen, BoardView& picture) const {
  if (const auto outcome = seen.outcome()) picture.mark(outcome->spots, Mark::win);
}

FootKeys LookingBack::foot(const BoardModel& model) const {
  if (model.session.analysed())
    return {{asks ? Key{Key::Code::enter} : key_for(BoardCommand::mistake_before),
             asks ? "tell" : "mistake before"},
            {key_for(BoardCommand::mistake_after), "next"},
            {key_of_word("better"), "better line"},
            {key_for(BoardCommand::now), "now"},
            {key_for(BoardCommand::computer), "no analysis"}};
  if (model.motion.replays()) return {{key_for(BoardCommand::replay), "stop"}};
  FootKeys out{{{Key::Code::left}, "earlier"},
               {{Key::Code::right}, "later"},
               {key_for(BoardCommand::now), "now"},
               {key_for(BoardCommand::replay), "replay"},
               {key_of_word("try"), "try moves"}};
  if (model.match().ending() && model.session.may_be_helped())
    out.emplace_back(key_for(BoardCommand::computer), "analyse");
  return out;
}

// What was played there, what else was, and what was noted.
std::string LookingBack::hint(const BoardModel& model) const {
  if (!model.line.empty()) return "";
  const Match& m = model.match();
  std::string out;
  if (const Analysis* analysis = model.session.analysed(); asks && analysis) {
    const Match::Ply& next = m.plies()[ply];
    return "What is better here than " + next.text + " " +
           std::string(to_string(analysis->nag(ply + 1))) + ", move " + std::to_string(ply + 1) +
           ", by " + m.player(next.seat) + "? Enter tells, F3 tries.";
  }
  if (model.help.busy() == Help::analysis) return model.help.progress();
  if (const Analysis* analysis = model.session.analysed())
    if (out = analysis->sentence(ply); !out.empty()) out += " ";
  out += ply == 0 ? "The start."
                  : std::to_string(ply) + ": " +
                        said_of(m, m.plies()[ply - 1].seat, m.plies()[ply - 1].described);
  out += " " + count_of(m.plies().size() - ply, "move", "moves") + " ahead, End returns.";
  for (const auto& line : m.side_lines(ply))
    out += " Also played here: " + first_words(line, 8) + ".";
  if (ply > 0)
    if (const std::string when = long_time(m.plies()[ply - 1].at); !when.empty())
      out += " " + when + ".";
  if (!m.note(ply).empty()) out += " Note: " + m.note(ply);
  return out;
}

}  // namespace pbm
