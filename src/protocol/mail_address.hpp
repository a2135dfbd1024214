// SPDX-License-Identifier: MIT
// Addresses of mail, as far as a server and its gateway look into them. Leaves writing to one to
// mail/, and how often to server/.
#pragma once

#include <string>
#include <string_view>

namespace pbm {

// Whether it can be written to: one address, and nothing that a header or a program would take for
// something else.
bool is_plain_address(std::string_view text);
// Without what stands behind a plus, in small letters: that leads to the same mailbox.
std::string mailbox_of(std::string_view address);

}  // namespace pbm
