// SPDX-License-Identifier: MIT
#include "protocol/answer_tree.hpp"

#include <algorithm>
#include <functional>

namespace pbm {
namespace {

constexpr std::string_view kAnyPly = "*";
using AnswerNodes = std::vector<AnswerTree::Node>;

// A ply and its answer as typed, and their offsets in the text.
struct TypedAnswer {
  std::string ply, answer;
  std::size_t ply_offset = 0, answer_offset = 0;
};
using AnswerLine = std::vector<TypedAnswer>;
// The fewest positions to check for a star. In a very large field of Plotto each costs much.
constexpr std::size_t kMinPositions = 10, kMinLargePositions = 2;

// Returns the spelling of a typed ply in the first position in which it is legal. Adds to `there`
// the positions in which it has this spelling, after the ply.
Result<std::string> play_in_positions(const std::vector<Position>& positions,
                                      const std::string& typed, std::vector<Position>& there) {
  std::optional<Refusal> why;
  std::optional<std::string> text;
  for (const Position& position : positions) {
    const auto ply = position.parse(typed);
    // The refusal with the largest offset helps most.
    if (!ply && (!why || why->offset < ply.refusal().offset)) why = ply.refusal();
    if (!ply || (text && *ply != *text)) continue;
    text = *ply;
    there.push_back(position);
    there.back().play(*ply);
  }
  if (text) return *text;
  return why.value_or(Refusal{"The game is over by then."});
}

// Returns the positions after each ply that is not in `named`, or an even sample of at most `most`.
std::vector<Position> play_other_plies(const std::vector<Position>& positions,
                                       const std::vector<std::string>& named, std::size_t most) {
  std::vector<Position> out;
  const std::size_t each =
      std::max<std::size_t>(1, most / std::max<std::size_t>(1, positions.size()));
  for (const Position& position : positions) {
    std::vector<std::string> plies = position.legal_plies();
    std::erase_if(plies, [&](const std::string& ply) {
      return std::ranges::find(named, ply) != named.end();
    });
    const std::size_t n = std::min(plies.size(), each);
    // A sample begins at another ply for each position.
    const std::size_t first =
        n < plies.size() ? static_cast<std::size_t>(&position - positions.data()) : 0;
    for (std::size_t i = 0; i < n && out.size() < most; ++i) {
      out.push_back(position);
      out.back().play(plies[(first + i * plies.size() / n) % plies.size()]);
    }
  }
  return out;
}

// The functions below throw a Refusal.

// Parses "CO:DT" at offset `at`, or "BT", an answer to any ply.
TypedAnswer read_typed_answer(std::string_view part, std::size_t at) {
  const std::size_t colon = part.find(':');
  const bool any = colon == std::string_view::npos;
  TypedAnswer out{std::string(any ? kAnyPly : part.substr(0, colon)),
                  std::string(any ? part : part.substr(colon + 1)), at, at + (any ? 0 : colon + 1)};
  if (out.ply.empty())
    throw Refusal{"A move is missing before the colon. Write it, or * for any move.", at};
  for (const auto& [ply, place] :
       {std::pair(out.ply, out.ply_offset), std::pair(out.answer, out.answer_offset)}) {
    const std::size_t wrong = ply.find_first_of(":#");
    if (ply.empty()) throw Refusal{"A move is missing here.", place};
    if (wrong != std::string::npos && ply[wrong] == ':')
      throw Refusal{"To continue after an answer, write a dot: CO:DT.AO:BT.", place + wrong};
    if (wrong != std::string::npos)
      throw Refusal{"Leave out the number: moves in a tree of answers have none.", place + wrong};
    if (is_match_word(ply))
      throw Refusal{lower(ply) + " cannot be queued as an answer. Only moves can.", place};
  }
  if (out.answer == kAnyPly) throw Refusal{"* is not an answer. Write a move.", out.answer_offset};
  return out;
}

// Parses the words of a text, each one line of the tree.
std::vector<AnswerLine> read_typed_lines(std::string_view text) {
  std::vector<AnswerLine> out;
  std::size_t plies = 0;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == ' ') {
      ++at;
      continue;
    }
    const std::size_t end = std::min(text.find(' ', at), text.size());
    out.emplace_back();
    while (at <= end) {
      const std::size_t stop = std::min(text.find('.', at), end);
      const std::string_view part = text.substr(at, stop - at);
      plies += part.find(':') == std::string_view::npos ? 1 : 2;
      if (plies > AnswerTree::kMaxPlies)
        throw Refusal{
            "A tree of answers has at most " + std::to_string(AnswerTree::kMaxPlies) + " moves.",
            at};
      out.back().push_back(read_typed_answer(part, at));
      at = stop + 1;
    }
  }
  return out;
}

// The lines that begin with the same ply, and the positions after it.
struct LineGroup {
  std::string ply;
  std::vector<const AnswerLine*> lines = {};
  std::vector<Position> positions = {};
};

// Groups lines by their ply at `step`, in the order of the text. The group of the star is last.
std::vector<LineGroup> group_lines(const std::vector<const AnswerLine*>& lines, std::size_t step,
                                   const std::vector<Position>& positions, std::size_t most) {
  std::vector<LineGroup> out;
  LineGroup any{std::string(kAnyPly)};
  for (const AnswerLine* const line : lines) {
    const auto& [typed, answer, at, answer_at] = (*line)[step];
    if (typed == kAnyPly) {
      any.lines.push_back(line);
      continue;
    }
    std::vector<Position> then;
    const auto ply = play_in_positions(positions, typed, then);
    if (!ply) throw Refusal{ply.refusal().reason, at + ply.refusal().offset};
    const auto known = std::ranges::find(out, *ply, &LineGroup::ply);
    if (known != out.end()) known->lines.push_back(line);
    else out.push_back({*ply, {line}, std::move(then)});
  }
  if (any.lines.empty()) return out;
  std::vector<std::string> named;
  for (const LineGroup& group : out) named.push_back(group.ply);
  any.positions = play_other_plies(positions, named, most);
  if (any.positions.empty())
    throw Refusal{positions.empty() ? "The game is over by then." : "No other move is legal there.",
                  (*any.lines.front())[step].ply_offset};
  out.push_back(std::move(any));
  return out;
}

// Checks the lines from `step` on, where it is the opponent's turn, and builds the nodes.
AnswerNodes check_lines(const std::vector<const AnswerLine*>& lines, std::size_t step,
                        std::vector<Position> positions, Seat seat, std::size_t most) {
  std::erase_if(positions, [&](const Position& p) { return p.outcome() || p.to_move() == seat; });
  AnswerNodes out;
  for (LineGroup& group : group_lines(lines, step, positions, most)) {
    std::erase_if(group.positions,
                  [&](const Position& p) { return p.outcome() || p.to_move() != seat; });
    AnswerTree::Node node{group.ply, ""};
    std::vector<const AnswerLine*> deeper;
    std::vector<Position> then;
    for (const AnswerLine* const line : group.lines) {
      const std::size_t at = (*line)[step].answer_offset;
      then.clear();
      const auto answer = play_in_positions(group.positions, (*line)[step].answer, then);
      if (!answer) throw Refusal{answer.refusal().reason, at + answer.refusal().offset};
      if (!node.answer.empty() && node.answer != *answer)
        throw Refusal{(group.ply == kAnyPly ? "Any other move" : group.ply) +
                          " already has the answer " + node.answer + ".",
                      at};
      node.answer = *answer;
      if (line->size() > step + 1) deeper.push_back(line);
    }
    if (!deeper.empty()) node.children = check_lines(deeper, step + 1, then, seat, most);
    out.push_back(std::move(node));
  }
  return out;
}

}  // namespace

Result<AnswerTree> AnswerTree::read(std::string_view text) try {
  AnswerTree out;
  // add_line() merges lines with the same beginning.
  for (const AnswerLine& line : read_typed_lines(text)) {
    std::vector<std::string> plies;
    for (const TypedAnswer& step : line) plies.insert(plies.end(), {step.ply, step.answer});
    out.add_line(plies);
  }
  return out;
} catch (const Refusal& refusal) {
  return refusal;
}

Result<AnswerTree> AnswerTree::read(std::string_view text, const Match& match, Seat seat) try {
  if (match.ending()) return Refusal{"The game is over. " + match.status()};
  std::size_t playing = 0;
  for (Seat s = 0; s < match.seats(); ++s) playing += match.is_playing(s);
  if (playing != 2)
    return Refusal{"Answers to moves are for two players. With more, queue a single move."};
  if (match.to_move() == seat)
    return Refusal{"It is your turn. Write your move and a dot before each answer, as BT.CO:DT."};
  const std::vector<AnswerLine> lines = read_typed_lines(text);
  std::vector<const AnswerLine*> all;
  std::size_t steps = 0;
  for (const AnswerLine& line : lines) {
    all.push_back(&line);
    steps += line.size();
  }
  const std::size_t tried = max_tried_positions(match.position());
  const bool is_large = tried < kMaxTriedPositions;
  const std::size_t most =
      std::max(is_large ? kMinLargePositions : kMinPositions,
               tried / std::max<std::size_t>(1, is_large ? steps : all.size()));
  AnswerTree out;
  out.nodes_ = check_lines(all, 0, {match.position()}, seat, most);
  return out;
} catch (const Refusal& refusal) {
  return refusal;
}

Result<AnswerTree::PlyWithAnswers> AnswerTree::read_after_ply(std::string_view text,
                                                              const Match& match, Seat seat) {
  PlyWithAnswers out;
  std::string tree(text);
  for (std::size_t at = 0; at < tree.size();) {
    if (tree[at] == ' ') {
      ++at;
      continue;
    }
    const std::size_t end = std::min(tree.find(' ', at), tree.size());
    const std::size_t dot = std::min(tree.find('.', at), end);
    const std::string typed = tree.substr(at, dot - at);
    const std::size_t colon = typed.find(':');
    if (dot == end || colon != std::string::npos)
      return Refusal{"It is your turn. Write your move and a dot before each answer, as BT.CO:DT.",
                     at};
    const auto entry = match.validate(seat, typed, Time{});
    if (!entry) return Refusal{entry.refusal().reason, at + entry.refusal().offset};
    if (is_match_word(entry->text))
      return Refusal{entry->text + " cannot have answers. Only moves can.", at};
    if (!out.ply.empty() && out.ply != entry->text)
      return Refusal{"Begin each answer with the same move, " + out.ply + ".", at};
    out.ply = entry->text;
    tree.replace(at, dot + 1 - at, dot + 1 - at, ' ');
    at = end;
  }
  Match then = match;
  then.add({out.ply, seat, Time{}});
  auto answers = read(tree, then, seat);
  if (!answers) return answers.refusal();
  out.answers = std::move(*answers);
  return out;
}

std::string AnswerTree::to_string() const {
  std::string out;
  const std::function<void(const std::string&, const Node&)> write = [&](const std::string& before,
                                                                         const Node& node) {
    const std::string line = before + node.ply + ":" + node.answer;
    if (node.children.empty()) out += (out.empty() ? "" : " ") + line;
    for (const Node& next : node.children) write(line + ".", next);
  };
  for (const Node& node : nodes_) write("", node);
  return out;
}

std::vector<std::string> AnswerTree::format_lines() const {
  std::vector<std::string> out;
  const std::function<void(const std::string&, const AnswerNodes&)> write =
      [&](const std::string& indent, const AnswerNodes& nodes) {
        for (const Node& node : nodes) {
          const bool any = node.ply == kAnyPly;
          out.push_back(indent +
                        (!any               ? node.ply
                         : nodes.size() > 1 ? "any other"
                                            : "any") +
                        ": " + node.answer);
          write(indent + "  ", node.children);
        }
      };
  write("", nodes_);
  return out;
}

Result<AnswerTree::PlyWithAnswers> AnswerTree::find_answer(
    const std::vector<std::string>& plies) const {
  const AnswerNodes* here = &nodes_;
  for (std::size_t i = 0; i < plies.size(); i += 2) {
    auto node = std::ranges::find(*here, plies[i], &Node::ply);
    if (node == here->end()) node = std::ranges::find(*here, kAnyPly, &Node::ply);
    if (node == here->end()) return Refusal{"You queued no answer to " + plies[i] + "."};
    if (i + 1 == plies.size()) {
      PlyWithAnswers next{node->answer, {}};
      next.answers.nodes_ = node->children;
      return next;
    }
    if (plies[i + 1] != node->answer)
      return Refusal{"You have played a different move since then."};
    here = &node->children;
  }
  return Refusal{"No move was played since you queued that."};
}

void AnswerTree::add_line(const std::vector<std::string>& line) {
  AnswerNodes* here = &nodes_;
  for (std::size_t i = 0; i + 1 < line.size(); i += 2) {
    auto node = std::ranges::find(*here, line[i], &Node::ply);
    if (node == here->end()) {
      // The star is last.
      const auto end =
          !here->empty() && here->back().ply == kAnyPly ? here->end() - 1 : here->end();
      node = here->insert(end, Node{line[i], line[i + 1]});
    } else if (node->answer != line[i + 1]) {
      node->answer = line[i + 1];
      node->children.clear();
    }
    here = &node->children;
  }
}

}  // namespace pbm
