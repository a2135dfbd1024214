// SPDX-License-Identifier: MIT
// The SSH keys of the members, the codes with which a member adds a key, and the invitations to
// sign up. Leaves the proof of a key to sshd, and the permissions to commands/.
#pragma once

#include <chrono>
#include <map>
#include <vector>

#include "base/result.hpp"
#include "base/text.hpp"
#include "store/database.hpp"

namespace pbm {

struct LoginKey {
  std::string fingerprint, userid, label;
  Time added{};
  std::optional<Time> last_used;
};

struct Invitation {
  std::string code;
  std::optional<std::string> inviter;  // nothing: the owner of the server
  std::string userid;                  // only this userid may be taken with it; "": any
  Time expires{};
};

class LoginKeys {
 public:
  static constexpr std::size_t kMaxPerUser = 20, kMaxCodes = 10'000, kMaxInvitations = 10;
  static constexpr std::chrono::minutes kCodeLifetime{10};
  static constexpr std::chrono::hours kInvitationLifetime{7 * 24};

  explicit LoginKeys(Database& database) : database_(database) {}

  std::optional<LoginKey> find(const std::string& fingerprint);
  // Returns the keys of a member, the oldest first.
  std::vector<LoginKey> find_all(const std::string& userid);
  // Both throw Error. Refuses a member who has too many keys. Pre: find() returns nothing.
  Result<Success> add(const std::string& fingerprint, const std::string& userid, Time now);
  void drop(const std::string& fingerprint);
  void drop_all(const std::string& userid);
  void set_label(const std::string& fingerprint, const std::string& label);
  // Notes that a key signed in. store_uses() writes all notes, so that no sign-in waits for the
  // disk; it throws Error.
  void note_use(const std::string& fingerprint, Time now) { uses_[fingerprint] = now; }
  void store_uses();

  // Returns the code for the key, or adds `fresh` if it has none. It works once, within
  // kCodeLifetime.
  std::string make_code(const std::string& fingerprint, const std::string& fresh, Time now);
  // Returns the key of that code; "" if it is wrong or too old.
  std::string find_code(const std::string& code, Time now) const;
  void drop_code(const std::string& code) { codes_.erase(lower(code)); }

  // Adds an invitation. Refuses a member whose invitations are all open. Throws Error.
  Result<Success> add_invitation(const Invitation& invitation, Time now);
  // Returns the invitation if its code is right and not too old.
  std::optional<Invitation> find_invitation(const std::string& code, Time now);
  void drop_invitation(const std::string& code);
  // Drops what a member who is banned or signs off has made.
  void drop_invitations(const std::string& inviter);

 private:
  struct Code {
    std::string fingerprint;
    Time expires;
  };
  Database& database_;
  std::map<std::string, Time> uses_;   // by fingerprint: not written yet
  std::map<std::string, Code> codes_;  // by code
};

}  // namespace pbm
