// SPDX-License-Identifier: MIT
// The form to sign in to a server with a userid and its password, or to take a new userid. It never
// shows a password. Leaves the check to the server.
#include "ui/screens/screens.hpp"

#include "ui/screens/form.hpp"
#include "protocol/userid.hpp"

namespace pbm {

namespace {

class SignIn final : public Form {
 public:
  using Row = FormRow::Kind;
  SignIn(Boards& boards, const std::string& why)
      : Form("the next row; after the last one, sign in",
             boards.server().user().empty() ? "leave the program" : "back; what was begun stays"),
        boards_(boards),
        user_(boards.server().user()) {
    say(why, Style::bad);
    if (!again())
      rows_ = {{Row::on_off, "new here", "to take a new userid"},
               {Row::text, "userid", "letters and digits: what the others see"}};
    rows_.emplace_back(Row::secret, "password", "");
    at_ = again() ? 0 : 1;
  }

  std::string title() const override {
    return fresh() ? "A new userid" : again() ? "Sign in again, " + user_ : "Sign in";
  }
  Kind kind() const override { return Kind::sign_in; }

 private:
  void done() override {
    const auto entered = [&](const char* row) { return find(row) ? find(row)->text.text() : ""; };
    const std::string user = again() ? user_ : std::string(trim(entered("userid")));
    const std::string password = entered("password");
    const auto refused = [&](const std::string& why, std::size_t row) {
      say(why, Style::bad);
      go_to(row);
    };
    if (!again() && user.empty()) return refused("Type your userid first.", 1);
    if (fresh() && entered("again") != password) {
      find("password")->text.set("");
      find("again")->text.set("");
      return refused("The two passwords differ: type them again.", 2);
    }
    if (asking_) return;
    boards_.ask(
        asking_, "",
        [user, password, fresh = fresh(), &server = boards_.server()] {
          return fresh ? server.sign_up(user, password) : server.sign_in(user, password);
        },
        [this](const Result<std::string>& said) { answered(said); });
  }

  void leave() override { again() ? request(GoBack{}) : request(Quit{}); }

  // For a new userid, the player types the password twice.
  void changed(FormRow&) override {
    const bool twice = find("again") != nullptr;
    if (fresh() && !twice) rows_.emplace_back(Row::secret, "again", "the same password");
    if (!fresh() && twice) rows_.pop_back();
    find("password")->about =
        fresh() ? std::to_string(kShortestPassword) + " characters or more" : std::string();
  }

  Notice foot() const override {
    return {again()   ? "What was begun below stays as it is."
            : fresh() ? "Enter on the last row takes the userid."
            : at_ < 2 ? "Enter after the password signs in. Are you new here? Go up, then Space."
                      : "Enter signs in.",
            Style::dim};
  }

  // True if the userid is known. Then Esc goes back to the screen below.
  bool again() const { return !user_.empty(); }
  bool fresh() const { return !again() && rows_.front().on(); }

  void answered(const Result<std::string>& said) {
    if (said) return request(GoBack{*said});
    say(said.refusal().why, Style::bad);
    go_to(!fresh() ? rows_.size() - 1 : said.refusal().why.starts_with("A password") ? 2 : 1);
    if (!fresh()) row().text.set("");
  }

  Boards& boards_;
  std::string user_;
};

}  // namespace

std::unique_ptr<Screen> sign_in(Boards& boards, const std::string& why) {
  return std::make_unique<SignIn>(boards, why);
}

}  // namespace pbm
