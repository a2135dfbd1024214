// SPDX-License-Identifier: MIT
// Fibers: order, exceptions and lifetime.
#include "base/fiber.hpp"

#include <stdexcept>
#include <string>

#include "catch.hpp"

using namespace pbm;

TEST_CASE("a fiber goes on where it was suspended, with what it has on its stack", "[fiber]") {
  std::string order;
  Fiber* own = nullptr;
  Fiber fiber([&] {
    for (int i = 1; i <= 3; ++i) {
      order += std::to_string(i);
      CHECK(own->is_running());
      own->suspend();
    }
  });
  own = &fiber;
  CHECK_FALSE(fiber.is_running());
  for (const char* between : {"a", "b", "c"}) {
    fiber.resume();
    CHECK_FALSE(fiber.is_running());
    CHECK_FALSE(fiber.has_ended());
    order += between;
  }
  fiber.resume();
  CHECK(fiber.has_ended());
  CHECK(order == "1a2b3c");
}

TEST_CASE("what is thrown on a fiber is caught there, also behind a suspension", "[fiber]") {
  Fiber* own = nullptr;
  int caught = 0;
  Fiber fiber([&] {
    for (int i = 0; i < 2; ++i) try {
        own->suspend();
        throw std::runtime_error("there");
      } catch (const std::runtime_error&) {
        ++caught;
        own->suspend();
      }
  });
  own = &fiber;
  while (!fiber.has_ended()) {
    try {
      fiber.resume();
      if (!fiber.has_ended()) throw std::logic_error("here");
    } catch (const std::logic_error&) {
    }
  }
  CHECK(caught == 2);
}

TEST_CASE("a fiber that never begins needs no stack", "[fiber]") {
  const Fiber fiber([] { FAIL("nobody has asked for it"); });
  CHECK_FALSE(fiber.has_ended());
}
