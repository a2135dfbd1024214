// SPDX-License-Identifier: MIT
#include "base/interned.hpp"

#include <thread>

#include "support.hpp"

using namespace pbm;
using namespace pbm::test;

using Names = Interned<std::vector<std::string>>;

TEST_CASE("what is the same is kept once, and as long as it is used", "[interned]") {
  Names one = {"fred", "wilma"};
  const Names two = std::vector<std::string>{"fred", "wilma"}, other = {"wilma", "fred"}, none;
  CHECK(&one.get() == &two.get());
  CHECK(one == two);
  CHECK_FALSE(one == other);
  CHECK(none == Names(std::vector<std::string>{}));
  CHECK(none.empty());
  CHECK(other[0] == "wilma");
  one = other;
  CHECK(one == other);
  CHECK(two.size() == 2);
  Names moved = std::move(one);
  CHECK(moved == other);
  moved = Names();
  CHECK(moved == none);
  CHECK(two.get() == std::vector<std::string>{"fred", "wilma"});
  CHECK(std::string_view(Interned<std::string>("fred")) == "fred");
}

TEST_CASE("many threads may use the same values and leave them", "[interned]") {
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&wrong, t] {
      std::vector<Names> kept(5);
      for (int i = 0; i < 20000; ++i) {
        const std::string name = "p" + std::to_string((i * 7 + t) % 11);
        Names& at = kept[static_cast<std::size_t>(i % 5)];
        at = Names{name, "other"};
        const Names copy = at;
        wrong += copy[0] != name || copy.size() != 2 || !(copy == Names{name, "other"});
      }
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
}
