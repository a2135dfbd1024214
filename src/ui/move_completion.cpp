// SPDX-License-Identifier: MIT
#include "ui/move_completion.hpp"

#include <algorithm>

namespace pbm {

std::string suggest_typed_word(const Refusal& why, std::string_view typed,
                               const std::vector<std::string>& words) {
  constexpr std::size_t kShortest = 3;  // letters; fewer are a move
  const std::string_view first = typed.substr(0, typed.find(' '));
  const bool is_word = first.size() >= kShortest && std::ranges::all_of(first, is_letter);
  const std::string meant = is_word && why.offset <= 1 ? suggest_word(first, words, "") : "";
  return why.reason + (meant.empty() ? "" : " " + meant);
}

Result<LogEntry> MoveCompletion::validate_text(const Match& match, std::string_view text,
                                               std::string_view typed) const {
  const auto seat = find_seat_ ? find_seat_(text) : std::optional(match.acting_seat(text));
  if (!seat) return Refusal{match.status()};
  return match.validate(*seat, typed, Time{});
}

void MoveCompletion::reset(const Match& match, const std::vector<std::string>& words,
                           SeatFinder speaker) {
  find_seat_ = std::move(speaker);
  const bool may_move = match.to_move() && (!find_seat_ || find_seat_("") == match.to_move());
  spellings_ = may_move ? match.position().spellings() : std::vector<Spelling>{};
  notation_ = SpellingIndex(spellings_);
  // Words share the input line with plies.
  for (const std::string_view word : kMatchWords)
    if (validate_text(match, word, word))
      spellings_.push_back({std::string(word), std::string(word)});
  for (const std::string& word : words) spellings_.push_back({word, ""});
  std::ranges::sort(spellings_);
}

std::vector<SpellingIndex::Completion> MoveCompletion::find_continuations(
    std::string_view typed) const {
  const Spelling key{std::string(typed), ""};
  std::vector<SpellingIndex::Completion> plies, words;
  for (auto it = std::lower_bound(spellings_.begin(), spellings_.end(), key);
       it != spellings_.end() && it->text.substr(0, typed.size()) == typed; ++it) {
    if (typed.empty() && is_match_word(it->text)) continue;  // suggest these only on request
    // Shows the canonical spelling if the player types that one.
    const bool own = lower(it->ply) == it->text;
    const auto known = std::ranges::find(plies, it->ply, &SpellingIndex::Completion::ply);
    if (it->ply.empty()) words.push_back({it->text, "", typed.size()});
    else if (known == plies.end())
      plies.push_back({own ? it->ply : it->text, it->ply, typed.size()});
    else if (own) known->spelling = it->ply;
  }
  // A beginning of a ply hides the words with that beginning.
  if (!plies.empty()) return plies;
  return words.empty() ? notation_.completions(typed) : words;
}

std::string MoveCompletion::suggest_word_for(const Refusal& why, std::string_view typed) const {
  std::vector<std::string> words;
  for (const Spelling& known : spellings_)
    if (known.ply.empty() || is_match_word(known.ply)) words.push_back(known.text);
  return suggest_typed_word(why, lower(trim(typed)), words);
}

Judgement MoveCompletion::judge(const Match& match, std::string_view typed) const {
  Judgement out;
  const std::string text = lower(trim(typed));
  if (text.empty()) return out;
  for (const auto& way : find_continuations(text)) {
    if (way.spelling.size() == way.typed_bytes) continue;
    // A move of several jumps continues by one part at a time.
    const std::size_t part = way.spelling.find('-', way.typed_bytes + 1);
    std::string next = way.spelling.substr(0, part);
    if (out.continuations.empty() || out.continuations.back() != next)
      out.continuations.push_back(std::move(next));
  }
  const auto entry = validate_text(match, text, typed);
  // Does not refuse the beginning of a word.
  if (!entry && out.continuations.empty() && text.size() > 1)
    for (const std::string_view word : kMatchWords)
      if (word != text && word.starts_with(text)) out.continuations.emplace_back(word);
  if (entry) {
    out.kind = Judgement::Kind::complete;
    out.text = entry->text;
  } else if (!out.continuations.empty()) {
    out.kind = Judgement::Kind::partial;
  } else {
    out.kind = Judgement::Kind::refused;
    out.reason = suggest_word_for(entry.refusal(), text);
    out.offset = entry.refusal().offset;
  }
  return out;
}

std::vector<std::string> MoveCompletion::possible_plies(std::string_view typed,
                                                        std::size_t most) const {
  const std::string text = lower(trim(typed));
  std::vector<std::string> out;
  if (text.empty()) return out;
  for (const auto& way : find_continuations(text)) {
    if (way.ply.empty() || is_match_word(way.ply)) continue;
    if (out.size() == most) return {};
    out.push_back(way.ply);
  }
  return out;
}

std::string MoveCompletion::complete(std::string_view typed) const {
  const auto found = find_continuations(lower(trim(typed)));
  if (found.empty()) return std::string(typed);
  std::string common = found.front().spelling;
  std::size_t at = found.front().typed_bytes;
  for (const auto& other : found) {
    keep_common_beginning(common, other.spelling);
    at = std::max(at, other.typed_bytes);
  }
  return common.size() > at ? common : std::string(typed);
}

}  // namespace pbm
