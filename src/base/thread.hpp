// SPDX-License-Identifier: MIT
// Threads beside the one that has the terminal or the sockets. Leaves what it does to whoever
// starts it.
#pragma once

#include <functional>
#include <thread>

namespace pbm {

// Runs `work` on a thread that no signal comes to: those are for the thread that started it. Throws
// std::system_error when there is none to be had.
std::thread quiet_thread(std::function<void()> work);

}  // namespace pbm
