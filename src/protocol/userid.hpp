// SPDX-License-Identifier: MIT
// Checks userids, fingerprints, passwords and mail addresses, the same way on server, client,
// command line and mail gateway. Leaves the accounts to server/tables/accounts.hpp.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace pbm {

inline constexpr std::size_t kMaxUseridLength = 16;
inline constexpr std::size_t kMinPasswordLength = 8, kMaxPasswordLength = 64;  // bytes

// Returns the userid in lower case, which is also a valid directory name. Refuses invalid userids,
// and those that look like another word or like the owner.
Result<std::string> check_userid(std::string_view typed);
// The same for a new userid. Also refuses "you", which old accounts may have.
Result<std::string> check_new_userid(std::string_view typed);
// Returns the refusal of a name that sounds like the owner of the server.
Refusal reserved_userid_refusal(std::string_view typed);

// True for the fingerprint of an SSH key, "SHA256:" and 43 characters. Case counts. No userid looks
// like that.
inline constexpr std::string_view kSomeFingerprint =  // of no key, as an example
    "SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
bool is_fingerprint(std::string_view text);

// Refuses an invalid password. An old password may be shorter than a new one.
Result<Success> check_password(std::string_view typed);
Result<Success> check_new_password(std::string_view typed,
                                   std::size_t shortest = kMinPasswordLength);

// True for a single mail address without characters that mail headers or programs treat specially.
bool is_mail_address(std::string_view text);
// Returns the mailbox of an address: in lower case, without a plus and the text after it.
std::string normalize_mailbox(std::string_view address);

}  // namespace pbm
