// SPDX-License-Identifier: MIT
#include "boards/adviser.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "game/courtesy.hpp"

namespace pbm {

namespace {

// What the line makes of a position for whoever plays it, in named terms, what matters most first.
// Nothing once the game is over, and with more than two seats, where what is good for one is not
// bad for the others alike.
std::vector<Term> changes(const GameType& game, const Position& now, const Thought& thought) {
  Position then = now;
  for (const std::string& ply : thought.lines.front().variation) then.play(ply);
  if (now.seats() != 2 || then.outcome()) return {};
  Question glance;
  glance.limits.nodes = 1;
  std::vector<Term> out = game.think(then, glance).terms;
  if (then.to_move() != now.to_move())
    for (Term& term : out) term.value = -term.value;
  for (const Term& before : thought.terms) {
    const auto same = std::find_if(out.begin(), out.end(),
                                   [&](const Term& term) { return term.name == before.name; });
    if (same == out.end()) out.push_back({before.name, -before.value});
    else same->value -= before.value;
  }
  std::erase_if(out, [](const Term& term) { return term.value == 0; });
  std::stable_sort(out.begin(), out.end(), [](const Term& a, const Term& b) {
    return std::abs(a.value) > std::abs(b.value);
  });
  return out;
}

}  // namespace

Ticket Adviser::advise(const Match& match, Computers::Advised then) {
  return begin(
      [this, &game = match.game(), position = match.position()](const Question& question,
                                                                const std::stop_token&) {
        Thought thought = tables_.think(game, position, question);
        thought.terms = changes(game, position, thought);
        return thought;
      },
      question_about(match, kTopLevel),
      [then = std::move(then)](const Result<Thought>& thought) {
        if (!thought) return then(Refusal{"No hint: " + thought.refusal().why});
        then(Advice{thought->lines.front(), thought->terms});
      });
}

// No table is made for that: what it would know more is far away.
Ticket Adviser::warn(const Match& match, Computers::Warned then) {
  constexpr std::uint64_t kAhead = 100'000;  // nodes
  Question question;
  question.limits.nodes = kAhead;
  return begin(
      [&game = match.game(), position = *passed_over(match)](const Question& asked,
                                                             const std::stop_token&) {
        return position.legal().empty() ? Thought{} : game.think(position, asked);
      },
      question,
      [match, then = std::move(then)](const Result<Thought>& thought) {
        if (!thought) return then(thought.refusal());
        then(threats_in(match, *thought));
      });
}

Ticket Adviser::begin(BackgroundThinker::Think think, Question question, Then then) {
  thinker_.begin(std::move(think), std::move(question));
  then_ = std::move(then);
  // Let go of, it is not thought on.
  Ticket ticket(static_cast<const void*>(this),
                [stop = thinker_.stopper()](const void*) mutable { stop.request_stop(); });
  wanted_ = ticket;
  return ticket;
}

void Adviser::take_changes() {
  const auto taken = [this]() -> std::optional<Result<Thought>> {
    try {
      auto thought = thinker_.take();
      if (!thought) return std::nullopt;
      return std::move(*thought);
    } catch (const Error& error) {
      return Refusal{error.what()};
    }
  };
  const auto thought = taken();
  const Ticket wanted = wanted_.lock();
  if (thought && wanted) std::exchange(then_, nullptr)(*thought);
}

}  // namespace pbm
