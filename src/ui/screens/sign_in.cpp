// SPDX-License-Identifier: MIT
#include "ui/screens/sign_in.hpp"

namespace pbm {

enum class SignIn::Command : std::uint8_t { enter, next, previous, sign_up, help, leave };

SignIn::SignIn(Boards& boards, const std::string& why)
    : boards_(boards), again_(!boards.server().user().empty()) {
  Screen::say(why, Style::bad);
  fields_[0].text.set(boards.server().user());
  at_ = first();
}

const std::vector<Binding<SignIn::Command>>& SignIn::bindings() {
  using enum Key::Code;
  static const std::vector<Binding<Command>> table{
      {Command::enter, {{Key::Code::enter}}, "the next field; behind the last one, sign in"},
      {Command::next, {{tab}, {down}}, "next field"},
      {Command::previous, {{back_tab}, {up}}, "previous field"},
      {Command::sign_up, {{function, 3}}, "take a new userid, or sign in with one that is there"},
      {Command::help, {{function, 1}}, "this help"},
      {Command::leave, {{escape}}, "leave the program; signed in before, go back without"},
  };
  return table;
}

std::vector<KeyHelp> SignIn::keys() const {
  std::vector<KeyHelp> out = key_help<Command>(bindings());
  for (KeyHelp& k : LineEditor::keys()) out.push_back(std::move(k));
  return out;
}

void SignIn::draw(Canvas& canvas) {
  constexpr int kFirst = 3;
  constexpr FormColumns kColumns{14, 24, INT_MAX};
  const std::string leave = again_ ? "Esc back" : "Esc leave";
  draw_title(canvas,
             new_     ? "A new userid"
             : again_ ? "Sign in again"
                      : "Sign in",
             "F1 help  " + leave,
             {{"F1 help", {Key::Code::function, 1}}, {leave, {Key::Code::escape}}});
  for (std::size_t i = 0; i < rows(); ++i)
    draw_field(canvas, kFirst + static_cast<int>(i), fields_[i], i == at_, kColumns);
  const std::string other = again_ ? "What was begun below stays as it is."
                            : new_ ? "F3 signs in with a userid that is there."
                                   : "F3 takes a new userid.";
  if (notice_.empty()) draw_message(canvas, canvas.size().rows, 4, other, Style::dim);
  else draw_message(canvas, canvas.size().rows, 4, notice_.text, notice_.style);
  if (notice_.empty() && !again_)
    canvas.link(canvas.size().rows - 1, 1, columns(other), {{Key::Code::function, 3}});
}

ScreenRequest SignIn::press(const Key& key) {
  notice_.clear();
  if (key.code == Key::Code::character) {
    fields_[at_].text.press(key);
    return {};
  }
  const auto command = command_for<Command>(bindings(), key);
  if (!command) {
    fields_[at_].text.press(key);
    // A cursor between stars says nothing: of a password only its end is edited.
    if (at_ > 0) fields_[at_].text.press({Key::Code::end});
    return {};
  }
  switch (*command) {
    case Command::enter:
      if (at_ + 1 < rows()) ++at_;
      else return enter();
      return {};
    case Command::next: at_ = std::max(step_round(at_, rows(), 1), first()); return {};
    case Command::previous: at_ = std::max(step_round(at_, rows(), -1), first()); return {};
    case Command::sign_up:
      if (again_) return {};
      new_ = !new_;
      at_ = std::min(at_, rows() - 1);
      return {};
    case Command::help: return ShowKeys{};
    case Command::leave: return again_ ? ScreenRequest(GoBack{}) : ScreenRequest(Quit{});
  }
  return {};
}

void SignIn::paste(char32_t c) { fields_[at_].text.press(typed(c)); }

ScreenRequest SignIn::enter() {
  const std::string user(trim(fields_[0].text.text())), password = fields_[1].text.text();
  if (new_ && fields_[2].text.text() != password) {
    say("The two passwords differ: type them again.", Style::bad);
    fields_[1].text.set("");
    fields_[2].text.set("");
    at_ = 1;
    return {};
  }
  if (asking_) return {};
  asking_ = boards_.ask("", [this, user, password, fresh = new_](Boards& boards) -> Boards::Then {
    auto said =
        fresh ? boards.server().sign_up(user, password) : boards.server().sign_in(user, password);
    return [this, said = std::move(said)] { answered(said); };
  });
  return take_request();
}

void SignIn::answered(const Result<std::string>& said) {
  asking_.reset();
  if (said) {
    later_ = GoBack{*said};
    return;
  }
  say(said.refusal().why, Style::bad);
  if (!new_) {
    fields_[1].text.set("");
    at_ = 1;
  } else {
    at_ = 0;
  }
}

}  // namespace pbm
