// SPDX-License-Identifier: MIT
#include "server/net/peer_auth.hpp"

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include "base/files.hpp"
#include "base/text.hpp"
#include "protocol/userid.hpp"

namespace pbm {
namespace {

constexpr std::size_t kMaxFile = std::size_t{1} << 20;

// Returns "" if that uid has no login name.
std::string login_name(uid_t uid) {
  std::vector<char> room(16384);
  passwd entry{};
  passwd* found = nullptr;
  return ::getpwuid_r(uid, &entry, room.data(), room.size(), &found) == 0 && found ? found->pw_name
                                                                                   : "";
}

Refusal refuse(const std::string& why) {
  return Refusal{why + ". Sign in with login userid password."};
}

}  // namespace

Result<std::string> read_trusted_logins(const std::filesystem::path& file) {
  struct stat status {};
  const bool is_found = ::lstat(file.c_str(), &status) == 0;
  if (!is_found && errno == ENOENT) return std::string();
  const std::string name = safe_text(file.string());
  if (is_found && (!S_ISREG(status.st_mode) || status.st_uid != ::geteuid()))
    return Refusal{name + " must be a plain file of " + safe_text(login_name(::geteuid())) +
                   ", the login of the server."};
  if (is_found && (status.st_mode & 022) != 0)
    return Refusal{"Other logins can write " + name + ". Type: chmod 600 " + name};
  return read_file(file, kMaxFile);
}

bool trusts_login(std::string_view text, std::string_view login, std::string_view who) {
  for (const std::string_view line : split_lines(text)) {
    const std::vector<std::string> parts = split_words(line.substr(0, line.find('#')));
    if (parts.empty() || parts[0] != login) continue;
    const auto fits = [&](const std::string& word) {
      if (word == "keys" || is_fingerprint(who)) return word == "keys" && is_fingerprint(who);
      return word == "*" || equals_ignoring_case(word, who);
    };
    if (parts.size() == 1 ? equals_ignoring_case(login, who)
                          : std::any_of(parts.begin() + 1, parts.end(), fits))
      return true;
  }
  return false;
}

Result<Success> check_trust(const std::filesystem::path& file, uid_t peer, const std::string& who) {
  if (peer == ::geteuid()) return Success{};
  const auto text = read_trusted_logins(file);
  if (!text) return refuse("The server ignores its list of trusted logins. Its log has the reason");
  if (text->empty()) return refuse("Only the owner of this server may do that");
  const std::string login = login_name(peer);
  if (!login.empty() && trusts_login(*text, login, who)) return Success{};
  return refuse("The server does not trust " + (login.empty() ? "your login" : safe_text(login)) +
                " to sign in as " + who);
}

std::vector<std::string> trusted_logins(const std::filesystem::path& file, std::string_view who) {
  const auto text = read_trusted_logins(file);
  return trusted_logins(text ? *text : "", who);
}

std::vector<std::string> trusted_logins(const std::string& text, std::string_view who) {
  std::vector<std::string> out;
  for (const std::string_view line : split_lines(text)) {
    std::string_view rest = line.substr(0, line.find('#'));
    const std::string login(take_word(rest));
    if (!login.empty() && std::ranges::count(out, login) == 0 && trusts_login(text, login, who))
      out.push_back(login);
  }
  return out;
}

}  // namespace pbm
