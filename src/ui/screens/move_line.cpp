// SPDX-License-Identifier: MIT
#include "ui/screens/move_line.hpp"

#include "ui/lobby_model.hpp"

namespace pbm {

namespace {
constexpr std::size_t kManyPlies = 64;  // what may become more plies than that names no square yet
}  // namespace

void MoveLine::draw(Canvas& canvas, int row, int column, int width, bool judged) const {
  const Judgement& j = judgement();
  const bool wrong =
      judged && j.kind == Judgement::Kind::refused && (is_move() || typed().is_match_word());
  line_.draw(canvas, row, column, width, Style::text,
             wrong ? std::optional<std::size_t>(j.at) : std::nullopt);
}

const MoveLine::Read& MoveLine::read() const {
  // A picture asks several times, and each answer parses what is typed.
  if (std::string line = line_.text(); !read_ || line != read_->line) {
    TypedLine typed = desk_.read(line);
    Judgement judgement = completion_.judge(desk_.match(), typed.text);
    judgement.at += typed.text_at;
    read_ = Read{std::move(line), std::move(typed), std::move(judgement)};
  }
  return *read_;
}

bool MoveLine::takes_text() const {
  using enum TypedWord::Where;
  return typed().kind == TypedLine::Kind::command ||
         ((typed().of(session) || typed().of(server)) && text().find(' ') != std::string::npos);
}

std::vector<std::string> MoveLine::plies_of(std::string_view text) const {
  return completion_.meant(text, kManyPlies);
}

std::vector<std::vector<SpotId>> MoveLine::trails_of(std::string_view text) const {
  std::vector<std::vector<SpotId>> out;
  for (const std::string& ply : plies_of(text)) out.push_back(desk_.match().position().trail(ply));
  return out;
}

bool MoveLine::names_ply(std::string_view text) const {
  return !completion_.meant(text, std::string::npos).empty();
}

void MoveLine::follow() {
  std::vector<std::string> words;
  for (const TypedWord* w : desk_.words_now(Front::screen))
    if (w->where != TypedWord::Where::match) words.emplace_back(w->name);
  read_.reset();
  completion_.reset(desk_.match(), words,
                    [this](std::string_view typed) { return desk_.acting_seat(typed); });
}

bool MoveLine::complete(RemoteBoards& server) {
  const std::string typed = text();
  const bool command = desk_.takes_commands() && trim(typed).starts_with(':');
  const std::string whole = command ? complete_last(typed, server) : completion_.complete(typed);
  if (whole == typed) return command;
  line_.set(whole);
  return true;
}

// A move where it cannot become one whatever is added, or as the letter begins one; a legal one
// that an exercise did not ask for; and any other line, which can be fetched again.
void MoveLine::begin_anew(const Key& key) {
  if (!std::exchange(refused_, false) || key.code != Key::Code::character || empty()) return;
  const auto refused = [&](const std::string& text) {
    return completion_.judge(desk_.match(), text).kind == Judgement::Kind::refused;
  };
  std::string letter;
  append_utf8(letter, key.c);
  if (is_move() && judgement().kind != Judgement::Kind::refused && desk_.task().empty() &&
      (!refused(text() + letter) || refused(letter)))
    return;
  history_.add(text());
  line_.set("");
}

void MoveLine::recall(int step) {
  if (const std::string* line = history_.step(step)) line_.set(*line);
}

std::vector<SpotId> common_beginning(const std::vector<std::vector<SpotId>>& trails) {
  if (trails.empty()) return {};
  std::vector<SpotId> common = trails.front();
  for (const std::vector<SpotId>& trail : trails) {
    std::size_t n = 0;
    while (n < common.size() && n < trail.size() && common[n] == trail[n]) ++n;
    common.resize(n);
  }
  return common;
}

}  // namespace pbm
