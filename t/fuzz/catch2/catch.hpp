// SPDX-License-Identifier: MIT
// What the tests' helpers use of Catch2, for the fuzz targets, which are no
// tests: what is wanted and not so ends the process, and libFuzzer keeps the input.
#pragma once

#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>

namespace pbm::test {

[[noreturn]] inline void wrong(const std::string& what, const char* file, int line) {
  std::cerr << file << ":" << line << ": " << what << std::endl;
  std::abort();
}

}  // namespace pbm::test

#define REQUIRE(...) \
  ((__VA_ARGS__) ? void() : pbm::test::wrong("not so: " #__VA_ARGS__, __FILE__, __LINE__))
#define REQUIRE_FALSE(...) REQUIRE(!(__VA_ARGS__))
#define CHECK(...) REQUIRE(__VA_ARGS__)
#define CHECK_FALSE(...) REQUIRE(!(__VA_ARGS__))
#define INFO(...) static_cast<void>(0)
#define CAPTURE(...) static_cast<void>(0)
#define FAIL(...) pbm::test::wrong((std::ostringstream() << __VA_ARGS__).str(), __FILE__, __LINE__)

namespace Catch {

struct NoTest {
  std::string getCurrentTestName() const { return "a fuzz target"; }
};
inline NoTest getResultCapture() { return {}; }

}  // namespace Catch
