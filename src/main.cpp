// SPDX-License-Identifier: MIT
// Arguments to a front end, errors to an exit status.
#include <clocale>
#include <cstdio>
#include <exception>

#include "base/text.hpp"
#include "cli/cli.hpp"

int main(int argc, char** argv) {
  std::setlocale(LC_ALL, "");
  try {
    return pbm::run_command_line({argv + 1, argv + argc});
  } catch (const std::exception& e) {
    std::fprintf(stderr, "pbmplay: %s\n", pbm::safe_text(e.what()).c_str());
  }
  return pbm::kFailed;
}
