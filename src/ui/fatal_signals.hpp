// SPDX-License-Identifier: MIT
// The signals that end a program where it stands, so that it can put its terminal right before.
// Leaves what to do then to curses.cpp and line_mode.cpp.
#pragma once

#include <array>
#include <csignal>

namespace pbm {

// Signals that the program sends itself by a fault of its own, and signals that a person or the
// system sends without asking it. SIGKILL cannot be caught.
inline constexpr std::array kFatalSignals{SIGSEGV,   SIGBUS,  SIGFPE,  SIGILL,  SIGABRT, SIGTRAP,
                                          SIGSYS,    SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGPROF,
                                          SIGVTALRM, SIGXCPU, SIGXFSZ, SIGPOLL, SIGPWR};

}  // namespace pbm
