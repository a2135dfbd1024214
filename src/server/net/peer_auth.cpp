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
  struct stat status {};
  if (::lstat(file.c_str(), &status) != 0) {
    if (errno == ENOENT)
      return Refusal{"Only the owner of this server may do that: say login userid password."};
    return Refusal{"The server cannot read whom it trusts: say login userid password."};
  }
  if (!S_ISREG(status.st_mode) || status.st_uid != ::geteuid() || (status.st_mode & 022) != 0)
    return Refusal{
        "The server does not believe its list of whom it trusts, as others could have written it: "
        "say login userid password."};
  const auto text = read_file(file, kMaxFile);
  if (!text) return Refusal{"The server cannot read whom it trusts: say login userid password."};
  const std::string login = login_name(peer);
  if (!login.empty() && trusts_login(*text, login, userid)) return Success{};
  return Refusal{"The server does not trust " + (login.empty() ? "your login" : safe_text(login)) +
                 " to speak for " + userid + ": say login userid password."};
}

}  // namespace pbm
