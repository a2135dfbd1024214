// SPDX-License-Identifier: MIT
// Who somebody is on a server: a userid and its password, or a new one. The
// password is never shown. Leaves proving it to the server.
#pragma once

#include "boards/boards.hpp"
#include "ui/screen.hpp"
#include "ui/widgets/form.hpp"

namespace pbm {

class SignIn final : public Screen {
 public:
  // Whoever is known already signs in again, and `why` says why.
  // Pre: the boards are on a server.
  explicit SignIn(Boards& boards, const std::string& why = "");

  void draw(Canvas& canvas) override;
  // Goes back to the boards once somebody has signed in.
  ScreenRequest press(const Key& key) override;
  void paste(char32_t c) override;
  ScreenRequest take_request() override { return std::exchange(later_, {}); }
  std::string title() const override { return "Sign in"; }
  std::vector<KeyHelp> keys() const override;

 private:
  enum class Command : std::uint8_t;
  static const std::vector<Binding<Command>>& bindings();
  // userid, password, and for a new userid the password again
  std::size_t rows() const { return new_ ? 3 : 2; }
  std::size_t first() const { return again_ ? 1 : 0; }
  ScreenRequest enter();
  void answered(const Result<std::string>& said);

  Boards& boards_;
  Ticket asking_;
  ScreenRequest later_;
  FormField fields_[3]{{FormField::Kind::text, "userid", ""},
                       {FormField::Kind::secret, "password", ""},
                       {FormField::Kind::secret, "again", ""}};
  std::size_t at_ = 0;
  bool new_ = false;
  bool again_ = false;  // who it is stands fast, and Esc goes back to what is below
};

}  // namespace pbm
