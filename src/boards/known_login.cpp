// SPDX-License-Identifier: MIT
#include "boards/known_login.hpp"

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/text.hpp"

namespace pbm {

Result<Done> KnownLogin::check(std::optional<uid_t> peer) {
  if (!peer) return Done{};
  if (!known_ && !file_.empty())
    if (const auto text = read_file(file_, 100)) known_ = read_whole_number<uid_t>(trim(*text));
  if (known_ && *known_ != *peer)
    return Refusal{
        "Another login (uid " + std::to_string(*peer) + ") answers at " + place_ +
        " than before (uid " + std::to_string(*known_) + "): nothing is sent there." +
        (file_.empty() ? "" : " If that is right, remove " + safe_text(file_.string()) + ".")};
  if (known_) return Done{};
  known_ = *peer;
  if (file_.empty()) return Done{};
  try {
    make_directory(file_.parent_path());
    replace_file(file_, std::to_string(*peer) + "\n");
  } catch (const Error&) {
    // Without it the next run knows no more than this one did.
  }
  return Done{};
}

}  // namespace pbm
