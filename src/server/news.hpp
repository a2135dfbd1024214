// SPDX-License-Identifier: MIT
// What somebody who is away is told by another program. Leaves when to tables/notices.hpp.
#pragma once

#include <memory>

#include "server/service.hpp"

namespace pbm {

// All that waits for him, and what has happened since he was told last; nullptr for nothing.
std::unique_ptr<NoticeJob> notice_for(Service& service, const Account& account,
                                      std::optional<Time> told, int stop);

}  // namespace pbm
