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

}  // namespace

bool trusts_login(std::string_view text, std::string_view login, std::string_view userid) {
  for (const std::string_view line : split_lines(text)) {
    const std::vector<std::string> parts = split_words(line.substr(0, line.find('#')));
    if (parts.empty() || parts[0] != login) continue;
    const auto fits = [&](const std::string& word) {
      return word == "*" || equals_ignoring_case(word, userid);
    };
    if (parts.size() == 1 ? equals_ignoring_case(login, userid)
                          : std::any_of(parts.begin() + 1, parts.end(), fits))
      return true;
  }
  return false;
}

Result<Success> check_trust(const std::filesystem::path& file, uid_t peer,
                            const std::string& userid) {
  if (peer == ::geteuid()) return Success{};
  const auto refuse = [](const std::string& why) {
    return Refusal{why + ". Sign in with login userid password."};
  };
  struct stat status {};
  if (::lstat(file.c_str(), &status) != 0) {
    if (errno == ENOENT) return refuse("Only the owner of this server may do that");
    return refuse("The server cannot read its list of trusted logins");
  }
  if (!S_ISREG(status.st_mode) || status.st_uid != ::geteuid() || (status.st_mode & 022) != 0)
    return refuse("The server ignores its list of trusted logins, as others can write it");
  const auto text = read_file(file, kMaxFile);
  if (!text) return refuse("The server cannot read its list of trusted logins");
  const std::string login = login_name(peer);
  if (!login.empty() && trusts_login(*text, login, userid)) return Success{};
  return refuse("The server does not trust " + (login.empty() ? "your login" : safe_text(login)) +
                " to sign in as " + userid);
}

}  // namespace pbm
