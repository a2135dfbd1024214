// SPDX-License-Identifier: MIT
// The form of the first visit with a new SSH key. Leaves the key to sshd, and all decisions to the
// server.
#include "ui/screens/screens.hpp"

#include "protocol/userid.hpp"
#include "ui/screens/form.hpp"

namespace pbm {

namespace {

class KeyForm final : public Form {
 public:
  using Row = FormRow::Kind;
  explicit KeyForm(Boards& boards)
      : Form("take the name, or check the code or password", "leave the program"),
        boards_(boards),
        setup_(*boards.server().new_key()) {
    rows_ = {{Row::toggle, "known here", "I already have a name"},
             {Row::text, "name", "letters and digits; others see it"}};
    if (setup_.signup_mode == "invited") rows_.push_back({Row::text, "invitation", "its code"});
    if (setup_.signup_mode == "closed") change_value(1);
    else current_index_ = 1;
  }

  // Draws the introduction between the title and the rows.
  void draw(Canvas& canvas) override {
    const Size size = canvas.size();
    const auto lines =
        intro(size.rows - 5 - std::min(static_cast<int>(rows_.size()), 3), size.columns - 2);
    intro_rows_ = static_cast<int>(lines.size()) + 1;
    Canvas form({size.rows - intro_rows_, size.columns});
    form.status_text = canvas.status_text;
    Form::draw(form);
    canvas.draw_canvas(intro_rows_, 0, form);
    draw_title(canvas, title(), "F1 help  Esc leave",
               {{"F1 help", function_key(1)}, {"Esc leave", {Key::Code::escape}}});
    for (int row = kTitleRows; row < kTitleRows + intro_rows_; ++row) canvas.clear_row(row);
    for (int i = 0; i < intro_rows_ - 1; ++i)
      canvas.put_text(kTitleRows + i, 1, lines[static_cast<std::size_t>(i)]);
  }
  void click(Point place) override { Form::click({place.row - intro_rows_, place.column}); }
  std::string title() const override { return "Welcome"; }
  Kind kind() const override { return Kind::sign_in; }

 private:
  static constexpr int kTitleRows = 2;
  bool is_known() const { return rows_.front().is_on(); }
  std::string entered(std::string_view row) const {
    return find(row) ? std::string(trim(find(row)->text.text())) : "";
  }

  // Returns at most `most` lines of `width` columns.
  std::vector<std::string> intro(int most, int width) const {
    std::vector<std::string> out, more;
    const auto add = [&](std::vector<std::string>& to, const std::string& text) {
      for (std::string& line : wrap(text, width)) to.push_back(std::move(line));
    };
    const std::string welcome = boards_.server().welcome();
    for (const std::string_view line : split_lines(welcome)) add(more, std::string(line));
    if (!more.empty()) more.emplace_back();
    if (!is_known()) add(out, "Choose a name. Your SSH key is your password from now on.");
    else if (!code_.empty())
      add(out, "On a machine where you play already, type: keys add " + code_ +
                   ". Then press Enter here. The code is for one key and ten minutes. You can also "
                   "give your name and password once.");
    add(out, "This key is new here: " + setup_.key.substr(0, setup_.key.find(' ')));
    if (!is_known())
      add(out, "To come in with another key: ssh -i FILE, or IdentityFile in your ~/.ssh/config.");
    if (std::ssize(out) + std::ssize(more) <= most)
      out.insert(out.begin(), more.begin(), more.end());
    if (std::ssize(out) > most) out.resize(static_cast<std::size_t>(std::max(0, most)));
    return out;
  }

  // After a name comes the invitation or the password, if that row is empty.
  void enter() override {
    const std::size_t next = current_index_ + 1;
    const bool has_next = current_row().label == "name" && !entered("name").empty() &&
                          next < rows_.size() && rows_[next].text.text().empty();
    has_next ? go_to(next) : finish();
  }

  void finish() override {
    const std::string name = entered("name"), code = entered("mailed code");
    if (!is_known()) {
      if (name.empty()) return refuse("Type a name first.");
      if (const auto may = check_new_userid(name); !may) return refuse(may.refusal().reason);
      return ask("key name " + name + " " + entered("invitation"));
    }
    if (name.empty() || current_row().label == "known here") return ask("");
    const std::string password = find("password")->text.text();
    ask(!code.empty()      ? "key confirm " + name + " " + code
        : password.empty() ? "key mail " + name
                           : "login " + name + " " + password);
  }

  void leave() override { request(QuitRequest{}); }

  void handle_change(FormRow& row) override {
    if (&row != &rows_.front()) return;
    rows_.resize(2, rows_.front());
    if (!is_known()) {
      if (setup_.signup_mode == "invited") rows_.push_back({Row::text, "invitation", "its code"});
      if (setup_.signup_mode == "closed") refuse("This server takes no new players now.");
      return;
    }
    rows_.push_back({Row::secret, "password", "if you have one"});
    rows_.push_back({Row::text, "mailed code", "sent to your confirmed address"});
    ask("key code");  // the same one, as long as it is good
  }

  Notice foot_notice() const override {
    return {!is_known() ? "Enter takes the name and signs you in."
            : current_row_label() == "known here"
                ? "Enter checks if the code was typed on the other machine."
                : "Enter signs in. Without a password, it sends a code to your confirmed address.",
            Style::dim};
  }
  const std::string& current_row_label() const { return rows_[current_index_].label; }

  void refuse(const std::string& why) { show_notice(why, Style::bad); }

  void ask(const std::string& line) {
    if (pending_request_) return;
    boards_.start_task(
        pending_request_, "",
        [line, &server = boards_.server()] { return server.ask_about_key(line); },
        [this, line](const Result<std::string>& said) {
          if (!said) return refuse(said.refusal().reason);
          if (said->empty()) return request(QuitRequest{});
          if (line == "key code") code_ = *said;
          else show_notice(*said, Style::good);
          if (line.starts_with("key mail")) go_to(rows_.size() - 1);
        });
  }

  Boards& boards_;
  const RemoteBoards::Setup& setup_;
  std::string code_;  // for `keys add` on another machine
  int intro_rows_ = 0;
};

}  // namespace

std::unique_ptr<Screen> make_key_form(Boards& boards) { return std::make_unique<KeyForm>(boards); }

}  // namespace pbm
