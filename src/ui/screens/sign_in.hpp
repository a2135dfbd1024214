// SPDX-License-Identifier: MIT
// Who somebody is on a server: a userid and its password, or a new one. The
// password is never shown. Leaves proving it to the server.
#pragma once

#include "ui/screens/form.hpp"

namespace pbm {

class SignIn final : public Form {
 public:
  // Whoever is known already signs in again, and `why` says why.
  // Pre: the boards are on a server.
  explicit SignIn(Boards& boards, const std::string& why = "");

  std::string title() const override;

 private:
  ScreenRequest done() override;
  ScreenRequest leave() override { return again() ? ScreenRequest(GoBack{}) : Quit{}; }
  void changed(FormRow& row) override;
  Notice foot() const override;
  // Who it is stands fast, and Esc goes back to what is below.
  bool again() const { return !user_.empty(); }
  bool fresh() const { return !again() && rows_.front().on(); }
  void answered(const Result<std::string>& said);

  Boards& boards_;
  std::string user_;
};

}  // namespace pbm
