// SPDX-License-Identifier: MIT
// The form to sign in to a server with a userid and its password, or to take a new userid. It never
// shows a password. Leaves the check to the server.
#include "ui/screens/screens.hpp"

#include "ui/screens/form.hpp"
#include "protocol/userid.hpp"

namespace pbm {
namespace {

class SignInForm final : public Form {
 public:
  using Row = FormRow::Kind;
  SignInForm(Boards& boards, const std::string& why)
      : Form("go to the next row; after the last one, sign in",
             boards.server().userid().empty() ? "leave the program"
                                              : "back; your game and text stay"),
        boards_(boards),
        userid_(boards.server().userid()) {
    show_notice(why, Style::bad);
    if (!is_userid_known())
      rows_ = {{Row::toggle, "new here", "create an account"},
               {Row::text, "userid", "letters and digits; others see it"}};
    rows_.emplace_back(Row::secret, "password", "");
    current_index_ = is_userid_known() ? 0 : 1;
  }

  std::string title() const override {
    return is_new_userid()     ? "New account"
           : is_userid_known() ? "Sign in again, " + userid_
                               : "Sign in";
  }
  Kind kind() const override { return Kind::sign_in; }

 private:
  void finish() override {
    const auto entered = [&](const char* row) { return find(row) ? find(row)->text.text() : ""; };
    const std::string user = is_userid_known() ? userid_ : std::string(trim(entered("userid")));
    const std::string password = entered("password");
    const auto refused = [&](const std::string& why, std::size_t row) {
      show_notice(why, Style::bad);
      go_to(row);
    };
    if (!is_userid_known() && user.empty()) return refused("Type your userid first.", 1);
    if (is_new_userid() && entered("again") != password) {
      find("password")->text.set_text("");
      find("again")->text.set_text("");
      return refused("The two passwords differ. Type them again.", 2);
    }
    if (pending_request_) return;
    boards_.start_task(
        pending_request_, "",
        [user, password, fresh = is_new_userid(), &server = boards_.server()] {
          return fresh ? server.sign_up(user, password) : server.sign_in(user, password);
        },
        [this](const Result<std::string>& said) { handle_answer(said); });
  }

  void leave() override { is_userid_known() ? request(BackRequest{}) : request(QuitRequest{}); }

  // For a new userid, the player types the password twice.
  void handle_change(FormRow&) override {
    const bool twice = find("again") != nullptr;
    if (is_new_userid() && !twice) rows_.emplace_back(Row::secret, "again", "the same password");
    if (!is_new_userid() && twice) rows_.pop_back();
    find("password")->help_text = is_new_userid()
                                      ? std::to_string(kMinPasswordLength) + " characters or more"
                                      : std::string();
  }

  Notice foot_notice() const override {
    return {is_userid_known() ? "Your game and your text stay as they are."
            : is_new_userid() ? "Enter on the last row creates the account."
            : current_index_ < 2
                ? "Enter after the password signs in. Are you new here? Press Up, then Space."
                : "Enter signs in.",
            Style::dim};
  }

  // True if the userid is known. Then Esc goes back to the screen below.
  bool is_userid_known() const { return !userid_.empty(); }
  bool is_new_userid() const { return !is_userid_known() && rows_.front().is_on(); }

  void handle_answer(const Result<std::string>& said) {
    if (said) return request(BackRequest{*said});
    show_notice(said.refusal().reason, Style::bad);
    go_to(!is_new_userid()                                  ? rows_.size() - 1
          : said.refusal().reason.starts_with("A password") ? 2
                                                            : 1);
    if (!is_new_userid()) current_row().text.set_text("");
  }

  Boards& boards_;
  std::string userid_;
};

}  // namespace

std::unique_ptr<Screen> make_sign_in_form(Boards& boards, const std::string& why) {
  if (boards.server().new_key()) return make_key_form(boards);
  return std::make_unique<SignInForm>(boards, why);
}

}  // namespace pbm
