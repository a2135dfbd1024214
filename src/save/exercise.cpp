// SPDX-License-Identifier: MIT
#include "save/exercise.hpp"

#include <algorithm>

#include "save/save.hpp"
#include "save/yaml.hpp"

namespace pbm {

std::vector<std::string_view> split_documents(std::string_view file) {
  constexpr std::string_view kParted = "\n---\n";
  std::vector<std::string_view> out;
  while (!file.empty()) {
    const std::size_t end = file.find(kParted);
    out.push_back(file.substr(0, end == std::string_view::npos ? end : end + 1));
    file.remove_prefix(end == std::string_view::npos ? file.size() : end + kParted.size());
  }
  return out;
}

namespace {

constexpr int kMaxPuzzlePlies = 99;

bool contains_ply(const std::vector<std::string>& plies, const std::string& ply) {
  return std::ranges::find(plies, ply) != plies.end();
}

}  // namespace

Result<Exercise> read_exercise(std::string_view document, std::string_view name) {
  auto save = load_match(document, name);
  if (!save) return save.refusal();
  const auto tree = read_yaml(document);
  if (!tree) return tree.refusal();
  const YamlNode* lesson = tree->find("lesson");
  const YamlNode* puzzle = tree->find("puzzle");
  const auto wrong = [&](const std::string& why) {
    return Refusal{std::string(name) + ": " + why};
  };
  if (!lesson && !puzzle) return wrong("it has neither a lesson nor a puzzle.");
  if (save->match.ending()) return wrong("the game is over before the exercise begins.");
  Exercise out(std::move(save->match));
  // An exercise has no computer players, even if the game had some.
  for (Seat s = 0; s < out.start.seats(); ++s) out.start.set_computer_level(s, 0);
  if (out.start.seats() == 2) {
    std::vector<std::string> names(2, std::string(kOpponent));
    names[static_cast<std::size_t>(out.start.position().to_move())] = kYou;
    out.start.set_names(std::move(names));
  }
  if (lesson) {
    out.prompt = get_text(*lesson, "say");
    out.right_reply = get_text(*lesson, "right");
    out.wrong_reply = get_text(*lesson, "wrong");
    out.solutions = get_texts(*lesson, "find");
    if (out.prompt.empty() || out.right_reply.empty())
      return wrong("the lesson lacks 'say' or 'right'.");
    if (out.solutions.empty() && get_text(*lesson, "find") != "any")
      return wrong("the lesson's 'find' must be a list of moves, or any.");
    if (out.wrong_reply.empty() && !out.solutions.empty())
      return wrong("the lesson lacks 'wrong'.");
  } else {
    out.is_puzzle = true;
    out.is_defence = get_text(*puzzle, "kind") == "hold";
    out.original_ply = get_text(*puzzle, "instead");
    out.ply_count = static_cast<int>(get_number(*puzzle, "plies"));
    out.grade = static_cast<int>(get_number(*puzzle, "grade"));
    out.solution_line = get_texts(*puzzle, "line");
    if (out.solution_line.empty()) return wrong("the puzzle has no 'line'.");
    if (out.ply_count < 1 || out.ply_count > kMaxPuzzlePlies)
      return wrong("the puzzle's 'plies' must be from 1 to " + std::to_string(kMaxPuzzlePlies) +
                   ".");
    out.solutions = {out.solution_line.front()};
    Position then = out.start.position();
    for (const std::string& ply : out.solution_line) {
      if (then.outcome()) break;
      if (!contains_ply(then.legal_plies(), ply))
        return wrong("'" + ply + "' is not a legal move.");
      then.play(ply);
    }
    return out;
  }
  const auto legal = out.start.position().legal_plies();
  for (const std::string& ply : out.solutions)
    if (!contains_ply(legal, ply)) return wrong("'" + ply + "' is not a legal move.");
  return out;
}

int read_puzzle_grade(std::string_view document) {
  constexpr std::string_view kKey = "\npuzzle:";
  const std::size_t key = document.find(kKey);
  if (key == std::string_view::npos) return 0;
  const std::string_view line = document.substr(key + 1, document.find('\n', key + 1) - key);
  const auto tree = read_yaml(line);
  const YamlNode* const puzzle = tree ? tree->find("puzzle") : nullptr;
  return puzzle ? static_cast<int>(get_number(*puzzle, "grade")) : 0;
}

std::string puzzle_text(const Match& match, std::size_t plies, const std::string& words,
                        const std::vector<std::string>& line) {
  const Match before = match.prefix_copy(plies);
  std::string out = save_text(before), quoted;
  for (const std::string& ply : line) quoted += (quoted.empty() ? "" : ", ") + yaml_scalar(ply);
  out.resize(out.find("plies:\n"));
  out += "puzzle: {" + words + ", line: [" + quoted + "]}\nplies:\n";
  // Writes no notes and times. Resignations keep their seat: they change whose turn it is.
  for (const LogEntry& entry : before.log())
    if (!entry.note_ply)
      out += is_match_word(entry.text) ? save_line({entry.text, entry.seat})
                                       : "- " + yaml_scalar(entry.text) + "\n";
  return out;
}

}  // namespace pbm
