// SPDX-License-Identifier: MIT
// Starts the program, and turns errors into an exit status.
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "base/unique_fd.hpp"
#include "base/text.hpp"
#include "cli/cli.hpp"

namespace {

// Names are in UTF-8. Uses its character set if no locale is chosen, as over many connections, or
// if this machine does not have the chosen one.
void set_locale() {
  bool chosen = false;
  for (const char* variable : {"LC_ALL", "LC_CTYPE", "LANG"})
    if (const char* value = std::getenv(variable); value && *value) chosen = true;
  if (!chosen || !std::setlocale(LC_CTYPE, "")) std::setlocale(LC_CTYPE, "C.UTF-8");
}

}  // namespace

int main(int argc, char** argv) {
  if (!pbm::open_missing_descriptors()) return pbm::kExitFailure;
  set_locale();
  try {
    return pbm::run_command_line({argv + 1, argv + argc});
  } catch (const std::exception& e) {
    std::fprintf(stderr, "pbmplay: %s\n", pbm::safe_text(e.what()).c_str());
  }
  return pbm::kExitFailure;
}
