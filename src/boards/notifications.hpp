// SPDX-License-Identifier: MIT
// Events of a server in words for people. Leaves what they change to remote_boards.hpp.
#pragma once

#include "boards/boards.hpp"
#include "protocol/events.hpp"

namespace pbm {

// Nothing for an event that says nothing to people.
std::optional<Notification> notification_of(const Event& event);

}  // namespace pbm
